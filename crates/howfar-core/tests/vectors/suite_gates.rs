//! Vectors of suite gates and execution budgets.

use howfar_core::run::suite_gate;
use howfar_suite::plan::{self, StatedBudgets, Surface};
use howfar_testkit::vectors::VectorFile;
use howfar_wire::gate::{GateOutcome, GateWaiver};
use howfar_wire::suite_gate::SuiteGateOutcome;
use howfar_wire::vocabulary::Vocabulary as _;
use serde_json::{Value, json};

use crate::{Outcome, equal, typed};

const AREA: &str = "run-documents";

pub(crate) const FILES: &[VectorFile] = &[
    VectorFile { area: AREA, file: "suite-gate.json", check: suite_gate },
    VectorFile { area: AREA, file: "suite-gate-authoring.json", check: authoring },
    VectorFile { area: AREA, file: "suite-gate-compose.json", check: compose },
    VectorFile { area: AREA, file: "execution-budgets.json", check: resolve_budgets },
    VectorFile { area: AREA, file: "execution-budgets-validate.json", check: validate_budgets },
];

fn suite_gate(vector: &Value) -> Outcome {
    let input = &vector["input"];
    let mut report = json!(suite_gate::evaluate_suite_gate(&input["policy"], &input["evidence"]));
    for row in report["conditions"].as_array_mut().into_iter().flatten() {
        row.as_object_mut().and_then(|row| row.shift_remove("message"));
    }
    report["policyError"].as_object_mut().and_then(|error| error.shift_remove("message"));
    if report["policyError"].is_null() {
        report.as_object_mut().and_then(|report| report.shift_remove("policyError"));
    }
    equal(&report, &vector["expect"])
}

fn authoring(vector: &Value) -> Outcome {
    let found = match suite_gate::author_suite_gate(&vector["input"]) {
        Ok(policy) => {
            let hash = suite_gate::suite_gate_hash(&policy);
            json!({"ok": true, "policy": policy, "hash": hash})
        }
        Err(reason) => json!({"ok": false, "reason": reason}),
    };
    equal(&found, &vector["expect"])
}

fn compose(vector: &Value) -> Outcome {
    let input = &vector["input"];
    let base = input["base"]["outcome"].as_str().and_then(GateOutcome::from_wire);
    let suite: SuiteGateOutcome = typed(&input["suiteOutcome"])?;
    let waiver: Option<GateWaiver> = typed(&input["waiver"])?;
    let now = input["now"].as_u64().ok_or("no time")?;
    let (outcome, base) = suite_gate::compose_gates(base, suite, waiver.as_ref(), now);
    let shown = |outcome: Option<GateOutcome>| outcome.map_or("unavailable", |it| it.as_str());
    equal(&json!({"outcome": shown(outcome), "baseOutcome": shown(base)}), &vector["expect"])
}

fn surface(vector: &Value) -> Surface {
    if vector["input"]["surface"] == "swarms" { Surface::Swarms } else { Surface::Evals }
}

fn stated(surface: Surface, budgets: &Value) -> Result<StatedBudgets, String> {
    let Some(object) = budgets.as_object() else { return Ok(StatedBudgets::default()) };
    plan::read_budgets(surface, object).map_err(|error| error.to_string())
}

fn resolve_budgets(vector: &Value) -> Outcome {
    let surface = surface(vector);
    let authored = stated(surface, &vector["input"]["authored"])?;
    let ceilings = stated(surface, &vector["input"]["orgCeilings"])?;
    let found = match plan::resolve_budgets(surface, &authored, &ceilings) {
        Ok(resolved) => {
            let named = [
                ("turnTimeoutMs", resolved.turn),
                ("unitTimeoutMs", resolved.unit),
                ("runTimeoutMs", resolved.run),
                ("turnRetries", resolved.retries),
            ];
            let mut shown = json!({"sources": {}});
            for (name, budget) in named {
                shown[name] = json!(budget.value);
                let source = if budget.authored { "authored" } else { "default" };
                shown["sources"][name] = json!(source);
            }
            json!({"ok": true, "resolved": shown})
        }
        Err(violations) => {
            let shown = violations
                .iter()
                .map(|it| json!({"field": it.field, "value": it.value, "ceiling": it.ceiling}));
            json!({"ok": false, "violations": shown.collect::<Vec<_>>()})
        }
    };
    equal(&found, &vector["expect"])
}

fn validate_budgets(vector: &Value) -> Outcome {
    let valid = plan::validate_budgets(surface(vector), &vector["input"]["authored"]).is_ok();
    equal(&json!({"valid": valid}), &vector["expect"])
}
