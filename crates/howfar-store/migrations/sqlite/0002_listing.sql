-- The six states of a trial's chain, in chain order and separated by spaces, copied from the newest derivation like the
-- columns beside it. NULL when nothing was derived.
ALTER TABLE trials ADD COLUMN stage_states TEXT;

-- Everything that lists, counts and tallies of trials read, so that none of them touches evidence.
CREATE INDEX trials_listing ON trials (
    run_id, case_index, iteration, case_id, status, task_verdict, first_failed_stage,
    failure_category, duration_ms, stage_states
);

-- The runs of one suite, newest first.
CREATE INDEX runs_suite ON runs (suite_id, started_at_ms DESC, id DESC);
