//! Programs that tests start: what to start ([`ProgramSpec`]), one that runs ([`Running`]), one that serves HTTP
//! ([`HttpPeer`]). Everything that was started ends with the value that stands for it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// How long an HTTP peer may take until it accepts; Python peers need ten seconds on a busy machine.
const ACCEPT_BOUND: Duration = Duration::from_secs(60);
/// The pause between two attempts to connect.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// How often a peer is started on another port when it ends before it accepts: its port may have been taken meanwhile.
const START_ATTEMPTS: usize = 3;
/// The ports that peers are started on: below those of outgoing connections, which begin at 32768 (Linux) or later.
const PEER_PORTS: Range<u16> = 20_000..32_000;

/// A program with its arguments and the environment variables that it needs beside the inherited ones.
///
/// The three parts are public, because callers write them into configuration files as well as start them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramSpec {
    /// The absolute path of the program.
    pub program: PathBuf,
    /// Its arguments in order.
    pub args: Vec<String>,
    /// Variables set on top of the inherited environment.
    pub env: BTreeMap<String, String>,
}

impl ProgramSpec {
    /// The program without arguments and variables.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), args: Vec::new(), env: BTreeMap::new() }
    }

    /// The same with one more argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// The same with one more argument that is a path.
    ///
    /// # Panics
    ///
    /// When the path is not UTF-8: test folders are.
    #[must_use]
    pub fn arg_path(self, path: &Path) -> Self {
        self.arg(path.to_str().expect("paths of tests are UTF-8"))
    }

    /// The same with one more variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.insert(name.to_owned(), value.into());
        self
    }

    /// A command that starts it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).envs(&self.env);
        command
    }
}

/// A started program in a process group of its own; dropping it kills the whole group.
#[derive(Debug)]
pub struct Running {
    child: Child,
}

impl Running {
    /// Starts the command as the leader of a new process group.
    ///
    /// # Panics
    ///
    /// When it cannot be started: the test cannot go on.
    pub fn start(command: &mut Command) -> Self {
        let child = command
            .process_group(0)
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {:?}: {error}", command.get_program()));
        Self { child }
    }

    /// The process, for its pipes and its exit status.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Kills the process group; a group that has ended is left alone.
    pub fn kill(&mut self) {
        if let Ok(Some(_)) = self.child.try_wait() {
            return;
        }
        kill_group(self.child.id());
        // The result is the status of a killed process, which says nothing.
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills the process group that the process with this identifier leads.
pub(crate) fn kill_group(leader: u32) {
    let pid = i32::try_from(leader).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // The group may have ended between the look and the signal.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// A program that serves HTTP on a loopback port; it ends when the value is dropped.
#[derive(Debug)]
pub struct HttpPeer {
    running: Running,
    address: SocketAddr,
}

impl HttpPeer {
    /// Starts the program that `spec` gives for a free port, and waits until it accepts connections there.
    ///
    /// # Panics
    ///
    /// When it does not accept within a minute, or ends before; the message carries what it printed.
    pub fn start(spec: impl Fn(u16) -> ProgramSpec) -> Self {
        for _ in 1..START_ATTEMPTS {
            if let Ok(peer) = Self::try_start(&spec) {
                return peer;
            }
        }
        Self::try_start(&spec)
            .unwrap_or_else(|output| panic!("an HTTP peer did not start:\n{output}"))
    }

    /// The address of a path of the peer, for example `url("/mcp")`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Where the peer listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends the peer now, for tests of a server that goes away.
    pub fn kill(&mut self) {
        self.running.kill();
    }

    fn try_start(spec: impl Fn(u16) -> ProgramSpec) -> Result<Self, String> {
        let address = free_address();
        let log = tempfile::NamedTempFile::new().expect("the temporary folder is writable");
        let mut command = spec(address.port()).command();
        // A pipe that stays open as long as the peer is wanted: it ends with the test even when the test is killed.
        command.stdin(Stdio::piped()).stdout(handle(log.as_file())).stderr(handle(log.as_file()));
        let mut running = Running::start(&mut command);
        let deadline = Instant::now() + ACCEPT_BOUND;
        while Instant::now() < deadline {
            let accepts = TcpStream::connect(address).is_ok();
            // Asked after the connection: what accepted may be another program, on whose port this one ended.
            if let Ok(Some(status)) = running.child().try_wait() {
                return Err(format!("{status}\n{}", printed(log.path())));
            }
            if accepts {
                return Ok(Self { running, address });
            }
            std::thread::sleep(ACCEPT_PAUSE);
        }
        Err(format!("nothing accepts on {address}\n{}", printed(log.path())))
    }
}

/// A loopback address that nothing listens on at the moment, and that no other test of this process was given.
///
/// Its port lies below the range from which systems take the ports of outgoing connections. A port of that range may become
/// the source of any connection before the peer binds it, even of the very one that probes it: that one then meets itself.
pub fn free_address() -> SocketAddr {
    static GIVEN: Mutex<BTreeSet<SocketAddr>> = Mutex::new(BTreeSet::new());
    let count = u64::from(PEER_PORTS.end - PEER_PORTS.start);
    // Each process starts elsewhere, so that two test programs at a time seldom try the same port.
    let start = RandomState::new().hash_one(std::process::id());
    for step in 0..count {
        let offset =
            u16::try_from(start.wrapping_add(step) % count).expect("a count of ports fits");
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, PEER_PORTS.start + offset));
        if TcpListener::bind(address).is_ok()
            && GIVEN.lock().unwrap_or_else(PoisonError::into_inner).insert(address)
        {
            return address;
        }
    }
    panic!("no port of {PEER_PORTS:?} is free on the loopback interface");
}

fn handle(file: &File) -> Stdio {
    file.try_clone().expect("an open file can be shared").into()
}

fn printed(log: &Path) -> String {
    std::fs::read_to_string(log)
        .unwrap_or_else(|error| format!("(its output cannot be read: {error})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_program_takes_its_children_along() {
        let mut command = Command::new("sh");
        command.args(["-c", "cat & echo $!; wait"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut running = Running::start(&mut command);
        let mut stdout = running.child().stdout.take().expect("stdout is piped");
        drop(running);
        let mut rest = String::new();
        // Reading ends only when no process of the group holds the pipe any more.
        std::io::Read::read_to_string(&mut stdout, &mut rest).expect("a pipe is readable");
    }

    #[test]
    fn no_two_peers_of_a_process_get_one_port() {
        let given: BTreeSet<SocketAddr> = (0..50).map(|_| free_address()).collect();
        assert_eq!(given.len(), 50);
        assert!(given.iter().all(|address| PEER_PORTS.contains(&address.port())), "{given:?}");
    }

    #[test]
    #[should_panic(expected = "no such fixture")]
    fn a_peer_that_ends_before_it_accepts_says_what_it_printed() {
        HttpPeer::start(|_| ProgramSpec::new("/bin/sh").arg("-c").arg("echo no such fixture >&2"));
    }
}
