use std::collections::BTreeSet;

use super::*;

fn check_list<V: Vocabulary + std::fmt::Debug>(expected_len: usize) {
    assert_eq!(V::ALL.len(), expected_len, "{}", V::NAME);
    let wires: BTreeSet<_> = V::ALL.iter().map(|member| member.as_str()).collect();
    assert_eq!(wires.len(), expected_len, "{}: a wire spelling stands twice", V::NAME);
    for &member in V::ALL {
        assert!(!member.label().trim().is_empty(), "{}: {member:?} has no label", V::NAME);
        assert_eq!(V::from_wire(member.as_str()), Some(member));
    }
    assert_eq!(V::from_wire("noSuchMember"), None);
}

#[test]
fn every_member_has_one_spelling_and_one_label() {
    check_list::<Stage>(6);
    check_list::<StageState>(5);
    check_list::<FailureCategory>(7);
    check_list::<StageReason>(29);
    check_list::<VerdictDecisionReason>(11);
    check_list::<Verdict>(4);
    check_list::<UndecidedReason>(4);
    check_list::<ExclusionClass>(6);
    check_list::<ExclusionDetail>(14);
    check_list::<TrialExclusionReason>(7);
    check_list::<ParityBlocker>(11);
    check_list::<IterationStatus>(8);
    check_list::<PredicateKind>(36);
    check_list::<Grader>(5);
    check_list::<LoadStage>(3);
    check_list::<FindingCode>(5);
    check_list::<FindingClass>(29);
    check_list::<WarningClass>(7);
    check_list::<Measurement>(5);
    check_list::<StandardCheckId>(15);
    check_list::<FixedCheckId>(3);
    check_list::<ModelProvider>(12);
    check_list::<ProblemReason>(28);
    check_list::<FrictionSignalKind>(5);
    check_list::<FrictionGap>(5);
    check_list::<CallOrdering>(3);
    check_list::<PaginationKey>(9);
    check_list::<SuspectedCondition>(9);
    check_list::<ConditionConfidence>(3);
    check_list::<ConditionSkip>(4);
}

#[test]
fn predicate_kinds_are_filed_at_their_links() {
    let count = |stage| PredicateKind::ALL.iter().filter(|kind| kind.stage() == stage).count();
    assert_eq!(
        Stage::ALL.iter().map(|&stage| count(stage)).collect::<Vec<_>>(),
        [0, 6, 9, 3, 8, 10]
    );
    assert_eq!(PredicateKind::ALL.iter().filter(|kind| kind.is_observation()).count(), 6);
    assert_eq!(PredicateKind::ALL.iter().filter(|kind| kind.decides_selection()).count(), 8);
    assert_eq!(PredicateKind::ALL.iter().filter(|kind| kind.is_turn_scopable()).count(), 18);
}

#[test]
fn reason_wordings_partition_the_reasons() {
    let count =
        |wording| StageReason::ALL.iter().filter(|reason| reason.wording() == wording).count();
    assert_eq!(count(ReasonWording::Direct), 9);
    assert_eq!(count(ReasonWording::CheckWhether), 5);
    assert_eq!(count(ReasonWording::NothingToFix), 15);
}

#[test]
fn only_a_measured_failure_outranks_everything_but_usage() {
    assert_eq!(ExitCode::Setup.worse(ExitCode::MeasuredFailure), ExitCode::MeasuredFailure);
    assert_eq!(ExitCode::Incomplete.worse(ExitCode::Setup), ExitCode::Setup);
    assert_eq!(ExitCode::Setup.worse(ExitCode::Credentials), ExitCode::Credentials);
    assert_eq!(ExitCode::ALL.map(ExitCode::code), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn an_unknown_member_is_refused_not_mapped() {
    assert!(serde_json::from_str::<Stage>("\"rendering\"").is_err());
    let error = "rendering".parse::<Stage>().expect_err("not a stage");
    assert_eq!(error.to_string(), "\"rendering\" is not a member of stages");
}
