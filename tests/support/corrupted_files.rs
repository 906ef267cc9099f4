//! Seeded damage to texts.

/// Numbers that look random and are the same every time.
pub fn dice(seed: u64) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    }
}

/// What stands where a number stood.
const NUMBERS: [&str; 9] = ["nan", "-1", "1e999", "0", "-0.0", "99999999999999999999", "1e-320", "\"1\"", "[1]"];

/// `text` with up to three accidents: lines dropped, doubled or swapped, a bit flipped, a number replaced, a key renamed, another
/// schema.
pub fn spoil(text: &str, next: &mut impl FnMut() -> u32) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + next() % 3 {
        let mut place = || next() as usize % lines.len();
        let (at, other) = (place(), place());
        match next() % 7 {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.swap(at, other),
            3 => lines[at] = flipped(&lines[at], next),
            4 => {
                if let Some((key, _)) = lines[at].split_once('=') {
                    lines[at] = format!("{key}= {}", NUMBERS[next() as usize % NUMBERS.len()]);
                } else {
                    lines[at] = NUMBERS[next() as usize % NUMBERS.len()].into();
                }
            }
            5 => lines[at].insert(0, 'x'),
            _ => lines[0] = format!("schema = {}", next() % 5),
        }
    }
    lines.join("\n") + "\n"
}

fn flipped(line: &str, next: &mut impl FnMut() -> u32) -> String {
    let mut bytes = line.as_bytes().to_vec();
    if !bytes.is_empty() {
        let place = next() as usize % bytes.len();
        bytes[place] ^= 1 << (next() % 8);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
