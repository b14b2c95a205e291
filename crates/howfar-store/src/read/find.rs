//! From what a person types to one run.

use std::fmt;

use crate::error::FindError;
use crate::store::Store;

/// How many ids an ambiguous name is answered with.
const SHOWN_IDS: i64 = 5;

/// The id of a run that the store holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(String);

impl RunId {
    /// The id of a run; whether the store holds it is known when it is asked.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Store {
    /// The newest run.
    ///
    /// # Errors
    ///
    /// The store holds no run, or cannot be read.
    pub async fn newest_run(&self) -> Result<RunId, FindError> {
        let query = "SELECT id FROM runs ORDER BY started_at_ms DESC, id DESC LIMIT 1";
        let id: Option<String> = sqlx::query_scalar(query)
            .fetch_optional(&self.pool)
            .await
            .map_err(|source| self.reading(source))?;
        id.map(RunId).ok_or(FindError::Empty)
    }

    /// The run that a person names: `latest`, an id, or the beginning of exactly one id.
    ///
    /// # Errors
    ///
    /// No run or several runs answer to the name, or the store cannot be read.
    pub async fn find_run(&self, name: &str) -> Result<RunId, FindError> {
        if name == "latest" {
            return self.newest_run().await;
        }
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM runs WHERE id = $1 OR substr(id, 1, length($1)) = $1 \
             ORDER BY id = $1 DESC, started_at_ms DESC, id DESC LIMIT $2",
        )
        .bind(name)
        .bind(SHOWN_IDS)
        .fetch_all(&self.pool)
        .await
        .map_err(|source| self.reading(source))?;
        match ids.as_slice() {
            [id] if !name.is_empty() => Ok(RunId(id.clone())),
            [id, ..] if id == name => Ok(RunId(id.clone())),
            [] | [_] => Err(FindError::NotFound { name: name.to_owned() }),
            [_, ..] => Err(FindError::Ambiguous { name: name.to_owned(), ids }),
        }
    }
}
