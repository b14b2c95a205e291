//! What a written suite looks like.

use howfar_suite::{parse_suite, write_suite};

/// A file in an order of its own and in both spellings of YAML.
const READ: &str = r#"
cases:
  - {title: "3", steps: [{kind: prompt, id: p, prompt: "One\n\nTwo"}], checks: [], id: c, suppressedSuiteStandardCheckIds: []}
suite: {name: "a: b", id: s}
defaults: {validity: {}, passThreshold: 1.0, repetitions: 2, model: scripted/x, temperature: 1e-7}
target: {servers: [{id: "1", name: notes}]}
reportingMode: standard
mode: agentWorkflow
schemaVersion: '1'
"#;

const WRITTEN: &str = r#"schemaVersion: "1"
mode: agentWorkflow
reportingMode: standard
suite:
  id: s
  name: "a: b"
target:
  servers:
    - name: notes
      id: "1"
defaults:
  model: scripted/x
  repetitions: 2
  passThreshold: 1
  validity: {}
  temperature: 1e-7
cases:
  - id: c
    title: "3"
    steps:
      - kind: prompt
        id: p
        prompt: |-
          One

          Two
    checks: []
    suppressedSuiteStandardCheckIds: []
"#;

#[test]
fn keys_stand_in_order_and_text_is_quoted_where_it_must_be() {
    let parse = parse_suite(READ);
    let suite = parse.suite().unwrap_or_else(|| panic!("{:?}", parse.findings()));
    assert_eq!(write_suite(suite), WRITTEN);
}
