//! The real programs that tests talk to, set up below `.peers/` of the workspace.
//!
//! A peer group is one folder with its own pins (`test-peers/` of the repository). Setting one up is idempotent: a
//! stamp beside it holds the pins that it was made from, and a group with an equal stamp is left alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::step::{self, stream};

/// The variable that tells the tests where the peers lie.
pub(crate) const PEERS_VARIABLE: &str = "HOWFAR_PEERS";

/// The folder of the peers below the workspace root.
const PEERS_FOLDER: &str = ".peers";

/// The packages of Debian that bring Node with npm, Python with its virtual environments, and a browser with its driver.
const NODE_PACKAGES: &[&str] = &["nodejs", "npm"];
const PYTHON_PACKAGES: &[&str] = &["python3", "python3-venv"];
const BROWSER_PACKAGES: &[&str] = &["chromium", "chromium-driver"];

/// Python environments: the folder below `.peers/` and the pins in `test-peers/`. Versions of the protocol SDK that
/// exclude each other need one environment each.
const PYTHON_ENVIRONMENTS: &[(&str, &str)] =
    &[("python", "requirements.txt"), ("python-mcp1", "requirements-mcp1.txt")];

/// Where the peers of this workspace lie.
pub(crate) fn folder(root: &Path) -> PathBuf {
    root.join(PEERS_FOLDER)
}

/// Sets up the npm packages of the lock file in `.peers/node`.
pub(crate) fn set_up_node(root: &Path) -> Result<()> {
    let target = folder(root).join("node");
    let source = root.join("test-peers");
    let pins = source.join("package-lock.json");
    if is_current(&target, &pins)? {
        println!("node peers are up to date");
        return Ok(());
    }
    need("node and npm", NODE_PACKAGES, || {
        starts("node", &["--version"]) && starts("npm", &["--version"])
    })?;
    renew(&target)?;
    for file in ["package.json", "package-lock.json", ".npmrc"] {
        std::fs::copy(source.join(file), target.join(file))
            .with_context(|| format!("copying {file}"))?;
    }
    stream(&mut step::command(
        &target,
        "npm",
        &["ci", "--ignore-scripts", "--no-fund", "--no-audit"],
    ))?;
    stamp(&target, &pins)
}

/// Sets up Chromium with its driver, and the accessibility checks, which are a package of the Node peers.
pub(crate) fn set_up_browser(root: &Path) -> Result<()> {
    need("chromium and chromedriver", BROWSER_PACKAGES, || {
        starts("chromium", &["--version"]) && starts("chromedriver", &["--version"])
    })?;
    set_up_node(root)
}

/// Sets up the Python environments in `.peers/python` and `.peers/python-mcp1`.
pub(crate) fn set_up_python(root: &Path) -> Result<()> {
    for (name, requirements) in PYTHON_ENVIRONMENTS {
        let target = folder(root).join(name);
        let pins = root.join("test-peers").join(requirements);
        if is_current(&target, &pins)? {
            println!("{name} peers are up to date");
            continue;
        }
        need("python3 with venv", PYTHON_PACKAGES, || {
            starts("python3", &["-c", "import venv, ensurepip"])
        })?;
        renew(&target)?;
        stream(&mut step::command(&target, "python3", &["-m", "venv", "."]))?;
        let pip = target.join("bin").join("pip");
        let pins_argument = pins.to_string_lossy();
        let arguments =
            ["install", "--quiet", "--no-input", "--no-deps", "--requirement", &pins_argument];
        stream(step::command(&target, pip, &arguments).env("PIP_DISABLE_PIP_VERSION_CHECK", "1"))?;
        stamp(&target, &pins)?;
    }
    Ok(())
}

/// Whether `target` was made from exactly these pins.
fn is_current(target: &Path, pins: &Path) -> Result<bool> {
    let wanted = read(pins)?;
    Ok(std::fs::read_to_string(stamp_of(target)).is_ok_and(|made_from| made_from == wanted))
}

/// Records that `target` is complete; written last, so that a broken set-up starts again.
fn stamp(target: &Path, pins: &Path) -> Result<()> {
    let stamp = stamp_of(target);
    std::fs::write(&stamp, read(pins)?).with_context(|| format!("writing {}", stamp.display()))
}

fn stamp_of(target: &Path) -> PathBuf {
    target.join(".made-from")
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

/// Makes `target` an empty folder.
fn renew(target: &Path) -> Result<()> {
    println!("setting up {}", target.display());
    if target.exists() {
        std::fs::remove_dir_all(target)
            .with_context(|| format!("removing {}", target.display()))?;
    }
    std::fs::create_dir_all(target).with_context(|| format!("making {}", target.display()))
}

/// Makes sure that a program is there, installing packages where that is ours to do: on Debian, as root.
fn need(what: &str, packages: &[&str], is_there: impl Fn() -> bool) -> Result<()> {
    if is_there() {
        return Ok(());
    }
    if !may_install() {
        bail!(
            "{what} not found, and only root on Debian installs: apt-get install {}",
            packages.join(" ")
        );
    }
    println!("{what} not found: installing {}", packages.join(" "));
    if install(packages).is_err() {
        stream(&mut apt_get(&["update"]))?;
        install(packages)?;
    }
    if is_there() {
        Ok(())
    } else {
        bail!("{what} not found, even after installing {}", packages.join(" "))
    }
}

fn may_install() -> bool {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    is_root && Path::new("/etc/debian_version").exists()
}

fn install(packages: &[&str]) -> Result<()> {
    let mut command = apt_get(&["install", "-y", "--no-install-recommends"]);
    stream(command.args(packages))
}

fn apt_get(arguments: &[&str]) -> Command {
    let mut command = step::command(Path::new("/"), "apt-get", arguments);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// Whether the program starts and ends well.
fn starts(program: &str, arguments: &[&str]) -> bool {
    step::command(Path::new("/"), program, arguments)
        .output()
        .is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_current_until_its_pins_change() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("howfar-xtask-pins-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let pins = folder.join("pins.txt");
        std::fs::write(&pins, "peer==1")?;
        assert!(!is_current(&folder, &pins)?);
        stamp(&folder, &pins)?;
        assert!(is_current(&folder, &pins)?);
        std::fs::write(&pins, "peer==2")?;
        assert!(!is_current(&folder, &pins)?);
        Ok(std::fs::remove_dir_all(&folder)?)
    }
}
