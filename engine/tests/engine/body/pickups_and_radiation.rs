//! Pickups, radiation, tube, bridge and mallet noise, and the level of their sum in mono.

use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::params::BodyKind;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::params::Radiation as Heard;
use urto_engine::params::{MATERIALS, RADIATIONS};
use urto_engine::patch::{ListedMode, Patch};
use urto_engine::{Engine, EngineConfig};
use urto_physics::bodies::Material as Stuff;

/// Steady modes with these ratios, equally strong at the strike and at both pickups.
fn steady(ratios: &[f64], params: &[(ParamId, f64)]) -> Patch {
    let still = [(Body, 2.0), (Modes, 9.0), (Decay, 200.0), (Loss, 0.0), (Viscosity, 0.0), (Stiffness, 1e4), (Level, 0.0)];
    let mut patch = patch(&[&still, params].concat());
    patch.modes =
        ratios.iter().map(|&ratio| ListedMode { ratio, decay: None, mass: 1.0, shape: vec![1.0, 1.0].into() }).collect();
    patch
}

fn struck(patch: &Patch, key: u8) -> Engine {
    let mut engine = Engine::new(EngineConfig::at(RATE), patch);
    engine.event(&on(key, 100));
    engine
}

/// Amplitude of a sound at `hertz`, left, in a Hann window over all of it.
fn amplitude(sound: &[f32], hertz: f64) -> f64 {
    let n = sound.len() as f64;
    let (mut re, mut im) = (0.0, 0.0);
    for (k, x) in sound.iter().enumerate() {
        let hann = 1.0 - (std::f64::consts::TAU * k as f64 / n).cos();
        let (sin, cos) = (std::f64::consts::TAU * hertz * k as f64 / RATE).sin_cos();
        (re, im) = (re + hann * f64::from(*x) * cos, im + hann * f64::from(*x) * sin);
    }
    2.0 * f64::hypot(re, im) / n
}

/// Amplitude of the partial at `hertz` some time after a stroke on key 69.
fn partial(ratios: &[f64], params: &[(ParamId, f64)], hertz: f64) -> f64 {
    let mut engine = struck(&steady(ratios, params), 69);
    play(&mut engine, 4_800);
    amplitude(&play(&mut engine, 24_000).left, hertz)
}

fn near(value: f64, wanted: f64, within: f64) {
    assert!((value / wanted - 1.0).abs() < within, "{value} instead of {wanted}");
}

#[test]
fn choices_are_in_the_order_of_their_names() {
    let letters = |name: &str| name.to_lowercase().replace(' ', "");
    assert!(Heard::ALL.iter().map(|heard| letters(&format!("{heard:?}"))).eq(RADIATIONS.iter().map(|name| letters(name))));
    assert!(Heard::ALL.iter().enumerate().all(|(i, &heard)| heard as usize == i));
    let named = Stuff::NAMED.iter().map(|(name, _)| name.to_string());
    assert!(MATERIALS[1..].iter().map(|name| name.to_lowercase()).eq(named));
}

#[test]
fn monopoles_lose_3_db_at_the_cutoff_and_dipoles_6_db() {
    let at = |radiation: f64| partial(&[1.0], &[(Radiation, radiation), (Corner, 440.0)], 440.0);
    let surface = at(0.0);
    near(at(1.0), surface * 0.5_f64.sqrt(), 1e-3);
    near(at(2.0), surface * 0.5, 1e-3);
    near(at(3.0), surface * 0.5_f64.sqrt(), 1e-3);
    let above = partial(&[1.0], &[(Radiation, 1.0), (Corner, 110.0)], 440.0);
    near(above, surface * 4.0 / 17_f64.sqrt(), 1e-3);
    let low = |corner: f64| partial(&[1.0], &[(Radiation, 2.0), (Corner, corner)], 440.0);
    near(low(20e3) / low(10e3), 0.25, 0.01);
}

/// A key an octave up, and a body that is tuned while it sounds.
#[test]
fn radiation_follows_pitch_and_its_cutoff_follows_the_key() {
    let heard = |radiation: f64, key: u8, tracking: f64, tune: f64| {
        let params = [(Radiation, radiation), (Corner, 2000.0), (CornerTracking, tracking), (HomeKey, 69.0)];
        let mut engine = struck(&steady(&[1.0], &params), key);
        play(&mut engine, 4_800);
        engine.event(&set(Tune, tune));
        play(&mut engine, 9_600);
        let hertz = 440.0 * (f64::from(key) / 12.0 - 69.0 / 12.0 + tune / 12.0).exp2();
        amplitude(&play(&mut engine, 24_000).left, hertz)
    };
    let part = |key, tracking, tune| heard(1.0, key, tracking, tune) / heard(0.0, key, tracking, tune);
    let law = |x: f64| x / (1.0 + x * x).sqrt();
    near(part(69, 0.0, 0.0), law(0.22), 2e-3);
    near(part(81, 0.0, 0.0), law(0.44), 2e-3);
    near(part(81, 1.0, 0.0), law(0.22), 2e-3);
    near(part(69, 0.0, 12.0), law(0.44), 2e-3);
    near(part(69, 0.0, -7.0), law(0.22 * (-7.0 / 12.0_f64).exp2()), 2e-3);
}

