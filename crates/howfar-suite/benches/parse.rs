//! Reading a suite of 500 cases, the most that a file may hold.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use howfar_suite::{parse_suite, resolve, write_suite};

/// A suite of `cases` cases with a prompt, an expected call and two checks each.
fn suite_text(cases: usize) -> String {
    let mut text = String::from(
        "schemaVersion: \"2\"\nmode: agentWorkflow\nreportingMode: standard\nsuite: {id: s_bench, name: Bench}\n\
         target: {servers: [{name: notes}]}\n\
         defaults: {model: scripted/bench, iterations: 3, passThreshold: 0.8, validity: {}}\ncases:\n",
    );
    for n in 0..cases {
        let _ = write!(
            text,
            "  - id: c_{n}\n    title: reads note {n}\n    steps:\n      - id: p1\n        kind: prompt\n        \
             prompt: What does note {n} say?\n      - id: a1\n        kind: assert\n        assertion:\n          \
             type: toolCalledWith\n          toolName: read_note\n          args: {{args: {{id: {n}}}}}\n    \
             assertions:\n      - type: noToolErrors\n      - type: responseMatches\n        \
             pattern: \"note {n}\\\\b\"\n"
        );
    }
    text
}

fn parse(criterion: &mut Criterion) {
    let text = suite_text(500);
    let read = parse_suite(&text);
    let suite = read.suite().expect("the generated suite is valid");
    let mut group = criterion.benchmark_group("suite");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("parse 500 cases", |bencher| {
        bencher.iter(|| parse_suite(black_box(&text)))
    });
    group.bench_function("resolve 500 cases", |bencher| bencher.iter(|| resolve(black_box(suite))));
    group.bench_function("write 500 cases", |bencher| {
        bencher.iter(|| write_suite(black_box(suite)))
    });
    group.finish();
}

criterion_group!(benches, parse);
criterion_main!(benches);
