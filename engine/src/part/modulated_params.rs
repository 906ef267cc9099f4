//! The parameters of a part, as set and as modulated in all voices.

use crate::block::CONTROL_BLOCK;
use crate::modulation::{FrameTime, LfoMotion, ModulationInputs, PartModulation, PartOffsets};
use crate::params::{MacroTargets, ParamId, UpdateRate};
use crate::part::part::{Part, PartInContext};

impl Part {
    /// Sets a parameter. Notes are updated in this frame unless the parameter is smoothed.
    pub fn set_param(&mut self, param: ParamId, value: f64) {
        self.base.set(param, value);
        let offset = self.modulation.offsets().get(param);
        self.settings.set(param, param.spec().with_offset(self.base.get(param), offset));
        self.tuning.moved(param);
        if param == ParamId::Mpe {
            self.controllers.set_zones(&self.settings);
        }
        if param == ParamId::HiHatPedal {
            self.controllers.forget_foot();
        }
        if param.spec().is_modulation() {
            self.modulation.note_settings(&self.settings);
            return self.refresh_modulation();
        }
        let PartInContext { voices, context } = self.in_context();
        match param {
            ParamId::HumanSeed => voices.reseed(context.settings),
            _ if moves_pedal(param) => voices.move_pedal(&context),
            _ if param.moves_hammers() => voices.update_all_hammers(&context),
            _ if param.spec().update_rate == UpdateRate::Immediate => voices.update_notes(|_| true, &context),
            _ => {}
        }
    }

    /// Sets what the macros move.
    pub fn set_macros(&mut self, macros: &MacroTargets) {
        self.modulation.set_macros(macros);
        self.refresh_modulation();
    }

    /// Computes the sources of the present control block and applies them, unless that has been done. Returns whether parameters have moved.
    pub fn begin_modulation(&mut self, motion: LfoMotion) -> bool {
        let block = self.frame / CONTROL_BLOCK as u64;
        if self.modulation.is_of_block(block) || self.modulation.is_at_rest() {
            return false;
        }
        let moved = self.move_params(|modulation, inputs| modulation.begin_block(block, motion, inputs));
        self.apply_moved(&moved, HammerUpdate::WithControlBlock);
        moved.any
    }

    /// Applies changed macros, rows, LFOs or envelopes in this frame.
    fn refresh_modulation(&mut self) {
        let motion = if self.is_silent() { LfoMotion::Restart } else { LfoMotion::Advance };
        if self.begin_modulation(motion) || self.modulation.is_at_rest() {
            return;
        }
        self.modulate(|modulation, inputs| {
            modulation.refresh_settings(inputs);
            modulation.update_offsets(inputs);
        });
    }

    /// Changes the modulation and applies its offsets in this frame.
    pub(super) fn modulate(&mut self, change: impl FnOnce(&mut PartModulation, &ModulationInputs)) {
        let moved = self.move_params(change);
        self.apply_moved(&moved, HammerUpdate::Now);
    }

    /// Changes the modulation and sets the parameters to what it makes of them.
    fn move_params(&mut self, change: impl FnOnce(&mut PartModulation, &ModulationInputs)) -> MovedParams {
        let Self { config, settings, modulation, controllers, voices, frame, .. } = self;
        let before = *modulation.offsets();
        let (sources, note) = voices.last_struck();
        let time = FrameTime { frame: *frame - *frame % CONTROL_BLOCK as u64, rate: config.rate() };
        let clock = voices.drive().beat_clock();
        change(modulation, &ModulationInputs { settings, controllers, sources, note: &note, clock, time });
        self.apply_offsets(&before)
    }

    /// Sets the parameters by the offsets in place of `before`.
    fn apply_offsets(&mut self, before: &PartOffsets) -> MovedParams {
        let mut moved = MovedParams::default();
        let after = self.modulation.offsets();
        let lost = before.iter().filter(|(id, _)| after.iter().all(|(other, _)| other != *id)).map(|(id, _)| (id, 0.0));
        for (id, offset) in lost.chain(after.iter()) {
            let value = id.spec().with_offset(self.base.get(id), offset);
            if value != self.settings.get(id) {
                self.settings.set(id, value);
                self.tuning.moved(id);
                moved.add(id);
            }
        }
        moved
    }

    /// Voices and drive follow the parameters that have moved.
    fn apply_moved(&mut self, moved: &MovedParams, hammers: HammerUpdate) {
        if moved.modulation {
            self.modulation.read_again();
        }
        if moved.notes || moved.hammers {
            let PartInContext { voices, context } = self.in_context();
            match hammers {
                _ if moved.notes => voices.update_notes(|_| true, &context),
                HammerUpdate::Now => voices.update_all_hammers(&context),
                HammerUpdate::WithControlBlock => voices.mark_hammers_outdated(),
            }
            self.update_drive();
        }
        if moved.pedal {
            let PartInContext { voices, context } = self.in_context();
            voices.move_pedal(&context);
        }
    }
}

/// When hammers follow parameters that move nothing else.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HammerUpdate {
    /// At once.
    Now,
    /// When the control block of this frame begins, together with what moves in single voices.
    WithControlBlock,
}

/// Which parameters modulation has moved.
#[derive(Clone, Copy, Debug, Default)]
struct MovedParams {
    any: bool,
    /// Rows, LFOs, envelopes or macros.
    modulation: bool,
    /// Parameters that move nothing but hammers.
    hammers: bool,
    /// Others that act at once.
    notes: bool,
    /// The pedal of a hi-hat.
    pedal: bool,
}

impl MovedParams {
    fn add(&mut self, id: ParamId) {
        let spec = id.spec();
        self.any = true;
        self.modulation |= spec.is_modulation();
        self.hammers |= id.moves_hammers();
        self.notes |= spec.update_rate == UpdateRate::Immediate && !id.moves_hammers();
        self.pedal |= moves_pedal(id);
    }
}

/// Whether a parameter moves the pedal of a hi-hat.
fn moves_pedal(param: ParamId) -> bool {
    matches!(param, ParamId::HiHatPedal | ParamId::HiHatGap | ParamId::HiHatFriction)
}
