//! `presets compare`: how far presets are from recordings of what they imitate.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::arguments::NameFilter;
use crate::commands::compare_calibration::calibrate;
use crate::commands::compare_files;
use crate::commands::compare_spectrograms::Spectrograms;
use crate::commands::compared_instrument::{ComparedInstrument, Outputs, StrokeRow};
use crate::commands::named_instrument::NamedInstrument;
use crate::commands::parallel::in_parallel;
use crate::io::error::{print, print_note};
use crate::io::output_file::is_standard_output;
use crate::io::{CliError, OutputFolder};
use crate::realism::decays::AGREEING;
use crate::realism::page::{PageStroke, page_path, write_page};
use crate::realism::recording_map::{self, Instrument, Recordings};
use crate::realism::verdict::LIMITS;

/// Compares presets with recordings: distances, partials, noisiness, pitch, attack and stereo, and a verdict.
#[derive(Args)]
pub struct Compare {
    /// File that tells which recording belongs to which preset, key and velocity.
    #[arg(value_name = "RECORDINGS.toml")]
    map: PathBuf,
    /// Folder of the recordings; without it, the folder of the map.
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// Only instruments whose kind or preset contains this text; several times: any of the texts.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Writes a page with players, spectrograms and figures into this folder; created if missing.
    #[arg(long, value_name = "DIR", conflicts_with = "calibrate")]
    page: Option<PathBuf>,
    /// Writes a picture with the spectrograms of preset and recording for the hardest stroke of each instrument; created if missing.
    #[arg(long, value_name = "DIR", conflicts_with = "calibrate")]
    spectrograms: Option<PathBuf>,
    /// Page that an earlier version wrote with --page: its presets are shown beside the present ones.
    #[arg(long, value_name = "DIR", requires = "spectrograms")]
    before: Option<PathBuf>,
    /// The pictures show every stroke, from the softest down to the hardest, in place of the hardest alone.
    #[arg(long, requires = "spectrograms")]
    every_stroke: bool,
    /// Compares recordings with recordings and with controls made from them, in place of presets: how often the verdict is right.
    #[arg(long)]
    calibrate: bool,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// The whole result.
#[derive(Serialize)]
struct Report {
    summary: Summary,
    instruments: Vec<ComparedInstrument>,
}

/// Figures of all strokes that count.
#[derive(Serialize)]
struct Summary {
    instruments: usize,
    judged_instruments: usize,
    convincing_instruments: usize,
    strokes: usize,
    /// Strokes of judged instruments.
    judged_strokes: usize,
    convincing_strokes: usize,
    /// Instruments whose times to -60 dB agree in the median.
    agreeing_decays: usize,
    /// Mean distance [dB].
    mean_distance: f64,
    /// Mean distance in the best room [dB].
    mean_in_room: f64,
}

impl Compare {
    /// Compares. Errors: a fault in the map, no such preset, a recording that cannot be read, or a page that cannot be written.
    pub fn run(&self) -> Result<(), CliError> {
        let all = recording_map::read(&self.map)?;
        let folder = self.recordings.as_deref().or_else(|| self.map.parent()).unwrap_or(Path::new(""));
        let recordings = Recordings { map: &self.map, folder };
        let wanted = self.wanted(&all)?;
        if self.calibrate {
            return calibrate(&wanted, &all, recordings, self.json);
        }
        let page = self.page.as_deref();
        let pictures = self.spectrograms.as_deref();
        let spectrograms =
            pictures.map(|folder| Spectrograms { folder, before: self.before.as_deref(), every_stroke: self.every_stroke });
        let outputs = Outputs { page, spectrograms };
        let mut named = NamedInstrument::of(&all);
        // both are in the order of the map
        let mut rest = wanted.iter().peekable();
        named.retain(|named| rest.next_if(|wanted| std::ptr::eq(**wanted, named.instrument)).is_some());
        compare_files::check(&named, &all, recordings, outputs)?;
        let _folders = [output_folder("--page", page)?, output_folder("--spectrograms", pictures)?];
        let work = |named: &NamedInstrument| ComparedInstrument::of(named, &all, recordings, outputs);
        let instruments: Vec<_> = in_parallel(&named, |i| &i.instrument.kind, work).into_iter().collect::<Result<_, _>>()?;
        let report = Report { summary: summary(&instruments), instruments };
        if let Some(page) = page {
            let strokes =
                report.instruments.iter().flat_map(|i| i.strokes.iter().map(|row| page_stroke(i, row))).collect::<Vec<_>>();
            write_page(page, &table(&report), &strokes)?;
            print_note(format_args!("the page is {}", page_path(page).display()));
        }
        if self.json {
            return print(&(serde_json::to_string_pretty(&report).expect("plain numbers") + "\n"));
        }
        print(&table(&report))
    }

