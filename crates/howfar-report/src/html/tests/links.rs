//! A link within the page leads to a place of the page, and its headings leave no level out.

use howfar_testkit::headings::skipped_levels;
use howfar_testkit::links::dead_links;
use howfar_wire::chain::StageEvidence;

use super::*;

/// A failed trial whose call row cites a span of the time line and the connection of a server.
fn citing() -> RunReport {
    let mut trial = broke(Stage::Call, StageReason::ToolError, FailureCategory::ServerData);
    let cited = ["call-1", "run-connect-server"].map(str::to_owned).to_vec();
    trial.stage_results[Stage::Call.index()].evidence =
        Some(StageEvidence { span_ids: Some(cited), ..StageEvidence::default() });
    report(vec![case("c", "Case", vec![trial]), case("d", "Other", vec![held(), held()])])
}

#[test]
fn a_cited_span_is_a_link_only_when_the_page_shows_it() {
    let mut kept = Kept::default();
    kept.0.insert(("c".to_owned(), 1), evidence("c", 1, &two_turns("94 euros."), 0.0));
    let page = page(&citing(), &mut kept);
    assert!(page.contains("<a href=\"#case-c-trial-1-span-call-1\">span call-1</a>"), "{page}");
    assert!(page.contains("span run-connect-server"), "{page}");
    assert_eq!(dead_links(&page), Vec::<String>::new());
}

#[test]
fn a_page_without_evidence_has_no_dead_link() {
    let page = page(&citing(), &mut Kept::default());
    assert!(page.contains("span call-1"), "{page}");
    assert_eq!(dead_links(&page), Vec::<String>::new());
}

#[test]
fn headings_leave_no_level_out() {
    let page = page(&citing(), &mut Kept::default());
    assert_eq!(skipped_levels(&page), Vec::<String>::new(), "{page}");
}
