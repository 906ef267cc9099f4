//! The lines of a text, found once, so that the line of any byte costs a binary search.

/// Where the lines of a text begin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    /// The lines of `text`.
    pub(crate) fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        Self(std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect())
    }

    /// The line, from 1, of a byte; that of the last line for a byte after the end.
    pub(crate) fn of_byte(&self, byte: usize) -> usize {
        self.0.partition_point(|&start| start <= byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_the_line_that_counting_gives() {
        for text in ["", "a", "\n", "a\nbc\n\n d", "\r\nä\n"] {
            let lines = Lines::of(text);
            for byte in 0..text.len() + 2 {
                let before = &text.as_bytes()[..byte.min(text.len())];
                let counted = 1 + before.iter().filter(|&&letter| letter == b'\n').count();
                assert_eq!(lines.of_byte(byte), counted, "{text:?}, byte {byte}");
            }
        }
    }
}
