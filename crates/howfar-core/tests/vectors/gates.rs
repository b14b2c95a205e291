//! Vectors of gates and comparisons.

use howfar_core::run::compare::{self, PassCounts, TotalsPair};
use howfar_core::run::gate::{self, CompareFlags, GateFlags};
use howfar_testkit::vectors::VectorFile;
use howfar_wire::compare::{CompareCase, CompareDocument, CompareInput};
use howfar_wire::gate::{
    GateInput, GateOutcome, GatePolicy, GateReport, GateTotals, GateWaiver, PassRateRegression,
};
use howfar_wire::vocabulary::{ExitCode, Vocabulary as _};
use serde_json::{Value, json};

use crate::{Outcome, equal, typed};

const AREA: &str = "run-documents";

pub(crate) const FILES: &[VectorFile] = &[
    VectorFile { area: AREA, file: "gate-input.json", check: gate_input },
    VectorFile { area: AREA, file: "percentile.json", check: percentile },
    VectorFile { area: AREA, file: "gates.json", check: gates },
    VectorFile { area: AREA, file: "gate-waiver.json", check: waiver },
    VectorFile { area: AREA, file: "gate-flags.json", check: flags },
    VectorFile { area: AREA, file: "compare-input.json", check: compare_input },
    VectorFile { area: AREA, file: "compare-statistics.json", check: statistics },
    VectorFile { area: AREA, file: "flaky-cases.json", check: flaky_cases },
    VectorFile { area: AREA, file: "flaky-input.json", check: flaky_input },
    VectorFile { area: AREA, file: "compare-gates.json", check: compare_gates },
    VectorFile { area: AREA, file: "compare-report.json", check: compare_report },
];

fn gate_input(vector: &Value) -> Outcome {
    let input = &vector["input"];
    let items = input["iterations"]["items"].as_array().map(Vec::as_slice);
    let complete = input["iterations"]["complete"] == true;
    let found = gate::gate_input(&input["run"], items.filter(|_| complete));
    equal(&found, &vector["expect"])
}

fn percentile(vector: &Value) -> Outcome {
    let values: Vec<f64> = typed(&vector["input"]["values"])?;
    let percent = vector["input"]["percentile"].as_f64().ok_or("no percentile")?;
    equal(&json!({"value": gate::percentile(&values, percent)}), &vector["expect"])
}

/// The numbers of the vectors: incomplete is 3 there.
fn reference_code(outcome: GateOutcome) -> u8 {
    match outcome.exit_code() {
        ExitCode::Incomplete => 3,
        code => code.code(),
    }
}

/// A report as the vectors show it: without messages.
fn shown(report: &GateReport) -> Value {
    let mut verdicts = json!(report.verdicts);
    for verdict in verdicts.as_array_mut().into_iter().flatten() {
        verdict.as_object_mut().and_then(|verdict| verdict.shift_remove("message"));
    }
    json!({
        "outcome": report.outcome,
        "scoreIntegrity": report.score_integrity,
        "verdicts": verdicts,
        "exitCode": reference_code(report.outcome),
    })
}

fn gates(vector: &Value) -> Outcome {
    let input: GateInput = typed(&vector["input"]["input"])?;
    let policy: GatePolicy = typed(&vector["input"]["policy"])?;
    let report = gate::evaluate_gates(&input, &policy);
    let mut found = shown(&report);
    found["runVerdict"] = json!(report.outcome.run_verdict());
    equal(&found, &vector["expect"])
}

fn waiver(vector: &Value) -> Outcome {
    let input: GateInput = typed(&vector["input"]["input"])?;
    let policy: GatePolicy = typed(&vector["input"]["policy"])?;
    let waiver: Option<GateWaiver> = typed(&vector["input"]["waiver"])?;
    let now = vector["input"]["now"].as_u64().ok_or("no time")?;
    let report = gate::evaluate_gates(&input, &policy);
    let report = gate::apply_waiver(report, waiver.as_ref(), now);
    let verdicts = report.verdicts.iter();
    let found = json!({
        "outcome": report.outcome,
        "verdicts":
            verdicts.map(|it| json!({"gate": it.gate, "status": it.status})).collect::<Vec<_>>(),
        "waiverAttached": report.waiver.is_some(),
        "exitCode": reference_code(report.outcome),
        "runVerdict": report.outcome.run_verdict(),
    });
    equal(&found, &vector["expect"])
}

