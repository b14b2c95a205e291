//! What a command tells the user when it cannot do its work: one message, what to do next, and an exit code.

use std::fmt;

use howfar_wire::vocabulary::ExitCode;

/// Why a command ended without doing its work.
#[derive(Debug)]
pub(crate) struct CommandError {
    code: ExitCode,
    message: String,
    hints: Vec<String>,
}

impl CommandError {
    /// The command line or a file is wrong; nothing ran.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(ExitCode::Usage, message)
    }

    /// An error with an exit code of its own.
    pub(crate) fn new(code: ExitCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hints: Vec::new() }
    }

    /// Adds what the user can do next.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Whether there is nothing to tell anybody.
    pub(crate) const fn is_silent(&self) -> bool {
        self.message.is_empty()
    }

    /// The message alone.
    pub(crate) fn message(&self) -> String {
        self.message.clone()
    }

    pub(crate) const fn code(&self) -> ExitCode {
        self.code
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        for hint in &self.hints {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

/// stdout could not be written: the document is lost.
impl From<std::io::Error> for CommandError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            // `howfar … | head` is no mistake: the reader has what it wanted, and nobody is told anything.
            return Self { code: ExitCode::Success, message: String::new(), hints: Vec::new() };
        }
        Self::new(ExitCode::Setup, format!("cannot write to stdout: {error}"))
    }
}
