use std::pin::Pin;

use axum::body::{Body, BodyDataStream};
use axum::http::{Request, StatusCode, header};
use futures::StreamExt as _;
use howfar_core::run::report::derive_trial;
use howfar_server::web::{App, router};
use howfar_store::Recorder;
use howfar_testkit::samples::{Sample, setup};
use serde_json::Value;
use tower::ServiceExt as _;

use super::{HOST, Tested, app, ask};

const SAMPLE: Sample = Sample { number: 0, trials: 3 };

/// A live stream, as a browser reads it.
struct Events {
    body: Pin<Box<BodyDataStream>>,
    text: String,
}

impl Events {
    async fn open(app: &App, path: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let request = Request::get(path).header(header::HOST, HOST).body(Body::empty())?;
        let response = router(app.clone()).oneshot(request).await?;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        let body = Box::pin(response.into_body().into_data_stream());
        Ok(Self { body, text: String::new() })
    }

    /// The name and data of the next event; `None` at the end of the stream.
    async fn next(&mut self) -> Result<Option<(String, Value)>, Box<dyn std::error::Error>> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let line = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                let (name, data) = (line("event: "), line("data: "));
                let event = name.unwrap_or_default().to_owned();
                let data = serde_json::from_str(data.unwrap_or("null"))?;
                self.text = rest.to_owned();
                return Ok(Some((event, data)));
            }
            let Some(bytes) = self.body.next().await else { return Ok(None) };
            self.text.push_str(std::str::from_utf8(&bytes?)?);
        }
    }

    async fn data(&mut self, name: &str) -> Result<Value, Box<dyn std::error::Error>> {
        let (event, data) = self.next().await?.ok_or("the stream ended")?;
        assert_eq!(event, name);
        Ok(data)
    }
}

/// Records trial `iteration` of the sample.
fn record(recorder: &Recorder, iteration: u32) -> Tested {
    let evidence = SAMPLE.evidence((0, iteration));
    Ok(recorder.trial(&evidence, &derive_trial(&evidence).row, 10.0)?)
}

#[tokio::test]
async fn a_run_is_followed_to_its_end() -> Tested {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("howfar.db");
    let recorder = Recorder::open(&path)?;
    recorder.begin(&SAMPLE.record(), &setup(), "sample.suite.yaml")?;
    record(&recorder, 1)?;
    let mut events = Events::open(&app(&path, None), "/api/v1/runs/latest/events").await?;
    let first = events.data("progress").await?;
    assert_eq!(
        (&first["run"]["state"], &first["trials"]["stored"]),
        (&"running".into(), &1.into())
    );
    assert_eq!(first["finished"], Value::Array(Vec::new()));
    record(&recorder, 2)?;
    let second = events.data("progress").await?;
    assert_eq!(
        (&second["trials"]["unit"], &second["trials"]["stored"]),
        (&"trial".into(), &2.into())
    );
    assert_eq!(second["finished"][0]["iterationNumber"], 2);
    record(&recorder, 3)?;
    assert_eq!(events.data("progress").await?["finished"][0]["iterationNumber"], 3);
    recorder.finish(&SAMPLE.report())?;
    let last = events.data("progress").await?;
    assert_eq!(
        (&last["run"]["state"], &last["run"]["verdict"]),
        (&"ended".into(), &"passed".into())
    );
    assert_eq!(events.next().await?, None);
    Ok(())
}

#[tokio::test]
async fn a_run_that_ended_is_told_once() -> Tested {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("howfar.db");
    SAMPLE.save(&path, 3)?;
    let mut events = Events::open(&app(&path, None), "/api/v1/runs/latest/events").await?;
    assert_eq!(events.data("progress").await?["run"]["state"], "ended");
    assert_eq!(events.next().await?, None);
    Ok(())
}

#[tokio::test]
async fn runs_that_begin_are_told_and_the_end_of_the_server_ends_the_stream() -> Tested {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("howfar.db");
    let app = app(&path, None);
    let mut events = Events::open(&app, "/api/v1/events").await?;
    let recorder = Recorder::open(&path)?;
    recorder.begin(&SAMPLE.record(), &setup(), "sample.suite.yaml")?;
    assert_eq!(events.data("run").await?["run"]["runId"], SAMPLE.run_id());
    app.end_streams();
    assert_eq!(events.next().await?, None);
    Ok(())
}

#[tokio::test]
async fn there_are_only_so_many_streams() -> Tested {
    let folder = tempfile::tempdir()?;
    let app = app(&folder.path().join("howfar.db"), None);
    let mut open = Vec::new();
    for _ in 0..32 {
        open.push(Events::open(&app, "/api/v1/events").await?);
    }
    let reply = ask(&app, "/api/v1/events").await?;
    assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(reply.json()?["type"], "too_many_streams");
    open.pop();
    Events::open(&app, "/api/v1/events").await?;
    Ok(())
}
