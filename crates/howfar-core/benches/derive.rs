//! How fast trials are derived: from typed inputs to rows, and from evidence text to row text.
//!
//! Goals on one core: a million typed inputs per second, and 200,000 texts per second.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use howfar_core::chain::derive_stages;
use howfar_wire::chain::StageInput;

/// One input per line, over every kind of evidence.
const INPUTS: &str = include_str!("derive-inputs.jsonl");

fn derive(criterion: &mut Criterion) {
    let lines: Vec<&str> = INPUTS.lines().collect();
    let inputs: Vec<StageInput<'_>> = lines.iter().copied().map(parse).collect();
    let mut group = criterion.benchmark_group("derive");
    group.throughput(Throughput::Elements(lines.len() as u64));
    group.bench_function("typed input to rows", |bencher| {
        bencher.iter(|| {
            for input in &inputs {
                black_box(derive_stages(black_box(input)));
            }
        });
    });
    group.bench_function("evidence text to row text", |bencher| {
        let mut out = Vec::with_capacity(4096);
        bencher.iter(|| {
            for line in &lines {
                out.clear();
                let derivation = derive_stages(&parse(black_box(line)));
                serde_json::to_writer(&mut out, &derivation).expect("rows are JSON");
                black_box(&out);
            }
        });
    });
    group.finish();
}

fn parse(line: &str) -> StageInput<'_> {
    serde_json::from_str(line).expect("a committed input parses")
}

criterion_group!(benches, derive);
criterion_main!(benches);
