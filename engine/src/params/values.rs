//! The values of all parameters, and settings that combine several of them.

use urto_physics::bodies::BodyPosition;

use crate::params::choices::{
    BodyKind, ContactModel, DriveNoteMode, DriveSource, DrumHead, EdgeMount, HammerType, KeyLayout, ObstacleType, RetunePolicy,
    RollingSurface, RoomType, ShellDriveKind, SolverQuality, VoiceMode,
};
use crate::params::table::{PARAMS, ParamId};

/// The value of every parameter, in its unit. Plain data of fixed size: it may be copied on the audio thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamValues([f64; ParamId::ALL.len()]);

impl Default for ParamValues {
    fn default() -> Self {
        Self(std::array::from_fn(|i| PARAMS[i].default))
    }
}

impl ParamValues {
    /// The value of one parameter, in its unit.
    pub fn get(&self, id: ParamId) -> f64 {
        self.0[id as usize]
    }

    /// Sets one parameter; the value is clamped to its range, and replaced by the default if it is not a number.
    pub fn set(&mut self, id: ParamId, value: f64) {
        self.0[id as usize] = id.spec().clamped(value);
    }

    /// The body that is struck.
    pub fn body_kind(&self) -> BodyKind {
        BodyKind::from_value(self.get(ParamId::Body))
    }

    /// The body that it morphs into; `None` if it does not morph.
    pub fn morph_kind(&self) -> Option<BodyKind> {
        (self.get(ParamId::MorphTo) as usize).checked_sub(1).and_then(|i| BodyKind::ALL.get(i).copied())
    }

    /// Strike position on the body.
    pub fn strike_position(&self) -> BodyPosition {
        BodyPosition { along: self.get(ParamId::StrikePosition), across: self.get(ParamId::StrikeAcross) }
    }

    /// Position of the rattle object along and across a body, or the head that it touches.
    pub fn rattle_position(&self) -> BodyPosition {
        BodyPosition { along: self.get(ParamId::RattlePosition), across: self.get(ParamId::RattleAcross) }
    }

    /// Which body a key strikes.
    pub fn key_layout(&self) -> KeyLayout {
        KeyLayout::from_value(self.get(ParamId::Stage))
    }

    /// The key of the body that a note on `key` strikes; all keys strike the same hi-hat.
    pub fn body_key(&self, key: u8) -> u8 {
        match self.key_layout() {
            KeyLayout::Keys if self.body_kind() != BodyKind::HiHat => key,
            _ => self.get(ParamId::HomeKey) as u8,
        }
    }

    /// How many voices notes use.
    pub fn voice_mode(&self) -> VoiceMode {
        VoiceMode::from_value(self.get(ParamId::Playing))
    }

    /// The hammer that strikes.
    pub fn hammer_type(&self) -> HammerType {
        HammerType::from_value(self.get(ParamId::Striker))
    }

    /// The contact model of the hammer.
    pub fn contact_model(&self) -> ContactModel {
        ContactModel::from_value(self.get(ParamId::Contact))
    }

    /// The contact of the hammer, before hardness, key tracking and modulation.
    pub fn hammer_contact(&self) -> ContactParams {
        ContactParams {
            model: self.contact_model(),
            stiffness: self.get(ParamId::Stiffness),
            exponent: self.get(ParamId::Exponent),
            damping: self.get(ParamId::Damping),
        }
    }

    /// The contact of the obstacles.
    pub fn obstacle_contact(&self) -> ContactParams {
        ContactParams {
            model: ContactModel::from_value(self.get(ParamId::RattleContact)),
            stiffness: self.get(ParamId::RattleStiffness),
            exponent: self.get(ParamId::RattleExponent),
            damping: self.get(ParamId::RattleLoss),
        }
    }

    /// The obstacles that bodies rattle against.
    pub fn obstacle_type(&self) -> ObstacleType {
        ObstacleType::from_value(self.get(ParamId::Rattle))
    }

    /// The head of a drum with two heads that the rattle objects touch.
    pub fn rattle_head(&self) -> DrumHead {
        DrumHead::from_value(self.get(ParamId::RattleHead))
    }

    /// What the edges of a plate do in its plane.
    pub fn edge_mount(&self) -> EdgeMount {
        EdgeMount::from_value(self.get(ParamId::Edges))
    }

    /// What drives the modes of a shell.
    pub fn shell_drive(&self) -> ShellDriveKind {
        ShellDriveKind::from_value(self.get(ParamId::ShellDrive))
    }

    /// The surface that the driven hammer rolls over.
    pub fn rolling_surface(&self) -> RollingSurface {
        RollingSurface::from_value(self.get(ParamId::Roll))
    }

    /// The signal that drives the hammer.
    pub fn drive_source(&self) -> DriveSource {
        DriveSource::from_value(self.get(ParamId::DriveSource))
    }

    /// What notes do to the hammer drive.
    pub fn drive_note_mode(&self) -> DriveNoteMode {
        DriveNoteMode::from_value(self.get(ParamId::DriveNotes))
    }

    /// The room around the instrument.
    pub fn room_type(&self) -> RoomType {
        RoomType::from_value(self.get(ParamId::RoomType))
    }

    /// How finely contacts are resolved.
    pub fn solver_quality(&self) -> SolverQuality {
        SolverQuality::from_value(self.get(ParamId::Quality))
    }

    /// The pitch of held notes after a change of tuning.
    pub fn retune_policy(&self) -> RetunePolicy {
        RetunePolicy::from_value(self.get(ParamId::Sounding))
    }

    /// Whether a hammer is driven or rolls, unless modulation changes that.
    pub fn is_driven(&self) -> bool {
        self.get(ParamId::DriveGain) > 0.0 || self.get(ParamId::Roll) > 0.0
    }
}

/// The contact between a hammer or an obstacle and a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactParams {
    /// The contact model.
    pub model: ContactModel,
    /// Force [N] at a compression of 0.1 mm.
    pub stiffness: f64,
    /// Exponent alpha.
    pub exponent: f64,
    /// Damping mu [s/m].
    pub damping: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_not_a_number_becomes_the_default() {
        let mut settings = ParamValues::default();
        settings.set(ParamId::HammerMass, f64::NAN);
        assert_eq!(settings.get(ParamId::HammerMass), ParamId::HammerMass.spec().default);
        settings.set(ParamId::HammerMass, f64::INFINITY);
        assert_eq!(settings.get(ParamId::HammerMass), ParamId::HammerMass.spec().max);
    }
}
