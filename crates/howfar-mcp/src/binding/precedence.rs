//! Which source binds which server: the first with an entry wins, whole, without merging (suite and runner,
//! section B3).

use serde_json::{Map, Value};

use super::config::{ConfigSource, binding_of_entry, parse_config};
use super::{BindingError, ServerBinding};
use crate::network::http_url;

/// Every place a binding can come from, in order of precedence. Not `Debug`: urls and texts may carry credentials.
#[derive(Clone, Default)]
pub struct BindingSources {
    /// The `--server NAME=URL` flags as written.
    pub servers: Vec<String>,
    /// `--url` or `--command` with its flags; needs exactly one target.
    pub single: Option<SingleTarget>,
    /// Configuration texts: the file that `--mcp-config` names, then `./.mcp.json`, `./.howfar/mcp.json` and
    /// `./.mcpjam/mcp.json`, as far as they exist.
    pub configs: Vec<ConfigSource>,
}

/// What `--url` or `--command` says.
#[derive(Debug, Clone)]
pub struct SingleTarget {
    /// The flag, `--url` or `--command`.
    pub flag: String,
    /// The binding that it and its companions describe.
    pub binding: ServerBinding,
}

/// One server with its binding.
#[derive(Debug, Clone)]
pub struct BoundServer {
    /// The name, as the suite has it.
    pub name: String,
    /// Which source won, for reports.
    pub source_label: String,
    /// How it is reached.
    pub binding: ServerBinding,
}

