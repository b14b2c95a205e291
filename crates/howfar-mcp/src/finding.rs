//! What a server did that it should not, without stopping the work.

/// The kind of a finding. A finding never decides a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FindingCode {
    /// A line on standard output, or an event, that is not a protocol message.
    StdoutNoise,
    /// A message that looks like the protocol's but cannot be read, while no request of ours waited for it.
    UnreadableMessage,
    /// An answer without the `jsonrpc` member, or with another value than `"2.0"`.
    MissingJsonrpc,
    /// An answer whose id is the request's number as text.
    TextId,
    /// A result without the request's id, while only one request waited for one.
    MissingId,
    /// An answer to no request of ours.
    UnknownAnswer,
    /// `initialize` was answered without a usable `serverInfo` or `capabilities`.
    IncompleteInitialize,
    /// `initialize` was answered with a version that has no `initialize`.
    VersionWithoutInitialize,
    /// The streamable HTTP transport was refused and the 2024-11-05 HTTP+SSE transport was used.
    LegacyTransport,
    /// A tool entry that cannot be used; the other tools are.
    ToolQuarantined,
    /// A tool that can be used although a member of its entry has a wrong type.
    ToolMemberIgnored,
    /// The same tool name twice in one server's listing.
    DuplicateTool,
    /// The listing repeated a cursor and was cut.
    RepeatedCursor,
    /// The listing had more pages than the limit and was cut.
    PageLimit,
    /// A `nextCursor` that is not text; the listing ended there.
    InvalidCursor,
}

impl FindingCode {
    /// Every code, in the order of this list.
    pub const ALL: [Self; 15] = [
        Self::StdoutNoise,
        Self::UnreadableMessage,
        Self::MissingJsonrpc,
        Self::TextId,
        Self::MissingId,
        Self::UnknownAnswer,
        Self::IncompleteInitialize,
        Self::VersionWithoutInitialize,
        Self::LegacyTransport,
        Self::ToolQuarantined,
        Self::ToolMemberIgnored,
        Self::DuplicateTool,
        Self::RepeatedCursor,
        Self::PageLimit,
        Self::InvalidCursor,
    ];

    /// The spelling in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StdoutNoise => "stdoutNoise",
            Self::UnreadableMessage => "unreadableMessage",
            Self::MissingJsonrpc => "missingJsonrpc",
            Self::TextId => "textId",
            Self::MissingId => "missingId",
            Self::UnknownAnswer => "unknownAnswer",
            Self::IncompleteInitialize => "incompleteInitialize",
            Self::VersionWithoutInitialize => "versionWithoutInitialize",
            Self::LegacyTransport => "legacyTransport",
            Self::ToolQuarantined => "toolQuarantined",
            Self::ToolMemberIgnored => "toolMemberIgnored",
            Self::DuplicateTool => "duplicateTool",
            Self::RepeatedCursor => "repeatedCursor",
            Self::PageLimit => "pageLimit",
            Self::InvalidCursor => "invalidCursor",
        }
    }
}

/// One thing a server did that it should not, in a sentence that quotes it. Texts are bounded but not redacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What kind it is.
    pub code: FindingCode,
    /// The sentence, a lower-case fragment without a full stop.
    pub text: String,
}

impl Finding {
    pub(crate) fn new(code: FindingCode, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}

/// `text` cut to `limit` characters, with an ellipsis when something was cut; control characters become spaces.
pub(crate) fn excerpt(text: &str, limit: usize) -> String {
    let mut characters = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut kept: String = characters.by_ref().take(limit).collect();
    if characters.next().is_some() {
        kept.push('…');
    }
    kept
}
