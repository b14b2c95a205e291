//! How fast trials are derived: from typed inputs to rows, and from evidence text to row text.
//!
//! Goals on one core, as multiples of what Node parses and writes back of the same lines in the same minute
//! (`JSON.stringify(JSON.parse(line))`): 25 from typed inputs, 5 from text to text. `HOWFAR_BENCH_INPUTS` names another
//! file of inputs, one per line, by an absolute path.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use howfar_core::chain::derive_stages;
use howfar_wire::chain::StageInput;

/// One input per line, over every kind of evidence.
const INPUTS: &str = include_str!("derive-inputs.jsonl");

fn derive(criterion: &mut Criterion) {
    let text = match std::env::var_os("HOWFAR_BENCH_INPUTS") {
        Some(path) => std::fs::read_to_string(path).expect("HOWFAR_BENCH_INPUTS names a text file"),
        None => INPUTS.to_owned(),
    };
    let lines: Vec<&str> = text.lines().collect();
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
                derive_stages(&parse(black_box(line))).write_json(&mut out);
                black_box(&out);
            }
        });
    });
    group.finish();
}

fn parse(line: &str) -> StageInput<'_> {
    StageInput::from_json(line).expect("a line is an input")
}

criterion_group!(benches, derive);
criterion_main!(benches);
