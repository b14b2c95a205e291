//! Opening a run of 10,000 trials and listing 1,000 runs: what a dashboard waits for before its first byte.

use criterion::{Criterion, criterion_group, criterion_main};
use howfar_store::{RunId, RunQuery, Store, TrialQuery};
use howfar_testkit::samples::Sample;

fn read(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("howfar.db");
    let large = Sample { number: 1000, trials: 10_000 };
    large.save(&path, large.trials).expect("the store takes a run");
    for number in 0..1000 {
        Sample { number, trials: 2 }.save(&path, 2).expect("the store takes a run");
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime starts");
    let store = runtime.block_on(Store::open_to_read(&path)).expect("it opens");
    let id = RunId::new(large.run_id());
    criterion.bench_function("list 1,000 runs", |bench| {
        bench.iter(|| runtime.block_on(store.runs(&RunQuery::default())).expect("it reads").len());
    });
    criterion.bench_function("open a run of 10,000 trials", |bench| {
        bench.iter(|| runtime.block_on(store.run_head(&id)).expect("it reads"));
    });
    let page = TrialQuery { offset: 9_900, limit: Some(100), ..TrialQuery::default() };
    criterion.bench_function("list the last 100 trials of a run of 10,000", |bench| {
        bench.iter(|| runtime.block_on(store.trials(&id, &page)).expect("it reads").len());
    });
    criterion.bench_function("a run of 10,000 trials as comparisons read it", |bench| {
        bench.iter(|| runtime.block_on(store.run_side(&id)).expect("it reads"));
    });
    criterion.bench_function("the whole report of a run of 10,000 trials", |bench| {
        bench.iter(|| runtime.block_on(store.run_report(&id)).expect("it reads"));
    });
}

criterion_group!(benches, read);
criterion_main!(benches);
