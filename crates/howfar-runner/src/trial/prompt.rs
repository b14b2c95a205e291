//! A prompt: model steps and their calls, until the model answers without calling (suite and runner, section B7).

use howfar_model::{AssistantMessage, Message, ModelRequest, ModelTurn};
use howfar_wire::evidence::{SpanCategory, SpanStatus, TimelineSpan};

use super::Executor;
use super::recording::{Breakdown, TurnKind};

impl Executor<'_> {
    /// Runs one prompt. Every earlier message of the trial is in the conversation.
    pub(super) async fn prompt(&mut self, text: &str) -> Result<(), Breakdown> {
        let turn = self.recording.open_turn(TurnKind::Prompt, text);
        self.recording.push_message(Message::User(text.to_owned()));
        for step in 0..self.context.options.max_steps {
            if !self.model_step(turn, step).await? {
                break;
            }
        }
        Ok(())
    }

    /// One model step with its calls; `false` when the model called nothing.
    async fn model_step(&mut self, turn: usize, step: u32) -> Result<bool, Breakdown> {
        let case = self.context.case;
        let model = case.model.as_ref().expect("a case with a prompt was planned with a model");
        let request = self.request();
        let start_ms = self.recording.now_ms();
        let answer = match model.model.respond(&request, self.cancel).await {
            Ok(answer) => answer,
            Err(error) => {
                self.push_model_error(turn, step, start_ms, &error.to_string());
                return Err(Breakdown::Model(error));
            }
        };
        drop(request);
        let step_id = format!("prompt-{turn}-step-{}", step + 1);
        let llm_end_ms = self.recording.now_ms();
        self.recording.add_usage(answer.usage);
        self.recording.add_cost(answer.cost_usd);
        self.recording.push_message(Message::Assistant(AssistantMessage::from(&answer)));
        let results = self.model_calls(turn, step, &step_id, &answer.tool_calls).await;
        let called = !results.is_empty();
        if called {
            self.recording.push_message(Message::ToolResults(results));
        }
        self.push_step(turn, step, step_id, start_ms, llm_end_ms, &answer);
        Ok(called)
    }

    fn request(&self) -> ModelRequest {
        let context = self.context;
        ModelRequest {
            system: context.case.system_prompt.clone(),
            messages: self.recording.messages.clone(),
            tools: context.environment.tool_specs().to_vec(),
            temperature: context.case.temperature,
            trial: howfar_model::TrialContext {
                case_id: context.case.id.clone(),
                trial: context.number,
                seed: None,
            },
        }
    }

    fn push_step(
        &mut self,
        turn: usize,
        step: u32,
        step_id: String,
        start_ms: f64,
        llm_end_ms: f64,
        answer: &ModelTurn,
    ) {
        let end_ms = self.recording.now_ms();
        let mut span = self.span(step_id.clone(), SpanCategory::Step, turn, step);
        span.name = format!("Step {}", step + 1);
        span.start_ms = start_ms;
        span.end_ms = end_ms;
        span.model_id = answer.model.clone();
        span.input_tokens = answer.usage.map(|usage| usage.input);
        span.output_tokens = answer.usage.map(|usage| usage.output);
        span.finish_reason = answer.finish_reason.clone();
        span.response_id = answer.response_id.clone();
        let mut llm = self.span(format!("{step_id}-llm"), SpanCategory::Llm, turn, step);
        llm.name = "Model".to_owned();
        llm.parent_id = Some(step_id);
        llm.start_ms = start_ms;
        llm.end_ms = llm_end_ms;
        self.recording.push_span(span);
        self.recording.push_span(llm);
    }

    fn push_model_error(&mut self, turn: usize, step: u32, start_ms: f64, message: &str) {
        let id = format!("prompt-{turn}-step-{}-error", step + 1);
        let mut span = self.span(id, SpanCategory::Error, turn, step);
        span.name = message.to_owned();
        span.start_ms = start_ms;
        span.end_ms = self.recording.now_ms();
        span.status = Some(SpanStatus::Error);
        self.recording.push_span(span);
    }

    fn span(&self, id: String, category: SpanCategory, turn: usize, step: u32) -> TimelineSpan {
        TimelineSpan {
            id,
            parent_id: None,
            name: String::new(),
            category,
            start_ms: 0.0,
            end_ms: 0.0,
            prompt_index: u32::try_from(turn).ok(),
            step_index: Some(step),
            status: Some(SpanStatus::Ok),
            tool_call_id: None,
            tool_name: None,
            server_id: None,
            model_id: None,
            input_tokens: None,
            output_tokens: None,
            finish_reason: None,
            response_id: None,
            mcp_error_code: None,
        }
    }
}
