//! Arguments of the commands that hold stored runs to something.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Format, StoreArgs};

/// What `--reporter` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GateReporter {
    /// The JSON document.
    #[value(alias = "json")]
    JsonSummary,
    /// JUnit XML.
    #[value(alias = "junit")]
    JunitXml,
}

/// Where the document goes.
#[derive(Debug, Args)]
pub(crate) struct OutletArgs {
    /// Write this document to stdout; everything else goes to stderr.
    #[arg(long, value_enum)]
    pub(crate) reporter: Option<GateReporter>,
    /// Write the reporter's document (JSON without one) to a file, whole or not at all.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Human text or one JSON document.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
}

/// `howfar compare`
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 every gate that was asked for holds · 1 a gate does not hold · 2 usage · \
5 not decided: the runs may not be compared, or too little was measured.\n\n\
Example: howfar compare latest --gate-regressions"
)]
pub(crate) struct CompareArgs {
    /// The run: `latest`, an id, or the beginning of one.
    #[arg(default_value = "latest")]
    pub(crate) run: String,
    /// The run to compare with; without it, the previous complete run of the same suite.
    pub(crate) base: Option<String>,
    /// The same as BASE.
    #[arg(long, value_name = "RUN", conflicts_with = "base")]
    pub(crate) base_run: Option<String>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Fail when the pass rate fell by more than chance explains.
    #[arg(long)]
    pub(crate) gate_regressions: bool,
    /// The least number of graded trials on each side (5 without it).
    #[arg(long, value_name = "TRIALS", allow_hyphen_values = true)]
    pub(crate) min_sample_size: Option<String>,
    /// The least fall of the pass rate that counts, in percent points (1 without it).
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    pub(crate) min_effect_size_percent: Option<String>,
    /// Fail when a required check that gives the same result on the same evidence went from passed to failed.
    #[arg(long)]
    pub(crate) gate_deterministic_regressions: bool,
    /// Fail when the 95th percentile of trial durations grew by more than this, in milliseconds.
    #[arg(long, value_name = "MS", allow_hyphen_values = true)]
    pub(crate) max_p95_latency_increase_ms: Option<String>,
    /// Fail when the run cost more by more than this share of the base run's cost, in percent. The cost is what providers
    /// stated; where one did not, nothing is decided.
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    pub(crate) max_cost_increase_percent: Option<String>,
    #[command(flatten)]
    pub(crate) outlet: OutletArgs,
}

/// Gates over two runs, which `howfar gate` knows only to say where they belong.
#[derive(Debug, Args)]
pub(crate) struct ComparativeArgs {
    #[arg(long, hide = true)]
    gate_regressions: bool,
    #[arg(long, hide = true)]
    gate_deterministic_regressions: bool,
    #[arg(long, hide = true)]
    max_p95_latency_increase_ms: Option<String>,
    #[arg(long, hide = true)]
    max_cost_increase_percent: Option<String>,
}

impl ComparativeArgs {
    /// The first of these gates that was asked for.
    pub(crate) fn asked(&self) -> Option<&'static str> {
        let asked = [
            ("--gate-regressions", self.gate_regressions),
            ("--gate-deterministic-regressions", self.gate_deterministic_regressions),
            ("--max-p95-latency-increase-ms", self.max_p95_latency_increase_ms.is_some()),
            ("--max-cost-increase-percent", self.max_cost_increase_percent.is_some()),
        ];
        asked.into_iter().find(|(_, asked)| *asked).map(|(flag, _)| flag)
    }
}

/// `howfar gate`
#[derive(Debug, Args)]
#[command(
    after_help = "Without a gate, the run answers for its own verdict. Only a complete run that decided \
something is gated.\n\
Exit codes: 0 every gate holds · 1 a gate does not hold · 2 usage · 5 not enough measured.\n\n\
Example: howfar gate latest --min-pass-rate-percent 90 --no-gating-score-errors"
)]
pub(crate) struct GateArgs {
    /// The run: `latest`, an id, or the beginning of one.
    #[arg(default_value = "latest")]
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// The least share of graded trials that passed, in percent.
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    pub(crate) min_pass_rate_percent: Option<String>,
    /// Fail when a scorer that decides broke.
    #[arg(long)]
    pub(crate) no_gating_score_errors: bool,
    /// The least share of a scorer's rows that passed, in percent (repeatable).
    #[arg(long, value_name = "ID=PERCENT")]
    pub(crate) min_scorer_pass_rate: Vec<String>,
    /// The least mean of a scorer's values, from 0 to 1 (repeatable).
    #[arg(long, value_name = "ID=FRACTION")]
    pub(crate) min_mean_score: Vec<String>,
    /// The most tokens of the whole run.
    #[arg(long, value_name = "TOKENS", allow_hyphen_values = true)]
    pub(crate) max_total_tokens: Option<String>,
    /// The longest 95th percentile of trial durations, in milliseconds.
    #[arg(long, value_name = "MS", allow_hyphen_values = true)]
    pub(crate) max_p95_latency_ms: Option<String>,
    #[command(flatten)]
    pub(crate) comparative: ComparativeArgs,
    /// Wait for a run that another process still records.
    #[arg(long)]
    pub(crate) wait: bool,
    /// The longest wait, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 600_000, requires = "wait")]
    pub(crate) wait_timeout: u64,
    #[command(flatten)]
    pub(crate) outlet: OutletArgs,
}
