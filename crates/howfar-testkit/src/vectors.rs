//! One walker for conformance vectors: each file is one named test.
//!
//! A test target with `harness = false` names the files it knows, each with the function that checks one vector, and
//! calls [`run`]. The project's own vectors lie in `vectors/<area>/` of the crate and always run. The folder that
//! `HOWFAR_VECTORS` names holds a larger set; when the variable is unset those tests are skipped with a printed reason.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// The variable that names the folder of the larger vector set.
pub const VECTORS_VARIABLE: &str = "HOWFAR_VECTORS";

/// Checks one vector; the error says how the result differs from the expectation.
pub type Check = fn(&Value) -> Result<(), String>;

/// One vector file: its area, its file name, and the check of one of its vectors.
#[derive(Debug, Clone, Copy)]
pub struct VectorFile {
    /// The folder below the vector root, for example `derivation`.
    pub area: &'static str,
    /// The file name, `.json` (an array, or an object given whole to the check) or `.jsonl` (one vector per line).
    pub file: &'static str,
    /// The check of one vector.
    pub check: Check,
}

/// Runs every known vector file as one test and gives the process's exit code.
///
/// `crate_dir` is the crate's `CARGO_MANIFEST_DIR`.
pub fn run(crate_dir: &str, files: &[VectorFile]) -> ExitCode {
    let arguments = Arguments::from_args();
    let own_root = Path::new(crate_dir).join("vectors");
    let mut trials = trials_below(&own_root, "own", files);
    match std::env::var_os(VECTORS_VARIABLE) {
        Some(root) => trials.extend(trials_below(Path::new(&root), "", files)),
        None => {
            println!("vectors: the larger set is skipped, because {VECTORS_VARIABLE} is not set")
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The vectors of one file, each with a name for messages.
///
/// # Panics
///
/// When the file cannot be read or is not JSON: a broken vector file is a broken test.
pub fn read_vectors(path: &Path) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    let parse = |text: &str| -> Value {
        serde_json::from_str(text)
            .unwrap_or_else(|error| panic!("{} is not JSON: {error}", path.display()))
    };
    let vectors = if path.extension().is_some_and(|extension| extension == "jsonl") {
        text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect()
    } else {
        match parse(&text) {
            Value::Array(vectors) => vectors,
            whole => vec![whole],
        }
    };
    let named = |(at, vector): (usize, Value)| {
        let name = ["name", "id"].iter().find_map(|key| vector.get(*key));
        let name = name.map_or_else(|| format!("#{at}"), |name| name.to_string());
        (name, vector)
    };
    vectors.into_iter().enumerate().map(named).collect()
}

fn trials_below(root: &Path, prefix: &str, files: &[VectorFile]) -> Vec<Trial> {
    let present = |file: &&VectorFile| root.join(file.area).join(file.file).is_file();
    files.iter().filter(present).map(|file| trial(root.to_owned(), prefix, *file)).collect()
}

fn trial(root: PathBuf, prefix: &str, file: VectorFile) -> Trial {
    let stem = file.file.rsplit_once('.').map_or(file.file, |(stem, _)| stem);
    let label = format!("{}/{stem}", file.area);
    let own = if prefix.is_empty() { "" } else { "own::" };
    Trial::test(format!("vectors::{own}{label}"), move || {
        let path = root.join(file.area).join(file.file);
        let shown = if own.is_empty() { label } else { format!("{label} (own)") };
        check_file(&path, &shown, file.check)
    })
}

fn check_file(path: &Path, shown: &str, check: Check) -> Result<(), Failed> {
    let vectors = read_vectors(path);
    let failures: Vec<String> = vectors
        .iter()
        .filter_map(|(name, vector)| check(vector).err().map(|error| format!("{name}: {error}")))
        .collect();
    println!("{shown}: {} of {}", vectors.len() - failures.len(), vectors.len());
    if vectors.is_empty() {
        return Err(Failed::from(format!("{} holds no vector", path.display())));
    }
    if failures.is_empty() {
        return Ok(());
    }
    let shown = failures.iter().take(10).cloned().collect::<Vec<_>>().join("\n  ");
    let more = failures.len().saturating_sub(10);
    let more = if more > 0 { format!("\n  … and {more} more") } else { String::new() };
    Err(Failed::from(format!("{} vector(s) differ:\n  {shown}{more}", failures.len())))
}
