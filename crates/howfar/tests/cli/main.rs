//! Runs of the real binary, as a user would start it: in an empty home, with a clean environment.

mod against;
mod calls;
mod check;
mod checks;
mod compare;
mod dashboard;
mod dashboard_browser;
mod demo;
mod derive;
mod explain;
mod github;
mod hostile;
mod html;
mod html_browser;
mod inert;
mod init;
mod interrupt;
mod killed;
mod node_peers;
mod provider;
mod python_peers;
mod refusals;
mod reports;
mod serve;
mod stored;
mod support;
