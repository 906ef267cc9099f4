//! The tables and the figure of `docs/validation.md`.

use super::comparison::{Comparison, Quantity};
use super::sources::{self, Reading};
use super::{balls, bars, drums, pianos, plates, shells};
use crate::support::page::Page;
use crate::support::plot::{Axis, Corner, Curve, Line, Mark, Plot};

fn page() -> Page {
    Page::in_docs("validation", "cargo xtask validation")
}

fn all() -> Vec<Comparison> {
    [
        bars::comparisons(),
        shells::comparisons(),
        plates::comparisons(),
        drums::comparisons(),
        balls::comparisons(),
        pianos::comparisons(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Median of the absolute errors in percent; `None` without any.
fn median_error<'a>(comparisons: impl Iterator<Item = &'a Comparison>) -> Option<f64> {
    let mut errors: Vec<f64> = comparisons.filter_map(Comparison::error).map(|error| 100.0 * error.abs()).collect();
    errors.sort_by(f64::total_cmp);
    let middle = errors.len().checked_sub(1)? / 2;
    Some(0.5 * (errors[middle] + errors[errors.len() / 2]))
}

/// A row of the summary.
fn summary(name: &str, comparisons: &[&Comparison]) -> Vec<String> {
    let agreeing = comparisons.iter().filter(|comparison| comparison.agrees()).count();
    let median = median_error(comparisons.iter().copied()).map_or_else(String::new, |error| format!("{error:.1}"));
    let count = comparisons.len();
    vec![name.to_owned(), count.to_string(), format!("{agreeing} of {count}"), median]
}

/// Error of every measurement with its uncertainty.
fn figure(comparisons: &[Comparison]) -> Plot {
    let points = comparisons.iter().filter_map(|comparison| {
        let (centre, uncertainty) = comparison.measured.centre()?;
        Some((100.0 * comparison.error()?, 100.0 * uncertainty / centre))
    });
    let points: Vec<(f64, f64)> = points.collect();
    let place = |n: usize| (n + 1) as f64;
    let bars = points
        .iter()
        .enumerate()
        .map(|(n, (_, width))| Curve::new("uncertainty", Line::Solid, [(place(n), -width), (place(n), *width)]));
    let errors = points.iter().enumerate().map(|(n, (error, _))| (place(n), *error));
    let urto = Curve { mark: Mark::Circle, ..Curve::new("Urto", Line::None, errors) };
    let curves = bars.chain([urto]).collect();
    let (x, y) = (Axis::new("measurement, in the order of the table"), Axis::new("error (%)"));
    Plot::new("Published measurements and Urto", x, y, curves).legend(Corner::LowerLeft)
}

#[test]
fn the_page_compares_published_measurements() {
    let comparisons = all();
    assert!(comparisons.iter().all(|comparison| comparison.urto.is_finite()), "{comparisons:?}");
    let used = |source: &sources::Source| comparisons.iter().any(|comparison| comparison.source.number() == source.number());
    assert!(sources::ALL.iter().all(used), "a source without a measurement");
    let header = ["object", "measured quantity", "measured", "uncertainty", "Urto", "error, %", "within", "source"];
    let rows: Vec<Vec<String>> = comparisons.iter().map(Comparison::cells).collect();
    page().table("measurements", &header, &rows);

    let every: Vec<&Comparison> = comparisons.iter().collect();
    let of = |quantity: Quantity| -> Vec<&Comparison> { comparisons.iter().filter(|row| row.quantity == quantity).collect() };
    let had = |reading: Reading| -> Vec<&Comparison> { comparisons.iter().filter(|row| row.source.reading == reading).collect() };
    let by_quantity = Quantity::ALL.map(|quantity| summary(quantity.word(), &of(quantity)));
    let by_reading = [Reading::Original, Reading::Quoted, Reading::Memory].map(|how| summary(how.word(), &had(how)));
    let rows: Vec<_> = [summary("all", &every)].into_iter().chain(by_quantity).chain(by_reading).collect();
    page().table("summary", &["", "measurements", "within the uncertainty", "median error, %"], &rows);

    let source = |source: &sources::Source| {
        let texts = [source.title, source.reading.word(), source.remark].map(str::to_owned);
        std::iter::once(source.number().to_string()).chain(texts).collect()
    };
    let rows: Vec<Vec<String>> = sources::ALL.iter().map(source).collect();
    page().table("sources", &["number", "source", "had", "remark"], &rows);
    page().figure("agreement", &figure(&comparisons));
}
