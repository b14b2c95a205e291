//! Whether the links within a page lead somewhere.

/// The links of a page to places of its own that it does not have, each once.
pub fn dead_links(page: &str) -> Vec<String> {
    let attribute = |name: &str| -> Vec<String> {
        let start = format!(" {name}\"");
        let values = page.split(start.as_str()).skip(1);
        values.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
    };
    let places = attribute("id=");
    let mut dead = attribute("href=");
    dead.retain(|link| link.starts_with('#') && !places.iter().any(|place| link[1..] == *place));
    dead.sort();
    dead.dedup();
    dead
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_dead_without_its_place() {
        let page = r##"<a href="#here">a</a><a class="x" href="#gone">b</a><a href="/x">c</a><p id="here">"##;
        assert_eq!(dead_links(page), ["#gone"]);
    }
}
