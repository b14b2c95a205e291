//! What goes to a model and what comes back, free of any provider's spelling.

mod message;
mod request;
mod turn;

pub use message::{AssistantMessage, ContentPart, Message, ToolResult};
pub use request::{ModelRequest, ToolSpec, TrialContext};
pub use turn::{ArgumentsFault, ModelTurn, ToolCall, Usage};
