//! A course of strings on a bridge and a soundboard, with undamped neighbours on the same bridge.
//!
//! One to three strings of a note end at a bridge, which a spring of its local stiffness joins to a [`Soundboard`]; so do sympathetic strings of
//! other pitches. Each string is fixed at its far end and slides freely at the bridge before it is joined, so that its modes there move:
//!
//! ```text
//! phi_n(x) = sqrt2 sin((n - 1/2) pi x),   omega_n = (n - 1/2) p        p: pitch with the bridge at rest
//! k_eff    = 1/(1/k + c_res),             c_res = L/T - sum of 2/(m omega_n^2)
//! ```
//!
//! In units of one struck string: its mass is 1 and its lowest frequency, with the bridge at rest, 1, so that its tension over its length is
//! 1/pi^2. Sympathetic strings have the same length and tension, so that the mass of one of pitch p is 1/p^2.
//!
//! The strings lose energy as the damping law of the body has it; the soundboard in addition has a damping ratio. It reaches a mode by its
//! share of the board, to first order: zeta_n = zeta sum of U_bn^2 omega_b/omega_n. Motion of equal strings in step moves the bridge and decays
//! first; opposed motion stays: Weinreich, "Coupled piano strings", JASA 62 (1977) 1474. Real modes have the double decay where the bridge
//! answers with stiffness or mass, not where it answers with resistance: see [`StringCourse::mixing`].

use std::f64::consts::{PI, SQRT_2};

use crate::assembly::{Assembly, JoinError, StaticJoint, missing_flexibility, spring_in_series};
use crate::bodies::strings::soundboard::{BoardMode, Soundboard};
use crate::modal::Mode;

/// Most modes of the soundboard.
const BOARD_MODES: usize = 40;

/// Fewest modes of a string and of the soundboard.
const FEWEST: usize = 4;

/// Most modes that are joined in addition to those asked for: they keep the highest of these right.
const MORE: usize = 128;

/// Tension over length of a struck string, in units of its mass and frequency.
const TENSION: f64 = 1.0 / (PI * PI);

/// A course of strings on a bridge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StringCourse {
    /// Number of struck strings, 1 to 3.
    pub strings: usize,
    /// Relative difference of the frequencies of neighbouring struck strings, >= 0; their mean is the pitch.
    pub detune: f64,
    /// Pitches of the sympathetic strings over that of the struck ones, all > 0.
    pub sympathetic: &'static [f64],
    /// Stiffness of the bridge under each string over the tension of a struck string divided by its length, > 0.
    pub bridge: f64,
    /// Soundboard.
    pub board: Soundboard,
}

/// A string before it is joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    /// Pitch over that of the struck strings, with the bridge at rest.
    pub pitch: f64,
    /// Mass over that of one struck string.
    pub mass: f64,
    /// Place of its first mode among those of all parts.
    pub first: usize,
    /// Number of its modes.
    pub modes: usize,
}

/// The spring under a string.
#[derive(Clone, Debug)]
pub struct StringJoint {
    /// Weights over the modes of all parts: + at the end of the string, - on the board [mass of a struck string^-1/2].
    pub row: Vec<f64>,
    /// Stiffness, with the missing flexibility of the string in series.
    pub stiffness: f64,
}

/// All parts before they are joined: the modes of the board, then those of every string, struck ones first.
#[derive(Clone, Debug)]
pub struct CourseParts {
    /// Modes of unit modal mass; those of the board have its losses, those of the strings none.
    pub modes: Vec<Mode>,
    /// The springs under the strings.
    pub joints: Vec<StringJoint>,
    pub(super) board: Vec<BoardMode>,
    pub(super) strings: Vec<Part>,
}

impl CourseParts {
    /// The parts joined to one body. Errors: as [`Assembly::join`]. Takes N^3 operations for N modes and each string.
    pub fn joined(&self) -> Result<Assembly, JoinError> {
        let mut assembly = Assembly::new(self.modes.clone());
        for joint in &self.joints {
            assembly.join(&joint.row, StaticJoint::Spring(joint.stiffness))?;
        }
        Ok(assembly)
    }
}

