//! `presets pack` and `presets install`: presets as one archive.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::arguments::{LoadedPatch, library_error, load_patch_and_files, preset_folder};
use crate::io::error::print;
use crate::io::output_file::{check_distinct, check_distinct_files, check_terminal, print_beside, shown};
use crate::io::{CliError, PendingFile};
use urto::preset_pack::{PackError, PresetPack, summary};
use urto_engine::patch::preset_library;

/// Writes the pack `out` of `presets`. Errors: a preset that cannot be read, two of one name, or a file that cannot be written.
pub fn pack(out: &Path, presets: &[OsString]) -> Result<(), CliError> {
    let inputs: Vec<_> = presets.iter().map(|name| Some(Path::new(name))).collect();
    check_distinct(&inputs, &[Some(out)])?;
    check_terminal(out)?;
    let mut patches = Vec::new();
    for name in presets {
        let folder = Path::new(name);
        if folder.is_dir() {
            let files = preset_library::files_in(folder);
            check_distinct_files(&files, &[Some(out)])?;
            for file in files {
                patches.push(preset_library::read(&file).map_err(library_error)?.0);
            }
        } else {
            let LoadedPatch { patch, files } = load_patch_and_files(name)?;
            check_distinct_files(&files, &[Some(out)])?;
            patches.push(patch);
        }
    }
    let count = patches.len();
    let bytes = PresetPack::new(out, patches).and_then(|pack| pack.to_bytes(out)).map_err(pack_error)?;
    let (pending, mut file) = PendingFile::create(out)?;
    file.write_all(&bytes).map_err(|error| CliError::unwritable(out, error))?;
    drop(file);
    pending.publish()?;
    let presets = if count == 1 { "preset" } else { "presets" };
    print_beside(&format!("{}: {count} {presets}, {} bytes\n", shown(out).display(), bytes.len()), &[Some(out)])
}

/// Installs `packs` in the user's folder. Errors: a pack that cannot be read, before anything is installed; or a file that cannot be written.
pub fn install(packs: &[PathBuf]) -> Result<(), CliError> {
    let folder = preset_folder()?;
    let packs: Vec<_> = packs.iter().map(|file| PresetPack::read(file)).collect::<Result<_, _>>().map_err(pack_error)?;
    for pack in packs {
        print(&format!("{}\n", summary(&pack.install(&folder).map_err(pack_error)?)))?;
    }
    Ok(())
}

fn pack_error(error: PackError) -> CliError {
    match error {
        PackError::File(file, problem, remedy) => CliError::about(&file, problem, remedy),
        PackError::Preset(error) => library_error(error),
    }
}
