//! Models that keep their exchanges, and models that answer from such a recording (product: "Models without a key").

mod record;
mod replay;
mod request;
mod turn;

pub use record::RecordingModel;
pub use replay::ReplayModel;

#[cfg(test)]
mod tests;
