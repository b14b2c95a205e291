//! Run-level documents: analytics over 100,000 trials, and the comparison of two runs of 10,000 trials.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use howfar_core::chain::derive_stages;
use howfar_core::run::analytics::stage_analytics;
use howfar_core::run::compare::{TotalsPair, compare_input, compare_rows, evaluate_compare_gates};
use howfar_core::run::derive_measurements;
use howfar_wire::analytics::{AnalyticsRun, AnalyticsTrial};
use howfar_wire::chain::StageInput;
use howfar_wire::compare::CompareDocument;
use howfar_wire::gate::GatePolicy;
use howfar_wire::vocabulary::Materialization;
use serde_json::{Value, json};

const TRIALS: usize = 100_000;

/// Cases of a compared run; each stands for five trials.
const CASES: usize = 2_000;

fn trials() -> Vec<AnalyticsTrial> {
    let lines: Vec<&str> = include_str!("derive-inputs.jsonl").lines().collect();
    let trial = |at: usize| {
        let input: StageInput<'_> =
            serde_json::from_str(lines[at % lines.len()]).expect("the committed inputs are inputs");
        let chain = derive_stages(&input);
        let version = Some(chain.stage_analyzer_version);
        let measurements = derive_measurements(&chain.stage_results, version, &[]);
        let status = input.iteration.status;
        AnalyticsTrial {
            intent: Some(format!("intent {}", at % 20)),
            ..AnalyticsTrial::new(format!("trial {at}"), status).with_chain(&chain, measurements)
        }
    };
    (0..TRIALS).map(trial).collect()
}

fn analytics(criterion: &mut Criterion) {
    let run = AnalyticsRun {
        run_id: "run".to_owned(),
        suite_id: "suite".to_owned(),
        materialization_state: Materialization::Final,
        now: 0,
        reader_stage_analyzer_version: 12,
        reader_measurements_schema_version: None,
        run_group_id: None,
        config_revision: None,
        case_set_fingerprint: None,
        organization_id: None,
        workspace_id: None,
        project_id: None,
        run_completed_at: None,
        source_max_updated_at: None,
        created_at: None,
    };
    let trials = trials();
    let mut group = criterion.benchmark_group("analytics");
    group.sample_size(10).throughput(Throughput::Elements(TRIALS as u64));
    group.bench_function("100000 trials", |bencher| {
        bencher.iter(|| stage_analytics(&run, &trials, &[]))
    });
    group.finish();
}

fn compared() -> CompareDocument {
    let side = |passed: bool| {
        let outcome = if passed { "passed" } else { "failed" };
        let ids: Vec<String> = (0..5).map(|at| format!("i{at}")).collect();
        json!({ "outcome": outcome, "iterationIds": ids, "representativeIterationId": "i0", "error": null })
    };
    let case = |at: usize| {
        let (base, compare) = (!at.is_multiple_of(7), !at.is_multiple_of(5));
        let status = match (base, compare) {
            (true, true) => "unchanged_passed",
            (false, false) => "unchanged_failed",
            (true, false) => "regressed",
            (false, true) => "fixed",
        };
        json!({
            "caseKey": format!("case {at}"), "title": "Case", "status": status, "configChanged": false,
            "evaluationConfigChanged": false, "base": side(base), "compare": side(compare),
            "scoreDeltas": [{
                "scorerId": "tool-match", "gating": true, "deterministic": true, "definitionChanged": false,
                "base": { "status": "scored", "value": f64::from(u8::from(base)), "passed": base },
                "compare": { "status": "scored", "value": f64::from(u8::from(compare)), "passed": compare },
            }],
        })
    };
    let run = |id: &str, passed: u64| json!({ "id": id, "summary": { "total": 10_000, "passed": passed } });
    let document = json!({
        "baseRun": run("base", 8_571),
        "compareRun": run("compare", 8_000),
        "scoreContract": {
            "base": { "scoreIntegrity": "valid" }, "compare": { "scoreIntegrity": "valid" },
            "evaluationConfigChanged": false,
        },
        "cases": (0..CASES).map(case).collect::<Vec<Value>>(),
    });
    serde_json::from_value(document).expect("a compare document")
}

fn comparison(criterion: &mut Criterion) {
    let document = compared();
    let policy = json!({ "noDeterministicRegressions": true, "passRateRegression": {} });
    let policy: GatePolicy = serde_json::from_value(policy).expect("a gate policy");
    let mut group = criterion.benchmark_group("comparison");
    group.throughput(Throughput::Elements(20_000));
    group.bench_function("two runs of 10000 trials", |bencher| {
        bencher.iter_batched(
            TotalsPair::default,
            |totals| {
                let report = evaluate_compare_gates(&compare_input(&document, totals), &policy);
                compare_rows(&document.cases, report.outcome)
            },
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, analytics, comparison);
criterion_main!(benches);