/// The bindings of `targets`, in their order.
///
/// A configuration text is looked at only while names are unbound, except that one the user named must always be
/// valid. Variables expand in winning entries only.
///
/// # Errors
/// Every problem that was found, never only the first.
pub fn bind_servers(
    targets: &[String],
    sources: &BindingSources,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<BoundServer>, Vec<BindingError>> {
    let mut binder = Binder {
        slots: targets.iter().map(|name| (name.as_str(), Slot::Open)).collect(),
        errors: Vec::new(),
        unread: false,
        looked_in: Vec::new(),
    };
    for flag in &sources.servers {
        binder.take_server_flag(flag, targets);
    }
    if let Some(single) = &sources.single {
        binder.take_single(single);
    }
    for config in &sources.configs {
        binder.take_config(config, env);
    }
    binder.finish()
}

enum Slot {
    Open,
    /// Bound, with the place.
    Bound(BoundServer),
    /// A source won but its entry is unusable; the error is recorded.
    Broken,
}

struct Binder<'a> {
    slots: Vec<(&'a str, Slot)>,
    errors: Vec<BindingError>,
    /// Whether a source could not be read: what it would have bound is not known to be missing.
    unread: bool,
    /// The sources so far, with the names that they have.
    looked_in: Vec<String>,
}

impl Binder<'_> {
    fn take_server_flag(&mut self, flag: &str, targets: &[String]) {
        let source_label = "--server".to_owned();
        if !self.looked_in.contains(&source_label) {
            self.looked_in.push(source_label.clone());
        }
        let Some((server, url)) =
            flag.split_once('=').filter(|(name, url)| !name.is_empty() && !url.is_empty())
        else {
            let text = flag.split_once('=').map_or(flag, |(name, _)| name).to_owned();
            return self.errors.push(BindingError::ServerFlag { text });
        };
        let server = server.to_owned();
        let Some((_, slot)) = self.slots.iter_mut().find(|(name, _)| *name == server) else {
            let targets =
                targets.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
            return self.errors.push(BindingError::UnknownServer { server, source_label, targets });
        };
        if !matches!(slot, Slot::Open) {
            return self.errors.push(BindingError::DuplicateServer { server, source_label });
        }
        match http_url(url) {
            Ok(_) => {
                *slot = Slot::Bound(BoundServer {
                    name: server,
                    source_label,
                    binding: ServerBinding::from_url(url),
                })
            }
            Err(detail) => {
                *slot = Slot::Broken;
                self.errors.push(BindingError::InvalidEntry {
                    server,
                    source_label,
                    detail: format!("the url {detail}"),
                });
            }
        }
    }

    fn take_single(&mut self, single: &SingleTarget) {
        let count = self.slots.len();
        let [(name, slot)] = self.slots.as_mut_slice() else {
            return self
                .errors
                .push(BindingError::NotOneTarget { source_label: single.flag.clone(), count });
        };
        let server = (*name).to_owned();
        let source_label = single.flag.clone();
        if !matches!(slot, Slot::Open) {
            return self.errors.push(BindingError::DuplicateServer { server, source_label });
        }
        let problem = match &single.binding {
            ServerBinding::Http(http) => http_url(&http.url).err(),
            ServerBinding::Stdio(_) => None,
        };
        match problem {
            None => {
                *slot = Slot::Bound(BoundServer {
                    name: server,
                    source_label,
                    binding: single.binding.clone(),
                })
            }
            Some(detail) => {
                *slot = Slot::Broken;
                self.errors.push(BindingError::InvalidEntry {
                    server,
                    source_label,
                    detail: format!("the url {detail}"),
                });
            }
        }
    }

    fn take_config(&mut self, config: &ConfigSource, env: &dyn Fn(&str) -> Option<String>) {
        let open = self.slots.iter().any(|(_, slot)| matches!(slot, Slot::Open));
        if !(open || config.explicit) {
            return;
        }
        match parse_config(config) {
            Ok(entries) => {
                self.looked_in.push(with_names(&config.label, &entries));
                self.take_entries(config, &entries, env);
            }
            Err(error) => {
                self.unread = true;
                self.errors.push(error);
            }
        }
    }

    fn take_entries(
        &mut self,
        config: &ConfigSource,
        entries: &Map<String, Value>,
        env: &dyn Fn(&str) -> Option<String>,
    ) {
        for (name, slot) in &mut self.slots {
            let (Slot::Open, Some(entry)) = (&*slot, entries.get(*name)) else { continue };
            *slot = match binding_of_entry(name, entry, config, env) {
                Ok(binding) => Slot::Bound(BoundServer {
                    name: (*name).to_owned(),
                    source_label: config.label.clone(),
                    binding,
                }),
                Err(error) => {
                    self.errors.push(error);
                    Slot::Broken
                }
            };
        }
    }

    fn finish(mut self) -> Result<Vec<BoundServer>, Vec<BindingError>> {
        let looked_in = match self.looked_in.as_slice() {
            [] => "no --server flag and no configuration file".to_owned(),
            places => places.join(", "),
        };
        let mut bound = Vec::with_capacity(self.slots.len());
        for (name, slot) in self.slots {
            match slot {
                Slot::Bound(server) => bound.push(server),
                Slot::Broken => {}
                Slot::Open if self.unread => {}
                Slot::Open => {
                    self.errors.push(BindingError::Missing {
                        server: name.to_owned(),
                        looked_in: looked_in.clone(),
                    });
                }
            }
        }
        if self.errors.is_empty() { Ok(bound) } else { Err(self.errors) }
    }
}

