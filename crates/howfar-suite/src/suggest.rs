//! Which known word an unknown one was probably meant to be.

/// ` (did you mean …?)` with the nearest known word, or nothing when none is near.
pub(crate) fn did_you_mean<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> String {
    match nearest(found, known) {
        Some(word) => format!(" (did you mean `{word}`?)"),
        None => String::new(),
    }
}

/// The nearest known word within a third of its length, the first of equals.
pub fn nearest<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if !(3..=64).contains(&found.len()) {
        return None;
    }
    let folded = fold(found);
    known
        .map(|word| (strsim::damerau_levenshtein(&folded, &fold(word)), word))
        .filter(|(distance, word)| distance * 3 <= word.chars().count().max(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// Case, dashes and underscores are the commonest slips, so they cost nothing.
fn fold(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: &str, expected: Option<&str>) {
        let known = ["passThreshold", "iterations", "toolPolicy", "id"];
        assert_eq!(nearest(found, known.into_iter()), expected, "{found}");
    }

    #[test]
    fn a_slip_finds_its_word() {
        check("pass_threshold", Some("passThreshold"));
        check("iteration", Some("iterations"));
        check("toolPolciy", Some("toolPolicy"));
    }

    #[test]
    fn a_word_of_its_own_finds_none() {
        check("retries", None);
        check("timeoutMs", None);
        check("", None);
    }
}