#[test]
fn a_tube_boosts_and_damps_the_lowest_partial() {
    let at = |gain: f64, hertz: f64| partial(&[1.0, 3.7], &[(Resonator, gain)], hertz);
    near(at(6.0, 440.0), at(0.0, 440.0) * 10_f64.powf(0.3), 1e-3);
    near(at(6.0, 440.0 * 3.7), at(0.0, 440.0 * 3.7), 1e-3);
    for hertz in [440.0, 440.0 * 3.7] {
        let mut engine = struck(&steady(&[1.0, 3.7], &[(ResonatorLoss, 2.0), (Decay, 20.0)]), 69);
        play(&mut engine, 4_800);
        let times = [0, 1].map(|_| amplitude(&play(&mut engine, 24_000).left, hertz));
        let rate = 2.0 * (times[0] / times[1]).ln();
        near(rate, 1000_f64.ln() / 20.0 + if hertz == 440.0 { 2.0 } else { 0.0 }, 0.01);
    }
}

/// Root mean square frequency [Hz].
fn brightness(sound: &[f32]) -> f64 {
    let steps: f64 = sound.windows(2).map(|pair| f64::from(pair[1] - pair[0]).powi(2)).sum();
    let power: f64 = sound.iter().map(|x| f64::from(*x).powi(2)).sum();
    RATE / std::f64::consts::TAU * (steps / power).sqrt()
}

/// A tom of 150 Hz and 12 inches under a stick: pickups hear the skin buzz, from afar it is a drum.
#[test]
fn a_drum_is_darker_in_the_far_field_than_at_its_head() {
    let tom =
        [(Body, 12.0), (Modes, 96.0), (BodyMass, 0.047), (Decay, 1.4), (Loss, 0.0038), (HammerMass, 0.015), (Stiffness, 5.0)];
    let heard = |radiation: f64| {
        let pickups = [(PickupLeft, 0.64), (PickupLeftAcross, 0.08), (PickupRight, 0.64), (PickupRightAcross, 0.8)];
        let place = [(Radiation, radiation), (Corner, 360.0), (StrikePosition, 0.3), (StrikeAcross, 0.0), (Level, 0.0)];
        let mut engine = struck(&patch(&[&tom[..], &pickups, &place].concat()), 50);
        play(&mut engine, 12_000)
    };
    let [surface, afar] = [0.0, 3.0].map(|radiation| brightness(&heard(radiation).left[240..4_800]));
    println!("{surface:.0} Hz at the skin, {afar:.0} Hz from afar");
    assert!(afar < 0.8 * surface, "{afar} of {surface}");
    assert!(heard(3.0).left != heard(3.0).right);
}

/// A head that has become a bar is heard as a bar.
#[test]
fn bodies_without_rotation_symmetry_radiate_as_monopoles() {
    let heard = |radiation: f64| {
        let bodies = [(Body, 12.0), (MorphTo, 2.0), (Morph, 1.0), (Modes, 24.0), (Level, -20.0)];
        play(&mut struck(&patch(&[&bodies[..], &[(Radiation, radiation), (Corner, 700.0)]].concat()), 60), 4_800)
    };
    let (afar, volume) = (heard(3.0), heard(1.0));
    assert!(volume.peak() > 1e-3 && afar.left.iter().zip(&volume.left).all(|(a, b)| (a - b).abs() < 1e-6));
}

#[test]
fn a_string_radiates_from_its_bridge_in_the_centre() {
    let string = patch(&[(Body, 0.0), (Radiation, 4.0), (Level, -20.0), (PickupLeft, 0.0), (PickupRight, 0.5)]);
    let sound = play(&mut struck(&string, 48), 9_600);
    assert!(sound.left == sound.right && sound.peak() > 1e-3);
    // pickups at a node of every partial, and of every other
    let surface = patch(&[(Body, 0.0), (Level, -20.0), (PickupLeft, 0.0), (PickupRight, 0.5)]);
    assert!(play(&mut struck(&surface, 48), 9_600).left.iter().all(|x| x.abs() < 1e-7));
}

/// Mono sum against the mean of left and right [dB].
fn mono(sound: &Sound) -> f64 {
    let sum: f64 = sound.left.iter().zip(&sound.right).map(|(l, r)| (0.5 * (f64::from(*l) + f64::from(*r))).powi(2)).sum();
    10.0 * (2.0 * sum / sound.energy()).log10()
}

