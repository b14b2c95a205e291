//! The palette, checked (look: contrast at least 4.5 : 1 in light and dark, for the three common colour-vision deficiencies).

use std::collections::BTreeMap;

use super::style::STYLE;

type Rgb = [f64; 3];
type Matrix = [[f64; 3]; 3];

/// How a colour in linear light is seen, by kind of vision: full severity after Machado, Oliveira and Fernandes (2009).
const VISIONS: [(&str, Matrix); 4] = [
    ("full colour vision", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ),
];

/// Text and the grounds that it stands on.
const TEXT_ON_GROUND: [(&str, &[&str]); 11] = [
    ("--text", &["--page", "--panel", "--sunk", "--pass-ground", "--fail-ground", "--open-ground"]),
    ("--soft", &["--page", "--panel", "--sunk"]),
    ("--link", &["--page", "--panel", "--sunk"]),
    ("--focus", &["--page", "--panel"]),
    ("--pass", &["--page", "--panel", "--pass-ground"]),
    ("--fail", &["--page", "--panel", "--fail-ground"]),
    ("--open", &["--page", "--panel", "--open-ground"]),
    ("--none", &["--page", "--panel"]),
    ("--on-pass", &["--pass"]),
    ("--on-fail", &["--fail"]),
    ("--text", &["--hatch"]),
];

/// The declared colours of the light look and of the dark one.
fn looks() -> [(&'static str, BTreeMap<&'static str, Rgb>); 2] {
    let blocks: Vec<&str> = STYLE.split(":root {").skip(1).collect();
    // The third block is that of the printed page: the light colours again.
    let [light, dark, _] = blocks[..] else {
        panic!("three blocks of colours, not {}", blocks.len())
    };
    [("light", colours(light)), ("dark", colours(dark))]
}

fn colours(block: &'static str) -> BTreeMap<&'static str, Rgb> {
    let body = block.split('}').next().unwrap_or_default();
    body.split(';')
        .filter_map(|line| line.trim().split_once(": #"))
        .map(|(name, hex)| (name, linear(hex)))
        .collect()
}

/// sRGB, written in six hexadecimal digits, in linear light.
fn linear(hex: &str) -> Rgb {
    let all = u32::from_str_radix(hex, 16).expect("a colour has six hexadecimal digits");
    [16, 8, 0].map(|shift| {
        let part = f64::from(all >> shift & 0xff) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    })
}

/// The relative luminance of a colour as one kind of vision sees it.
fn luminance(colour: Rgb, vision: &Matrix) -> f64 {
    let seen = vision
        .map(|row| (row[0] * colour[0] + row[1] * colour[1] + row[2] * colour[2]).clamp(0.0, 1.0));
    0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]
}

fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn every_text_has_contrast_for_every_vision_in_light_and_dark() {
    for (look, colours) in looks() {
        for (vision, matrix) in &VISIONS {
            for (text, grounds) in TEXT_ON_GROUND {
                for ground in grounds {
                    let found = contrast(
                        luminance(colours[text], matrix),
                        luminance(colours[ground], matrix),
                    );
                    assert!(found >= 4.5, "{text} on {ground}, {look}, {vision}: {found:.2} : 1");
                }
            }
        }
    }
}

#[test]
fn black_on_white_is_the_known_contrast() {
    let (_, full) = &VISIONS[0];
    let found = contrast(luminance(linear("000000"), full), luminance(linear("ffffff"), full));
    assert!((found - 21.0).abs() < 1e-9, "{found}");
}
