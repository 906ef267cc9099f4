//! A page of `docs/papers/` or `docs/`: the tests write its tables, or compare them.

use crate::support::plot::{self, Plot};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// One test at a time writes.
static PEN: Mutex<()> = Mutex::new(());

/// Set, tables and figures are written; else tables are compared.
const WRITING: &str = "URTO_FIGURES";

/// Columns whose header ends like this are measurements of the machine: written, never compared.
pub const MEASURED: &str = "(measured)";

/// Whether the pages are being written.
pub fn is_writing() -> bool {
    std::env::var_os(WRITING).is_some()
}

/// A Markdown page.
pub struct Page {
    /// File name without its ending.
    name: &'static str,
    folder: &'static str,
    /// The command that writes it.
    task: &'static str,
}

impl Page {
    /// The page `docs/papers/<name>.md`.
    pub fn of(name: &'static str) -> Self {
        Self { name, folder: "docs/papers", task: "cargo xtask figures" }
    }

    /// The page `docs/<name>.md`, which `task` writes.
    pub fn in_docs(name: &'static str, task: &'static str) -> Self {
        Self { name, folder: "docs", task }
    }

    fn path(&self, end: &str) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(self.folder).join(format!("{}{end}", self.name))
    }

    fn text(&self) -> String {
        let path = self.path(".md");
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The table between `<!-- table name -->` and `<!-- end -->`. Numbers may differ by one unit of their last digit.
    pub fn table(&self, name: &str, header: &[&str], rows: &[Vec<String>]) {
        let _pen = PEN.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(rows.iter().all(|row| row.len() == header.len()), "{name}: a row is not as wide as the header");
        let mut all = vec![header.iter().map(|cell| (*cell).to_owned()).collect()];
        all.extend(rows.iter().cloned());
        let text = self.text();
        let (start, end) = block(&text, name).unwrap_or_else(|| {
            panic!("{}/{}.md has no place for it: write <!-- table {name} --> and <!-- end -->", self.folder, self.name)
        });
        if is_writing() {
            let new = format!("{}\n{}{}", &text[..start], markdown(&all), &text[end..]);
            std::fs::write(self.path(".md"), new).expect("the page can be written");
            return;
        }
        let old = cells(&text[start..end]);
        assert!(
            same(&old, &all),
            "table {name} of {}/{}.md is stale; run {}\n{}",
            self.folder,
            self.name,
            self.task,
            markdown(&all)
        );
    }

    /// The figure `<page>-<name>.svg` beside the page; drawn when writing, else only its numbers are looked at.
    pub fn figure(&self, name: &str, plot: &Plot) {
        self.stack(name, std::slice::from_ref(plot));
    }

    /// As [`Page::figure`], several of them below each other.
    pub fn stack(&self, name: &str, plots: &[Plot]) {
        let points = || plots.iter().flat_map(|plot| &plot.curves).flat_map(|curve| &curve.points);
        assert!(points().count() > 0 && points().all(|p| p.0.is_finite() && p.1.is_finite()), "{name}: points are missing");
        if is_writing() {
            let _pen = PEN.lock().unwrap_or_else(PoisonError::into_inner);
            std::fs::write(self.path(&format!("-{name}.svg")), plot::draw(plots)).expect("the figure can be written");
            return;
        }
        let shown = format!("({}-{name}.svg)", self.name);
        assert!(self.text().contains(&shown), "{}/{}.md does not show {name}: write ![..]{shown}", self.folder, self.name);
        assert!(self.path(&format!("-{name}.svg")).exists(), "{shown} is missing; run {}", self.task);
    }
}

/// Where the table called `name` stands in `text`: after its opening line, up to its closing one.
fn block(text: &str, name: &str) -> Option<(usize, usize)> {
    let opening = format!("<!-- table {name} -->\n");
    let start = text.find(&opening)? + opening.len();
    Some((start, start + text[start..].find("<!-- end -->")?))
}

/// First row the header.
fn markdown(rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule: Vec<String> = (0..rows[0].len()).map(|i| if i == 0 { "---" } else { "---:" }.to_owned()).collect();
    let mut text = line(&rows[0]) + &line(&rule);
    text.extend(rows[1..].iter().map(|row| line(row)));
    text + "\n"
}

/// The cells of a Markdown table without its rule.
fn cells(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter(|line| line.starts_with('|') && !line.starts_with("| ---"));
    lines.map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// Whether two tables agree where they are not measurements.
fn same(old: &[Vec<String>], new: &[Vec<String>]) -> bool {
    let measured = |column: usize| new[0][column].ends_with(MEASURED);
    old.len() == new.len()
        && old.iter().zip(new).enumerate().all(|(line, (old, new))| {
            old.len() == new.len()
                && old.iter().zip(new).enumerate().all(|(i, (old, new))| (line > 0 && measured(i)) || alike(old, new))
        })
}

/// Equal texts, or numbers of the same form that differ by at most one unit of the last digit.
fn alike(old: &str, new: &str) -> bool {
    let digits = |text: &str| {
        let mantissa = text.split('e').next().unwrap_or(text);
        mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len())
    };
    let power = |text: &str| text.split_once('e').map_or(Some(0), |(_, power)| power.parse::<i32>().ok());
    if old == new {
        return true;
    }
    let (Ok(a), Ok(b), Some(e)) = (old.parse::<f64>(), new.parse::<f64>(), power(new)) else { return false };
    let near = power(old).is_some_and(|power| (power - e).abs() <= 1);
    near && digits(old) == digits(new) && (a - b).abs() <= 1.001 * 10_f64.powi(e - digits(new) as i32)
}

/// A number with its sign and so many decimals; no minus before nothing.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    if text.trim_start_matches(['-', '0', '.', '+']).is_empty() { text.replace('-', "+") } else { text }
}

/// Two digits: 1.3e-5.
pub fn rough(value: f64) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.1e}") }
}

#[test]
fn numbers_may_differ_by_one_unit_of_the_last_digit() {
    for (old, new, alike_) in [
        ("1.30e-5", "1.31e-5", true),
        ("1.30e-5", "1.32e-5", false),
        ("9.9e-6", "1.0e-5", true),
        ("+1.293", "+1.294", true),
        ("+1.293", "+1.295", false),
        ("8", "9", true),
        ("n.e.", "n.e.", true),
        ("n.e.", "+1.2", false),
        ("1.5", "1.50", false),
    ] {
        assert_eq!(alike(old, new), alike_, "{old} and {new}");
    }
}

#[test]
fn measured_times_are_not_compared() {
    let table = |error: &str, cost: &str| {
        let row = |a: &str, b: &str, c: &str| [a, b, c].map(str::to_owned).to_vec();
        vec![row("scheme", "error", "ns (measured)"), row("edg", error, cost)]
    };
    let written = cells(&markdown(&table("1.0e-5", "80")));
    assert!(same(&written, &table("1.0e-5", "95")));
    assert!(!same(&written, &table("1.2e-5", "80")));
    assert!(!same(&written[..1], &table("1.0e-5", "80")));
}
