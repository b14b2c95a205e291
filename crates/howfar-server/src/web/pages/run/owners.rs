//! Who should look next: the next owner of each failure category, in its own words.

use howfar_report::words::count;
use howfar_wire::api::RunHead;
use howfar_wire::vocabulary::{FailureCategory, TaskVerdict};

use crate::web::pages::link;
use crate::web::pages::part::Term;

/// A bucket that trials are in.
pub(super) struct Owner {
    pub(super) bucket: Term,
    pub(super) words: &'static str,
    pub(super) trials: String,
    pub(super) href: String,
}

/// The buckets that occurred, in contract order.
pub(super) fn owners(head: &RunHead) -> Vec<Owner> {
    let owner = |(category, trials): (FailureCategory, u64)| Owner {
        bucket: Term::of(category),
        words: category.next_owner(),
        trials: count(trials, "trial"),
        href: link::bucket(&head.run.run_id, category),
    };
    head.trials.failure_categories.iter().map(owner).collect()
}

/// What is said when no trial is in a bucket.
pub(super) fn nobody(head: &RunHead) -> &'static str {
    let passed = head.trials.task_verdicts.get(TaskVerdict::Passed);
    match (head.trials.stored, passed) {
        (0, _) => "nobody can be named: no trial is stored",
        (stored, passed) if stored == passed => {
            "nobody needs to: no trial is in a failure category"
        }
        (_, _) => "nobody can be named: nothing that was measured is in a failure category",
    }
}
