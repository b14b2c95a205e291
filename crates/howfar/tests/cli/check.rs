use howfar_testkit::home::Home;

use crate::support::howfar;

const BROKEN: &str = "schemaVersion: \"2\"\nmode: agentWorkflw\nreportingMode: standard\nsuite: { id: s, name: n }\n\
target: { servers: [ { name: a, url: x } ] }\ndefaults: { model: m, iterations: 0, passThreshold: 1, validity: {} }\n\
cases: []\n";

#[test]
fn all_findings_come_at_once_with_their_places() {
    let home = Home::new();
    home.write("suite.yaml", BROKEN);
    let output = home.invoke(howfar()).args(["check", "suite.yaml", "--format", "json"]).run();
    assert_eq!(output.code, Some(1));
    let document = output.json();
    let pointers: Vec<_> = document["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|finding| finding["pointer"].clone())
        .collect();
    assert_eq!(pointers, ["cases", "defaults.iterations", "mode", "target.servers[0]"]);
    assert_eq!(document["findings"][2]["location"]["line"], 2);
}

#[test]
fn a_finding_shows_the_line_of_the_file() {
    let home = Home::new();
    home.write("suite.yaml", BROKEN);
    let output = home.invoke(howfar()).args(["check", "suite.yaml", "--format", "human"]).run();
    assert!(output.stdout.contains("mode: agentWorkflw"), "{}", output.stdout);
    assert!(output.stdout.contains("^"), "{}", output.stdout);
}

#[test]
fn a_valid_suite_gets_one_coverage_line_per_link() {
    let home = Home::new();
    assert_eq!(home.invoke(howfar()).args(["demo", "--write", "shop"]).run().code, Some(0));
    let output =
        home.invoke(howfar()).args(["check", "shop/shop.suite.yaml", "--format", "human"]).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    for link in ["Connection", "Discovery", "Selection", "Tool call", "Response", "User value"] {
        assert!(output.stdout.contains(link), "no {link} in\n{}", output.stdout);
    }
}

#[test]
fn a_file_that_is_no_document_exits_2() {
    let home = Home::new();
    home.write("suite.yaml", "");
    let output = home.invoke(howfar()).args(["check", "suite.yaml"]).run();
    assert_eq!(output.code, Some(2));
    let missing = home.invoke(howfar()).args(["check", "nowhere.yaml"]).run();
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("nowhere.yaml"), "{}", missing.stderr);
}
