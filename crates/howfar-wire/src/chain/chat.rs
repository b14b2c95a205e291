//! A chat session, as far as the chain reads it (derivation, section 12).

use serde::Deserialize;

use super::evidence::{Span, owned};
use super::text::{Text, null_as_default};
use crate::vocabulary::vocabulary;

/// A finished, stopped or running chat session.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatSession<'a> {
    /// Where the session came from, for readers: it reaches no row.
    pub source: ChatSource,
    /// Whether someone asked for something.
    pub has_user_ask: bool,
    /// How far the session got.
    pub lifecycle: ChatLifecycle,
    /// What its trace shows.
    #[serde(borrow, default, deserialize_with = "null_as_default")]
    pub spans: Vec<Span<'a>>,
    /// Whether no trace at all was recorded.
    #[serde(default, deserialize_with = "null_as_default")]
    pub trace_absent: bool,
    /// What was known about the server's tools; absent when nothing was.
    #[serde(default)]
    pub readiness: Option<ChatReadiness>,
    /// The criteria of the session; absent when it has none.
    #[serde(default)]
    pub criteria: Option<ChatCriteria>,
    /// The judge of the session's goal; absent when none was asked.
    #[serde(borrow, default)]
    pub goal_judge: Option<GoalJudge<'a>>,
}

impl ChatSession<'_> {
    /// The same session with owned text.
    pub fn into_owned(self) -> ChatSession<'static> {
        ChatSession {
            source: self.source,
            has_user_ask: self.has_user_ask,
            lifecycle: self.lifecycle,
            spans: owned(self.spans, Span::into_owned),
            trace_absent: self.trace_absent,
            readiness: self.readiness,
            criteria: self.criteria,
            goal_judge: self.goal_judge.map(GoalJudge::into_owned),
        }
    }
}

vocabulary! {
    /// Where a chat session came from.
    ChatSource = "chatSources", "Where a chat session came from." {
        /// A person trying the server.
        UserTesting = "user_testing" => "a person trying the server",
        /// A simulated user.
        Swarm = "swarm" => "a simulated user",
        /// A direct conversation.
        Direct = "direct" => "a direct conversation",
    }
}

/// How far a chat session got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatLifecycle {
    /// In flight.
    Running,
    /// Stopped before its end.
    Stopped,
    /// Ended by itself.
    Settled,
}

/// What was known about the server's tools. Its status decides nothing and is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatReadiness {
    /// Tools that the server advertised.
    #[serde(default)]
    pub advertised_tool_count: Option<u64>,
    /// Whether that count is known, rather than a default.
    #[serde(default)]
    pub advertised_tools_known: Option<bool>,
}

/// The criteria of a session.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatCriteria {
    /// How far their evaluation got.
    pub status: CriteriaStatus,
    /// Their results.
    #[serde(default, deserialize_with = "null_as_default")]
    pub results: Vec<CriterionResult>,
}

/// How far the evaluation of criteria got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CriteriaStatus {
    /// Results are owed.
    Pending,
    /// Results are there.
    Completed,
    /// The evaluation broke.
    Failed,
}

/// The result of one criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CriterionResult {
    /// Whether it held.
    pub passed: bool,
}

/// The judge of a session's goal.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoalJudge<'a> {
    /// How far the judging got.
    pub status: GoalJudgeStatus,
    /// Whether the goal was reached; absent without a verdict.
    #[serde(default)]
    pub passed: Option<bool>,
    /// Why.
    #[serde(borrow, default)]
    pub reason: Option<Text<'a>>,
}

impl GoalJudge<'_> {
    fn into_owned(self) -> GoalJudge<'static> {
        GoalJudge {
            status: self.status,
            passed: self.passed,
            reason: self.reason.map(Text::into_owned),
        }
    }
}

/// How far the judging of a goal got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalJudgeStatus {
    /// In flight.
    Running,
    /// A verdict is there, unless it is missing.
    Completed,
    /// The judge broke.
    Failed,
}
