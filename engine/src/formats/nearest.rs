//! The name that was probably meant, for messages about an unknown one.

/// Least similarity of a name that is suggested in place of an unknown one, 0 to 1: one letter wrong in four, two in ten.
const MIN_SIMILARITY: f64 = 0.84;

/// The name nearest to `given` as a question in brackets, for messages; empty if none is near.
///
/// A name is near if it contains `given`, or if both are similar by the measure of Jaro and Winkler, which values a common beginning.
pub fn or_nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> String {
    let given = given.trim().to_lowercase();
    let similarity = |name: &&str| {
        let name = name.to_lowercase();
        if given.chars().count() > 2 && name.contains(&given) { 1.0 } else { strsim::jaro_winkler(&given, &name) }
    };
    let rated = names.map(|name| (similarity(&name), name)).filter(|(similarity, _)| *similarity >= MIN_SIMILARITY);
    // the first of equals: of names that contain it, the one in the order of the list
    let nearest = rated.reduce(|best, next| if next.0 > best.0 { next } else { best });
    nearest.map_or_else(String::new, |(_, name)| format!(" (did you mean \"{name}\"?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_similar_name_is_suggested() {
        let names = || ["marimba", "vibraphone", "bar"].into_iter();
        assert_eq!(or_nearest("marmba", names()), " (did you mean \"marimba\"?)");
        assert_eq!(or_nearest("VIBRA", names()), " (did you mean \"vibraphone\"?)");
        assert_eq!(or_nearest("tuba", names()), "");
        assert_eq!(or_nearest("", names()), "");
    }
}
