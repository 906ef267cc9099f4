//! What of the checks is to be run.

use anyhow::{Result, bail};

/// Help of `cargo xtask test`.
pub const HELP: &str = "\
cargo xtask test [--thorough | --nightly] [--list] [PART...]

  everyday tier (no option)  all promises at a fixed, small size; about ten minutes from a clean clone
  --thorough                 all tests at their whole size, all sets of features, instruction counts, the release build of the plugin
  --nightly                  the thorough tier, an hour of soak, every fuzz target and other hosts
  --list                     the parts, and the time that each took last
  PART                       physics, engine, plugin, editor, command-line, documents, lints, costs, demo; all of them without a name
";

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tier {
    /// Fixed, small sizes.
    Everyday,
    /// Whole sizes.
    Thorough,
    /// Whole sizes and what takes hours.
    Nightly,
}

impl Tier {
    /// All tiers, the smallest first.
    pub const ALL: [Self; 3] = [Self::Everyday, Self::Thorough, Self::Nightly];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everyday => "everyday",
            Self::Thorough => "thorough",
            Self::Nightly => "nightly",
        }
    }

    /// Whether tests run at their whole size.
    pub fn is_thorough(self) -> bool {
        self != Self::Everyday
    }
}

/// A part of the checks.
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
    /// All parts, in the order in which they are listed.
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

    /// Its name as an argument.
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

    /// What it checks, in a line.
    pub fn checks(self) -> &'static str {
        match self {
            Self::Lints => "format, lints with all features, the library without features",
            Self::Physics => "contact, bodies, energy, the papers' figures",
            Self::Engine => "notes to samples: presets, tuning, polyphony, allocation, a session of everything at once",
            Self::Plugin => "CLAP and VST3 in hosts of the tests, states, threads, the standalone program",
            Self::Editor => "pages and controls without a window, windows under Xvfb",
            Self::CommandLine => "commands, messages, files of any content",
            Self::Documents => "manual, links, examples, documentation of the library, directions of imports",
            Self::Costs => "instructions of the kernels",
            Self::Demo => "a piece through the bundled plugin: in tune, not silent, not clipped",
        }
    }

    /// Packages and targets of cargo that it needs, where it is run alone.
    pub fn build_targets(self) -> &'static [&'static str] {
        match self {
            Self::Lints => &[],
            Self::Physics => &["--package", "urto-physics", "--lib", "--test", "physics"],
            Self::Engine => &["--package", "urto-engine", "--lib", "--test", "engine"],
            Self::Plugin => &["--package", "urto", "--lib", "--test", "plugin"],
            Self::Editor => &["--package", "urto", "--lib", "--test", "editor_windows"],
            Self::CommandLine => &["--package", "urto", "--bin", "urto-cli", "--test", "cli", "--test", "fuzz_claims"],
            Self::Documents => {
                &["--package", "urto", "--package", "xtask", "--package", "urto-media", "--test", "documents", "--bins"]
            }
            Self::Costs => &["--package", "urto", "--bench", "cost"],
            // alone it builds what it needs by itself
            Self::Demo => &[],
        }
    }

    /// The part that the test `name` of the program `program` belongs to.
    pub fn of_test(program: &str, name: &str) -> Self {
        match program {
            "urto_physics" | "physics" => Self::Physics,
            "urto_engine" | "engine" => Self::Engine,
            "editor_windows" => Self::Editor,
            "urto" if ["editor::", "studio::", "graphics::"].iter().any(|module| name.starts_with(module)) => Self::Editor,
            "urto" | "plugin" | "standalone" => Self::Plugin,
            "urto-cli" | "cli" | "fuzz_claims" => Self::CommandLine,
            "xtask" | "urto-media" | "documents" => Self::Documents,
            other => panic!("the test program `{other}` belongs to no part: add it to Part::of_test"),
        }
    }
}

/// Tier and parts of a run.
#[derive(Debug, PartialEq)]
pub struct Options {
    /// How much.
    pub tier: Tier,
    /// What; never empty.
    pub parts: Vec<Part>,
    /// Whether to list the parts instead of running them.
    pub list: bool,
}

impl Options {
    /// Reads the arguments of `cargo xtask test`. Errors: an unknown word, with those that there are.
    pub fn parse(arguments: &[String]) -> Result<Self> {
        let mut options = Self { tier: Tier::Everyday, parts: Vec::new(), list: false };
        for word in arguments {
            match word.as_str() {
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

    /// Whether all parts are chosen.
    pub fn is_everything(&self) -> bool {
        self.parts.len() == Part::ALL.len()
    }

    /// Whether a part is chosen.
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
    fn parts_and_tiers_are_read_and_other_words_are_refused() {
        let options = parse("--thorough engine command-line").unwrap();
        assert_eq!(options, Options { tier: Tier::Thorough, parts: vec![Part::Engine, Part::CommandLine], list: false });
        assert_eq!(parse("").unwrap().parts, Part::ALL);
        assert!(parse("engin").unwrap_err().to_string().contains("unknown argument `engin`"));
    }

    #[test]
    fn the_editors_unit_tests_are_a_part_of_their_own() {
        assert_eq!(Part::of_test("urto", "editor::tests::opens"), Part::Editor);
        assert_eq!(Part::of_test("urto", "params::tests::defaults"), Part::Plugin);
    }
}
