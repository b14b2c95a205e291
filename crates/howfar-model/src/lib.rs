//! Model providers behind one trait.
//!
//! [`Model`] turns a conversation and a tool catalog into one assistant turn. Three kinds of provider stand behind it:
//! hand-written scripts (no key, no network, deterministic), the OpenAI-compatible chat wire, and the Anthropic messages
//! wire. Every wire streams, keeps the text of tool arguments verbatim, and retries nothing: a failed call is a
//! [`ModelError`] with its kind, and never an empty answer.
//!
//! Nothing here reads a file or the environment. The command reads the script's text and the key variables named in
//! [`provider::PROVIDERS`] and hands both in.

mod anthropic;
mod cassette;
mod conversation;
mod error;
mod http;
mod limits;
mod model;
mod openai;
pub mod provider;
mod refusal;
mod scripted;
mod secret;
mod tool_names;

pub use cassette::{RecordingModel, ReplayModel};
pub use conversation::{
    ArgumentsFault, AssistantMessage, ContentPart, Message, ModelRequest, ModelTurn, ToolCall,
    ToolResult, ToolSpec, TrialContext, Usage,
};
pub use error::{Clock, ModelError, ModelErrorKind};
pub use http::{Clocks, EndpointError};
pub use limits::context_tokens;
pub use model::{BoxFuture, Model, ModelIdentity};
pub use provider::{BuildError, ModelSettings, build_model};
pub use refusal::classify_refusal;
pub use scripted::{SCRIPTED, Script, ScriptError, ScriptProblem, ScriptedModel};
pub use secret::{REDACTED, Secret};
