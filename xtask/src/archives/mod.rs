//! Release archives for this system and others: plugins, programs, installer, licences, manual and checksums.

mod content;
mod documents;
mod glibc;
mod pack;
mod signing;
mod trial;
mod universal;

use crate::paths::Paths;
use crate::target::Target;
use anyhow::{Result, bail, ensure};
use std::path::{Path, PathBuf};

/// The version of all packages of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Arguments after `--target`.
const TARGETS: &str = "windows | arm | web | all";

/// A system that an archive is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum System {
    /// The present one.
    Native,
    /// Another, for which this one builds.
    Other(Target),
    /// Browsers: the folder that `cargo xtask web` builds.
    Web,
}

/// How plugins and programs are built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Profile {
    /// As they are released.
    Release,
    /// In a quarter of the time, to try the packing.
    Quick,
}

impl Profile {
    /// Arguments of cargo.
    fn arguments(self) -> Option<String> {
        (self == Self::Release).then(|| "--release".to_owned())
    }

    /// Folder of the build in cargo's target folder.
    fn folder(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Quick => "debug",
        }
    }
}

/// What the task does.
#[derive(Debug, PartialEq)]
struct Options {
    systems: Vec<System>,
    profile: Profile,
    /// Whether the archive of the present system is unpacked and tried.
    trial: bool,
}

/// An archive, and the folder in it.
pub struct Archive {
    /// Path of the file.
    pub file: PathBuf,
    /// Name of the only folder in the file.
    pub folder: String,
}

/// Packs the archives that `arguments` select, into `target/dist/`. Errors: unknown arguments; a licence that `deny.toml` does not allow; a
/// missing file; a program that needs a newer glibc than Debian 12 has.
pub fn run(paths: &Paths, arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let start = std::time::Instant::now();
    let archives = pack_all(paths, &options.systems, options.profile)?;
    println!("\nwrote to {} in {:.0} s:", paths.target.join("dist").display(), start.elapsed().as_secs_f64());
    for archive in &archives {
        let size = std::fs::metadata(&archive.file)?.len() as f64 / 1e6;
        println!("  {} ({size:.1} MB)", archive.file.display());
    }
    println!("  {}", paths.target.join("dist").join(pack::CHECKSUMS).display());
    if options.trial {
        ensure!(options.systems[0] == System::Native, "--try unpacks the archive of this system: leave --target out");
        trial::run(paths, &archives[0])?;
    }
    Ok(())
}

/// Packs the archive for another system.
pub fn pack_for(paths: &Paths, target: Target, profile: Profile) -> Result<Archive> {
    let mut archives = pack_all(paths, &[System::Other(target)], profile)?;
    Ok(archives.remove(0))
}

fn pack_all(paths: &Paths, systems: &[System], profile: Profile) -> Result<Vec<Archive>> {
    // before the builds, which take minutes
    documents::check_licences(paths)?;
    let dist = paths.output("dist")?;
    let documents = documents::collect(paths)?;
    let mut archives = Vec::new();
    for system in systems {
        archives.push(pack::pack(paths, &dist, *system, profile, &documents)?);
    }
    pack::write_checksums(&dist)?;
    Ok(archives)
}

impl System {
    /// All systems that this one can pack.
    const ALL: [Self; 4] = [Self::Native, Self::Other(Target::Windows), Self::Other(Target::Arm), Self::Web];

    /// Operating system and processor, as in the names of the archives.
    fn name(self) -> String {
        match self {
            // both processors in one file
            Self::Native if cfg!(target_os = "macos") => "macos-universal".into(),
            Self::Native => format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
            Self::Other(target) => target.system().into(),
            Self::Web => "web".into(),
        }
    }

    fn is_windows(self) -> bool {
        self.name().starts_with("windows")
    }

    fn is_linux(self) -> bool {
        self.name().starts_with("linux")
    }
}

impl Archive {
    /// The folder of the archive after it was unpacked into `place`.
    pub fn unpacked(&self, place: &Path) -> PathBuf {
        place.join(&self.folder)
    }
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut options = Self { systems: vec![System::Native], profile: Profile::Release, trial: false };
        let mut rest = arguments.iter().map(String::as_str);
        while let Some(argument) = rest.next() {
            match argument {
                "--try" => options.trial = true,
                "--quick" => options.profile = Profile::Quick,
                "--target" => options.systems = Self::systems(rest.next().unwrap_or(""))?,
                other => bail!("unknown argument `{other}`; write `cargo xtask dist [--try] [--quick] [--target {TARGETS}]`"),
            }
        }
        Ok(options)
    }

    fn systems(target: &str) -> Result<Vec<System>> {
        Ok(match target {
            "windows" => vec![System::Other(Target::Windows)],
            "arm" => vec![System::Other(Target::Arm)],
            "web" => vec![System::Web],
            "all" => System::ALL.into(),
            other => bail!("unknown target `{other}`; the targets are {TARGETS}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Options> {
        Options::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn targets_are_parsed_and_others_are_refused() {
        assert_eq!(parse("").unwrap(), Options { systems: vec![System::Native], profile: Profile::Release, trial: false });
        let all = Options { systems: System::ALL.into(), profile: Profile::Quick, trial: true };
        assert_eq!(parse("--try --quick --target all").unwrap(), all);
        assert_eq!(parse("--target arm").unwrap().systems[0].name(), "linux-aarch64");
        assert!(parse("--target atari").unwrap_err().to_string().contains(TARGETS));
        assert!(parse("--target").is_err() && parse("windows").is_err());
    }

    #[test]
    fn all_packages_take_the_version_of_the_workspace() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for manifest in ["Cargo.toml", "xtask/Cargo.toml"] {
            let text = std::fs::read_to_string(root.join(manifest)).unwrap();
            assert!(text.contains("version.workspace = true"), "{manifest}");
        }
    }
}
