//! The `howfar` command line: arguments, files, the environment, progress and exit codes. What is measured and decided
//! lives in the libraries.

mod cli;
mod commands;
mod demo;
mod error;
mod github;
mod output;

use std::process::ExitCode;

use clap::Parser as _;
use howfar_wire::vocabulary;

use cli::{Cli, Command};
use error::CommandError;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are data on stdout and a success; everything else is usage.
            let code = if error.use_stderr() { vocabulary::ExitCode::Usage.code() } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    match dispatch(&cli.command) {
        Ok(code) => ExitCode::from(code.code()),
        Err(error) => {
            if !error.is_silent() {
                output::say(&error.to_string());
            }
            ExitCode::from(error.code().code())
        }
    }
}

fn dispatch(command: &Command) -> Result<vocabulary::ExitCode, CommandError> {
    match command {
        Command::Demo(args) => demo::run(args),
        Command::Init(args) => commands::init::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Run(args) => commands::run::run(args),
        Command::List(args) => commands::list::run(args),
        Command::Show(args) => commands::show::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Gate(args) => commands::gate::run(args),
        Command::Trace(args) => commands::trace::run(args),
        Command::Export(args) => commands::export::run(args),
        Command::Judge(args) => commands::judge::run(args),
        Command::Derive(args) => commands::derive::run(args),
        Command::Mcp(args) => commands::mcp::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Schema(args) => commands::schema::run(args),
        Command::Serve(args) => commands::serve::run(args),
        Command::DemoServer(args) => demo::server::run(args),
    }
}