fn flags(vector: &Value) -> Outcome {
    let options = &vector["input"]["options"];
    let text = |key: &str| options[key].as_str().map(str::to_owned);
    let texts =
        |key: &str| typed::<Option<Vec<String>>>(&options[key]).map(Option::unwrap_or_default);
    let policy = if vector["input"]["command"] == "gate" {
        gate::gate_policy(&GateFlags {
            min_pass_rate_percent: text("minPassRatePercent"),
            max_total_tokens: text("maxTotalTokens"),
            max_p95_latency_ms: text("maxP95LatencyMs"),
            min_scorer_pass_rate: texts("minScorerPassRate")?,
            min_mean_score: texts("minMeanScore")?,
            no_gating_score_errors: options["noGatingScoreErrors"] == true,
        })
    } else {
        gate::compare_policy(&CompareFlags {
            gate_regressions: options["gateRegressions"] == true,
            min_sample_size: text("minSampleSize"),
            min_effect_size_percent: text("minEffectSizePercent"),
            gate_deterministic_regressions: options["gateDeterministicRegressions"] == true,
            max_p95_latency_increase_ms: text("maxP95LatencyIncreaseMs"),
            max_cost_increase_percent: text("maxCostIncreasePercent"),
        })
    };
    match policy {
        Ok(policy) => equal(&json!({"policy": policy}), &vector["expect"]),
        Err(_) => equal(&json!({"error": "usage"}), &vector["expect"]),
    }
}

fn compare_input(vector: &Value) -> Outcome {
    let document: CompareDocument = typed(&vector["input"]["compare"])?;
    let latency = &vector["input"]["latency"];
    let of = |key: &str| GateTotals { e2e_p95_ms: latency[key].as_f64(), ..GateTotals::default() };
    let totals = TotalsPair { base: of("baseP95Ms"), compare: of("compareP95Ms") };
    equal(&compare::compare_input(&document, totals), &vector["expect"])
}

fn statistics(vector: &Value) -> Outcome {
    let input = &vector["input"];
    let counts = |side: &Value| -> Result<PassCounts, String> {
        let number = |key: &str| side[key].as_f64().ok_or(format!("no {key}"));
        Ok(PassCounts { passed: number("passed")?, total: number("total")? })
    };
    let rule = PassRateRegression {
        min_sample_size: input["minSampleSize"].as_f64(),
        min_effect_size: input["minEffectSize"].as_f64(),
    };
    let found =
        compare::assess_pass_rate(counts(&input["base"])?, counts(&input["compare"])?, rule);
    let wilson = |it: howfar_core::run::Wilson| json!({"point": it.point, "lower": it.lower, "upper": it.upper});
    let found = json!({
        "delta": found.delta,
        "lower": found.lower,
        "upper": found.upper,
        "verdict": found.verdict.as_str(),
        "baseWilson": wilson(found.base),
        "compareWilson": wilson(found.compare),
    });
    equal(&found, &vector["expect"])
}

fn flaky_cases(vector: &Value) -> Outcome {
    let rows = vector["input"].as_array().ok_or("no rows")?;
    let row = |row: &Value| compare::FlakyRow {
        case_key: row["caseKey"].as_str().unwrap_or_default().to_owned(),
        passed: row["passed"] == true,
    };
    let rows: Vec<_> = rows.iter().map(row).collect();
    equal(&compare::flaky_cases(&rows), &vector["expect"])
}

fn flaky_input(vector: &Value) -> Outcome {
    let rows = compare::flaky_rows(vector["input"].as_array().ok_or("no rows")?);
    let shown: Vec<_> =
        rows.iter().map(|row| json!({"caseKey": row.case_key, "passed": row.passed})).collect();
    let found = json!({"rows": shown, "flaky": compare::flaky_cases(&rows)});
    equal(&found, &vector["expect"])
}

fn compare_gates(vector: &Value) -> Outcome {
    let input: CompareInput = typed(&vector["input"]["input"])?;
    let policy: GatePolicy = typed(&vector["input"]["policy"])?;
    equal(&shown(&compare::evaluate_compare_gates(&input, &policy)), &vector["expect"])
}

fn compare_report(vector: &Value) -> Outcome {
    let cases: Vec<CompareCase> = typed(&vector["input"]["cases"])?;
    let outcome: GateOutcome = typed(&vector["input"]["outcome"])?;
    let report = compare::compare_rows(&cases, outcome);
    let row = |row: &howfar_wire::compare::CompareRow| {
        let mut shown = json!({
            "id": row.id,
            "category": row.category,
            "passed": row.passed,
            "classification": row.classification.as_str(),
            "hasError": row.error.is_some(),
        });
        if let Some(title) = &row.title {
            shown["title"] = json!(title);
        }
        shown
    };
    let rows: Vec<_> = report.rows.iter().map(row).collect();
    let found = json!({"passed": report.passed, "summary": report.summary, "rows": rows});
    equal(&found, &vector["expect"])
}
