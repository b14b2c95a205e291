//! Parser events to a document. Iterative, with bounds on depth, aliases and size, because the text is foreign.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use granit_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};
use howfar_wire::canon;
use howfar_wire::finding::Location;
use indexmap::IndexMap;

use super::node::Node;
use super::node::NodeId;
use super::scalar::{number, resolve_plain};
use super::{Child, Content, Document, Entry, Scalar};

/// The most alias expansions of a document, those inside expanded nodes counted again.
const MAX_ALIAS_EXPANSIONS: u64 = 100;
/// The deepest nesting, aliases expanded. JSON readers commonly stop at the same depth.
const MAX_DEPTH: usize = 128;
/// The most nodes, aliases expanded.
const MAX_EXPANDED_NODES: u64 = 1_000_000;

/// Something that the text does not say correctly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct YamlError {
    pub(crate) message: String,
    pub(crate) place: Option<Location>,
}

/// Reads every document of a text. Reading stops at the first error of syntax; repeated keys and aliases without an
/// anchor are reported together.
pub(crate) fn read(text: &str) -> Result<Vec<Document>, Vec<YamlError>> {
    let mut options = granit_parser::options! { emit_unresolved_aliases: true };
    options.set_emit_comments(false);
    let mut builder = Builder::default();
    for step in Parser::new_from_str_with_options(text, options) {
        let outcome = match step {
            Ok((event, span)) => builder.event(event, span),
            Err(error) => Err(syntax_error(&error.info(), error.marker())),
        };
        if let Err(error) = outcome {
            builder.errors.push(error);
            break;
        }
    }
    if builder.errors.is_empty() { Ok(builder.documents) } else { Err(builder.errors) }
}

/// What a node costs when aliases are expanded.
#[derive(Debug, Clone, Copy, Default)]
struct Weight {
    aliases: u64,
    nodes: u64,
    height: usize,
}

#[derive(Debug)]
struct Frame {
    place: Location,
    anchor: usize,
    weight: Weight,
    content: Partial,
}

#[derive(Debug)]
enum Partial {
    List(Vec<Child>),
    Object { members: IndexMap<String, Entry>, key: Option<Key> },
}

/// A key whose value is still to come. A repeated key keeps its value out of the object.
#[derive(Debug)]
struct Key {
    name: String,
    place: Location,
    repeated: bool,
}

#[derive(Debug, Default)]
struct Builder {
    documents: Vec<Document>,
    nodes: Vec<Node>,
    weights: Vec<Weight>,
    /// Finished anchored nodes by anchor number.
    anchors: HashMap<usize, NodeId>,
    frames: Vec<Frame>,
    root: Option<Child>,
    errors: Vec<YamlError>,
    aliases: u64,
    expanded: u64,
}

