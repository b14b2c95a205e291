//! The modes of the scripted servers.

/// Declares the modes once: the member, its spelling on the command line, and what it does.
macro_rules! modes {
    ($($(#[$doc:meta])+ $member:ident = $text:literal,)+) => {
        /// What a scripted server does wrong. Everything that a mode does not name is done right.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Mode {
            $($(#[$doc])+ $member,)+
        }

        impl Mode {
            /// Every mode in the order of declaration.
            pub const ALL: &[Self] = &[$(Self::$member),+];

            /// The spelling on the command line.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$member => $text,)+
                }
            }
        }
    };
}

modes! {
    /// Nothing: two good tools, `echo` and `add`.
    Ok = "ok",
    /// Nothing: three good tools on three pages.
    Paged = "paged",
    /// Prints a plain line on stdout before every answer.
    Noise = "noise",
    /// Answers `initialize` with a JSON-RPC error that has `data`.
    InitErr = "initerr",
    /// Answers `initialize` with the version `2024-10-07`, which never was.
    InitOld = "initold",
    /// Answers `initialize` with the version `2030-01-01`.
    InitNew = "initnew",
    /// Lists two tools, the second without `inputSchema`.
    NoSchema = "noschema",
    /// Lists two tools, the `inputSchema` of the second is a string.
    StrSchema = "strschema",
    /// Lists two tools, `annotations.readOnlyHint` of the second is a string.
    BadAnn = "badann",
    /// Lists two tools, the second with unknown members in itself and in its annotations.
    Unknown = "unknown",
    /// Lists two tools, the `inputSchema` of the second is not a valid schema.
    InvalidSchema = "invalidschema",
    /// Lists the same tool three times.
    Dup = "dup",
    /// Lists two tools, the second with null for `title`, `description` and `annotations`.
    Nulls = "nulls",
    /// Answers `tools/list` with a null result.
    ListNull = "listnull",
    /// Answers one request with its identifier as a string.
    StrId = "strid",
    /// Answers one request without `jsonrpc`.
    NoVersion = "noversion",
    /// Adds `tools` to the result of a call.
    ExtraTools = "extratools",
    /// Adds `messages` to the result of a call.
    ExtraMsgs = "extramsgs",
    /// Adds `contents` to the result of a call.
    ExtraContents = "extracontents",
    /// Answers a call with a content block of an unknown type.
    Hologram = "hologram",
    /// Answers a call with a string as `content`.
    ContentStr = "contentstr",
    /// Answers a call with a string as `isError`.
    IsErrStr = "iserrstr",
    /// Answers a call with `structuredContent` alone.
    NoContent = "nocontent",
    /// Answers a call with text alone, whatever the `outputSchema` asks for.
    TextOnly = "textonly",
    /// Answers a call with a member of `structuredContent` that is of another type than the `outputSchema` says.
    WrongType = "wrongtype",
    /// Answers a call with `isError` and a `structuredContent` of another shape than the `outputSchema` says.
    ErrShape = "errshape",
    /// Answers a call with an empty `content` beside its `structuredContent`.
    EmptyContent = "emptycontent",
    /// Answers a call with a text that differs from call to call.
    Ticket = "ticket",
    /// Answers one request with an error that has no `message`.
    ErrNoMsg = "errnomsg",
    /// Answers one request with an error whose `code` is a string.
    ErrFloat = "errfloat",
    /// Answers one request with a truncated line of JSON.
    NotJson = "notjson",
    /// Ends with exit code 3 instead of answering one request.
    Crash = "crash",
    /// Lists one tool per page, with the same `nextCursor` for ever.
    Loop = "loop",
    /// Answers one request late, while it goes on reading.
    Slow = "slow",
    /// Never answers one request, and goes on reading.
    Hang = "hang",
    /// Prints a banner and ends with exit code 0 without speaking.
    Banner = "banner",
    /// Lists no tools.
    NoTools = "notools",
    /// Ends at once with exit code 1 and a traceback on stderr.
    Exit = "exit",
    /// Answers a call with one very long line.
    BigLine = "bigline",
    /// Puts [`super::LOUD`] into names, descriptions, results and, from `add`, errors.
    Ansi = "ansi",
    /// Answers `initialize` with a JSON-RPC error whose message is [`super::LOUD`].
    LoudErr = "louderr",
    /// Answers with the id null.
    NullId = "nullid",
    /// Answers a call with content that nests deeper than most readers of JSON go.
    Deep = "deep",
    /// Never answers, and does not end when stdin closes: it has to be signalled.
    Stay = "stay",
}

impl Mode {
    /// The mode of this spelling.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|mode| mode.as_str() == text)
    }

    /// The method whose answer the mode spoils unless another one is chosen.
    pub const fn default_method(self) -> &'static str {
        match self {
            Self::StrId | Self::NoVersion | Self::NullId => "tools/list",
            _ => "tools/call",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_has_a_spelling_of_its_own() {
        for mode in Mode::ALL {
            assert_eq!(Mode::parse(mode.as_str()), Some(*mode));
        }
    }
}
