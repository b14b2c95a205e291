//! Runs against scripted servers over real pipes, with models that a test plays: what is observed, what stops a run, what
//! its clocks do, what a resumed run repeats.

mod clocks;
mod events;
mod judges;
mod resumed;
mod setup;
mod stops;
mod support;