impl StringCourse {
    /// Pitches of the struck strings over their mean.
    pub fn pitches(&self) -> impl Iterator<Item = f64> + use<> {
        let (count, detune) = (self.strings.clamp(1, 3), self.detune);
        let middle = 0.5 * (count - 1) as f64;
        (0..count).map(move |i| 1.0 + detune * (i as f64 - middle))
    }

    /// Pitches of all strings, those of the course first.
    fn all_pitches(&self) -> Vec<f64> {
        let unison = self.pitches();
        unison.chain(self.sympathetic.iter().copied()).collect()
    }

    /// The parts with about `count` modes: all up to one frequency, but at least some of each part. Allocates.
    pub fn parts(&self, count: usize) -> CourseParts {
        let pitches = self.all_pitches();
        let all_board = self.board.modes(BOARD_MODES);
        let strings = pitches.iter().flat_map(|pitch| (0..count).map(move |n| (n as f64 + 0.5) * pitch));
        let mut all: Vec<f64> = all_board.iter().map(|mode| mode.omega).chain(strings).collect();
        all.sort_by(f64::total_cmp);
        let highest = all.get(count).copied().unwrap_or(f64::INFINITY);
        let below = all_board.iter().filter(|mode| mode.omega < highest).count();
        let board = all_board[..below.max(FEWEST)].to_vec();
        let mut modes: Vec<Mode> =
            board.iter().map(|mode| Mode { omega: mode.omega, sigma: self.board.damping * mode.omega }).collect();
        let mut strings = Vec::with_capacity(pitches.len());
        for (i, &pitch) in pitches.iter().enumerate() {
            let own = ((highest / pitch + 0.5) as usize).clamp(FEWEST, count.max(FEWEST));
            let mass = if i < self.strings.clamp(1, 3) { 1.0 } else { 1.0 / (pitch * pitch) };
            strings.push(Part { pitch, mass, first: modes.len(), modes: own });
            modes.extend((0..own).map(|n| Mode { omega: (n as f64 + 0.5) * pitch, sigma: 0.0 }));
        }
        let joints = strings.iter().map(|string| self.joint(string, &board, &modes)).collect();
        CourseParts { modes, joints, board, strings }
    }

    fn joint(&self, string: &Part, board: &[BoardMode], modes: &[Mode]) -> StringJoint {
        let own = string.first..string.first + string.modes;
        let mut row = vec![0.0; modes.len()];
        for (weight, mode) in row.iter_mut().zip(board) {
            *weight = -self.board.bridge_weight(mode);
        }
        for (n, weight) in row[own.clone()].iter_mut().enumerate() {
            *weight = if n % 2 == 0 { SQRT_2 } else { -SQRT_2 } / string.mass.sqrt();
        }
        let compliance = 1.0 / (TENSION * string.mass * string.pitch * string.pitch);
        let missing = missing_flexibility(compliance, &modes[own.clone()], &row[own]);
        StringJoint { stiffness: spring_in_series(self.bridge * TENSION, missing), row }
    }

    /// How much the losses of the board mix the modes below `below`, a frequency over that of the struck strings: see [`Assembly::mixing`]. Up to
    /// 0.04 the decays are right to 1 %. Errors: values that are not finite.
    pub fn mixing(&self, modes: usize, below: f64) -> Result<f64, JoinError> {
        Ok(self.parts(joined_modes(modes)).joined()?.mixing(below))
    }

    /// Whether all values are possible.
    pub(super) fn is_possible(&self) -> bool {
        let Soundboard { pitch, mass, aspect, damping } = self.board;
        let positive = [pitch, mass, aspect, self.bridge].into_iter().chain(self.sympathetic.iter().copied());
        let detuned = (0.0..0.5).contains(&self.detune);
        positive.into_iter().all(|value| value > 0.0 && value.is_finite()) && detuned && damping >= 0.0 && damping.is_finite()
    }
}

/// Number of modes that are joined for a body of `modes` modes.
pub(super) fn joined_modes(modes: usize) -> usize {
    modes.max(FEWEST) + modes.min(MORE)
}
