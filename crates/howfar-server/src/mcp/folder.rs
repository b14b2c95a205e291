//! Suite files: only those in the folder that the server was started for can be read.

use std::path::{Component, Path, PathBuf};

use howfar_suite::MAX_SUITE_BYTES;

use super::failure::ToolFailure;

/// How deep below the folder suites are looked for.
const MAX_DEPTH: usize = 4;

/// How many files are looked at, at most.
const MAX_FILES: usize = 2_000;

/// Folders that hold no suites of their own.
const PASSED_OVER: &[&str] = &["node_modules", "target", "venv", "__pycache__"];

/// The folder of the suite files.
#[derive(Debug, Clone)]
pub(super) struct SuiteFolder {
    root: PathBuf,
}

/// The files that may be suites, and whether the search ended before it had seen all.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// Paths below the folder, sorted.
    pub(super) files: Vec<PathBuf>,
    /// Whether there are more files than are looked at.
    pub(super) is_cut: bool,
}

impl SuiteFolder {
    /// The folder at `root`, which exists.
    pub(super) fn new(root: &Path) -> std::io::Result<Self> {
        Ok(Self { root: root.canonicalize()? })
    }

    /// Where a file of the folder lies, as the caller names it.
    ///
    /// A path that leads out of the folder, also through a link, is refused: a model must not read what it pleases.
    pub(super) fn find(&self, name: &str) -> Result<PathBuf, ToolFailure> {
        let next = "list_suites shows the suite files that this server can read";
        let refused = |what: String| ToolFailure::new("file_not_found", what, next);
        let asked = Path::new(name);
        if asked.components().any(|part| part == Component::ParentDir) {
            return Err(refused(format!(
                "the path {name:?} leads out of the folder of the suites"
            )));
        }
        let found = self.root.join(asked).canonicalize();
        let found =
            found.map_err(|error| refused(format!("the path {name:?} cannot be read: {error}")))?;
        match found.starts_with(&self.root) {
            true => Ok(found),
            false => {
                Err(refused(format!("the path {name:?} leads out of the folder of the suites")))
            }
        }
    }

    /// A path of the folder as callers name it.
    pub(super) fn name_of(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    /// Every YAML and JSON file below a folder, not following links, that is small enough to be a suite.
    pub(super) fn candidates(&self, below: &Path) -> std::io::Result<Candidates> {
        let mut found = Candidates::default();
        let mut open = vec![(below.to_owned(), 0)];
        while let Some((folder, depth)) = open.pop() {
            for entry in std::fs::read_dir(&folder)?.flatten() {
                let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_inside = !name.starts_with('.') && !PASSED_OVER.contains(&name.as_str());
                if kind.is_dir() && is_inside && depth < MAX_DEPTH {
                    open.push((path, depth + 1));
                } else if kind.is_file() && is_inside && may_be_a_suite(&path) {
                    if found.files.len() == MAX_FILES {
                        found.is_cut = true;
                        break;
                    }
                    found.files.push(path);
                }
            }
        }
        found.files.sort();
        Ok(found)
    }
}

fn may_be_a_suite(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_small = || path.metadata().is_ok_and(|file| file.len() <= MAX_SUITE_BYTES as u64);
    matches!(extension, Some("yaml" | "yml" | "json")) && is_small()
}

/// Whether text of a file that is no valid suite still means to be one: it has the three keys that every suite has.
pub(super) fn means_to_be_a_suite(text: &str) -> bool {
    let has = |key: &str| {
        text.lines().map(|line| line.trim_start().trim_start_matches('"')).any(|line| {
            let rest = line.strip_prefix(key).map(|rest| rest.trim_start_matches('"').trim_start());
            rest.is_some_and(|rest| rest.starts_with(':'))
        })
    };
    has("schemaVersion") && has("suite") && has("cases")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, SuiteFolder) {
        let home = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(home.path().join("suites")).expect("a folder");
        std::fs::write(home.path().join("suites/a.yaml"), "a: 1").expect("a file");
        std::fs::write(home.path().join("secret.txt"), "no").expect("a file");
        let folder = SuiteFolder::new(&home.path().join("suites")).expect("an existing folder");
        (home, folder)
    }

    #[test]
    fn a_file_of_the_folder_is_found() {
        let (_home, folder) = folder();
        let found = folder.find("a.yaml").expect("a file of the folder");
        assert_eq!(folder.name_of(&found), "a.yaml");
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let (home, folder) = folder();
        let absolute = home.path().join("secret.txt").display().to_string();
        for name in ["../secret.txt", "./../secret.txt", absolute.as_str(), "/etc/passwd"] {
            assert!(folder.find(name).is_err(), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let (home, folder) = folder();
        let link = home.path().join("suites/link.yaml");
        std::os::unix::fs::symlink(home.path().join("secret.txt"), link).expect("a link");
        assert!(folder.find("link.yaml").is_err());
        let found =
            folder.candidates(&home.path().join("suites").canonicalize().expect("it exists"));
        assert_eq!(found.expect("a readable folder").files.len(), 1);
    }

    #[test]
    fn a_broken_suite_still_means_to_be_one() {
        assert!(means_to_be_a_suite("schemaVersion: \"2\"\nsuite: { id: a }\ncases: oops"));
        assert!(means_to_be_a_suite(
            "{\n  \"schemaVersion\": \"2\",\n  \"suite\": 1,\n  \"cases\": []\n}"
        ));
        assert!(!means_to_be_a_suite("name: CI\non: push\njobs: {}"));
    }
}
