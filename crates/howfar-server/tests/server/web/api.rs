use axum::http::{StatusCode, header};
use howfar_store::Recorder;
use howfar_testkit::samples::{Sample, case_id, setup};
use serde_json::Value;

use super::{Reply, Tested, app, ask};
use crate::Stored;

const SAMPLE: Sample = Sample { number: 0, trials: 104 };

/// A run that ended and one that was cut off before its first trial.
fn stored() -> Stored {
    Stored::with(&[(SAMPLE, 104), (Sample { number: 1, trials: 3 }, 0)])
}

/// Asks about the run that ended; `{run}` in the path is its id.
async fn answer(stored: &Stored, path: &str) -> Result<Reply, Box<dyn std::error::Error>> {
    let path = format!("/api/v1{}", path.replace("{run}", &SAMPLE.run_id()));
    ask(&app(&stored.path, None), &path).await
}

#[tokio::test]
async fn every_question_has_an_answer_of_its_kind() -> Tested {
    let stored = stored();
    let trial = format!("/runs/{{run}}/cases/{}/iterations/10", case_id(0));
    for (path, kind) in [
        ("/suites", "suite-list"),
        ("/suites/s_sample/trend", "suite-trend"),
        ("/runs?suite=s_sample&verdict=failed", "run-page"),
        ("/runs/{run}", "run-head"),
        ("/runs/{run}/cases?limit=1", "case-page"),
        ("/runs/{run}/chain", "chain-tally"),
        ("/runs/{run}/iterations?stage=selection&state=failed", "iteration-page"),
        (trial.as_str(), "trial-detail"),
        (format!("{trial}/chain").as_str(), "trial-chain"),
        (format!("{trial}/trace?part=spans").as_str(), "trace-page"),
        ("/glossary?value=missingToolCall", "glossary"),
    ] {
        let reply = answer(&stored, path).await?;
        assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text);
        assert_eq!(reply.header(header::CONTENT_TYPE), "application/json");
        assert_eq!(reply.json()?["kind"], kind, "{path}");
    }
    Ok(())
}

#[tokio::test]
async fn a_decision_summary_lists_what_did_not_pass() -> Tested {
    let stored = stored();
    let summary = answer(&stored, "/runs/{run}/decision-summary?limit=3").await?.json()?;
    assert_eq!(
        (&summary["verdict"], &summary["verdictSource"]),
        (&"failed".into(), &"policyV2".into())
    );
    let page = &summary["diagnostics"];
    assert_eq!(page["items"].as_array().map(Vec::len), Some(3));
    assert_eq!(page["complete"], false);
    assert!(page["nextCursor"].is_string() && page["scannedIterations"].is_u64(), "{page}");
    let nowhere = answer(&stored, "/runs/r_nowhere/decision-summary").await?.json()?;
    assert_eq!(nowhere["type"], "run_not_found");
    Ok(())
}

#[tokio::test]
async fn a_comparison_names_its_blockers_first() -> Tested {
    let base = Sample { number: 1, trials: 20 };
    let stored = Stored::with(&[(SAMPLE, 104), (base, 20)]);
    let path = format!("/runs/{{run}}/comparison?base={}", base.run_id());
    let comparison = answer(&stored, &path).await?.json()?;
    assert_eq!(comparison["compare"]["baseline"]["baseRunId"], base.run_id());
    let blockers = ["differentConfigIdentity", "differentCaseSetIdentity"];
    assert_eq!(comparison["parityBlockers"], serde_json::json!(blockers));
    assert_eq!(comparison.get("passRate"), None, "what may not be compared has no difference");
    assert_eq!(comparison["links"][0].get("movedLink"), None, "more trials are no movement");
    Ok(())
}

#[tokio::test]
async fn three_absences_are_three_answers() -> Tested {
    let stored = stored();
    let open = Sample { number: 1, trials: 3 }.run_id();
    for (path, status, kind) in [
        ("/runs/r_nowhere/analytics".to_owned(), StatusCode::NOT_FOUND, "run_not_found"),
        (format!("/runs/{open}/analytics"), StatusCode::NOT_FOUND, "document_not_found"),
        ("/runs/{run}/comparison".to_owned(), StatusCode::NOT_FOUND, "document_not_found"),
        ("/runs/{run}/documents/route-facts".to_owned(), StatusCode::NOT_IMPLEMENTED, "not_served"),
        (
            "/runs/r_nowhere/documents/route-facts".to_owned(),
            StatusCode::NOT_FOUND,
            "run_not_found",
        ),
    ] {
        let reply = answer(&stored, &path).await?;
        let problem = reply.json()?;
        assert_eq!((reply.status, &problem["type"]), (status, &Value::from(kind)), "{path}");
        assert_eq!(problem["status"], status.as_u16());
        assert_eq!(reply.header(header::CONTENT_TYPE), "application/problem+json");
    }
    let funnel = answer(&stored, "/runs/{run}/analytics").await?.json()?;
    assert_eq!(
        (&funnel["measurementUnit"], &funnel["totalTrials"]),
        (&"trial".into(), &104.into())
    );
    Ok(())
}

