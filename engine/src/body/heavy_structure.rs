//! Structures that a body passes its blows to: the frame under bars and blocks (knock), and the shell of a drum, as heavy modes.
//!
//! Both follow the modes of the body, do not change its pitch, and do not react on the hammer. Their frequencies are the same for all
//! keys. A shell that the motion of the body drives is not among the modes of the body: no hammer drives it.

use crate::params::{ParamId, ParamValues, ShellDriveKind};
use crate::patch::Patch;
use urto_physics::bodies::{HeavyField, HeavyMode, Losses};
use urto_physics::modal::LANES;

/// Number of modes of a frame.
const KNOCK_MODES: usize = 400;

/// Largest number of modes that the motion of a body drives: those of a shell.
pub const MAX_DRIVEN: usize = 400;

/// Seeds of their random numbers, which never change within one version of the sound.
const KNOCK_SEED: u64 = 11;
const SHELL_SEED: u64 = 23;

/// Frame and shell as their parameters describe them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeavySpec {
    knock: Option<HeavyField>,
    shell: Option<HeavyField>,
    /// A shell that the motion of the body drives.
    driven: Option<HeavyField>,
}

impl HeavySpec {
    /// Those of the parameters `settings`; a level at its minimum is off.
    pub fn of(settings: &ParamValues) -> Self {
        use ParamId::*;
        let field = |level: ParamId, [decay, loss, low, high, slope]: [ParamId; 5]| {
            let get = |id| settings.get(id);
            (get(level) > level.spec().min).then(|| HeavyField {
                modes: KNOCK_MODES,
                range: [get(low), get(high).max(get(low))],
                losses: Losses { constant: 1000_f64.ln() / get(decay), structural: get(loss), viscous: 0.0 },
                level: 10_f64.powf(get(level) / 20.0),
                slope: get(slope),
                width: 0.0,
                seed: KNOCK_SEED,
            })
        };
        let shell = field(ShellLevel, [ShellDecay, ShellLoss, ShellLow, ShellHigh, ShellSlope]);
        let shell = shell.map(|shell| HeavyField {
            modes: settings.get(ShellModes) as usize,
            width: settings.get(ShellWidth),
            seed: SHELL_SEED,
            ..shell
        });
        let (shell, driven) = match settings.shell_drive() {
            ShellDriveKind::Strike => (shell, None),
            ShellDriveKind::Motion => (None, shell),
        };
        Self { knock: field(KnockLevel, [KnockDecay, KnockLoss, KnockLow, KnockHigh, KnockSlope]), shell, driven }
    }

    /// Number of modes, those that motion drives included.
    pub fn count(&self) -> usize {
        [self.knock, self.shell, self.driven].into_iter().flatten().map(|field| field.modes).sum()
    }

    /// The modes that hammers drive, those of the frame first. Allocates.
    pub fn modes(&self) -> Vec<HeavyMode> {
        [self.knock, self.shell].into_iter().flatten().flat_map(|field| field.modes()).collect()
    }

    /// The modes that the motion of the body drives. Allocates.
    pub fn driven_modes(&self) -> Vec<HeavyMode> {
        self.driven.map_or_else(Vec::new, |field| field.modes())
    }
}

/// Most modes that a voice of `patch` needs for its heavy modes, whatever the number of modes of its shell, with those that fill up the
/// modes before them to whole blocks.
pub fn heavy_room(patch: &Patch) -> usize {
    let residual: usize = patch.residual.iter().map(|band| band.modes).sum();
    let mut settings = patch.settings;
    settings.set(ParamId::ShellModes, MAX_DRIVEN as f64);
    let count = HeavySpec::of(&settings).count() + residual;
    if count == 0 { 0 } else { count + LANES - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A macro may raise the number of modes of a shell after the voices of a zone have been made.
    #[test]
    fn voices_have_room_for_every_number_of_modes_of_a_shell() {
        let mut patch = Patch::default();
        assert_eq!(heavy_room(&patch), 0);
        patch.settings.set(ParamId::ShellLevel, 0.0);
        patch.settings.set(ParamId::ShellModes, 20.0);
        let most = heavy_room(&patch);
        assert_eq!(HeavySpec::of(&patch.settings).count(), 20);
        patch.settings.set(ParamId::ShellModes, ParamId::ShellModes.spec().max);
        assert_eq!((heavy_room(&patch), HeavySpec::of(&patch.settings).count()), (most, MAX_DRIVEN));
    }
}
