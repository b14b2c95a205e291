//! What a browser waits for: pages and answers about runs of 10,000 trials and about 1,000 runs, through the router.

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use criterion::{Criterion, criterion_group, criterion_main};
use howfar_server::read::Source;
use howfar_server::web::{Access, App, router};
use howfar_testkit::samples::Sample;
use tower::ServiceExt as _;

fn answers(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("howfar.db");
    let large = Sample { number: 1000, trials: 10_000 };
    let before = Sample { number: 999, ..large };
    for run in [before, large] {
        run.save(&path, run.trials).expect("the store takes a run");
    }
    for number in 0..998 {
        Sample { number, trials: 1 }.save(&path, 1).expect("the store takes a run");
    }
    let access = Access::new(([127, 0, 0, 1], 7357).into(), None).expect("loopback is allowed");
    let router = router(App::new(Source::new(path), jiff::tz::TimeZone::UTC, access));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime starts");
    let run = format!("/api/v1/runs/{}", large.run_id());
    let compared = format!("/compare?run={}&base={}", large.run_id(), before.run_id());
    for (name, path) in [
        ("the page of a run of 10,000 trials", format!("/runs/{}", large.run_id())),
        ("the page of two runs of 10,000 trials compared", compared),
        (
            "two runs of 10,000 trials compared",
            format!("{run}/comparison?base={}", before.run_id()),
        ),
        ("the page of 1,000 runs", "/runs".to_owned()),
        ("the first page, over 1,000 runs", "/".to_owned()),
        ("the head of a run of 10,000 trials", run.clone()),
        ("50 cases of 10,000 trials", format!("{run}/cases")),
        ("50 of 10,000 trials", format!("{run}/iterations")),
        ("the failed ones of 10,000 trials", format!("{run}/iterations?verdict=failed&limit=200")),
        ("the funnel of 10,000 trials", format!("{run}/analytics")),
        ("the tallied chain of 10,000 trials", format!("{run}/chain")),
        ("200 of 1,000 runs", "/api/v1/runs?limit=200".to_owned()),
        ("the suites of 1,000 runs", "/api/v1/suites".to_owned()),
        ("the series of 50 of 1,000 runs", "/api/v1/suites/s_sample/trend".to_owned()),
    ] {
        criterion.bench_function(name, |bench| {
            bench.iter(|| {
                runtime.block_on(async {
                    let request = Request::get(&path).header(header::HOST, "localhost:7357");
                    let request = request.body(Body::empty()).expect("it is a request");
                    let response = router.clone().oneshot(request).await.expect("it answers");
                    assert!(response.status().is_success(), "{path}");
                    to_bytes(response.into_body(), usize::MAX).await.expect("it ends").len()
                })
            });
        });
    }
}

criterion_group!(benches, answers);
criterion_main!(benches);