#[tokio::test]
async fn a_question_that_cannot_be_asked_says_why() -> Tested {
    let stored = stored();
    for (path, word) in [
        ("/runs?limit=0", "limit"),
        ("/runs?limit=many", "limit"),
        ("/runs?cursor=00", "cursor"),
        ("/runs?colour=red", "colour"),
        ("/runs/{run}/iterations?status=fine", "status"),
        ("/runs/{run}/iterations?stage=call", "state"),
        ("/runs/{run}/cases/c_0000/iterations/first", "iteration"),
        ("/runs/r_", "r_"),
    ] {
        let reply = answer(&stored, path).await?;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{path}");
        assert!(reply.text.contains(word), "{path}: {}", reply.text);
    }
    Ok(())
}

#[tokio::test]
async fn pages_hold_every_trial_once() -> Tested {
    let stored = Stored::with(&[(SAMPLE, 104)]);
    let app = app(&stored.path, None);
    let first = format!("/api/v1/runs/{}/iterations?limit=30", SAMPLE.run_id());
    let (mut path, mut seen) = (first.clone(), Vec::new());
    loop {
        let page = ask(&app, &path).await?.json()?;
        assert_eq!(page["totalTrials"], 104);
        let rows = page["iterations"].as_array().cloned().unwrap_or_default();
        seen.extend(rows.iter().map(|row| format!("{}#{}", row["caseId"], row["iterationNumber"])));
        let Some(next) = page["nextCursor"].as_str() else { break };
        path = format!("{first}&cursor={next}");
    }
    let place = |(case, trial)| format!("{:?}#{trial}", case_id(case));
    assert_eq!(seen, SAMPLE.places().map(place).collect::<Vec<_>>());
    Ok(())
}

#[tokio::test]
async fn foreign_text_is_data() -> Tested {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("howfar.db");
    let hostile = "</script><img src=x onerror=alert(1)>\u{202e}\u{1b}[2J\u{0}";
    let mut record = SAMPLE.record();
    record.suite.name = hostile.to_owned();
    Recorder::open(&path)?.begin(&record, &setup(), "sample.suite.yaml")?;
    let app = app(&path, None);
    let reply = ask(&app, "/api/v1/runs").await?;
    assert_eq!(reply.header(header::CONTENT_TYPE), "application/json");
    assert_eq!(reply.json()?["runs"][0]["suiteName"], hostile);
    let reply = ask(&app, "/api/v1/runs/%3Cscript%3E%00").await?;
    assert_eq!(reply.header(header::CONTENT_TYPE), "application/problem+json");
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    Ok(())
}

#[tokio::test]
async fn a_place_without_a_store_is_a_store_without_runs() -> Tested {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("howfar.db");
    let app = app(&path, None);
    let page = ask(&app, "/api/v1/runs").await?.json()?;
    assert_eq!((&page["runs"], &page["totalRuns"]), (&Value::Array(Vec::new()), &0.into()));
    let problem = ask(&app, "/api/v1/runs/latest").await?.json()?;
    assert_eq!(problem["type"], "run_not_found");
    assert!(problem["hint"].as_str().is_some_and(|hint| hint.contains("howfar run")));
    SAMPLE.save(&path, 1)?;
    let head = ask(&app, "/api/v1/runs/latest").await?.json()?;
    assert_eq!(head["run"]["storedTrials"], 1);
    Ok(())
}

#[tokio::test]
async fn a_file_that_is_no_store_is_said() -> Tested {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("howfar.db");
    std::fs::write(&path, "notes ".repeat(1000))?;
    let reply = ask(&app(&path, None), "/api/v1/runs").await?;
    assert_eq!(reply.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(reply.json()?["type"], "store_unreadable");
    Ok(())
}

#[tokio::test]
async fn the_description_is_the_one_that_is_checked_in() -> Tested {
    let folder = tempfile::tempdir()?;
    let app = app(&folder.path().join("howfar.db"), None);
    let reply = ask(&app, "/api/v1/openapi.json").await?;
    let stored = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/openapi.json");
    let stored: Value = serde_json::from_str(&std::fs::read_to_string(stored)?)?;
    let difference = howfar_testkit::json::difference(&stored, &reply.json()?);
    assert_eq!(difference, None, "run cargo xtask gen and commit the page");
    Ok(())
}

#[test]
fn the_description_names_no_schema_that_it_lacks() {
    let description = howfar_server::web::openapi();
    let schemas = description["components"]["schemas"].as_object().cloned().unwrap_or_default();
    assert!(schemas.len() > 50, "{}", schemas.len());
    let text = description.to_string();
    for reference in text.split("\"$ref\":\"").skip(1) {
        let name = reference.split('"').next().unwrap_or_default();
        let name = name.strip_prefix("#/components/schemas/").unwrap_or(name);
        assert!(schemas.contains_key(name), "{name}");
    }
}
