//! A dashboard over a store of many kinds of runs, for the tests that look at it.

use std::path::{Path, PathBuf};

use howfar_testkit::hostile::Mode;
use howfar_testkit::program::{HttpPeer, ProgramSpec};
use howfar_testkit::samples::Sample;
use serde_json::Value;

use crate::html::bench as hostile_bench;
use crate::html_browser::{LOUD_SCRIPT, demo};
use crate::support::{Bench, howfar};

/// A run that was cut off.
pub(crate) const CUT_OFF: Sample = Sample { number: 0, trials: 20 };

/// `howfar serve` over a store in a folder of its own.
pub(crate) struct Dashboard {
    server: HttpPeer,
    store: PathBuf,
    _folder: tempfile::TempDir,
}

impl Dashboard {
    /// A dashboard over what `fill` stores at the path that it is given.
    pub(crate) fn over(fill: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let store = folder.path().join("runs.db");
        fill(&store);
        let server = HttpPeer::start(|port| {
            let serve = ProgramSpec::new(howfar()).arg("serve").arg("--store").arg_path(&store);
            serve.arg("--port").arg(port.to_string())
        });
        Self { server, store, _folder: folder }
    }

    /// A dashboard over runs of every kind: two comparable ones, one of fewer cases, one of a hostile server, one of a
    /// server that does not start, one that was cut off.
    pub(crate) fn over_every_kind() -> Self {
        Self::over(|store| {
            CUT_OFF.save(store, 7).expect("a new store takes a run");
            let shop = demo();
            record(&shop, store, &[]);
            record(&shop, store, &[]);
            record(&shop, store, &["--case", "c_delivery_day"]);
            record(&hostile_bench(Mode::Ansi).script(LOUD_SCRIPT), store, &[]);
            record(&hostile_bench(Mode::InitErr).script(LOUD_SCRIPT), store, &[]);
        })
    }

    /// Where the store is.
    pub(crate) fn store(&self) -> &Path {
        &self.store
    }

    /// The address of a page.
    pub(crate) fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// What the dashboard serves, as a browser names it.
    pub(crate) fn origin(&self) -> String {
        self.server.url("/")
    }

    /// The stored runs, newest first.
    pub(crate) fn runs(&self) -> Vec<Value> {
        let store = self.store.to_str().expect("a test folder is UTF-8");
        let home = howfar_testkit::home::Home::new();
        let list = home.invoke(howfar()).args(["list", "--format", "json", "--store", store]).run();
        list.json()["runs"].as_array().expect("a list of runs").clone()
    }

    /// Every page: each kind once for every run that has it.
    pub(crate) fn pages(&self) -> Vec<String> {
        let runs = self.runs();
        let mut pages =
            vec!["/".to_owned(), "/runs".to_owned(), "/glossary".to_owned(), "/compare".to_owned()];
        for run in &runs {
            let (id, suite) = (text(run, "runId"), text(run, "suiteId"));
            pages.extend([
                format!("/suites/{suite}"),
                format!("/runs/{id}"),
                format!("/runs/{id}/trials"),
            ]);
            let case = match suite {
                "s_howfar_demo" => "c_delivery_day",
                "s_sample" => "c_0000",
                _ => "c_echo",
            };
            pages.push(format!("/runs/{id}/cases/{case}"));
            pages.push(format!("/runs/{id}/cases/{case}/trials/1"));
        }
        let demo: Vec<_> =
            runs.iter().filter(|run| text(run, "suiteId") == "s_howfar_demo").collect();
        let compare = |run: &Value, base: &Value| {
            format!("/compare?run={}&base={}", text(run, "runId"), text(base, "runId"))
        };
        pages.extend([compare(demo[1], demo[2]), compare(demo[0], demo[1])]);
        pages.sort();
        pages.dedup();
        pages
    }
}

/// A member that every listed run has.
pub(crate) fn text<'a>(run: &'a Value, member: &str) -> &'a str {
    run[member].as_str().expect("every listed run has it")
}

/// Runs the suite of a bench and keeps the run, whatever was decided.
fn record(bench: &Bench, store: &Path, args: &[&str]) {
    let store = store.to_str().expect("a test folder is UTF-8");
    let mut all = vec!["--store", store];
    all.extend(args);
    let output = bench.run(&all);
    assert!(output.code.is_some(), "{}", output.stderr);
}
