//! Arguments of `cargo xtask test`: tiers and parts of the checks.

use anyhow::{Result, bail};

/// Help of `cargo xtask test`.
pub const HELP: &str = "\
cargo xtask test [--thorough | --nightly] [--list] [PART...]

  everyday tier (no option)  run all checks at fixed, small sizes; about ten minutes from a clean clone
  --thorough                 run all tests at their full sizes, all sets of features, all instruction counts and the release build
  --nightly                  run the thorough tier, an hour of soak, every fuzz target and external hosts
  --list                     list the parts and the time that each took in its last run; run nothing
  PART                       run only physics, engine, plugin, editor, command-line, documents, lints, costs or demo
";

/// Extent of the checks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tier {
    /// All tests at fixed, small sizes.
    Everyday,
    /// All tests at their full sizes.
    Thorough,
    /// The thorough tier and the checks that take hours.
    Nightly,
}

impl Tier {
    /// All tiers, the smallest first.
    pub const ALL: [Self; 3] = [Self::Everyday, Self::Thorough, Self::Nightly];

    /// Name in messages and stored times.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everyday => "everyday",
            Self::Thorough => "thorough",
            Self::Nightly => "nightly",
        }
    }

    /// Whether tests run at their full size.
    pub fn is_thorough(self) -> bool {
        self != Self::Everyday
    }
}

/// A part of the checks, which can be run alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    Lints,
    Physics,
    Engine,
    Plugin,
    Editor,
    CommandLine,
    Documents,
    Costs,
    Demo,
}

impl Part {
    /// All parts in the order of the list.
    pub const ALL: [Self; 9] = [
        Self::Lints,
        Self::Physics,
        Self::Engine,
        Self::Plugin,
        Self::Editor,
        Self::CommandLine,
        Self::Documents,
        Self::Costs,
        Self::Demo,
    ];

    /// Name as an argument.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lints => "lints",
            Self::Physics => "physics",
            Self::Engine => "engine",
            Self::Plugin => "plugin",
            Self::Editor => "editor",
            Self::CommandLine => "command-line",
            Self::Documents => "documents",
            Self::Costs => "costs",
            Self::Demo => "demo",
        }
    }

    /// Content of the part in one line.
    pub fn description(self) -> &'static str {
        match self {
            Self::Lints => "format, lock files, lints with all features",
            Self::Physics => "contact, bodies, energy, the figures of the papers, Fourier transforms",
            Self::Engine => "presets, tuning, polyphony, memory allocation, a short soak test",
            Self::Plugin => "CLAP and VST3 in test hosts, states, threads, the standalone program",
            Self::Editor => "pages and controls without a window, windows under Xvfb",
            Self::CommandLine => "commands, messages, files with arbitrary content",
            Self::Documents => "manual, links, examples, documentation of the library, import rules",
            Self::Costs => "instructions of the kernels",
            Self::Demo => "a piece through the bundled plugin: in tune, not silent, not clipped",
        }
    }

    /// Options of cargo that build its test programs when it is run alone, each with its value.
    pub fn build_targets(self) -> &'static [&'static str] {
        match self {
            Self::Lints => &[],
            Self::Physics => &["--package urto-fourier", "--package urto-physics", "--lib", "--test physics"],
            Self::Engine => &["--package urto-engine", "--lib", "--test engine"],
            Self::Plugin => &["--package urto", "--lib", "--test plugin"],
            Self::Editor => &["--package urto", "--package urto-body-mesh", "--lib", "--test editor_windows"],
            Self::CommandLine => &["--package urto", "--bin urto-cli", "--test cli", "--test fuzz_claims"],
            Self::Documents => &["--package urto", "--package xtask", "--package urto-media", "--test documents", "--bins"],
            Self::Costs => &["--package urto", "--bench cost"],
            // run alone, the demo builds its programs itself
            Self::Demo => &[],
        }
    }

    /// The part of the test `name` in the program `program`.
    pub fn of_test(program: &str, name: &str) -> Self {
        match program {
            "urto_fourier" | "urto_physics" | "physics" => Self::Physics,
            "urto_engine" | "engine" => Self::Engine,
            "editor_windows" | "urto_body_mesh" => Self::Editor,
            "urto" if ["editor::", "editor_capture::", "window_system::"].iter().any(|module| name.starts_with(module)) => {
                Self::Editor
            }
            "urto" | "plugin" | "standalone" => Self::Plugin,
            "urto-cli" | "cli" | "fuzz_claims" => Self::CommandLine,
            "xtask" | "urto-media" | "documents" => Self::Documents,
            other => panic!("the test program `{other}` has no part: add it to Part::of_test in xtask/src/test/options.rs"),
        }
    }
}

/// Tier and parts of a run.
#[derive(Debug, PartialEq)]
pub struct Options {
    /// Extent of the checks.
    pub tier: Tier,
    /// Selected parts; never empty.
    pub parts: Vec<Part>,
    /// Whether to list the parts instead of running them.
    pub list: bool,
}

impl Options {
    /// Parses the arguments of `cargo xtask test`. Errors: an unknown argument, with the help text.
    pub fn parse(arguments: &[String]) -> Result<Self> {
        let mut options = Self { tier: Tier::Everyday, parts: Vec::new(), list: false };
        for argument in arguments {
            match argument.as_str() {
                "--thorough" => options.tier = Tier::Thorough,
                "--nightly" => options.tier = Tier::Nightly,
                "--list" => options.list = true,
                name => match Part::ALL.into_iter().find(|part| part.name() == name) {
                    Some(part) => options.parts.push(part),
                    None => bail!("unknown argument `{name}`\n\n{HELP}"),
                },
            }
        }
        if options.parts.is_empty() {
            options.parts = Part::ALL.into();
        }
        Ok(options)
    }

    /// Whether all parts are selected.
    pub fn is_everything(&self) -> bool {
        self.parts.len() == Part::ALL.len()
    }

    /// Whether a part is selected.
    pub fn includes(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Options> {
        Options::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn parts_and_tiers_are_parsed_and_other_arguments_are_refused() {
        let options = parse("--thorough engine command-line").unwrap();
        assert_eq!(options, Options { tier: Tier::Thorough, parts: vec![Part::Engine, Part::CommandLine], list: false });
        assert_eq!(parse("").unwrap().parts, Part::ALL);
        assert!(parse("engin").unwrap_err().to_string().contains("unknown argument `engin`"));
    }

    #[test]
    fn unit_tests_of_the_editor_belong_to_the_part_editor() {
        assert_eq!(Part::of_test("urto", "editor::tests::opens"), Part::Editor);
        assert_eq!(Part::of_test("urto", "params::tests::defaults"), Part::Plugin);
    }
}
