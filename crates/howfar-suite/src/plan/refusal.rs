//! Refusals: of a model call by a provider (suite and runner, section B11), and of a run by us (section B2).

use howfar_wire::finding::{Problem, Refusal};
use howfar_wire::vocabulary::{RefusalCategory, RefusalCode, RefusalKind, RefusalPhase};

/// Words in a 4xx body that say that quota or credit is used up, in lower case.
const BILLING_WORDS: &[&str] = &[
    "insufficient_quota",
    "insufficient quota",
    "exceeded your current quota",
    "quota exceeded",
    "quota_exceeded",
    "credit balance is too low",
    "insufficient credit",
    "insufficient_credit",
    "insufficient balance",
    "insufficient_balance",
    "insufficient funds",
    "out of credits",
    "no credits",
    "not enough credits",
    "requires more credits",
    "billing_hard_limit",
    "billing hard limit",
    "billing_not_active",
    "payment required",
    "spending limit",
];

/// Words in a 4xx body that say that the key is not valid, in lower case.
const CREDENTIAL_WORDS: &[&str] = &[
    "api key not valid",
    "api_key_invalid",
    "invalid_api_key",
    "invalid api key",
    "invalid api-key",
    "invalid x-api-key",
    "incorrect api key",
    "api key is invalid",
    "api key is not valid",
    "api key expired",
    "missing api key",
    "no api key",
    "invalid authentication",
    "authentication_error",
    "no auth credentials",
    "invalid bearer token",
];

/// What kind of refusal a failed model call is, after the client's own retries. `None` is an ordinary failure of the
/// trial; `status` is absent when no answer came.
pub fn classify_refusal(status: Option<u16>, body: &str) -> Option<RefusalKind> {
    let status = status?;
    if (400..500).contains(&status) {
        let body = body.to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| body.contains(word));
        if says(BILLING_WORDS) {
            return Some(RefusalKind::Billing);
        }
        if says(CREDENTIAL_WORDS) {
            return Some(RefusalKind::Credentials);
        }
    }
    match status {
        401 | 403 => Some(RefusalKind::Credentials),
        402 => Some(RefusalKind::Billing),
        429 => Some(RefusalKind::RateLimited),
        500.. => Some(RefusalKind::Unavailable),
        _ => None,
    }
}

/// The refusal of a code, with its phase and category by the table of section B2.
///
/// `phase` decides only where the table leaves it open: an import, a cancellation, an internal error.
pub fn refusal(code: RefusalCode, phase: RefusalPhase, problems: Vec<Problem>) -> Refusal {
    let (phase, category) = placement(code, phase);
    Refusal { code, phase, category, problems }
}

const fn placement(code: RefusalCode, phase: RefusalPhase) -> (RefusalPhase, RefusalCategory) {
    match code {
        RefusalCode::OptionsInvalid
        | RefusalCode::SuiteFileInvalid
        | RefusalCode::CaseSelectionInvalid
        | RefusalCode::CaseInvalid
        | RefusalCode::TargetUnsupported
        | RefusalCode::ModelUnsupported
        | RefusalCode::InferenceConflict
        | RefusalCode::ServerBindingInvalid => (RefusalPhase::Validation, RefusalCategory::Usage),
        RefusalCode::CaseUnsupported | RefusalCode::JudgeUnsupported => {
            (RefusalPhase::Validation, RefusalCategory::Unsupported)
        }
        RefusalCode::ImportIneligible => (phase, RefusalCategory::Import),
        RefusalCode::CredentialsMissing | RefusalCode::CredentialsRejected => {
            (RefusalPhase::Setup, RefusalCategory::Credentials)
        }
        RefusalCode::ServerBindingMissing
        | RefusalCode::ServerConnectFailed
        | RefusalCode::ToolCatalogFailed
        | RefusalCode::ToolNameConflict
        | RefusalCode::SetupTimeout
        | RefusalCode::SetupFailed => (RefusalPhase::Setup, RefusalCategory::Setup),
        RefusalCode::ToolPolicyInvalid => (RefusalPhase::Setup, RefusalCategory::Policy),
        RefusalCode::Cancelled => (phase, RefusalCategory::Cancelled),
        RefusalCode::ReportInvalid => (RefusalPhase::Reporting, RefusalCategory::Integrity),
        RefusalCode::InternalError => (phase, RefusalCategory::Internal),
    }
}
