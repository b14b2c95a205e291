-- A grading: a judge over the stored evidence of a run, from 1 in the order in which they were begun. Revision 0 is the
-- run's own judge and has no row here. What a grading says counts from when it is finished.
CREATE TABLE gradings (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    body BLOB NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, revision)
) STRICT;

-- What judges said, one result per trial and grading. Evidence is never changed: a judgement lies beside it.
CREATE TABLE judgements (
    run_id TEXT NOT NULL,
    case_index INTEGER NOT NULL,
    iteration INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (run_id, case_index, iteration, revision),
    FOREIGN KEY (run_id, case_index, iteration)
        REFERENCES trials (run_id, case_index, iteration) ON DELETE CASCADE
) STRICT;

-- Derived documents belong to a grading too: a later one leaves those of an earlier one as they are.
CREATE TABLE graded_trial_documents (
    run_id TEXT NOT NULL,
    case_index INTEGER NOT NULL,
    iteration INTEGER NOT NULL,
    kind TEXT NOT NULL,
    analyzer_version INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    body BLOB NOT NULL,
    PRIMARY KEY (run_id, kind, revision, analyzer_version, case_index, iteration),
    FOREIGN KEY (run_id, case_index, iteration)
        REFERENCES trials (run_id, case_index, iteration) ON DELETE CASCADE
) STRICT;
INSERT INTO graded_trial_documents (run_id, case_index, iteration, kind, analyzer_version, body)
    SELECT run_id, case_index, iteration, kind, analyzer_version, body FROM trial_documents;
DROP TABLE trial_documents;
ALTER TABLE graded_trial_documents RENAME TO trial_documents;
CREATE INDEX trial_documents_trial ON trial_documents (run_id, case_index, iteration);

CREATE TABLE graded_run_documents (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    analyzer_version INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    body BLOB NOT NULL,
    PRIMARY KEY (run_id, kind, revision, analyzer_version)
) STRICT;
INSERT INTO graded_run_documents (run_id, kind, analyzer_version, body)
    SELECT run_id, kind, analyzer_version, body FROM run_documents;
DROP TABLE run_documents;
ALTER TABLE graded_run_documents RENAME TO run_documents;
