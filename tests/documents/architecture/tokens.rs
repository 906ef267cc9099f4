//! Rust text as words, signs, string literals and comments.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// An identifier, a keyword or a number.
    Word,
    /// One sign, or `::`.
    Sign,
    /// A string literal with its quotation marks.
    Text,
    /// A comment up to the end of its line, or a block comment.
    Comment,
}

/// A piece of a source file.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub text: &'static str,
    /// Line in its file, from 1.
    pub line: usize,
}

impl Token {
    /// Whether this is the word or the sign `text`.
    pub fn is(&self, text: &str) -> bool {
        self.is_code() && self.text == text
    }

    /// Whether this is a word or a sign.
    pub fn is_code(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Sign)
    }
}

/// The tokens of a text; character literals and white space are left out.
pub fn tokens(text: &'static str) -> Vec<Token> {
    let (mut found, mut rest, mut line) = (Vec::new(), text, 1);
    while let Some(first) = rest.chars().next() {
        let (kind, length) = next(rest, first);
        let piece = &rest[..length];
        if let Some(kind) = kind {
            found.push(Token { kind, text: piece, line });
        }
        line += piece.matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// Kind and length of the token at the start of `rest`; no kind for what is left out.
fn next(rest: &str, first: char) -> (Option<Kind>, usize) {
    if rest.starts_with("//") {
        (Some(Kind::Comment), rest.find('\n').unwrap_or(rest.len()))
    } else if rest.starts_with("/*") {
        (Some(Kind::Comment), rest.find("*/").map_or(rest.len(), |end| end + 2))
    } else if first == '"' {
        (Some(Kind::Text), string_length(rest))
    } else if let Some(length) = raw_string_length(rest) {
        (Some(Kind::Text), length)
    } else if let Some(length) = character_length(rest) {
        (None, length)
    } else if first.is_alphanumeric() || first == '_' {
        (Some(Kind::Word), rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()))
    } else if rest.starts_with("::") {
        (Some(Kind::Sign), 2)
    } else {
        ((!first.is_whitespace()).then_some(Kind::Sign), first.len_utf8())
    }
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

fn raw_string_length(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r')?.chars().take_while(|&sign| sign == '#').count();
    let body = text[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(1 + hashes + 1 + body.find(&end)? + end.len())
}

/// Length of a character literal; nothing for a lifetime.
fn character_length(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\'')?;
    let mut signs = body.char_indices();
    let (_, first) = signs.next()?;
    let (second_at, second) = signs.next()?;
    if first == '\\' {
        let after = second_at + second.len_utf8();
        return Some(1 + after + body[after..].find('\'')? + 1);
    }
    (second == '\'').then_some(1 + second_at + 1)
}

/// Index of the sign that closes the bracket at `open`.
pub fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "{" | "(" | "[" if token.kind == Kind::Sign => depth += 1,
            "}" | ")" | "]" if token.kind == Kind::Sign => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len() - 1
}

#[test]
fn comments_strings_and_characters_are_separated_from_code() {
    let text = "let a = \"x \\\" //\"; // note\nlet b: &'a str = r#\"raw \" text\"#; f('\"', '{', '\\'', b'}');";
    let found = tokens(text);
    let of = |kind| found.iter().filter(|token| token.kind == kind).map(|token| token.text).collect::<Vec<_>>();
    assert_eq!(of(Kind::Text), ["\"x \\\" //\"", "r#\"raw \" text\"#"]);
    assert_eq!(of(Kind::Comment), ["// note"]);
    assert_eq!(of(Kind::Word), ["let", "a", "let", "b", "a", "str", "f", "b"]);
    assert!(!of(Kind::Sign).contains(&"{"));
    assert_eq!(found.last().map(|token| token.line), Some(2));
}
