//! Fills a store with sample runs: `cargo run -p howfar-store --example generate -- PATH RUNS TRIALS`.

#![expect(clippy::print_stderr, reason = "a generator talks to the developer")]

use std::path::PathBuf;
use std::process::ExitCode;

use howfar_testkit::samples::Sample;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, runs, trials] = arguments.as_slice() else {
        eprintln!("usage: generate PATH RUNS TRIALS");
        return ExitCode::FAILURE;
    };
    let (Ok(runs), Ok(trials)) = (runs.parse::<u32>(), trials.parse::<u32>()) else {
        eprintln!("RUNS and TRIALS are numbers");
        return ExitCode::FAILURE;
    };
    let path = PathBuf::from(path);
    for number in 0..runs {
        if let Err(error) = (Sample { number, trials }).save(&path, trials) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
