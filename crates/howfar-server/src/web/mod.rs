//! The dashboard: pages, the JSON API, and the live view of a run, on loopback.
