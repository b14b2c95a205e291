//! The description of the API (OpenAPI 3.1), made from the table of routes.

use std::collections::BTreeMap;

use axum::Json;
use howfar_wire::api::{Problem, ProblemType};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::table::{Kind, ROUTES, Route};

/// Answers with the description.
pub(super) async fn handler() -> Json<Value> {
    Json(openapi())
}

/// The description of the API: the same for every build of one source.
pub fn openapi() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut schemas = settings.into_generator();
    let mut paths = Map::new();
    for route in ROUTES {
        let operation = operation(route, &mut schemas);
        paths.insert(format!("/api/v1{}", route.path), json!({ "get": operation }));
    }
    schemas.subschema_for::<Problem>();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "howfar",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Stored runs, read-only.",
            "description": "Every count carries its unit in its name or in `unit`. A page ends silently nowhere: \
                `nextCursor` is there as long as something follows. Three absences are three types of problem: \
                `run_not_found`, `document_not_found` (the run is unmeasured there, and not zero) and `not_served`.",
        },
        "security": [{}, { "token": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas.take_definitions(true),
            "securitySchemes": { "token": {
                "type": "http", "scheme": "bearer",
                "description": "Only where the server was started with a token.",
            } },
        },
    })
}

fn operation(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let mut parameters: Vec<Value> = places(route.path).map(path_parameter).collect();
    let query = (route.parameters)(schemas).to_value();
    let known = query.get("properties").and_then(Value::as_object);
    let known = known.cloned().unwrap_or_default();
    parameters.extend(known.iter().map(|(name, schema)| query_parameter(name, schema)));
    let mut responses = Map::new();
    let answer = (route.answer)(schemas);
    match route.kind {
        Kind::Document | Kind::RunDocument => {
            let content = json!({ "application/json": { "schema": answer } });
            responses.insert(
                "200".to_owned(),
                json!({ "description": "The answer.", "content": content }),
            );
        }
        Kind::Events => {
            let description = "Server-sent events; the data of each is JSON of this shape.";
            let content = json!({ "text/event-stream": { "schema": answer } });
            responses.insert(
                "200".to_owned(),
                json!({ "description": description, "content": content }),
            );
        }
        Kind::NotServed => {}
    }
    for (status, types) in problems(route, !known.is_empty()) {
        let description = types.join(", ");
        let content = json!({ "application/problem+json": {
            "schema": { "$ref": "#/components/schemas/Problem" },
        } });
        responses
            .insert(status.to_string(), json!({ "description": description, "content": content }));
    }
    json!({
        "operationId": route.operation,
        "summary": route.about,
        "parameters": parameters,
        "responses": responses,
    })
}

/// The names in the braces of a path.
fn places(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

fn path_parameter(name: &str) -> Value {
    let description = match name {
        "run" => "`latest`, the id of a run, or the beginning of exactly one.",
        "suite" => "The suite's declared id.",
        "case" => "The case's declared id.",
        "iteration" => "The trial, from 1.",
        _ => "The name of the document.",
    };
    json!({
        "name": name, "in": "path", "required": true, "description": description,
        "schema": { "type": "string" },
    })
}

/// A parameter behind the `?`: never required, and never null.
fn query_parameter(name: &str, schema: &Value) -> Value {
    let mut schema = schema.clone();
    let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
    if let Some([member, _null]) = schema["anyOf"].as_array().map(Vec::as_slice) {
        schema = member.clone();
    }
    if let Some([kind, _null]) = schema["type"].as_array().map(Vec::as_slice) {
        schema["type"] = kind.clone();
    }
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}

/// The problems that may answer instead, by HTTP status.
fn problems(route: &Route, has_query: bool) -> BTreeMap<u16, Vec<String>> {
    let mut types = vec![ProblemType::ForeignRequest, ProblemType::Unauthorized];
    for place in places(route.path) {
        match place {
            "run" => types.extend([ProblemType::AmbiguousRun, ProblemType::RunNotFound]),
            "suite" => types.push(ProblemType::SuiteNotFound),
            "case" => types.push(ProblemType::CaseNotFound),
            "iteration" => {
                types.extend([ProblemType::InvalidParameter, ProblemType::TrialNotFound])
            }
            _ => {}
        }
    }
    if has_query {
        types.push(ProblemType::InvalidParameter);
    }
    match route.kind {
        Kind::Document => {}
        Kind::RunDocument => types.push(ProblemType::DocumentNotFound),
        Kind::NotServed => types.push(ProblemType::NotServed),
        Kind::Events => types.push(ProblemType::TooManyStreams),
    }
    types.push(ProblemType::StoreUnreadable);
    let mut by_status: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    for kind in types {
        let word = serde_json::to_value(kind).expect("a kind of problem is a word");
        let word = format!("`{}`: {}", word.as_str().unwrap_or_default(), kind.title());
        let words = by_status.entry(kind.status()).or_default();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    by_status
}
