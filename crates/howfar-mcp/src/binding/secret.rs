//! Which values of a binding are credentials.

use super::{HttpBinding, ServerBinding, StdioBinding};

/// Parts of a name that mark its value as a credential.
const CREDENTIAL_NAMES: [&str; 14] = [
    "token",
    "secret",
    "passwd",
    "password",
    "passphrase",
    "apikey",
    "api-key",
    "api_key",
    "auth",
    "credential",
    "cookie",
    "private",
    "session",
    "signature",
];

/// Starts of values that are credentials whatever their name is.
const CREDENTIAL_SHAPES: [&str; 11] =
    ["sk-", "sk_", "pk_", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "eyJ"];

/// Shorter values are not treated as secrets: replacing them would rewrite ordinary text.
const SHORTEST_SECRET: usize = 4;

pub(super) fn secrets_of(binding: &ServerBinding) -> Vec<String> {
    let mut secrets = match binding {
        ServerBinding::Stdio(stdio) => of_stdio(stdio),
        ServerBinding::Http(http) => of_http(http),
    };
    secrets.retain(|secret| secret.len() >= SHORTEST_SECRET);
    secrets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    secrets.dedup();
    secrets
}

fn of_stdio(binding: &StdioBinding) -> Vec<String> {
    let mut secrets: Vec<String> =
        binding.env.iter().flat_map(|(name, value)| of_pair(name, value)).collect();
    let mut previous: Option<&str> = None;
    for argument in &binding.args {
        match argument.split_once('=') {
            Some((name, value)) if name.starts_with('-') => secrets.extend(of_pair(name, value)),
            _ => {
                let name = previous.filter(|flag| flag.starts_with('-')).unwrap_or_default();
                secrets.extend(of_pair(name, argument));
            }
        }
        previous = Some(argument);
    }
    secrets.extend(binding.args.iter().flat_map(|argument| of_url(argument)));
    secrets
}

fn of_http(binding: &HttpBinding) -> Vec<String> {
    let mut secrets: Vec<String> =
        binding.headers.iter().flat_map(|(name, value)| of_pair(name, value)).collect();
    secrets.extend(of_url(&binding.url));
    secrets
}

/// The value of a named pair, and the part after its scheme (`Bearer x` marks both `Bearer x` and `x`).
fn of_pair(name: &str, value: &str) -> Vec<String> {
    let bare = ["Bearer ", "bearer ", "Basic ", "basic ", "Token ", "token "]
        .iter()
        .find_map(|scheme| value.strip_prefix(scheme))
        .map(str::trim);
    let shaped = CREDENTIAL_SHAPES.iter().any(|shape| bare.unwrap_or(value).starts_with(shape));
    if !(is_credential_name(name) || bare.is_some() || shaped) {
        return Vec::new();
    }
    std::iter::once(value).chain(bare).map(str::to_owned).collect()
}

fn is_credential_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let word = |w: &&str| matches!(*w, "key" | "pwd" | "pat" | "sig" | "code");
    CREDENTIAL_NAMES.iter().any(|part| name.contains(part))
        || name.split(['-', '_', '.']).any(|part| word(&part))
}

/// Credentials inside an url: its user and password part, and query values whose name marks one. A value counts both
/// as written and decoded.
fn of_url(text: &str) -> Vec<String> {
    let Ok(url) = reqwest::Url::parse(text) else { return Vec::new() };
    let mut secrets: Vec<String> = url.password().map(str::to_owned).into_iter().collect();
    for pair in url.query().unwrap_or_default().split('&') {
        if let Some((name, value)) = pair.split_once('=')
            && is_credential_name(name)
        {
            secrets.push(value.to_owned());
        }
    }
    secrets.extend(
        url.query_pairs()
            .filter(|(name, _)| is_credential_name(name))
            .map(|(_, value)| value.into_owned()),
    );
    secrets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(binding: ServerBinding, expected: &[&str]) {
        assert_eq!(binding.secrets(), expected);
    }

    #[test]
    fn a_bearer_header_is_marked_with_and_without_its_scheme() {
        let mut http = HttpBinding {
            url: "https://x.test/mcp".into(),
            headers: Default::default(),
            flavor: Default::default(),
        };
        http.headers.insert("Authorization".into(), "Bearer abc-123".into());
        http.headers.insert("Accept-Language".into(), "english".into());
        check(ServerBinding::Http(http), &["Bearer abc-123", "abc-123"]);
    }

    #[test]
    fn url_parameters_and_the_password_are_marked() {
        check(
            ServerBinding::from_url("https://u:pass99@x.test/?api_key=k%2012&page=second"),
            &["k%2012", "pass99", "k 12"],
        );
    }

    #[test]
    fn arguments_after_a_credential_flag_are_marked() {
        check(
            ServerBinding::from_command(
                "srv",
                ["--token", "tok-1", "--key=kkkk", "--dir", "/data"],
            ),
            &["tok-1", "kkkk"],
        );
    }
}
