-- 'hwfr': tells a store from any other SQLite file.
PRAGMA application_id = 1752655474;

-- One row per run. Columns after `ended` are copied from the newest report, so that a listing reads no document; they
-- are NULL until there is one.
CREATE TABLE runs (
    id TEXT PRIMARY KEY NOT NULL,
    suite_id TEXT NOT NULL,
    suite_name TEXT NOT NULL,
    source_hash TEXT NOT NULL,
    started_at TEXT NOT NULL,
    started_at_ms INTEGER NOT NULL,
    cases INTEGER NOT NULL,
    configured_trials INTEGER NOT NULL,
    -- Trials that ran and are stored.
    stored_trials INTEGER NOT NULL DEFAULT 0,
    -- The suite file as the user named it, made absolute; stays in the store.
    origin TEXT NOT NULL,
    record BLOB NOT NULL,
    setup BLOB NOT NULL,
    -- Wall time of all parts of the run so far.
    elapsed_ms REAL NOT NULL DEFAULT 0,
    -- How the run ended; NULL for a run that was cut off or still runs.
    ended BLOB,
    verdict TEXT,
    termination TEXT,
    cases_passed INTEGER,
    cases_failed INTEGER
) STRICT;

CREATE INDEX runs_newest ON runs (started_at_ms DESC, id DESC);

CREATE TABLE issues (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (run_id, position)
) STRICT;

-- Tool catalogs, once per content: every trial of a run sees the same one.
CREATE TABLE catalogs (
    digest TEXT PRIMARY KEY NOT NULL,
    body BLOB NOT NULL
) STRICT;

CREATE TABLE trials (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    -- The case's position in the run.
    case_index INTEGER NOT NULL,
    case_id TEXT NOT NULL,
    iteration INTEGER NOT NULL,
    status TEXT NOT NULL,
    -- Whether the trial ran: a resumed run runs the others again.
    ran INTEGER NOT NULL,
    task_verdict TEXT,
    first_failed_stage TEXT,
    failure_category TEXT,
    duration_ms REAL NOT NULL,
    catalog TEXT NOT NULL REFERENCES catalogs (digest),
    -- The evidence document without its catalogs, and the digest of its text.
    evidence BLOB NOT NULL,
    evidence_digest TEXT NOT NULL,
    PRIMARY KEY (run_id, case_index, iteration)
) STRICT;

CREATE INDEX trials_catalog ON trials (catalog);

-- What was derived from evidence, by the analyzer that derived it. Nothing here is overwritten by a newer analyzer.
CREATE TABLE trial_documents (
    run_id TEXT NOT NULL,
    case_index INTEGER NOT NULL,
    iteration INTEGER NOT NULL,
    kind TEXT NOT NULL,
    analyzer_version INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (run_id, kind, analyzer_version, case_index, iteration),
    FOREIGN KEY (run_id, case_index, iteration)
        REFERENCES trials (run_id, case_index, iteration) ON DELETE CASCADE
) STRICT;

CREATE INDEX trial_documents_trial ON trial_documents (run_id, case_index, iteration);

CREATE TABLE run_documents (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    analyzer_version INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (run_id, kind, analyzer_version)
) STRICT;
