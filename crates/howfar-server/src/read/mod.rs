//! What readers ask of the store: runs, cases, trials, chains, analytics and comparisons, paged, with units.
