//! Letters of 5 x 7 pixels for pictures: digits, units and the titles of panels.

/// Height of a letter and distance from one to the next [pixels].
pub const HEIGHT: usize = 7;
pub const ADVANCE: usize = 6;

/// Letters as seven rows of five bits, the left pixel first.
#[rustfmt::skip]
const LETTERS: [(char, [u8; HEIGHT]); 27] = [
    ('0', [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110]),
    ('1', [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('2', [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111]),
    ('3', [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110]),
    ('4', [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010]),
    ('5', [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110]),
    ('6', [0b01110, 0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110]),
    ('7', [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000]),
    ('8', [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110]),
    ('9', [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001, 0b01110]),
    ('.', [0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100]),
    ('H', [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001]),
    ('b', [0b10000, 0b10000, 0b10110, 0b11001, 0b10001, 0b10001, 0b11110]),
    ('c', [0b00000, 0b00000, 0b01110, 0b10000, 0b10000, 0b10001, 0b01110]),
    ('d', [0b00001, 0b00001, 0b01101, 0b10011, 0b10001, 0b10001, 0b01111]),
    ('e', [0b00000, 0b00000, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110]),
    ('f', [0b00110, 0b01001, 0b01000, 0b11100, 0b01000, 0b01000, 0b01000]),
    ('g', [0b00000, 0b00000, 0b01111, 0b10001, 0b01111, 0b00001, 0b01110]),
    ('i', [0b00100, 0b00000, 0b01100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('k', [0b10000, 0b10000, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010]),
    ('n', [0b00000, 0b00000, 0b10110, 0b11001, 0b10001, 0b10001, 0b10001]),
    ('o', [0b00000, 0b00000, 0b01110, 0b10001, 0b10001, 0b10001, 0b01110]),
    ('r', [0b00000, 0b00000, 0b10110, 0b11001, 0b10000, 0b10000, 0b10000]),
    ('s', [0b00000, 0b00000, 0b01110, 0b10000, 0b01110, 0b00001, 0b11110]),
    ('t', [0b01000, 0b01000, 0b11100, 0b01000, 0b01000, 0b01001, 0b00110]),
    ('w', [0b00000, 0b00000, 0b10001, 0b10001, 0b10101, 0b10101, 0b01010]),
    ('z', [0b00000, 0b00000, 0b11111, 0b00010, 0b00100, 0b01000, 0b11111]),
];

/// Width of a text [pixels].
pub fn width(text: &str) -> usize {
    ADVANCE * text.chars().count()
}

/// The pixels (column, row) of a text, from its top left corner. A letter that is not in the list is a space.
pub fn pixels(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    text.chars().enumerate().flat_map(|(place, letter)| {
        let rows = LETTERS.iter().find(|(known, _)| *known == letter).map_or([0; HEIGHT], |(_, rows)| *rows);
        let lit =
            move |row: usize| (0..5).filter(move |column| rows[row] >> (4 - column) & 1 == 1).map(move |column| (column, row));
        (0..HEIGHT).flat_map(lit).map(move |(column, row)| (ADVANCE * place + column, row))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_titles_and_ticks_is_known() {
        for text in ["before", "now", "recording", "0.25 s", "100 Hz", "10 kHz", "3456789"] {
            let known = |letter: char| letter == ' ' || LETTERS.iter().any(|(other, _)| *other == letter);
            assert!(text.chars().all(known), "{text}");
            assert!(pixels(text).all(|(column, row)| column < width(text) && row < HEIGHT));
        }
        assert_eq!(pixels("1").count(), 10, "its pixels");
    }
}
