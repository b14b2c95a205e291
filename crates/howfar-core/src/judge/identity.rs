//! Which judge it is: runs graded under different identities are not comparable (suite and runner, section C2).

use howfar_suite::plan::{GOAL_OBJECTIVE_CAP, GOAL_PARTIAL_FLOOR};
use howfar_wire::canon;
use serde_json::json;

use super::policy::{SYSTEM, TEMPLATE_VERSION, output_shape, scaffold};

/// Digest of the judge's wording, the shape of its answer and its numbers. The model is no part of it: a definition names
/// the model beside.
pub fn judge_identity(threshold: f64) -> String {
    identity_of(SYSTEM, threshold)
}

fn identity_of(system: &str, threshold: f64) -> String {
    canon::canonical_digest(&json!({
        "templateVersion": TEMPLATE_VERSION,
        "system": system,
        "scaffold": scaffold(threshold, "{authored}", "{evidence}", "{artifacts}"),
        "output": output_shape(),
        "threshold": threshold,
        "floor": GOAL_PARTIAL_FLOOR,
        "cap": GOAL_OBJECTIVE_CAP,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wording_and_numbers_are_part_of_the_identity() {
        assert_eq!(judge_identity(0.7), judge_identity(0.7));
        assert_ne!(judge_identity(0.7), judge_identity(0.75));
        assert_ne!(judge_identity(0.7), identity_of(&format!("{SYSTEM} "), 0.7));
    }
}
