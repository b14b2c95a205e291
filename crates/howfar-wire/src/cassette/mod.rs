//! Cassettes: every exchange of a run with models and servers, kept so that the run can be replayed without either.
//!
//! A cassette is a text of JSON lines: a header, one [`Exchange`] per line in the order in which they ended, and a last
//! line when the recording ended by itself. [`Tape`] finds the recording of a request by its content. Who keeps and who
//! gives exchanges is behind [`ExchangeSink`] and [`ExchangeSource`]; files are not read or written here.

mod answer;
mod line;
mod tape;

use std::fmt;
use std::sync::Arc;

pub use answer::{
    CanaryAnswer, ChildEnd, ExchangeAnswer, HttpAnswer, ModelFailure, RecordedCall,
    RecordedFinding, RecordedModelError, RecordedSession, RecordedTurn, RecordedUsage, SetupFault,
    SetupFaultCause, SpawnFault, TransportFault,
};
pub use line::{
    CASSETTE_VERSION, CassetteError, CassetteHeader, CassetteLine, CassetteModel, CassetteServer,
    Exchange, ExchangeMethod, TrialRef, parse_cassette_line,
};
pub use tape::{Miss, Question, Tape};

/// Where the exchanges of a run come from and go to.
#[derive(Clone, Default)]
pub enum Traffic {
    /// Models and servers are asked, and nothing is kept.
    #[default]
    Live,
    /// Models and servers are asked, and every exchange is kept.
    Recorded(Arc<dyn ExchangeSink>),
    /// Nobody is asked: answers come from a recording.
    Replayed(Arc<dyn ExchangeSource>),
}

/// Keeps exchanges. It takes secrets out and never fails: what went wrong is told at the end.
pub trait ExchangeSink: Send + Sync {
    /// Keeps one exchange.
    fn keep(&self, exchange: Exchange);
}

/// Gives recorded exchanges.
pub trait ExchangeSource: Send + Sync {
    /// The recording of a question. `None` when there is none: the source has told it and ends the run; who asked must
    /// then wait for that end and make no fact of it.
    fn take(&self, question: Question) -> Option<Exchange>;

    /// Whether the recording lost its connection to this server and opened it again, at the place that the replay has
    /// come to.
    fn is_lost(&self, server: &str) -> bool;
}

impl fmt::Debug for Traffic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Live => "Live",
            Self::Recorded(_) => "Recorded",
            Self::Replayed(_) => "Replayed",
        })
    }
}
