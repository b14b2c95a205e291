use std::sync::{Arc, Mutex};
use std::time::Duration;

use howfar_wire::cassette::{Exchange, ExchangeSink, ExchangeSource, Question, Tape};
use howfar_wire::vocabulary::RefusalKind;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{RecordingModel, ReplayModel};
use crate::{
    BoxFuture, Clock, Message, Model, ModelError, ModelErrorKind, ModelIdentity, ModelRequest,
    ModelTurn, ToolCall, TrialContext, Usage,
};

/// Keeps exchanges in memory, as the text that a file would hold.
#[derive(Default)]
struct Kept(Mutex<Vec<String>>);

impl ExchangeSink for Kept {
    fn keep(&self, exchange: Exchange) {
        let text = serde_json::to_string(&exchange).expect("an exchange is JSON");
        self.0.lock().expect("nobody panics here").push(text);
    }
}

struct Played(Mutex<Tape>);

impl ExchangeSource for Played {
    fn take(&self, question: Question) -> Option<Exchange> {
        self.0.lock().expect("nobody panics here").take(&question).ok()
    }

    fn is_lost(&self, _server: &str) -> bool {
        false
    }
}

/// A model with one answer.
struct Answers(ModelIdentity, Result<ModelTurn, ModelError>);

impl Model for Answers {
    fn identity(&self) -> &ModelIdentity {
        &self.0
    }

    fn respond<'a>(
        &'a self,
        _: &'a ModelRequest,
        _: &'a CancellationToken,
    ) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(std::future::ready(self.1.clone()))
    }
}

fn identity() -> ModelIdentity {
    ModelIdentity { provider: "p".to_owned(), model: "m".to_owned() }
}

fn request() -> ModelRequest {
    ModelRequest {
        system: None,
        messages: vec![Message::User("hello".to_owned())],
        tools: Vec::new(),
        temperature: Some(0.5),
        trial: TrialContext { case_id: "c".to_owned(), trial: 1, seed: None },
    }
}

/// Records an answer and replays it.
async fn check(answer: Result<ModelTurn, ModelError>) {
    let kept = Arc::new(Kept::default());
    let model = Arc::new(Answers(identity(), answer.clone()));
    let recording = RecordingModel::new("p/m", model, Arc::clone(&kept) as Arc<dyn ExchangeSink>);
    let never = CancellationToken::new();
    assert_eq!(recording.respond(&request(), &never).await, answer);
    let lines = kept.0.lock().expect("nobody panics here").clone();
    let exchanges = lines.iter().map(|line| serde_json::from_str(line).expect("it reads back"));
    let source = Arc::new(Played(Mutex::new(Tape::new(exchanges))));
    let replay = ReplayModel::new("p/m", identity(), source);
    assert_eq!(replay.respond(&request(), &never).await, answer);
}

#[tokio::test]
async fn a_turn_comes_back_as_it_was() {
    let mut call = ToolCall::new("id-1", "find", "{\"q\": 1.0,  }");
    call.opaque = Some(json!({"signature": "s"}));
    check(Ok(ModelTurn {
        text: "t".to_owned(),
        tool_calls: vec![call],
        reasoning: Some("r".to_owned()),
        usage: Some(Usage { input: 3, output: 4 }),
        cost_usd: Some(0.25),
        finish_reason: Some("stop".to_owned()),
        response_id: Some("resp".to_owned()),
        created: Some(7),
        model: Some("m-1".to_owned()),
        provider: "p".to_owned(),
        time_to_first_chunk: Some(Duration::from_millis(250)),
    }))
    .await;
}

#[tokio::test]
async fn a_failed_call_keeps_its_kind() {
    for kind in [
        ModelErrorKind::Refused(RefusalKind::RateLimited),
        ModelErrorKind::Timeout(Clock::Idle),
        ModelErrorKind::Disconnected,
        ModelErrorKind::Malformed,
    ] {
        let mut error = ModelError::new(kind, "p", "what happened");
        error.status = Some(429);
        error.retry_after = Some(Duration::from_secs(2));
        check(Err(error)).await;
    }
}

#[tokio::test]
async fn a_request_without_a_recording_waits_for_the_end() {
    let source = Arc::new(Played(Mutex::new(Tape::default())));
    let replay = ReplayModel::new("p/m", identity(), source);
    let (request, cancel) = (request(), CancellationToken::new());
    let mut answer = std::pin::pin!(replay.respond(&request, &cancel));
    assert!(futures::poll!(&mut answer).is_pending());
    cancel.cancel();
    assert_eq!(answer.await.map_err(|error| error.kind), Err(ModelErrorKind::Cancelled));
}

#[tokio::test]
async fn a_call_that_was_given_up_is_kept_as_unanswered() {
    struct Silent(ModelIdentity);
    impl Model for Silent {
        fn identity(&self) -> &ModelIdentity {
            &self.0
        }
        fn respond<'a>(
            &'a self,
            _: &'a ModelRequest,
            _: &'a CancellationToken,
        ) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
            Box::pin(std::future::pending())
        }
    }
    let kept = Arc::new(Kept::default());
    let sink = Arc::clone(&kept) as Arc<dyn ExchangeSink>;
    let recording = RecordingModel::new("p/m", Arc::new(Silent(identity())), sink);
    let (request, cancel) = (request(), CancellationToken::new());
    let mut answer = recording.respond(&request, &cancel);
    assert!(futures::poll!(&mut answer).is_pending());
    drop(answer);
    let lines = kept.0.lock().expect("nobody panics here");
    assert!(lines[0].contains(r#""answer":{"kind":"unanswered"}"#), "{}", lines[0]);
}