impl Builder {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), YamlError> {
        let place = location(span);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let scalar = scalar(&text, style, tag.as_deref(), place)?;
                let key_wanted = self.key_wanted();
                if key_wanted {
                    self.key(key_text(&scalar), place);
                }
                if !key_wanted || anchor != 0 {
                    let child =
                        self.add(Content::Scalar(scalar), place, anchor, Weight::default())?;
                    if !key_wanted {
                        self.place_child(child);
                    }
                }
                Ok(())
            }
            Event::SequenceStart(_, anchor, _) => {
                self.open(Partial::List(Vec::new()), anchor, place)
            }
            Event::MappingStart(_, anchor, _) => {
                let content = Partial::Object { members: IndexMap::new(), key: None };
                self.open(content, anchor, place)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Alias(anchor) => self.alias(anchor, place),
            Event::UnresolvedAlias(name) => {
                let message =
                    format!("the alias `*{name}` has no anchor before it; define `&{name}` first");
                self.errors.push(YamlError { message, place: Some(place) });
                self.placeholder(place)
            }
            Event::DocumentEnd => {
                self.finish_document();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn key_wanted(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { content: Partial::Object { key: None, .. }, .. }))
    }

    fn key(&mut self, name: String, place: Location) {
        let Some(Frame { content: Partial::Object { members, key }, .. }) = self.frames.last_mut()
        else {
            return;
        };
        let first = members.get(&name).and_then(|entry| entry.key_place);
        if let Some(first) = first {
            let message = format!(
                "the key `{name}` stands twice in one object, first on line {}; remove one",
                first.line
            );
            self.errors.push(YamlError { message, place: Some(place) });
        }
        *key = Some(Key { name, place, repeated: first.is_some() });
    }

    fn open(&mut self, content: Partial, anchor: usize, place: Location) -> Result<(), YamlError> {
        if self.key_wanted() {
            return Err(error("a list or an object cannot be a key; use a text", place));
        }
        if self.frames.len() >= MAX_DEPTH {
            return Err(too_deep(place));
        }
        self.frames.push(Frame { place, anchor, weight: Weight::default(), content });
        Ok(())
    }

    fn close(&mut self) -> Result<(), YamlError> {
        let Some(Frame { place, anchor, weight, content }) = self.frames.pop() else {
            return Ok(());
        };
        let content = match content {
            Partial::List(items) => Content::List(items),
            Partial::Object { members, key: _ } => Content::Object(members),
        };
        let child = self.add(content, place, anchor, weight)?;
        self.place_child(child);
        Ok(())
    }

    fn alias(&mut self, anchor: usize, place: Location) -> Result<(), YamlError> {
        let Some(&node) = self.anchors.get(&anchor) else {
            return Err(error("an alias inside its own anchor never ends", place));
        };
        let weight = self.weights[node.0];
        self.aliases += 1 + weight.aliases;
        if self.aliases > MAX_ALIAS_EXPANSIONS {
            let message = format!("the document expands more than {MAX_ALIAS_EXPANSIONS} aliases");
            return Err(error(&message, place));
        }
        if self.frames.len() + weight.height > MAX_DEPTH {
            return Err(too_deep(place));
        }
        self.expand(weight.nodes, place)?;
        if self.key_wanted() {
            let Content::Scalar(scalar) = &self.nodes[node.0].content else {
                return Err(error("a list or an object cannot be a key; use a text", place));
            };
            let name = key_text(scalar);
            self.key(name, place);
            return Ok(());
        }
        let weight = Weight { aliases: weight.aliases + 1, ..weight };
        self.attach(Child { node, place: Some(place) }, weight);
        Ok(())
    }

    /// Stands where an alias without an anchor stood, so that reading can go on.
    fn placeholder(&mut self, place: Location) -> Result<(), YamlError> {
        if self.key_wanted() {
            self.key(String::new(), place);
            return Ok(());
        }
        let child = self.add(Content::Scalar(Scalar::Null), place, 0, Weight::default())?;
        self.place_child(child);
        Ok(())
    }

    fn add(
        &mut self,
        content: Content,
        place: Location,
        anchor: usize,
        inside: Weight,
    ) -> Result<Child, YamlError> {
        self.expand(1, place)?;
        let height = match content {
            Content::Scalar(_) => 0,
            Content::List(_) | Content::Object(_) => inside.height + 1,
        };
        let node = NodeId(self.nodes.len());
        self.nodes.push(Node { content });
        self.weights.push(Weight { nodes: inside.nodes + 1, height, ..inside });
        if anchor != 0
            && let Slot::Vacant(slot) = self.anchors.entry(anchor)
        {
            slot.insert(node);
        }
        Ok(Child { node, place: Some(place) })
    }

    fn expand(&mut self, nodes: u64, place: Location) -> Result<(), YamlError> {
        self.expanded += nodes;
        if self.expanded > MAX_EXPANDED_NODES {
            let message = format!("the document expands to more than {MAX_EXPANDED_NODES} values");
            return Err(error(&message, place));
        }
        Ok(())
    }

    fn place_child(&mut self, child: Child) {
        let weight = self.weights[child.node.0];
        self.attach(child, weight);
    }

    fn attach(&mut self, child: Child, weight: Weight) {
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(child);
            return;
        };
        frame.weight.aliases += weight.aliases;
        frame.weight.nodes += weight.nodes;
        frame.weight.height = frame.weight.height.max(weight.height);
        match &mut frame.content {
            Partial::List(items) => items.push(child),
            Partial::Object { members, key } => {
                if let Some(Key { name, place, repeated: false }) = key.take() {
                    members.insert(name, Entry { key_place: Some(place), value: child });
                }
            }
        }
    }

    fn finish_document(&mut self) {
        if let Some(root) = self.root.take() {
            self.documents.push(Document { nodes: std::mem::take(&mut self.nodes), root });
        }
        *self = Self {
            documents: std::mem::take(&mut self.documents),
            errors: std::mem::take(&mut self.errors),
            ..Self::default()
        };
    }
}

/// A scalar with its tag applied. Tags outside the core schema say nothing here.
fn scalar(
    text: &str,
    style: ScalarStyle,
    tag: Option<&Tag>,
    place: Location,
) -> Result<Scalar, YamlError> {
    let Some(tag) = tag else {
        return Ok(match style {
            ScalarStyle::Plain => resolve_plain(text),
            _ => Scalar::Text(text.to_owned()),
        });
    };
    let resolved = resolve_plain(text);
    let fits = match tag.core_suffix() {
        Some("int") => matches!(&resolved, Scalar::Number(value) if value.fract() == 0.0),
        Some("float") => number(text).is_some(),
        Some("bool") => matches!(resolved, Scalar::Bool(_)),
        Some("null") => resolved == Scalar::Null,
        _ => return Ok(Scalar::Text(text.to_owned())),
    };
    if fits {
        Ok(resolved)
    } else {
        Err(error(&format!("{text:?} is not what its tag says"), place))
    }
}

fn key_text(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Null => String::new(),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Number(value) if value.is_nan() => "NaN".to_owned(),
        Scalar::Number(value) if value.is_infinite() => {
            if *value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
        }
        Scalar::Number(value) => canon::f64_text(*value),
        Scalar::Text(text) => text.clone(),
    }
}

fn location(span: Span) -> Location {
    let bytes = span.byte_range().unwrap_or_default();
    Location {
        line: span.start.line(),
        column: span.start.col() + 1,
        start: bytes.start,
        end: bytes.end.max(bytes.start),
    }
}

/// The parser's words, with what to do where they do not say it.
fn syntax_error(info: &str, marker: &Marker) -> YamlError {
    let start = marker.byte_offset().unwrap_or_default();
    let place = Location { line: marker.line(), column: marker.col() + 1, start, end: start };
    if info.contains("recursion limit") {
        return too_deep(place);
    }
    let hint = if info.starts_with("tabs") { "; indent with spaces" } else { "" };
    error(&format!("{info}{hint}"), place)
}

fn too_deep(place: Location) -> YamlError {
    error(&format!("the document nests deeper than {MAX_DEPTH} levels"), place)
}

fn error(message: &str, place: Location) -> YamlError {
    YamlError { message: message.to_owned(), place: Some(place) }
}
