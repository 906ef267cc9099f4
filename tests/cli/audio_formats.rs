//! Formats of audio files: WAV and FLAC as output, hostile headers and 64-bit floating point as input.

use crate::support::midi_writer::{C4_OFF, C4_ON, song};
use crate::support::program::Folder;

/// A mono WAV file: format (1 PCM, 3 float), sample rate, bits, claimed size of its samples, samples.
fn wav(format: u16, rate: u32, bits: u16, claimed: u32, samples: &[u8]) -> Vec<u8> {
    let mut bytes = [b"RIFF", &claimed.wrapping_add(36).to_le_bytes()[..], b"WAVEfmt \x10\0\0\0"].concat();
    bytes.extend([format, 1].iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend([rate, rate.wrapping_mul(u32::from(bits / 8))].iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend([bits / 8, bits].iter().flat_map(|word| word.to_le_bytes()));
    [&bytes, &b"data"[..], &claimed.to_le_bytes(), samples].concat()
}

/// A decaying tone of half a second at 48 kHz.
fn tone() -> impl Iterator<Item = f64> {
    (0..24_000).map(|n| 0.5 * (f64::from(n) * 0.06).sin() * (-f64::from(n) * 2e-4).exp())
}

#[test]
fn a_wav_file_of_64_bit_float_is_read_everywhere() {
    let folder = Folder::new("wav-64");
    folder.write("in.mid", song(&[(0, C4_ON)]));
    let (wide, narrow): (Vec<_>, Vec<_>) = tone().map(|x| (x.to_le_bytes(), (x as f32).to_le_bytes())).unzip();
    folder.write("64.wav", wav(3, 48_000, 64, 192_000, &wide.concat()));
    folder.write("32.wav", wav(3, 48_000, 32, 96_000, &narrow.concat()));
    for bits in ["32", "64"] {
        let name = format!("{bits}.wav");
        let drive = ["--drive", &name, "--set", "drive_gain=20"];
        folder.succeed(&[&["render", "in.mid", &format!("drive-{name}"), "--tail", "0.5"][..], &drive].concat());
        let preset = format!("schema = 2\n[drive]\nsample = \"{name}\"\n");
        folder.write(&format!("{bits}.toml"), &preset);
        let sample = ["--preset", &format!("{bits}.toml"), "--set", "drive_gain=20", "--set", "drive_source=sample"];
        folder.succeed(&[&["render", "in.mid", &format!("sample-{name}"), "--tail", "0.5"][..], &sample].concat());
    }
    assert!(folder.read_wav("drive-64.wav") == folder.read_wav("drive-32.wav"));
    assert!(folder.read_wav("sample-64.wav") == folder.read_wav("sample-32.wav"));
    let estimates = ["32.wav", "64.wav"].map(|name| folder.succeed(&["modes", "from-wav", name, "--json"]));
    assert_eq!(estimates[0], estimates[1]);
}

#[test]
fn hostile_wav_headers_are_rejected_at_once() {
    let folder = Folder::new("wav-hostile");
    folder.write("in.mid", song(&[(0, C4_ON)]));
    let samples = [0, 64].repeat(2_000);
    for (bytes, message) in [
        (wav(1, 1, 16, 4_000, &samples), "w.wav: a sample rate of 1 Hz is out of range; save it at 1000 to 768000 Hz"),
        (wav(1, 4_294_967_295, 16, 4_000, &samples), "a sample rate of 4294967295 Hz is out of range"),
        (
            wav(1, 48_000, 16, 4_294_967_280, &samples),
            "its header claims 4294967280 bytes of samples, the whole file has only 4044",
        ),
        (wav(1, 48_000, 16, 4_010, &samples), "its header claims 4010 bytes of samples, the file has only 4000"),
        (wav(7, 8_000, 8, 4_000, &samples), "compressed, or of an unknown kind (format 7); save it as WAV with PCM"),
    ] {
        folder.write("w.wav", bytes);
        folder.write("w.toml", "schema = 2\n[drive]\nsample = \"w.wav\"\n");
        let started = std::time::Instant::now();
        for arguments in [
            &["render", "in.mid", "o.wav", "--drive", "w.wav", "--set", "drive_gain=10"][..],
            &["render", "in.mid", "o.wav", "--preset", "w.toml"],
            &["modes", "from-wav", "w.wav"],
        ] {
            let complaint = folder.refuse(arguments);
            assert!(complaint.contains(message), "{complaint}");
        }
        assert!(started.elapsed().as_secs() < 10, "{message}: {:?}", started.elapsed());
    }
    // a sparse file of two hours that takes no space
    folder.write("w.wav", wav(1, 48_000, 16, 691_200_000, &[]));
    let file = std::fs::File::options().write(true).open(folder.path("w.wav")).expect("the file");
    file.set_len(691_200_044).expect("a sparse file");
    let complaint = folder.refuse(&["modes", "from-wav", "w.wav"]);
    assert!(complaint.contains("345600000 samples, 120.0 minutes, are too many; cut it to at most 60 minutes"), "{complaint}");
}

/// The content of a FLAC file: sample rate, bits, and left and right in turn.
fn decode(folder: &Folder, name: &str) -> (u32, u32, Vec<i32>) {
    let mut reader = claxon::FlacReader::open(folder.path(name)).expect("a FLAC file");
    let info = reader.streaminfo();
    let samples: Vec<i32> = reader.samples().collect::<Result<_, _>>().expect("whole blocks with correct sums");
    assert_eq!((info.channels, info.samples), (2, Some(samples.len() as u64 / 2)), "{name}");
    (info.sample_rate, info.bits_per_sample, samples)
}

/// The samples of a WAV file of integers.
fn integers(folder: &Folder, name: &str) -> (u16, Vec<i32>) {
    let reader = hound::WavReader::open(folder.path(name)).expect("a WAV file");
    assert_eq!(reader.spec().sample_format, hound::SampleFormat::Int, "{name}");
    (reader.spec().bits_per_sample, reader.into_samples().map(Result::unwrap).collect())
}

#[test]
fn flac_files_hold_the_samples_of_wav_files() {
    let folder = Folder::new("flac");
    folder.write("in.mid", song(&[(0, C4_ON), (480, C4_OFF)]));
    // 4003 frames are less than a block, 25603 are several and a part
    for (rate, tail) in [("48000", "0.5"), ("8006", "0"), ("192000", "0.01"), ("655350", "0")] {
        for bits in ["16", "24"] {
            let common = ["--rate", rate, "--tail", tail, "--bits", bits];
            folder.succeed(&[&["render", "in.mid", "o.wav"], &common[..]].concat());
            folder.succeed(&[&["render", "in.mid", "o.flac"], &common[..]].concat());
            let (decoded_rate, decoded_bits, samples) = decode(&folder, "o.flac");
            assert_eq!((decoded_rate.to_string(), decoded_bits.to_string()), (rate.to_owned(), bits.to_owned()));
            assert!(integers(&folder, "o.wav") == (decoded_bits as u16, samples), "{rate} Hz, {bits} bits");
        }
    }
    assert!(folder.read("o.flac").starts_with(b"fLaC"));
    assert!(folder.read("o.flac").len() < folder.read("o.wav").len());
}

#[test]
fn the_format_follows_the_name_or_the_option() {
    let folder = Folder::new("format");
    folder.write("in.mid", song(&[(0, C4_ON)]));
    let play = |arguments: &[&str]| folder.succeed(&[&["render", "in.mid"], arguments, &["--tail", "0.1"]].concat());
    for (name, format, bits) in [("a.wav", "wav-16", 16), ("b.wav", "wav-24", 24), ("c", "wav-16", 16), ("i.xyz", "wav-24", 24)] {
        play(&[name, "--format", format]);
        assert_eq!(integers(&folder, name).0, bits);
    }
    play(&["d.wav"]);
    play(&["e.WAV", "--format", "wav-float"]);
    assert!(folder.read("d.wav") == folder.read("e.WAV") && folder.read_wav("d.wav").0.len() == 4_800);
    for (name, options, bits) in [("f.flac", &[][..], 24), ("G.FLAC", &["--bits", "16"], 16), ("h", &["--format", "flac-16"], 16)]
    {
        play(&[&[name], options].concat());
        assert_eq!(decode(&folder, name).1, bits, "{name}");
    }
    for (arguments, message) in [
        (&["o.mp3"][..], "o.mp3: files that end in .mp3 are not written; give a name that ends in .wav or .flac"),
        (
            &["o.xyz"],
            "o.xyz: files that end in .xyz are not written; give a name that ends in .wav or .flac, or choose the format",
        ),
        (&["o.wave", "--bits", "16"], "o.wave: files that end in .wave are not written; give a name"),
        (&["o.wav", "--format", "flac-24"], "o.wav: the name ends in .wav, but --format asks for FLAC; name it o.flac"),
        (&["o.flac", "--format", "wav-16"], "o.flac: the name ends in .flac, but --format asks for WAV; name it o.wav"),
        (&["o.aiff", "--format", "wav-16"], "o.aiff: the name ends in .aiff, but --format asks for WAV; name it o.wav"),
        (&["o.flac", "--bits", "32"], "o.flac: FLAC has no 32-bit floating point; give --bits 24 or 16"),
        (&["o.flac", "--rate", "1000000"], "o.flac: FLAC has no sample rate of 1000000 Hz; give at most --rate 655350"),
    ] {
        let complaint = folder.refuse(&[&["render", "in.mid"], arguments].concat());
        assert!(complaint.contains(message), "{complaint}");
    }
    assert_eq!(folder.run(&["render", "in.mid", "o.xyz"]).status.code(), Some(2));
    play(&["j"]);
    assert!(folder.read("j") == folder.read("d.wav"), "a name without an ending is WAV");
    let both = folder.run(&["render", "in.mid", "o.wav", "--format", "wav-16", "--bits", "16"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn the_rounding_error_of_16_bits_is_dithered() {
    let folder = Folder::new("dither");
    folder.write("in.mid", song(&[(0, C4_ON)]));
    // the tone is far below a step of 16 bits
    let quiet = ["--set", "level=-60", "--tail", "2"];
    folder.succeed(&[&["render", "in.mid", "float.wav"], &quiet[..]].concat());
    for name in ["whole.wav", "again.wav"] {
        folder.succeed(&[&["render", "in.mid", name, "--bits", "16"], &quiet[..]].concat());
    }
    assert!(folder.read("whole.wav") == folder.read("again.wav"), "the same sound gives the same file");
    let (left, right) = folder.read_wav("float.wav");
    let samples = integers(&folder, "whole.wav").1;
    let exact = left.iter().zip(&right).flat_map(|(&l, &r)| [l, r]).map(|x| f64::from(x) * 32_768.0);
    let errors: Vec<_> = samples.iter().zip(exact.clone()).map(|(&whole, exact)| f64::from(whole) - exact).collect();
    let count = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / count;
    let power = errors.iter().map(|error| error * error).sum::<f64>() / count;
    // triangular dither of two steps and rounding: 1/6 + 1/12 of a step squared
    assert!(mean.abs() < 0.01 && (power - 0.25).abs() < 0.01, "mean {mean}, power {power}");
    assert!(errors.iter().all(|error| error.abs() <= 1.5), "more than one step and a half");
    // the error does not follow the sound
    let follows = errors.iter().zip(exact.clone()).map(|(error, exact)| error * exact).sum::<f64>();
    let sound = exact.map(|exact| exact * exact).sum::<f64>();
    assert!((follows / sound).abs() < 0.05, "{} of the sound is lost", follows / sound);
}
