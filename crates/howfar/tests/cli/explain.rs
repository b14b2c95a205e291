use howfar_testkit::home::Home;

use crate::support::howfar;

#[test]
fn a_value_has_words_a_place_and_a_next_owner() {
    let output = Home::new().invoke(howfar()).args(["explain", "serverData"]).run();
    assert_eq!(output.code, Some(0));
    assert!(output.stdout.contains("who should look next"), "{}", output.stdout);
    assert!(output.stdout.contains("inspect the tool response returned by the server"));
}

#[test]
fn a_near_miss_is_suggested() {
    let output = Home::new().invoke(howfar()).args(["explain", "missingToolCal"]).run();
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("did you mean missingToolCall"), "{}", output.stderr);
}

#[test]
fn the_whole_glossary_is_one_json_document() {
    let output = Home::new().invoke(howfar()).args(["explain", "--format", "json"]).run();
    let sections = output.json()["vocabularies"].as_array().map(Vec::len);
    assert!(sections.is_some_and(|count| count > 20), "{sections:?}");
}

#[test]
fn every_schema_is_a_schema() {
    let output = Home::new().invoke(howfar()).args(["schema", "--all"]).run();
    let schemas = output.json();
    let schemas = schemas.as_object().expect("an object of schemas");
    assert!(schemas.contains_key("run-report") && schemas.contains_key("trial-evidence"));
    assert!(schemas.values().all(|schema| schema.get("$schema").is_some()));
}

#[test]
fn the_skill_file_begins_with_front_matter() {
    let output = Home::new().invoke(howfar()).args(["explain", "--format", "skill"]).run();
    assert_eq!(output.code, Some(0));
    assert!(output.stdout.starts_with("---\nname: howfar\ndescription: "), "{}", output.stdout);
    assert!(output.stdout.contains("- `missingToolCall`: an expected tool call was never made"));
}
