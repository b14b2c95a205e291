//! Names of Unicode classes as RE2 spells them: general categories and scripts, exact.

const CATEGORIES: [&str; 37] = [
    "C", "Cc", "Cf", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N",
    "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So",
    "Z", "Zl", "Zp", "Zs", "Any",
];

/// Script names of two to four letters; other names of that length are abbreviations, which RE2 does not know.
const SHORT_SCRIPTS: [&str; 17] = [
    "Ahom", "Cham", "Han", "Kawi", "Lao", "Lisu", "Miao", "Modi", "Mro", "Newa", "Nko", "Tai_Le",
    "Thai", "Toto", "Vai", "Wancho", "Yi",
];

/// The inside of the engine's `\p{…}` for a name; `None` when RE2 does not know the name.
pub(super) fn class_name(name: &str) -> Option<String> {
    if CATEGORIES.contains(&name) {
        return Some(name.to_owned());
    }
    let long = name.len() > 4 && name.split('_').all(is_capitalized);
    (long || SHORT_SCRIPTS.contains(&name)).then(|| format!("Script={name}"))
}

fn is_capitalized(word: &str) -> bool {
    let mut letters = word.bytes();
    letters.next().is_some_and(|first| first.is_ascii_uppercase())
        && letters.all(|letter| letter.is_ascii_lowercase())
}