/// Left against right [dB].
fn imbalance(sound: &Sound) -> f64 {
    let power = |side: &[f32]| side.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
    10.0 * (power(&sound.left) / power(&sound.right)).log10()
}

#[test]
fn mono_loses_little_level_for_any_body_and_pickup() {
    for kind in BodyKind::ALL {
        for (radiation, name) in RADIATIONS.iter().enumerate().step_by(size(2, 1)) {
            for key in size(&[60][..], &[33, 60, 84]).iter().copied() {
                let how = [(Body, kind as usize as f64), (Modes, 64.0), (Radiation, radiation as f64), (MonoBelow, 200.0)];
                let pickups = [(PickupLeft, 0.3), (PickupLeftAcross, 0.42), (PickupRight, 0.4), (PickupRightAcross, 0.56)];
                let sound = play(&mut struck(&patch(&[&how[..], &pickups].concat()), key), 24_000);
                assert!(mono(&sound) > -3.0, "{kind:?}, {name}, key {key}: {} dB", mono(&sound));
            }
        }
    }
}

#[test]
fn mono_loses_little_level_and_presets_are_centred() {
    for patch in urto_engine::patch::all().filter(|patch| patch.zones.is_empty()).step_by(size(6, 1)) {
        let home = patch.settings.get(HomeKey) as u8;
        for (key, velocity) in [(home, 100), (home, 30), (home - 12, 100), (home + 12, 100)] {
            let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
            engine.event(&on(key, velocity));
            let sound = play(&mut engine, 48_000);
            let lost = mono(&sound);
            assert!(lost > -3.0, "{}, key {key}, velocity {velocity}: {lost:.2} dB", patch.name);
            let imbalance = imbalance(&sound);
            // the two skins of the dhol lie to the left and to the right
            let is_centred = key == home && velocity == 100 && patch.name != "Dhol";
            assert!(!is_centred || imbalance.abs() < 3.0, "{}: {imbalance:.2} dB to the left", patch.name);
        }
    }
}

/// Two pickups hear a drum from two places, also where its lowest modes are the same all around: side over mid without a room.
#[test]
fn drums_are_stereo() {
    let is_drum = |patch: &urto_engine::patch::Patch| patch.zones.is_empty() && patch.tags.iter().any(|tag| tag == "skin");
    let drums: Vec<_> = urto_engine::patch::all().filter(is_drum).collect();
    assert!(drums.len() > 20, "{}", drums.len());
    for patch in drums.into_iter().step_by(size(3, 1)) {
        let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
        engine.event(&on(patch.settings.get(HomeKey) as u8, 100));
        let found = play(&mut engine, 48_000).side_over_mid();
        println!("{}: {found:.1} dB", patch.name);
        assert!(found > -15.0, "{}: {found:.1} dB", patch.name);
    }
}

/// The pickups lie on both sides of a node of the upper mode, at 1760 Hz; the lower one has none between them.
#[test]
fn stereo_width_starts_above_the_bass_mono_frequency() {
    let mut patch = steady(&[1.0, 4.0], &[(PickupLeft, 0.0), (PickupRight, 1.0), (StrikePosition, 0.0)]);
    patch.modes[1].shape = vec![1.0, -0.8].into();
    let mono_part = |patch: &Patch| {
        let mut engine = struck(patch, 69);
        play(&mut engine, 4_800);
        let sound = play(&mut engine, 24_000);
        let sum: Vec<f32> = sound.left.iter().zip(&sound.right).map(|(l, r)| 0.5 * (l + r)).collect();
        amplitude(&sum, 1760.0) / amplitude(&sound.left, 1760.0)
    };
    for (below, part) in [(0.0, 0.1), (200.0, 0.1), (879.0, 0.1), (1760.0 / 1.5, 0.5), (1770.0, 0.9)] {
        patch.settings.set(MonoBelow, below);
        near(mono_part(&patch), part, 1e-3);
    }
    // a low mode that weighs little bears little
    patch.settings.set(MonoBelow, 200.0);
    patch.modes[0].mass = 4.0;
    let part = mono_part(&patch);
    assert!((0.2..0.9).contains(&part), "{part}");
}