    /// The instruments that `--only` selects. Errors: none.
    fn wanted<'a>(&self, all: &'a [Instrument]) -> Result<Vec<&'a Instrument>, CliError> {
        let filter = NameFilter::new(&self.only);
        let is_wanted = |instrument: &&Instrument| {
            let preset = instrument.preset.as_deref();
            (self.calibrate || preset.is_some())
                && (filter.selects(&instrument.kind) || preset.is_some_and(|preset| filter.selects(preset)))
        };
        let wanted: Vec<&Instrument> = all.iter().filter(is_wanted).collect();
        if !wanted.is_empty() {
            return Ok(wanted);
        }
        let mut kinds: Vec<&str> = all.iter().filter(|i| self.calibrate || i.preset.is_some()).map(|i| i.kind.as_str()).collect();
        kinds.dedup();
        let remedy = if kinds.is_empty() {
            "give a preset in one of its sections".into()
        } else {
            format!("the kinds are {}", kinds.join(", "))
        };
        if self.only.is_empty() {
            return Err(CliError::about(
                &self.map,
                "no instrument has a preset",
                "add preset = \"..\" to a section [[instruments]]",
            ));
        }
        let only = NameFilter::typed(&self.only);
        Err(CliError::new(format_args!("{only}: {} has no such instrument", self.map.display()), remedy))
    }
}

/// The folder that `option` gives, made if it is missing, and removed at the end if it is empty. Errors: it cannot be made.
fn output_folder(option: &str, folder: Option<&Path>) -> Result<Option<OutputFolder>, CliError> {
    let Some(folder) = folder else { return Ok(None) };
    if is_standard_output(folder) {
        let remedy = format!("give a folder, for example {option} page");
        return Err(CliError::new(format_args!("{option}: several files cannot go to standard output"), remedy));
    }
    OutputFolder::create(folder).map(Some)
}

fn summary(instruments: &[ComparedInstrument]) -> Summary {
    let counted = |i: &'_ ComparedInstrument| i.strokes.iter().filter(|row| !row.is_repeated).cloned().collect::<Vec<_>>();
    let strokes: Vec<StrokeRow> = instruments.iter().flat_map(counted).collect();
    let judged: Vec<StrokeRow> = instruments.iter().filter(|i| i.is_judged).flat_map(counted).collect();
    let mean = |value: fn(&StrokeRow) -> f64| strokes.iter().map(value).sum::<f64>() / strokes.len().max(1) as f64;
    Summary {
        instruments: instruments.len(),
        judged_instruments: instruments.iter().filter(|i| i.is_judged).count(),
        convincing_instruments: instruments.iter().filter(|i| i.is_convincing).count(),
        strokes: strokes.len(),
        judged_strokes: judged.len(),
        convincing_strokes: judged.iter().filter(|row| row.verdict.is_convincing).count(),
        agreeing_decays: instruments.iter().filter(|i| i.decays.agree()).count(),
        mean_distance: mean(|row| row.comparison.distance.all),
        mean_in_room: mean(|row| row.comparison.in_room),
    }
}

