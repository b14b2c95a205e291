//! The live view: server-sent events about runs that another process records.
//!
//! Each stream looks at the store again and again, and speaks when something changed. It ends when its run is over or the
//! server goes down, and there are only so many.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures::{Stream, StreamExt as _, stream};
use howfar_wire::api::ProblemType;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, watch};

use super::parameters::Nothing;
use super::question::{Asked, question};
use crate::read::{ReadError, RunWatch, StoreWatch};
use crate::web::App;
use crate::web::problem::Failure;

/// How long a stream is silent before it says that it is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// One run, until it is over.
pub(super) async fn run(
    State(app): State<App>,
    asked: Asked<Nothing>,
) -> Result<Response, Failure> {
    let question = question(&app, asked).await?;
    let run = question.run().await?;
    let told = Told::One(Box::new(RunWatch::new(question.store, run)));
    Ok(response(Live::begin(app, told)?))
}

/// All runs.
pub(super) async fn all(
    State(app): State<App>,
    asked: Asked<Nothing>,
) -> Result<Response, Failure> {
    question(&app, asked).await?;
    Ok(response(Live::begin(app, Told::All(StoreWatch::default()))?))
}

fn response(live: Live) -> Response {
    let heartbeat = KeepAlive::new().interval(HEARTBEAT).text("still here");
    Sse::new(events(live)).keep_alive(heartbeat).into_response()
}

/// A live stream.
struct Live {
    ends: watch::Receiver<bool>,
    app: App,
    told: Told,
    is_first: bool,
    is_over: bool,
    _place: OwnedSemaphorePermit,
}

/// What is watched.
enum Told {
    One(Box<RunWatch>),
    All(StoreWatch),
}

impl Live {
    fn begin(app: App, told: Told) -> Result<Self, Failure> {
        let too_many = || {
            let detail = "as many live streams are open as this server allows";
            Failure::new(ProblemType::TooManyStreams, detail).hint("close another page")
        };
        let place = app.stream_place().ok_or_else(too_many)?;
        let ends = app.ends();
        Ok(Self { ends, app, told, is_first: true, is_over: false, _place: place })
    }

    /// What is to be told, after a pause unless it is the first look; `None` at the end.
    async fn next(&mut self) -> Option<Vec<Event>> {
        if self.is_over || (!self.is_first && self.ended_in_pause().await) {
            return None;
        }
        self.is_first = false;
        match self.look().await {
            Ok(events) => Some(events),
            Err(error) => {
                self.is_over = true;
                Some(vec![event("problem", &error.problem())])
            }
        }
    }

    /// Waits before the next look; whether the server goes down meanwhile.
    async fn ended_in_pause(&mut self) -> bool {
        tokio::select! {
            _ = self.ends.wait_for(|ended| *ended) => true,
            () = tokio::time::sleep(self.app.look_every()) => false,
        }
    }

    async fn look(&mut self) -> Result<Vec<Event>, ReadError> {
        match &mut self.told {
            Told::One(run) => {
                let progress = run.look().await?;
                self.is_over = run.is_over();
                Ok(progress.iter().map(|progress| event("progress", progress)).collect())
            }
            Told::All(runs) => {
                let changes = runs.look(&self.app.source().store().await?).await?;
                Ok(changes.iter().map(|change| event("run", change)).collect())
            }
        }
    }
}

fn events(live: Live) -> impl Stream<Item = Result<Event, Infallible>> {
    let looks = stream::unfold(live, async |mut live| {
        let events = live.next().await?;
        Some((events, live))
    });
    looks.flat_map(|events| stream::iter(events.into_iter().map(Ok)))
}

fn event<T: Serialize>(name: &str, data: &T) -> Event {
    let data = serde_json::to_string(data).expect("answers hold nothing but JSON");
    Event::default().event(name).data(data)
}
