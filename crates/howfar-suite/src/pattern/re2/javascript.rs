//! Spellings of ECMAScript as spellings of RE2.

/// Escapes that RE2 reads itself.
const KEPT: &str = r"\nrtafvdDsSwWbBpPAzQE01234567";

/// A pattern with ECMAScript's spellings replaced; what RE2 cannot do is left for it to refuse.
pub(super) fn to_re2(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut rest = pattern;
    let mut in_class = false;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = match c {
            '\\' => escape(&mut out, after),
            '/' => {
                out.push_str(r"\/");
                after
            }
            '[' if !in_class => {
                let (text, after) = open_class(after, &mut in_class);
                out.push_str(text);
                after
            }
            ']' => {
                in_class = false;
                out.push(']');
                after
            }
            '(' if !in_class && is_named_group(after) => {
                out.push_str("(?P<");
                &after[2..]
            }
            _ => {
                out.push(c);
                after
            }
        };
    }
    out
}

/// `[]` matches nothing and `[^]` anything; other classes begin.
fn open_class<'a>(after: &'a str, in_class: &mut bool) -> (&'static str, &'a str) {
    if let Some(after) = after.strip_prefix(']') {
        return (r"[^\x00-\x{10FFFF}]", after);
    }
    if let Some(after) = after.strip_prefix("^]") {
        return (r"[\x00-\x{10FFFF}]", after);
    }
    *in_class = true;
    match after.strip_prefix('^') {
        Some(after) => ("[^", after),
        None => ("[", after),
    }
}

fn is_named_group(after: &str) -> bool {
    after
        .strip_prefix("?<")
        .is_some_and(|name| !name.starts_with(['=', '!', '>', ')']) && !name.is_empty())
}

/// Writes one escape and gives what follows it.
fn escape<'a>(out: &mut String, after: &'a str) -> &'a str {
    let Some(c) = after.chars().next() else {
        out.push('\\');
        return after;
    };
    let rest = &after[c.len_utf8()..];
    match c {
        'c' => match rest.bytes().next().filter(u8::is_ascii_alphabetic) {
            Some(letter) => {
                push_code_point(out, &format!("{:x}", letter % 32));
                &rest[1..]
            }
            None => literal(out, c, rest),
        },
        'u' => match hexadecimal(rest, 4) {
            Some((digits, rest)) => {
                push_code_point(out, digits);
                rest
            }
            None => literal(out, c, rest),
        },
        'x' => match hexadecimal(rest, 2) {
            Some((digits, rest)) => {
                push_code_point(out, digits);
                rest
            }
            None => literal(out, c, rest),
        },
        _ if KEPT.contains(c) || !c.is_ascii_alphanumeric() => {
            out.push('\\');
            literal(out, c, rest)
        }
        _ => literal(out, c, rest),
    }
}

fn literal<'a>(out: &mut String, c: char, rest: &'a str) -> &'a str {
    out.push(c);
    rest
}

fn push_code_point(out: &mut String, digits: &str) {
    out.push_str(r"\x{");
    out.push_str(digits);
    out.push('}');
}

/// Exactly `count` hexadecimal digits, or any number of them in braces.
fn hexadecimal(text: &str, count: usize) -> Option<(&str, &str)> {
    let all_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if let Some(inside) = text.strip_prefix('{') {
        let (digits, rest) = inside.split_once('}')?;
        return all_digits(digits).then_some((digits, rest));
    }
    let digits = text.get(..count).filter(|digits| all_digits(digits))?;
    Some((digits, &text[count..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_replaced() {
        assert_eq!(to_re2("(?<n>a)(?<=b)"), "(?P<n>a)(?<=b)");
        assert_eq!(to_re2("[][^][a/(?<x]"), r"[^\x00-\x{10FFFF}][\x00-\x{10FFFF}][a\/(?<x]");
        assert_eq!(to_re2(r"\cJ\c1\u0041\u{1F600}\uZ"), r"\x{a}c1\x{0041}\x{1F600}uZ");
        assert_eq!(to_re2(r"\e\8\d\-\k<n>"), r"e8\d\-k<n>");
    }
}
