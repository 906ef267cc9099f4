//! Keys that choke each other, as a closed hi-hat chokes the open one.

use super::tuning::KEYS;

/// Most groups of a patch.
pub const MOST_GROUPS: usize = 16;

/// The group of every key; a key is in one group at most. Plain data of fixed size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chokes([u8; KEYS]);

impl Default for Chokes {
    fn default() -> Self {
        Self([0; KEYS])
    }
}

impl Chokes {
    /// From the keys of every group, at most [`MOST_GROUPS`]. Errors: group and key that stands in two groups or is no key.
    pub fn new(groups: &[Vec<u8>]) -> Result<Self, (usize, u8)> {
        let mut chokes = Self::default();
        for (group, keys) in groups.iter().enumerate().take(MOST_GROUPS) {
            for &key in keys {
                let own = group as u8 + 1;
                match chokes.0.get_mut(usize::from(key)) {
                    Some(of) if *of == 0 || *of == own => *of = own,
                    _ => return Err((group, key)),
                }
            }
        }
        Ok(chokes)
    }

    /// Keys of every group, rising.
    pub fn groups(&self) -> Vec<Vec<u8>> {
        let most = self.0.iter().copied().max().unwrap_or(0);
        (1..=most).map(|group| (0..KEYS as u8).filter(|&key| self.0[usize::from(key)] == group).collect()).collect()
    }

    /// Whether a strike of `key` chokes the body of `other`.
    pub fn chokes(&self, key: u8, other: u8) -> bool {
        let group = |key: u8| self.0.get(usize::from(key)).copied().unwrap_or(0);
        key != other && group(key) != 0 && group(key) == group(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_choke_the_others_of_their_group() {
        let chokes = Chokes::new(&[vec![42, 44, 46], vec![71, 72]]).unwrap();
        assert!(chokes.chokes(42, 46) && chokes.chokes(46, 42) && !chokes.chokes(46, 46));
        assert!(!chokes.chokes(42, 71) && !chokes.chokes(60, 61));
        assert_eq!(Chokes::new(&chokes.groups()), Ok(chokes));
        assert_eq!(Chokes::new(&[vec![1], vec![2, 1]]), Err((1, 1)));
        assert_eq!(Chokes::new(&[vec![128]]), Err((0, 128)));
    }
}
