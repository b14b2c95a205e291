//! A short text that a pattern matches.

use regex_syntax::hir::{Class, Hir, HirKind};

/// The longest text that is made.
const MAX_TEXT: usize = 1_000;

/// Characters that are taken from a class when it has them, in this order.
const PREFERRED: [char; 5] = ['a', 'A', '1', '0', '-'];

/// A text that matches the pattern; `None` for a pattern that has none, is too long, or uses what this engine does not
/// read (look-around, back references).
pub(super) fn text_of_pattern(pattern: &str) -> Option<String> {
    let hir = regex_syntax::Parser::new().parse(pattern).ok()?;
    let mut text = String::new();
    write(&mut text, &hir)?;
    Some(text)
}

fn write(text: &mut String, hir: &Hir) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => text.push(character_of(class)?),
        HirKind::Repetition(repetition) => {
            // One is a better example than none.
            let most = repetition.max.unwrap_or(u32::MAX);
            for _ in 0..repetition.min.max(1).min(most) {
                write(text, &repetition.sub)?;
            }
        }
        HirKind::Capture(capture) => write(text, &capture.sub)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| write(text, part))?,
        HirKind::Alternation(branches) => write(text, branches.first()?)?,
    }
    (text.len() <= MAX_TEXT).then_some(())
}

fn character_of(class: &Class) -> Option<char> {
    let has = |c: char| match class {
        Class::Unicode(class) => {
            class.ranges().iter().any(|range| range.start() <= c && c <= range.end())
        }
        Class::Bytes(class) => u8::try_from(c).is_ok_and(|c| {
            class.ranges().iter().any(|range| range.start() <= c && c <= range.end())
        }),
    };
    let first = || match class {
        Class::Unicode(class) => class.ranges().first().map(|range| range.start()),
        Class::Bytes(class) => class.ranges().first().map(|range| char::from(range.start())),
    };
    PREFERRED.into_iter().find(|c| has(*c)).or_else(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, expected: Option<&str>) {
        assert_eq!(text_of_pattern(pattern).as_deref(), expected, "{pattern}");
    }

    #[test]
    fn common_patterns_get_a_text() {
        check(r"^[A-Z]{3}-\d{4}$", Some("AAA-1111"));
        check(r"^(red|green)s?$", Some("reds"));
        check(r"^\w+@\w+\.com$", Some("a@a.com"));
        check("[x-z]", Some("x"));
    }

    #[test]
    fn what_has_no_text_or_is_not_read_gives_none() {
        check("(?=a)b", None);
        check("(", None);
        check("a{5000}", None);
        check("[^\\s\\S]", None);
    }

    #[test]
    fn nested_repetitions_end() {
        check("((((a{900}){900}){900}){900})", None);
    }
}