/// The verdict of a stroke in words.
fn verdict(instrument: &ComparedInstrument, row: &StrokeRow) -> String {
    match () {
        () if row.is_repeated => "a copy of another stroke".into(),
        () if !instrument.is_judged => "not judged".into(),
        () if row.verdict.is_convincing => "convincing".into(),
        () => row.verdict.beyond.join(", "),
    }
}

fn fixed(value: Option<f64>, width: usize, decimals: usize) -> String {
    let shown = value.map_or_else(|| "-".into(), |value| format!("{value:.decimals$}"));
    format!("{shown:>width$}")
}

fn table(report: &Report) -> String {
    let mut text = String::from(
        "kind                 preset               recording                     vel    D   Dr real  partials  flatness  between 60 ms  100-400 ms  verdict\n",
    );
    for instrument in &report.instruments {
        for row in &instrument.strokes {
            let c = &row.comparison;
            let name = row.recording.rsplit('/').next().unwrap_or("");
            let pair = |pair: [Option<f64>; 2], width, decimals| pair.map(|value| fixed(value, width, decimals)).join("/");
            let _ = writeln!(
                text,
                "{:<20.20} {:<20.20} {name:<29.29} {:>3} {} {} {} {:>4}/{:<4} {}  {}      {}    {}",
                instrument.kind,
                instrument.preset,
                row.velocity,
                fixed(Some(c.distance.all), 4, 1),
                fixed(Some(c.in_room), 4, 1),
                fixed(row.real, 4, 1),
                c.partials[0],
                c.partials[1],
                pair(c.flatness, 4, 2),
                pair(c.between_early, 4, 0),
                pair(c.between_late, 4, 0),
                verdict(instrument, row)
            );
        }
        for (milliseconds, brighter) in [(20, instrument.brighter_early), (300, instrument.brighter_late)] {
            if let Some([recorded, played]) = brighter {
                let _ = writeln!(text, "  hard over soft at {milliseconds} ms: {recorded:+.1} octaves, preset {played:+.1}");
            }
        }
        if let Some(line) = instrument.decays.line() {
            let _ = writeln!(text, "{line}");
        }
    }
    let Summary { instruments, judged_instruments, convincing_instruments, strokes, judged_strokes, .. } = report.summary;
    let Summary { convincing_strokes, agreeing_decays, mean_distance, mean_in_room, .. } = report.summary;
    text + &format!(
        "{strokes} strokes of {instruments} instruments: D {mean_distance:.2} dB, Dr {mean_in_room:.2} dB; convincing {convincing_strokes} of {judged_strokes} judged strokes, {convincing_instruments} of {judged_instruments} judged instruments; T60 within a factor of {AGREEING} for {agreeing_decays} of {instruments} instruments\n"
    )
}

fn page_stroke(instrument: &ComparedInstrument, row: &StrokeRow) -> PageStroke {
    let figures = LIMITS.iter().map(|limit| {
        let decimals = limit.decimals();
        let [recorded, played] = (limit.both)(&row.comparison).map(|value| fixed(value, 0, decimals));
        let value = fixed((limit.value)(&row.comparison), 0, decimals);
        let name = if limit.unit.is_empty() { limit.name.to_owned() } else { format!("{} [{}]", limit.name, limit.unit) };
        [name, recorded, played, value, fixed(Some(limit.most), 0, decimals)]
    });
    let shared = row.comparison.shared.map(|share| fixed(Some(share), 0, 2));
    let not_judged = [["shared partials".into(), shared[0].clone(), shared[1].clone(), String::new(), "not judged".into()]];
    let is_beyond = |place: &usize| row.verdict.beyond.contains(&LIMITS[*place].name);
    PageStroke {
        title: format!("{} – {}, velocity {}", instrument.kind, instrument.preset, row.velocity),
        file: row.page_file.clone(),
        verdict: verdict(instrument, row),
        is_convincing: row.verdict.is_convincing,
        figures: figures.chain(not_judged).collect(),
        failed: (0..LIMITS.len()).filter(is_beyond).collect(),
    }
}
