//! Runs the program in a temporary folder.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder that only one test uses; empty at first.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder called `name`.
    pub fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        // in Wine the path lacks the letter of its drive
        Self(std::path::absolute(path).expect("a path"))
    }

    /// Where the file `name` lies.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), bytes).expect("a file for the test");
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Reads a stereo WAV file as left and right.
    pub fn read_wav(&self, name: &str) -> (Vec<f32>, Vec<f32>) {
        let reader = hound::WavReader::open(self.0.join(name)).expect("a WAV file");
        let samples: Vec<f32> = match reader.spec().sample_format {
            hound::SampleFormat::Float => reader.into_samples().map(Result::unwrap).collect(),
            hound::SampleFormat::Int => {
                let full = 2_f32.powi(i32::from(reader.spec().bits_per_sample) - 1);
                reader.into_samples::<i32>().map(|sample| sample.unwrap() as f32 / full).collect()
            }
        };
        (samples.iter().step_by(2).copied().collect(), samples.iter().skip(1).step_by(2).copied().collect())
    }

    /// The names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder");
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The program with `arguments`, to be run here.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_urto-cli"));
        // the user's own presets would be found otherwise
        command.envs(["XDG_DATA_HOME", "HOME", "USERPROFILE"].map(|name| (name, self.0.join("home"))));
        if self.0.join("tmp").is_dir() {
            command.env("TMPDIR", self.0.join("tmp"));
        }
        command.current_dir(&self.0).args(arguments);
        command
    }

    /// Runs the program here.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program runs")
    }

    /// Runs the program here, with `input` on its standard input.
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut program = command.spawn().expect("the program runs");
        // a program that refuses its arguments does not read
        let _ = program.stdin.take().expect("a pipe").write_all(input);
        program.wait_with_output().expect("the program ends")
    }

    /// Runs the program, which must succeed; its standard output.
    pub fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs the program, which must complain with one line, exit code 2 and an empty standard output; the complaint.
    pub fn refuse(&self, arguments: &[&str]) -> String {
        let before = self.names();
        let output = self.run(arguments);
        let errors = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.starts_with("urto-cli: ") && errors.ends_with(".\n"), "{arguments:?}: {errors}");
        assert_eq!(self.names(), before, "{arguments:?} left something behind");
        errors
    }
}
