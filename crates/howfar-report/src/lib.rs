//! Documents to text: terminal, JUnit, Markdown.
