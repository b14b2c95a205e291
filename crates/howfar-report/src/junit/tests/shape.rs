//! The rules that the common JUnit schemas agree on, as a table: attributes and children of each element, children in
//! this order, and counts that match the elements.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

struct Rule {
    element: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
    /// In order; each may repeat or be absent.
    children: &'static [&'static str],
}

const RULES: [Rule; 8] = [
    Rule {
        element: "testsuites",
        required: &["tests", "failures", "errors"],
        optional: &["name", "time", "skipped"],
        children: &["testsuite"],
    },
    Rule {
        element: "testsuite",
        required: &["name", "tests", "failures", "errors", "skipped", "time"],
        optional: &[],
        children: &["properties", "testcase", "system-out", "system-err"],
    },
    Rule { element: "properties", required: &[], optional: &[], children: &["property"] },
    Rule { element: "property", required: &["name", "value"], optional: &[], children: &[] },
    Rule {
        element: "testcase",
        required: &["name", "classname", "time"],
        optional: &[],
        children: &["skipped", "failure"],
    },
    Rule { element: "skipped", required: &[], optional: &["message"], children: &[] },
    Rule { element: "failure", required: &["message", "type"], optional: &[], children: &[] },
    Rule { element: "system-out", required: &[], optional: &[], children: &[] },
];

#[derive(Debug)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    children: Vec<Element>,
}

/// Panics with the first rule that a document breaks.
pub(super) fn check(xml: &str) {
    assert!(xml.chars().all(is_legal), "a character that XML 1.0 forbids");
    let root = parse(xml);
    assert_eq!(root.name, "testsuites");
    check_element(&root);
    for suite in &root.children {
        for (attribute, element) in
            [("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")]
        {
            assert_eq!(
                suite.attributes[attribute],
                count(suite, element).to_string(),
                "{attribute}"
            );
        }
        assert_eq!(suite.attributes["errors"], "0");
    }
}

fn check_element(element: &Element) {
    let rule = RULES.iter().find(|rule| rule.element == element.name).expect("a known element");
    for required in rule.required {
        assert!(element.attributes.contains_key(*required), "{} has no {required}", element.name);
    }
    for (name, value) in &element.attributes {
        let known =
            rule.required.contains(&name.as_str()) || rule.optional.contains(&name.as_str());
        assert!(known, "{} has {name}", element.name);
        assert!(name != "time" || has_three_decimals(value), "time {value}");
    }
    let place = |child: &Element| rule.children.iter().position(|known| *known == child.name);
    let places: Vec<_> = element
        .children
        .iter()
        .map(|child| place(child).expect("a child of this element"))
        .collect();
    assert!(places.is_sorted(), "children of {} are out of order", element.name);
    element.children.iter().for_each(check_element);
}

fn count(element: &Element, name: &str) -> usize {
    let here = usize::from(element.name == name);
    here + element.children.iter().map(|child| count(child, name)).sum::<usize>()
}

fn has_three_decimals(value: &str) -> bool {
    value.split_once('.').is_some_and(|(seconds, rest)| {
        rest.len() == 3 && format!("{seconds}{rest}").bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn is_legal(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

fn parse(xml: &str) -> Element {
    let mut reader = Reader::from_str(xml);
    let mut open =
        vec![Element { name: String::new(), attributes: BTreeMap::new(), children: Vec::new() }];
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(start) => open.push(element(&start)),
            Event::Empty(start) => close(&mut open, element(&start)),
            Event::End(_) => {
                let done = open.pop().expect("an element is open");
                close(&mut open, done);
            }
            Event::Eof => break,
            Event::Text(_) | Event::Decl(_) | Event::GeneralRef(_) => {}
            other => panic!("unexpected {other:?}"),
        }
    }
    let mut document = open.pop().expect("the document is open");
    document.children.pop().expect("a root element")
}

fn close(open: &mut [Element], done: Element) {
    open.last_mut().expect("the document is open").children.push(done);
}

fn element(start: &BytesStart<'_>) -> Element {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.expect("a well-formed attribute");
        (text(attribute.key.as_ref()), text(&attribute.value))
    });
    Element {
        name: text(start.name().as_ref()),
        attributes: attributes.collect(),
        children: Vec::new(),
    }
}
