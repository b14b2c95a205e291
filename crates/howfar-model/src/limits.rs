//! How much a model reads at once, where that is known without asking anybody.

/// The tokens of request and answer together that a model of this provider surely takes; `None` when nobody can say.
///
/// The numbers are lower bounds over the models of a family that are on offer: a model that takes more is not hurt. What a
/// local server, a router or a compatible server takes depends on how it was set up, so nothing is said about those. A
/// script takes whatever it is given.
pub fn context_tokens(provider: &str, model: &str) -> Option<u64> {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| model.starts_with(prefix));
    match provider {
        "scripted" => Some(10_000_000),
        "anthropic" if begins(&["claude-"]) => Some(200_000),
        "openai" if begins(&["gpt-4o", "gpt-4.1", "gpt-5", "o3", "o4"]) => Some(128_000),
        "google" if begins(&["gemini-"]) => Some(1_000_000),
        "deepseek" if begins(&["deepseek-"]) => Some(64_000),
        "mistral" if begins(&["mistral-", "ministral-", "magistral-"]) => Some(32_000),
        "xai" if begins(&["grok-"]) => Some(131_072),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_knows_is_not_guessed() {
        assert_eq!(context_tokens("anthropic", "claude-x"), Some(200_000));
        assert_eq!(context_tokens("anthropic", "other"), None);
        assert_eq!(context_tokens("ollama", "qwen3"), None);
        assert_eq!(context_tokens("openai-compatible", "gpt-5"), None);
    }
}
