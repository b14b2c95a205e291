//! `compare_runs`: two runs of a suite, case by case.
