//! Vibrating bodies: the modes of a patch's body as hammer and pickups meet them.
//!
//! Body type, size, material and positions are parameters of the patch, for example `body`, `material`, `aspect`, `position`;
//! [`params`](crate::patch::params) lists them, with the names of all body types and materials.
//!
//! ```
//! use urto::body::BodyModes;
//! use urto::patch::{built_in, set_param};
//!
//! let mut marimba = built_in().find(|patch| patch.name == "Rosewood Marimba").expect("a built-in preset");
//! set_param(&mut marimba, "position", 0.5).expect("a parameter"); // in the middle of the bar
//! let body = BodyModes::of_key(&marimba, 60, 48_000.0).expect("a key with a pitch");
//! assert!((body.modes[0].frequency - 261.63).abs() < 0.01);
//! ```

use urto_engine::body::{BodyScratch, BodySize, BodyTuning, KeyScaling, PreparedBody};
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::tuning::TuningSet;
use urto_physics::modal::Mode;

/// One mode of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMode {
    /// Frequency [Hz].
    pub frequency: f64,
    /// Decay rate sigma of the amplitude [1/s]; T60 = ln(1000)/sigma.
    pub decay_rate: f64,
    /// Nodal diameters and circles of round bodies, or (p, q) of plates; `None` without families.
    pub family: Option<(u32, u32)>,
    /// Weight phi/sqrt(modal mass) at the strike position [kg^-1/2].
    pub weight_strike: f64,
    /// Weight at the left pickup [kg^-1/2].
    pub weight_left: f64,
    /// Weight at the right pickup [kg^-1/2].
    pub weight_right: f64,
}

/// The modes of a body on one key.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyModes {
    /// Frequency of the ratio 1 [Hz].
    pub frequency: f64,
    /// Mass of the body [kg].
    pub mass: f64,
    /// The modes below the limit min(20 kHz, 0.48 of the sample rate), lowest first.
    pub modes: Vec<BodyMode>,
    /// Number of modes above the limit.
    pub omitted: usize,
    /// The suspension of a free body: the hammer meets it, the pickups do not hear it.
    pub suspension: Option<BodyMode>,
}

impl BodyModes {
    /// The modes of `patch` on `key`, 0 to 127, at `sample_rate` [Hz]; `None` for a key without a pitch.
    pub fn of_key(patch: &Patch, key: u8, sample_rate: f64) -> Option<Self> {
        let frequency = TuningSet::of(&patch.tuning).effective(&patch.settings_with_macros()).hertz(key)?;
        Some(Self::at(patch, frequency, sample_rate))
    }

    /// The modes of `patch` on a key of `frequency` [Hz], at `sample_rate` [Hz].
    pub fn at(patch: &Patch, frequency: f64, sample_rate: f64) -> Self {
        let settings = &patch.settings_with_macros();
        let tuning = TuningSet::of(&patch.tuning).effective(settings);
        let home_ratio = tuning.hertz(settings.get(ParamId::HomeKey) as u8).map_or(1.0, |home| frequency / home);
        let scaling = KeyScaling::new(settings, home_ratio);
        let tuned = BodyTuning::new(frequency, scaling, |param| settings.get(param));
        let body = PreparedBody::of(patch);
        let below_limit = body.modes_below_limit(&tuned, sample_rate);
        let mut modes = vec![Mode::RIGID; body.suspensions() + below_limit];
        body.modes(below_limit, &tuned, sample_rate, &mut modes);
        let count = modes.len();
        let size = BodySize { mass: settings.get(ParamId::BodyMass) * scaling.mass, morph: tuned.morph };
        let mut scratch = BodyScratch::new(count);
        let at_strike = body.hammer_weights(settings.strike_position(), size, count, &mut scratch).to_vec();
        let [left, right] =
            body.pickup_positions(settings).map(|position| body.pickup_weights(position, size, count, &mut scratch).to_vec());
        let mode = |n: usize, family: Option<(u32, u32)>| BodyMode {
            frequency: modes[n].heard_frequency(),
            decay_rate: modes[n].sigma,
            family,
            weight_strike: at_strike[n],
            weight_left: left[n],
            weight_right: right[n],
        };
        let suspension = if body.rigid() > 0 { Some(0) } else { (body.suspensions() > 0).then(|| count - 1) };
        Self {
            frequency: tuned.lowest,
            mass: size.mass,
            modes: (0..below_limit).map(|i| mode(body.rigid() + i, body.family(i))).collect(),
            omitted: body.partials() - below_limit,
            suspension: suspension.map(|n| mode(n, None)).filter(|mode| mode.weight_strike != 0.0),
        }
    }
}
