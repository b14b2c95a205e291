//! Headings of a page, as those walk through them who hear it.

/// The headings that stand more than one level below the one before them, as "h2 to h4", in page order.
pub fn skipped_levels(page: &str) -> Vec<String> {
    let level = |rest: &str| match rest.as_bytes() {
        [digit @ b'1'..=b'6', b' ' | b'>', ..] => Some(digit - b'0'),
        _ => None,
    };
    let levels: Vec<u8> = page.split("<h").skip(1).filter_map(level).collect();
    let skips = levels.windows(2).filter(|pair| pair[1] > pair[0] + 1);
    skips.map(|pair| format!("h{} to h{}", pair[0], pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_is_left_out_is_named() {
        let page =
            "<head></head><header><h1>a</h1><h2 id=\"b\">b</h2><h4>c</h4><h2>d</h2><h3>e</h3>";
        assert_eq!(skipped_levels(page), ["h2 to h4"]);
    }
}
