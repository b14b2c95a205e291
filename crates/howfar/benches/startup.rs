//! Start-up of the built binary: what a person waits before anything happens.

use std::process::{Command, Stdio};

use criterion::{Criterion, criterion_group, criterion_main};

fn startup(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("startup");
    group.sample_size(20);
    for (name, args) in
        [("version", &["--version"][..]), ("explain", &["explain", "missingToolCall"][..])]
    {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let status = Command::new(env!("CARGO_BIN_EXE_howfar"))
                    .args(args)
                    .stdout(Stdio::null())
                    .status()
                    .expect("the binary starts");
                assert!(status.success());
            });
        });
    }
    group.finish();
}

criterion_group!(benches, startup);
criterion_main!(benches);
