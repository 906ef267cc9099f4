//! The figure of the signal flow, drawn from its stations.

use std::fmt::Write;

/// Size of a station, and the grid of the stations [px].
const SIZE: (i32, i32) = (128, 52);
const RASTER: (i32, i32) = (172, 104);
const MARGIN: i32 = 16;

/// A station: column, row, name, and what is in it.
const STATIONS: &[(i32, i32, &str, &str)] = &[
    (0, 0, "Keys", "velocity, controllers"),
    (0, 2, "Drive", "a signal as a force"),
    (1, 1, "Hammer", "mass, speed"),
    (2, 1, "Contact", "f = k x^alpha (1 + mu v)"),
    (3, 1, "Body", "its modes"),
    (3, 2, "Rattle", "objects behind it"),
    (4, 1, "Pickups", "radiation, stereo"),
    (5, 1, "Output", "level, limiter"),
];

/// From, to, what goes along; both ways where the sign says so.
const WAYS: &[(&str, &str, &str, bool)] = &[
    ("Keys", "Hammer", "speed", false),
    ("Drive", "Hammer", "force", false),
    ("Hammer", "Contact", "+f, -f", true),
    ("Contact", "Body", "-f, +f", true),
    ("Body", "Rattle", "force", true),
    ("Body", "Pickups", "velocity", false),
    ("Pickups", "Output", "sound", false),
];

#[test]
fn the_signal_flow_figure_is_up_to_date() {
    crate::manual::hold("signal-flow.svg", &picture());
}

/// The page describes every station.
#[test]
fn every_station_of_the_signal_flow_has_a_row() {
    let page = std::fs::read_to_string(crate::manual::folder().join("signal-flow.md")).expect("the page");
    for (_, _, name, _) in STATIONS {
        assert!(page.contains(&format!("\n| {name} |")), "{name}");
    }
}

fn corner(name: &str) -> (i32, i32) {
    let (column, row, ..) = STATIONS.iter().find(|station| station.2 == name).unwrap_or_else(|| panic!("no station {name}"));
    (MARGIN + column * RASTER.0, MARGIN + row * RASTER.1)
}

fn picture() -> String {
    let columns = STATIONS.iter().map(|station| station.0).max().unwrap_or(0);
    let rows = STATIONS.iter().map(|station| station.1).max().unwrap_or(0);
    let (width, height) = (2 * MARGIN + columns * RASTER.0 + SIZE.0, 2 * MARGIN + rows * RASTER.1 + SIZE.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
        <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\">\
        <path d=\"M0 0L8 4L0 8z\" fill=\"#555\"/></marker></defs>\n\
        <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for way in WAYS {
        svg += &arrow(way);
    }
    for (.., name, what) in STATIONS {
        let (x, y) = corner(name);
        let (middle, bright) = (x + SIZE.0 / 2, if *name == "Contact" { "#b03a2e" } else { "#1f4e79" });
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"#f7f7f7\" stroke=\"{bright}\" stroke-width=\"1.5\"/>\
            <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\" fill=\"#222\">{name}</text>\
            <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\" fill=\"#444\">{what}</text>",
            SIZE.0,
            SIZE.1,
            y + 22,
            y + 39,
        );
    }
    svg + "</svg>\n"
}

/// From side to side, or from below where one stands under the other.
fn arrow((from, to, what, both): &(&str, &str, &str, bool)) -> String {
    let ((ax, ay), (bx, by)) = (corner(from), corner(to));
    let start = if ax == bx { (ax + SIZE.0 / 2, ay + SIZE.1) } else { (ax + SIZE.0, ay + SIZE.1 / 2) };
    let end = if ax == bx { (bx + SIZE.0 / 2, by) } else { (bx, by + SIZE.1 / 2) };
    let (x, y) = ((start.0 + end.0) / 2, (start.1 + end.1) / 2);
    let (x, y) = if ax == bx {
        (x + 22, y + 4)
    } else if ay == by {
        (x, y - 10)
    } else {
        (x + 24, y)
    };
    let back = if *both { " marker-start=\"url(#tip)\"" } else { "" };
    format!(
        "<path d=\"M{} {}L{} {}\" stroke=\"#555\" fill=\"none\" marker-end=\"url(#tip)\"{back}/>\
        <text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"10\" fill=\"#444\">{what}</text>\n",
        start.0, start.1, end.0, end.1
    )
}
