//! How fast the friction of trials of 50 calls is derived, and how fast the documents of a run are rolled up.
//!
//! The identifiers of one trial go unused, so that every value is searched in every later call: the longest way through
//! the rules. The other trial turns pages and repeats itself.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use howfar_core::friction::{FrictionInput, FrictionTrial, derive_friction, friction_rollup};
use howfar_wire::friction::FrictionDocument;
use serde_json::{Map, Value, json};

const CALLS: usize = 50;
const ITEMS: usize = 20;

fn friction(criterion: &mut Criterion) {
    let inputs = [
        ("unused identifiers, structured", trial(unused_arguments, structured)),
        ("unused identifiers, JSON text", trial(unused_arguments, text)),
        ("pages and retries", trial(paging_arguments, plain)),
    ];
    let mut group = criterion.benchmark_group("friction of 50 calls");
    group.throughput(Throughput::Elements(1));
    for (name, input) in &inputs {
        group.bench_function(*name, |bencher| bencher.iter(|| document(black_box(input))));
    }
    group.finish();
    let documents: Vec<_> = inputs.iter().map(|(_, input)| document(input)).collect();
    rollup(criterion, &documents);
}

fn rollup(criterion: &mut Criterion, documents: &[FrictionDocument]) {
    let case_ids: Vec<_> = (0..10).map(|at| format!("case-{at}")).collect();
    let trials: Vec<_> = case_ids
        .iter()
        .cycle()
        .zip(documents.iter().cycle())
        .take(1000)
        .map(|(case_id, document)| FrictionTrial { case_id, model: None, document: Some(document) })
        .collect();
    let mut group = criterion.benchmark_group("friction of a run");
    group.throughput(Throughput::Elements(trials.len() as u64));
    group.bench_function("1000 trials", |bencher| {
        bencher.iter(|| black_box(friction_rollup(black_box(&trials))));
    });
    group.finish();
}

fn document(input: &Value) -> FrictionDocument {
    let input = FrictionInput::parse(input).expect("a trial of this file is an input");
    derive_friction(&input).expect("a derived document is sound")
}

fn trial(arguments: fn(usize) -> Value, result: fn(usize) -> Value) -> Value {
    let call = |at: usize| json!({"toolName": "find", "toolCallId": format!("call-{at}"), "arguments": arguments(at)});
    let entry = |at: usize| (format!("call-{at}"), json!({"raw": result(at)}));
    json!({
        "toolsCalled": (0..CALLS).map(call).collect::<Vec<_>>(),
        "results": (0..CALLS).map(entry).collect::<Map<_, _>>(),
    })
}

fn unused_arguments(at: usize) -> Value {
    json!({"query": format!("open orders of customer number {at}"), "sort": "date", "limit": 20})
}

fn paging_arguments(at: usize) -> Value {
    json!({"query": "open orders", "cursor": format!("page {}", at / 2), "limit": 20})
}

fn items(at: usize) -> Value {
    let item = |item: usize| json!({"id": format!("ORDER-{}", at * ITEMS + item), "title": "a bolt", "open": true});
    json!({"orders": (0..ITEMS).map(item).collect::<Vec<_>>(), "total": ITEMS})
}

fn structured(at: usize) -> Value {
    json!({"structuredContent": items(at)})
}

fn text(at: usize) -> Value {
    json!({"content": [{"type": "text", "text": items(at).to_string()}]})
}

fn plain(_: usize) -> Value {
    json!({"content": [{"type": "text", "text": "nothing to see on this page"}]})
}

criterion_group!(benches, friction);
criterion_main!(benches);
