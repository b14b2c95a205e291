//! Gate policies from command-line texts (run-documents 8.4). A blank number is an error, never 0.

use howfar_wire::canon;
use howfar_wire::gate::{Asked, GatePolicy, PassRateRegression};
use indexmap::IndexMap;

/// The texts of the flags of `gate`, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateFlags {
    /// `--min-pass-rate-percent`.
    pub min_pass_rate_percent: Option<String>,
    /// `--max-total-tokens`.
    pub max_total_tokens: Option<String>,
    /// `--max-p95-latency-ms`.
    pub max_p95_latency_ms: Option<String>,
    /// `--min-scorer-pass-rate`, each `<id>=<percent>`.
    pub min_scorer_pass_rate: Vec<String>,
    /// `--min-mean-score`, each `<id>=<0..1>`.
    pub min_mean_score: Vec<String>,
    /// `--no-gating-score-errors`.
    pub no_gating_score_errors: bool,
}

/// The texts of the flags of `compare`, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompareFlags {
    /// `--gate-regressions`.
    pub gate_regressions: bool,
    /// `--min-sample-size`; only with `--gate-regressions`.
    pub min_sample_size: Option<String>,
    /// `--min-effect-size-percent`; only with `--gate-regressions`.
    pub min_effect_size_percent: Option<String>,
    /// `--gate-deterministic-regressions`.
    pub gate_deterministic_regressions: bool,
    /// `--max-p95-latency-increase-ms`.
    pub max_p95_latency_increase_ms: Option<String>,
    /// `--max-cost-increase-percent`.
    pub max_cost_increase_percent: Option<String>,
}

/// Why flags make no policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FlagError {
    /// The text is not a number in range.
    #[error("{flag} takes {takes}, not {text:?}")]
    Number {
        /// The flag.
        flag: &'static str,
        /// What it takes.
        takes: &'static str,
        /// What was typed.
        text: String,
    },
    /// The text is not an id, `=` and a number.
    #[error("{flag} takes <id>=<number>, not {text:?}")]
    Assignment {
        /// The flag.
        flag: &'static str,
        /// What was typed.
        text: String,
    },
    /// One scorer was named twice.
    #[error("{flag} names the scorer {id:?} twice")]
    Twice {
        /// The flag.
        flag: &'static str,
        /// The scorer.
        id: String,
    },
    /// A flag that tunes a gate which was not asked for.
    #[error("{flag} needs --gate-regressions")]
    WithoutGate {
        /// The flag.
        flag: &'static str,
    },
}

/// The policy of one run.
///
/// # Errors
///
/// When a text is no number in range, or a scorer is named twice.
pub fn gate_policy(flags: &GateFlags) -> Result<GatePolicy, FlagError> {
    let percent = |text: &String| fraction_of_percent("--min-pass-rate-percent", text);
    let tokens = |text: &String| whole("--max-total-tokens", text);
    let latency = |text: &String| whole("--max-p95-latency-ms", text);
    Ok(GatePolicy {
        minimum_pass_rate: flags.min_pass_rate_percent.as_ref().map(percent).transpose()?,
        maximum_total_tokens: flags.max_total_tokens.as_ref().map(tokens).transpose()?,
        maximum_p95_latency_ms: flags.max_p95_latency_ms.as_ref().map(latency).transpose()?,
        no_gating_score_errors: flags.no_gating_score_errors.then_some(true),
        minimum_scorer_pass_rate: by_scorer(
            "--min-scorer-pass-rate",
            &flags.min_scorer_pass_rate,
            fraction_of_percent,
        )?,
        minimum_mean_score: by_scorer("--min-mean-score", &flags.min_mean_score, fraction)?,
        ..GatePolicy::default()
    })
}

/// The policy of a comparison.
///
/// # Errors
///
/// When a text is no number in range, or a tuning flag stands without its gate.
pub fn compare_policy(flags: &CompareFlags) -> Result<GatePolicy, FlagError> {
    if !flags.gate_regressions {
        if flags.min_sample_size.is_some() {
            return Err(FlagError::WithoutGate { flag: "--min-sample-size" });
        }
        if flags.min_effect_size_percent.is_some() {
            return Err(FlagError::WithoutGate { flag: "--min-effect-size-percent" });
        }
    }
    let sample = |text: &String| whole("--min-sample-size", text);
    let effect = |text: &String| fraction_of_percent("--min-effect-size-percent", text);
    let latency = |text: &String| whole("--max-p95-latency-increase-ms", text);
    let regression = PassRateRegression {
        min_sample_size: flags.min_sample_size.as_ref().map(sample).transpose()?,
        min_effect_size: flags.min_effect_size_percent.as_ref().map(effect).transpose()?,
    };
    let increase = flags.max_p95_latency_increase_ms.as_ref().map(latency).transpose()?;
    let cost = flags.max_cost_increase_percent.as_deref().map(growth_of_percent).transpose()?;
    Ok(GatePolicy {
        no_deterministic_regressions: flags
            .gate_deterministic_regressions
            .then_some(Asked(Some(true))),
        pass_rate_regression: flags.gate_regressions.then_some(Asked(Some(regression))),
        maximum_p95_latency_increase_ms: increase.map(|increase| Asked(Some(increase))),
        maximum_cost_increase: cost.map(|increase| Asked(Some(increase))),
        ..GatePolicy::default()
    })
}

fn by_scorer(
    flag: &'static str,
    texts: &[String],
    number: fn(&'static str, &str) -> Result<f64, FlagError>,
) -> Result<IndexMap<String, f64>, FlagError> {
    let mut bars = IndexMap::new();
    for text in texts {
        let assignment = text.split_once('=').map(|(id, value)| (canon::es_trim(id), value));
        let Some((id, value)) = assignment.filter(|(id, _)| !id.is_empty()) else {
            return Err(FlagError::Assignment { flag, text: text.clone() });
        };
        if bars.insert(id.to_owned(), number(flag, value)?).is_some() {
            return Err(FlagError::Twice { flag, id: id.to_owned() });
        }
    }
    Ok(bars)
}

fn fraction_of_percent(flag: &'static str, text: &str) -> Result<f64, FlagError> {
    let takes = "a percentage from 0 to 100";
    Ok(number(flag, takes, text, |number| (0.0..=100.0).contains(&number))? / 100.0)
}

/// A growth may be more than the whole.
fn growth_of_percent(text: &str) -> Result<f64, FlagError> {
    let takes = "a percentage from 0";
    Ok(number("--max-cost-increase-percent", takes, text, |number| number >= 0.0)? / 100.0)
}

fn fraction(flag: &'static str, text: &str) -> Result<f64, FlagError> {
    number(flag, "a fraction from 0 to 1", text, |number| (0.0..=1.0).contains(&number))
}

fn whole(flag: &'static str, text: &str) -> Result<f64, FlagError> {
    let is_whole = |number: f64| number >= 0.0 && number.fract() == 0.0;
    number(flag, "a whole number from 0", text, is_whole)
}

fn number(
    flag: &'static str,
    takes: &'static str,
    text: &str,
    in_range: impl Fn(f64) -> bool,
) -> Result<f64, FlagError> {
    let number = canon::es_trim(text).parse::<f64>().ok().filter(|number| number.is_finite());
    number.filter(|number| in_range(*number)).ok_or_else(|| FlagError::Number {
        flag,
        takes,
        text: text.to_owned(),
    })
}
