use super::*;

/// Every key of every document, with text, numbers and lists of each form.
static WHOLE: &str = r#"{
    "authored": {"mode":"model_driven","isNegativeTest":false,"expectsToolCall":true,"expectsWidgetRender":true,"assertionCount":2,"hasUserAsk":true,"toolExpectation":"not_required"},
    "transcript":[{"a\u00e9":["\n",-1.5e3,null]},true,{}],
    "evidence":{"traceAbsent":true,"traceLacksSpanChannel":true,
        "spans":[{"id":"a longer id than sixteen bytes","category":"tool","status":"ok","toolName":"é\t\u2713","promptIndex":1.50,"mcpErrorCode":-32000},{}],
        "prompts":[{"promptIndex":0,"expectedToolCalls":[{"toolName":"x"},1],"missing":["y"],"unexpected":[[]],"argumentMismatches":[null],"passed":null}],
        "toolSignals":{"toolsTotalBefore":12345678901234567890,"toolsExposed":1},
        "predicateResults":[{"passed":false,"reason":"","status":"error","predicate":{"type":"noToolErrors","toolName":"t","role":"advisory"}}],
        "toolErrors":[{"kind":"content-error","toolName":"t"}],"stepError":{"source":"model","code":"c","httpStatus":500},
        "renderObservations":[{"status":"rendered"}],
        "setupSignals":{"connection":{"outcome":"failed","attribution":"theirs","egressVerified":true,"spanIds":["s"],"durationMs":0.1,"reasons":["r"]},"discovery":{"outcome":"ok"}},
        "evaluatorErrored":true,"judgeEvidence":{"status":"pending","pendingKind":"scheduled","verdict":"partial","reasons":["j"]},
        "metadataAttribution":{"status":"scored","pendingKind":"not_requested","attributed":true,"reasons":[]}},
    "iteration":{"status":"timed_out","error":"e"},"policy":{"blocked":true,"reason":"p"}}"#;

/// What both readers give, as one comparable text.
fn outcome(read: serde_json::Result<StageInput<'_>>) -> Result<String, String> {
    read.map(|input| format!("{input:?}")).map_err(|error| error.to_string())
}

fn agrees(text: &str) {
    assert_eq!(outcome(from_str(text)), outcome(serde_json::from_str(text)), "{text}");
}

#[test]
fn a_whole_input_is_read_at_once_as_serde_reads_it() {
    let quick: StageInput<'_> = read(WHOLE).expect("no doubt");
    assert_eq!(quick, serde_json::from_str(WHOLE).expect("an input"));
}

#[test]
fn a_text_that_was_changed_anywhere_is_read_as_serde_reads_it() {
    let places = (0..WHOLE.len()).filter(|&at| WHOLE.is_char_boundary(at));
    for at in places {
        let (before, after) = WHOLE.split_at(at);
        let without = after.chars().next().map_or(0, char::len_utf8);
        agrees(before);
        for other in ["", "\"", "\\", "0", "}", "n"] {
            agrees(&format!("{before}{other}{}", &after[without..]));
        }
        for other in [",", " ", "\u{1}"] {
            agrees(&format!("{before}{other}{after}"));
        }
    }
}

#[test]
fn a_repeated_or_a_rewritten_key_is_left_to_serde() {
    for authored in [
        r#"{"mode":"model_free","mode":"model_free"}"#,
        r#"{"m\u006fde":"model_free"}"#,
        r#"{"mode" :"model_free"}"#,
        r#"["model_free",null,null,null,null,null,null]"#,
        r#"{"mode":{"model_free":null}}"#,
        r#"{"mode":"model_free","assertionCount":-1}"#,
        r#"{"mode":"model_free","assertionCount":1e0}"#,
        r#"{"mode":"model_free","other":-0,"a":[00]}"#,
    ] {
        agrees(&format!(
            r#"{{"authored":{authored},"evidence":{{}},"iteration":{{"status":"failed"}}}}"#
        ));
    }
}

#[test]
fn nesting_without_end_is_left_to_serde() {
    for depth in [10, 90, 98, 99, 100, 101, 130, 100_000] {
        agrees(&format!("{}{}", r#"{"a":"#.repeat(depth), "[".repeat(depth)));
        agrees(&WHOLE.replacen("true", &format!("{}{}", "[".repeat(depth), "]".repeat(depth)), 1));
    }
}

#[test]
fn numbers_keep_their_type_and_value() {
    for number in [
        "0",
        "-0",
        "7",
        "-7",
        "999999999999999999",
        "1000000000000000000",
        "18446744073709551616",
        "-9223372036854775809",
        "1.0",
        "1e2",
        "1E999",
        "01",
        "+1",
        "1.",
    ] {
        let text = WHOLE.replace("1.50", number);
        agrees(&text);
    }
}
