//! `${VAR}` and `${VAR:-default}` in a winning entry. No other shell syntax exists.

/// `text` with its variables replaced.
///
/// An empty value counts as set for `${VAR}` and as unset for `${VAR:-default}`, as in a shell. A `${` without a name
/// or without an end is ordinary text.
///
/// # Errors
/// The name of the first variable that is not set and has no default.
pub(super) fn expand(text: &str, env: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let (before, reference) = rest.split_at(start);
        expanded.push_str(before);
        match parse_reference(reference) {
            Some((variable, default, after)) => {
                expanded.push_str(&value_of(variable, default, env)?);
                rest = after;
            }
            None => {
                expanded.push_str("${");
                rest = &reference[2..];
            }
        }
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// Name, default and the text after the reference; `None` when `text` starts with no reference.
fn parse_reference(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let body = &text[2..];
    let end = body.find('}')?;
    let inner = &body[..end];
    let (name, default) = match inner.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inner, None),
    };
    let valid = |(index, c): (usize, char)| {
        c == '_' || c.is_ascii_alphabetic() || (index > 0 && c.is_ascii_digit())
    };
    (!name.is_empty() && name.char_indices().all(valid)).then_some((
        name,
        default,
        &body[end + 1..],
    ))
}

fn value_of(
    variable: &str,
    default: Option<&str>,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<String, String> {
    match (env(variable), default) {
        (Some(value), None) => Ok(value),
        (Some(value), Some(_)) if !value.is_empty() => Ok(value),
        (_, Some(default)) => Ok(default.to_owned()),
        (None, None) => Err(variable.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::expand;

    fn check(text: &str, expected: Result<&str, &str>) {
        let env = |name: &str| match name {
            "SET" => Some("value".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        };
        assert_eq!(expand(text, &env), expected.map(str::to_owned).map_err(str::to_owned));
    }

    #[test]
    fn variables_and_defaults_expand() {
        check("a ${SET} b ${NOT:-d e} ${EMPTY}|${EMPTY:-x}", Ok("a value b d e |x"));
    }

    #[test]
    fn an_unset_variable_is_named() {
        check("${SET}${MISSING}", Err("MISSING"));
    }

    #[test]
    fn other_shell_syntax_is_text() {
        check("$SET $(ls) ${} ${1A} ${SET", Ok("$SET $(ls) ${} ${1A} ${SET"));
    }

    #[test]
    fn a_value_is_not_expanded_again() {
        let env = |name: &str| (name == "A").then(|| "${B}".to_owned());
        assert_eq!(expand("${A}", &env), Ok("${B}".to_owned()));
    }
}
