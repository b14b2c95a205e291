//! What the tests of the binary share.

use std::path::PathBuf;

use howfar_testkit::home::{Home, Output};
use howfar_testkit::program::ProgramSpec;
use serde_json::{Value, json};

/// The binary under test.
pub(crate) fn howfar() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_howfar"))
}

/// A home with a suite of these cases for these servers, each bound in `.mcp.json`.
pub(crate) struct Bench {
    pub(crate) home: Home,
}

impl Bench {
    /// Writes `suite.yaml` and `.mcp.json`. `cases` is the YAML of the list, indented by two.
    pub(crate) fn new(servers: &[(&str, ProgramSpec)], model: &str, cases: &str) -> Self {
        let home = Home::new();
        let names: Vec<_> = servers.iter().map(|(name, _)| format!("{{ name: {name} }}")).collect();
        home.write("suite.yaml", &suite(&names.join(", "), model, cases));
        let entry = |spec: &ProgramSpec| {
            let env: Value =
                spec.env.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            json!({ "command": spec.program, "args": spec.args, "env": env })
        };
        let entries: Value =
            servers.iter().map(|(name, spec)| ((*name).to_owned(), entry(spec))).collect();
        home.write(".mcp.json", &json!({ "mcpServers": entries }).to_string());
        Self { home }
    }

    /// A bench whose only server `server` listens at a url.
    pub(crate) fn over_http(url: &str, model: &str, cases: &str) -> Self {
        let home = Home::new();
        home.write("suite.yaml", &suite("{ name: server }", model, cases));
        home.write(".mcp.json", &json!({ "mcpServers": { "server": { "url": url } } }).to_string());
        Self { home }
    }

    /// Adds the script that `scripted/script` reads.
    pub(crate) fn script(self, text: &str) -> Self {
        self.home.write("script.script.yaml", text);
        self
    }

    /// `howfar run suite.yaml` with further arguments.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        let all = ["run", "suite.yaml"].into_iter().chain(args.iter().copied());
        self.home.invoke(howfar()).args(all).run()
    }
}

fn suite(servers: &str, model: &str, cases: &str) -> String {
    // A text that starts behind a line continuation has lost the indent of its first line.
    let first = if cases.starts_with('-') { "  " } else { "" };
    format!(
        "schemaVersion: \"2\"\nmode: agentWorkflow\nreportingMode: standard\n\
         suite: {{ id: s_test, name: Test }}\ntarget: {{ servers: [ {servers} ] }}\n\
         defaults: {{ model: {model}, iterations: 1, passThreshold: 1, validity: {{}} }}\ncases:\n{first}{cases}"
    )
}

/// The one trial of the one case of a report.
pub(crate) fn only_trial(report: &Value) -> &Value {
    &report["cases"][0]["details"]["iterations"][0]
}

/// The row of a stage, by its position in the chain.
pub(crate) fn stage(trial: &Value, index: usize) -> (&str, &str) {
    let row = &trial["stageResults"][index];
    (row["state"].as_str().unwrap_or_default(), row["reason"].as_str().unwrap_or_default())
}