/// A body far too heavy to sound, under a wooden stick: what is heard is the stick.
#[test]
fn mallet_noise_follows_changes_of_the_contact_force() {
    let heavy =
        [(Body, 1.0), (BodyMass, 1000.0), (Level, -20.0), (Stiffness, 2.0), (Damping, 0.0), (PickupLeft, 0.224), (Modes, 1.0)];
    let heard = |click: f64, key: u8| {
        let mut engine = struck(&patch(&[&heavy[..], &[(Click, click)]].concat()), key);
        let sound = play(&mut engine, 4_800);
        (sound, engine.take_hit().unwrap())
    };
    let (none, _) = heard(-60.0, 60);
    let (with, hit) = heard(20.0, 60);
    let own: Vec<f64> = with.left.iter().zip(&none.left).map(|(a, b)| f64::from(*a) - f64::from(*b)).collect();
    let peak = own.iter().fold(0.0_f64, |peak, x| peak.max(x.abs()));
    let last = own.iter().rposition(|x| x.abs() > 1e-3 * peak).unwrap();
    assert!(last < ((hit.duration + 1e-3) * RATE) as usize, "{last}");
    // the force rises and falls again: as much pressure as suction
    assert!(own.iter().sum::<f64>().abs() < 0.02 * own.iter().map(|x| x.abs()).sum::<f64>());
    // 3/(8 pi rho c^2 r) dF/dt; a contact by Hertz's law without loss is nearly sin^1.5, whose steepest slope is 2.92 F/tau
    let law = 3.0 / (8.0 * std::f64::consts::PI * 1000.0 * 343.2_f64.powi(2) * 0.1);
    near(peak, law * 2.92 * hit.peak_force / hit.duration, 0.05);
    let (louder, _) = heard(26.0, 60);
    let twice = louder.left.iter().zip(&none.left).map(|(a, b)| f64::from(*a) - f64::from(*b));
    near(twice.fold(0.0_f64, |peak, x| peak.max(x.abs())) / peak, 10_f64.powf(0.3), 1e-3);
}

#[test]
fn block_size_does_not_change_pickups_or_radiation() {
    let params = [(Body, 12.0), (Radiation, 3.0), (Click, 20.0), (MonoBelow, 300.0), (Resonator, 6.0), (MonopoleLoss, 20.0)];
    let score: Vec<_> = (0..200)
        .map(|i| match i % 5 {
            0 => (i * 100, on(40 + (i % 30) as u8, 100)),
            1 => (i * 100, set(Tune, (i % 12) as f64)),
            2 => (i * 100, set(Radiation, (i / 5 % 5) as f64)),
            3 => (i * 100, set(Material, (i / 5 % 12) as f64)),
            _ => (i * 100, set(Click, if i % 2 == 0 { 20.0 } else { -60.0 })),
        })
        .collect();
    let whole = perform(&mut engine(RATE, &params), &score, 24_000, &[24_000], &[]);
    assert!(whole.peak() > 0.01);
    for block in [1, 37, 512] {
        assert!(perform(&mut engine(RATE, &params), &score, 24_000, &[block], &[]) == whole, "{block}");
    }
}

/// Decay rate [1/s] of a partial of key 69 at `hertz`, from two windows of so many frames.
fn decay_rate(patch: &Patch, frames: usize, hertz: f64) -> f64 {
    let mut engine = struck(patch, 69);
    play(&mut engine, 960);
    let [first, second] = [0, 1].map(|_| amplitude(&play(&mut engine, frames).left, hertz));
    RATE / frames as f64 * (first / second).ln()
}

#[test]
fn material_losses_are_added() {
    let sum = |f: f64, a: f64, stuff: Stuff| a + stuff.losses.sigma(f);
    for (i, (name, stuff)) in Stuff::NAMED.into_iter().enumerate() {
        let patch = steady(&[1.0], &[(Material, i as f64 + 1.0), (Decay, 10.0)]);
        let (rate, known) = (decay_rate(&patch, 2_400, 440.0), sum(440.0, 1000_f64.ln() / 10.0, stuff));
        assert!((rate / known - 1.0).abs() < 0.01, "{name}: {rate} instead of {known}");
    }
    near(decay_rate(&steady(&[1.0], &[(Decay, 10.0)]), 2_400, 440.0), 1000_f64.ln() / 10.0, 0.01);
}

/// (0,1), (1,1) and (2,1) of a head.
#[test]
fn heads_damp_strongly_radiating_modes_more() {
    for (ratio, added) in [(1.0, 9.0), (1.593_34, 4.0), (2.135_55, 0.0)] {
        let params =
            [(Body, 12.0), (Modes, 64.0), (Decay, 5.0), (Loss, 0.0), (Viscosity, 0.0), (MonopoleLoss, 9.0), (DipoleLoss, 4.0)];
        let place = [(StrikePosition, 0.4), (StrikeAcross, 0.0), (PickupLeft, 0.4), (PickupLeftAcross, 0.0), (Level, -20.0)];
        let rate = decay_rate(&patch(&[&params[..], &place].concat()), 9_600, 440.0 * ratio);
        near(rate, 1000_f64.ln() / 5.0 + added, 0.03);
    }
}
