//! What readers see of the friction in a trial's stored metadata (friction, section A14).

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::FrictionDocument;
use super::condition::SuspectedConditionVerdict;

/// One stored document as a reader meets it. Three different facts.
#[derive(Debug, Clone, PartialEq)]
pub enum Stored<T> {
    /// No key: never measured, which is not zero.
    Absent,
    /// A sound document.
    Sound(T),
    /// A document that did not hold up; nothing of it is shown.
    Unverified,
}

/// The two friction documents of a trial's metadata; nothing else of the metadata crosses.
#[derive(Debug, Clone, PartialEq)]
pub struct FrictionProjection {
    /// The key `frictionSignals`, or `frictionSignalsUnverified`.
    pub signals: Stored<FrictionDocument>,
    /// The key `suspectedConditionVerdict`, or `suspectedConditionUnverified`.
    pub condition: Stored<SuspectedConditionVerdict>,
}

impl Serialize for FrictionProjection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        entry(&mut map, &self.signals, "frictionSignals", "frictionSignalsUnverified")?;
        entry(
            &mut map,
            &self.condition,
            "suspectedConditionVerdict",
            "suspectedConditionUnverified",
        )?;
        map.end()
    }
}

fn entry<M: SerializeMap, T: Serialize>(
    map: &mut M,
    stored: &Stored<T>,
    key: &str,
    unverified_key: &str,
) -> Result<(), M::Error> {
    match stored {
        Stored::Absent => Ok(()),
        Stored::Sound(document) => map.serialize_entry(key, document),
        Stored::Unverified => map.serialize_entry(unverified_key, &true),
    }
}