/// A file's label with the first names of its servers: a name that is spelled otherwise there is seen at once.
fn with_names(label: &str, entries: &Map<String, Value>) -> String {
    const SHOWN: usize = 8;
    let names: Vec<String> = entries.keys().take(SHOWN).map(|name| format!("{name:?}")).collect();
    let more = if entries.len() > SHOWN { ", …" } else { "" };
    match names.as_slice() {
        [] => format!("{label}, which has no server"),
        names => format!("{label}, which has {}{more}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(label: &str, text: &str, explicit: bool) -> ConfigSource {
        ConfigSource { label: label.into(), folder: "/w".into(), text: Ok(text.into()), explicit }
    }

    /// Checks `name <- source` of every bound server, or the start of every error.
    fn check(targets: &[&str], sources: &BindingSources, expected: Result<&[&str], &[&str]>) {
        let targets: Vec<String> = targets.iter().map(|t| (*t).to_owned()).collect();
        match (bind_servers(&targets, sources, &|_| None), expected) {
            (Ok(bound), Ok(expected)) => {
                let found: Vec<String> =
                    bound.iter().map(|b| format!("{} <- {}", b.name, b.source_label)).collect();
                assert_eq!(found, expected);
            }
            (Err(errors), Err(expected)) => {
                let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
                assert_eq!(texts.len(), expected.len(), "{texts:?}");
                for (text, part) in texts.iter().zip(expected) {
                    assert!(text.contains(part), "{text} has no {part}");
                }
            }
            (found, _) => panic!("{found:?}"),
        }
    }

    #[test]
    fn the_first_source_with_an_entry_wins_whole() {
        let sources = BindingSources {
            servers: vec!["a=http://127.0.0.1:1/mcp".into()],
            single: None,
            configs: vec![
                config(
                    "one",
                    r#"{"mcpServers":{"a":{"url":"http://x"},"b":{"command":"b"}}}"#,
                    false,
                ),
                config(
                    "two",
                    r#"{"mcpServers":{"b":{"command":"other"},"c":{"command":"c"}}}"#,
                    false,
                ),
            ],
        };
        check(&["a", "b", "c"], &sources, Ok(&["a <- --server", "b <- one", "c <- two"]));
    }

    #[test]
    fn a_lower_file_is_not_looked_at_when_everything_is_bound() {
        let configs = vec![
            config("one", r#"{"mcpServers":{"a":{"command":"a"}}}"#, false),
            config("two", "nonsense", false),
        ];
        check(&["a"], &BindingSources { configs, ..Default::default() }, Ok(&["a <- one"]));
    }

    #[test]
    fn a_named_file_must_be_valid_even_when_nothing_needs_it() {
        let sources = BindingSources {
            servers: vec!["a=http://h/".into()],
            single: None,
            configs: vec![config("named", "[", true)],
        };
        check(&["a"], &sources, Err(&["named: not valid JSON"]));
    }

    #[test]
    fn entries_of_other_servers_never_expand() {
        let text = r#"{"mcpServers":{"a":{"command":"a"},"other":{"command":"${UNSET}"}}}"#;
        check(
            &["a"],
            &BindingSources { configs: vec![config("one", text, false)], ..Default::default() },
            Ok(&["a <- one"]),
        );
    }

    #[test]
    fn a_broken_winner_is_not_replaced_by_a_lower_source() {
        let configs = vec![
            config("one", r#"{"mcpServers":{"a":{"command":"${UNSET}"}}}"#, false),
            config("two", r#"{"mcpServers":{"a":{"command":"a"}}}"#, false),
        ];
        check(&["a"], &BindingSources { configs, ..Default::default() }, Err(&["UNSET"]));
    }

    #[test]
    fn all_problems_are_named_together() {
        let sources = BindingSources {
            servers: vec!["x=http://h/".into(), "broken".into()],
            ..Default::default()
        };
        check(
            &["a", "b"],
            &sources,
            Err(&[
                "no target server \"x\"",
                "--server \"broken\"",
                "\"a\" has no binding",
                "\"b\" has no binding",
            ]),
        );
    }

    #[test]
    fn a_name_that_is_missing_stands_beside_those_that_are_there() {
        let text = r#"{"mcpServers":{"bookings":{"command":"a"}}}"#;
        let sources =
            BindingSources { configs: vec![config("one", text, false)], ..Default::default() };
        check(&["booking"], &sources, Err(&["looked in one, which has \"bookings\""]));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_the_only_problem() {
        let configs = vec![config("one", "{", false)];
        let sources = BindingSources { configs, ..Default::default() };
        check(&["a"], &sources, Err(&["one: not valid JSON"]));
    }

    #[test]
    fn a_single_flag_needs_exactly_one_target() {
        let single = || {
            Some(SingleTarget {
                flag: "--command".into(),
                binding: ServerBinding::from_command("srv", [""; 0]),
            })
        };
        check(
            &["a"],
            &BindingSources { single: single(), ..Default::default() },
            Ok(&["a <- --command"]),
        );
        let sources = BindingSources {
            servers: vec!["a=http://h/".into(), "b=http://h/".into()],
            single: single(),
            configs: vec![],
        };
        check(&["a", "b"], &sources, Err(&["exactly one target server, this one has 2"]));
    }
}
