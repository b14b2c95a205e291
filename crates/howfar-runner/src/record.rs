//! What is recorded of a run beside its trials (wire, `record`).

use howfar_wire::canon;
use howfar_wire::record::{
    CaseRecord, ModelRecord, RUN_RECORD_SCHEMA_VERSION, RunRecord, SetupRecord,
};
use howfar_wire::report::RunSettings;
use serde_json::json;

use crate::case::PlannedCase;
use crate::environment::Environment;
use crate::run::RunRequest;

impl RunRequest {
    /// Everything about the run that is known before anything is started, for its report and its recorder.
    pub fn record(&self) -> RunRecord {
        let declared = |policy: &howfar_wire::suite::ToolPolicy| json!({ "mode": policy.mode, "allow": policy.allow, "deny": policy.deny });
        RunRecord {
            schema_version: RUN_RECORD_SCHEMA_VERSION,
            run_id: self.identity.run_id.clone(),
            started_at: self.identity.started_at.clone(),
            started_at_ms: self.identity.started_at_ms,
            product_version: env!("CARGO_PKG_VERSION").to_owned(),
            suite: self.suite.clone(),
            reporting_mode: self.reporting_mode.clone(),
            declared_hosts: self.declared_hosts.clone(),
            declared_environment: self.declared_environment.clone(),
            selection: self.selection.clone(),
            cases: self.cases.iter().map(case_record).collect(),
            servers: self.bindings.iter().map(|bound| bound.name.clone()).collect(),
            tool_policy: self.tool_policy.as_ref().map(declared),
            policy: self.validity,
            settings: self.settings(),
            system_prompt: self.cases.first().and_then(|case| case.system_prompt.clone()),
            warnings: self.warnings.clone(),
            replayed_from: self.options.replayed_from.clone(),
        }
    }

    fn settings(&self) -> RunSettings {
        let options = &self.options;
        let milliseconds =
            |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let first = self.cases.first();
        let authored_prompt = first.is_some_and(|case| case.system_prompt.is_some());
        RunSettings {
            concurrency: options.concurrency,
            iteration_timeout_ms: milliseconds(options.iteration_timeout),
            max_steps: options.max_steps,
            setup_timeout_ms: milliseconds(options.setup_timeout),
            system_prompt: if authored_prompt { "authored" } else { "default" }.to_owned(),
            temperature: first.and_then(|case| case.temperature),
        }
    }
}

fn case_record(case: &PlannedCase) -> CaseRecord {
    CaseRecord {
        id: case.id.clone(),
        title: case.title.clone(),
        intent: case.intent.clone(),
        declared_model: case.declared_model.clone(),
        model: case.model.as_ref().map(|model| ModelRecord {
            effective: model.effective.clone(),
            provider: model.provider.clone(),
            scripted: model.scripted,
            script_digest: model.script_digest.clone(),
        }),
        iterations: case.iterations,
        pass_threshold: case.pass_threshold,
        content_hash: case.content_hash.clone(),
        assertions: case.resolved.get("assertions").cloned(),
        evaluation_config: Some(case.scorers.clone()),
        judge: case.judge.as_ref().map(|judge| judge.record.clone()),
    }
}

/// How setup went.
pub(crate) fn setup_record(environment: &Environment) -> SetupRecord<'static> {
    SetupRecord {
        servers: environment.reports.clone(),
        signals: environment.signals.clone(),
        tool_policy: environment.policy().cloned(),
        catalog_digest: environment.ready.then(|| canon::canonical_digest(&environment.catalog())),
        warnings: environment.warnings.clone(),
    }
}
