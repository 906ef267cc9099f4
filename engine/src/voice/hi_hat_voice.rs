//! A voice that plays a hi-hat: the network and the field of both plates in place of a body of its own.
//!
//! The hi-hat keeps its state while no voice plays it: a closed one stays pressed together.

use crate::block::CONTROL_BLOCK;
use crate::body::{BodyScratch, BodySize, BodyTuning, PreparedBody};
use crate::context::RenderContext;
use crate::hi_hat::{HiHat, HiHatChanges, LOWER_MASS, LOWER_PITCH, PLATES, POINTS, PedalSetting, StickStroke, point};
use crate::modulation::NoteParams;
use crate::params::SolverQuality;
use crate::voice::hammer::NoteHammer;
use crate::voice::hammers::contact_law;
use crate::voice::voice::Voice;
use urto_physics::connections::NetworkResolution;
use urto_physics::modal::CascadeLaw;
use urto_physics::radiation::HammerHead;

/// Parts of a sample for which contacts are solved while a stick is near, by the quality.
const PARTS: [u32; 3] = [2, 4, 16];

/// A plate with its modes at one pitch.
struct PlateAt<'a> {
    number: usize,
    body: &'a PreparedBody,
    tuning: BodyTuning,
    size: BodySize,
}

impl Voice {
    /// Gives back the hi-hat.
    pub fn give_hi_hat(&mut self) -> Option<Box<HiHat>> {
        let mut hi_hat = self.hi_hat.take()?;
        hi_hat.remove_all_sticks();
        Some(hi_hat)
    }

    /// Plays `hi_hat`, that of `body`; a new one is at rest with its pedal at `setting`.
    pub fn take_hi_hat(
        &mut self,
        mut hi_hat: Box<HiHat>,
        setting: PedalSetting,
        body: &PreparedBody,
        context: &RenderContext,
        scratch: &mut BodyScratch,
    ) {
        let number = scratch.pickup_inputs.number_of(self.pickup_inputs(body, context));
        let is_fresh = hi_hat.is_fresh();
        if !hi_hat.is_built_from(number) {
            if is_fresh {
                hi_hat.begin(context.rate);
            }
            self.tune_plates(&mut hi_hat, body, context, scratch);
            if is_fresh {
                hi_hat.connect(setting);
            }
            self.weigh_plates(&mut hi_hat, body, context, scratch);
            hi_hat.set_built_from(number);
        } else if is_fresh {
            hi_hat.return_to_rest(setting);
        }
        self.hi_hat = Some(hi_hat);
    }

    fn plate_at<'a>(&self, number: usize, body: &'a PreparedBody, context: &RenderContext) -> PlateAt<'a> {
        let mut size = context.body_size(self.key_scaling);
        let mut tuning = context.body_tuning(self.pitch.hertz(), self.key_scaling);
        if number > 0 {
            (size.mass, tuning.lowest) = (size.mass * LOWER_MASS, tuning.lowest * LOWER_PITCH);
        }
        PlateAt { number, body: body.plate(number), tuning, size }
    }

    fn set_plate(&self, hi_hat: &mut HiHat, plate: &PlateAt, context: &RenderContext, scratch: &mut BodyScratch) {
        let modes = plate.body.modes(plate.body.partials(), &plate.tuning, context.rate, &mut scratch.modes);
        hi_hat.set_plate(plate.number, modes, plate.size.mass);
    }

    fn tune_plates(&self, hi_hat: &mut HiHat, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        for number in 0..PLATES {
            self.set_plate(hi_hat, &self.plate_at(number, body, context), context, scratch);
        }
    }

    /// Updates the weights of both plates at all points and pickups.
    fn weigh_plates(&self, hi_hat: &mut HiHat, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        for number in 0..PLATES {
            let plate = self.plate_at(number, body, context);
            // a plate has silent modes beyond those that there is room for
            let count = hi_hat.modes(number).len().min(scratch.room());
            for n in 0..POINTS {
                let weights = plate.body.hammer_weights(point(n), plate.size, count, scratch);
                hi_hat.set_point(number, n, weights);
            }
            self.place_pickups(hi_hat, &plate, context, scratch);
        }
        let upper = self.plate_at(0, body, context);
        hi_hat.set_frame(body.heavy_gains(upper.size.mass, &upper.tuning, context.rate));
        hi_hat.finish();
    }

    fn place_pickups(&self, hi_hat: &mut HiHat, plate: &PlateAt, context: &RenderContext, scratch: &mut BodyScratch) {
        let modes = hi_hat.modes(plate.number);
        let count = modes.len().min(scratch.room());
        let modes = &modes[..count];
        context.pickup_model(self.key_scaling).fill_weights(plate.body, plate.size, modes, scratch);
        let audible = (plate.body.rigid() + plate.body.modes_below_limit(&plate.tuning, context.rate)).min(count);
        let [left, right] = &scratch.pickups;
        hi_hat.set_pickups(plate.number, [&left[..count], &right[..count]], audible);
    }

    /// Begins a control block: the pedal moves; in its turn the plates take the changes of parameters since the last one, which costs as much
    /// as a control block may.
    pub fn begin_hi_hat_block(
        &mut self,
        changes: HiHatChanges,
        body: &PreparedBody,
        context: &RenderContext,
        scratch: &mut BodyScratch,
    ) {
        let Some(mut hi_hat) = self.hi_hat.take() else { return };
        self.hi_hat_changes = self.hi_hat_changes.with(changes);
        if self.has_lookahead_turn() {
            let HiHatChanges { pitch, weights } = std::mem::take(&mut self.hi_hat_changes);
            if pitch {
                self.tune_plates(&mut hi_hat, body, context, scratch);
            }
            if pitch || weights {
                self.weigh_plates(&mut hi_hat, body, context, scratch);
                hi_hat.set_built_from(scratch.pickup_inputs.number_of(self.pickup_inputs(body, context)));
            }
        }
        hi_hat.set_cascade(self.cascade_laws(body, context));
        hi_hat.begin_block(context.pedal(), CONTROL_BLOCK as f64 / context.rate);
        self.hi_hat = Some(hi_hat);
    }

    /// How each plate exchanges energy.
    fn cascade_laws(&self, body: &PreparedBody, context: &RenderContext) -> [Option<CascadeLaw>; PLATES] {
        let law = context.cascade_strength().zip(body.cascade_thickness());
        [1.0, LOWER_MASS].map(|heavier| {
            let mass = heavier * context.body_size(self.key_scaling).mass;
            law.map(|(strength, thickness)| CascadeLaw { strength, thickness, mass })
        })
    }

    /// Strikes the upper plate with `hammer`, a point mass; the sticks of a hi-hat neither bend nor press.
    pub fn strike_hi_hat(
        &mut self,
        body: &PreparedBody,
        hammer: &NoteHammer,
        params: &NoteParams,
        context: &RenderContext,
        scratch: &mut BodyScratch,
    ) {
        let velocity = hammer.strike_speed * hammer.launch.relative_speed;
        let Some(mut hi_hat) = self.hi_hat.take() else { return };
        if velocity > 0.0 {
            let plate = self.plate_at(0, body, context);
            let place = hammer.launch.position(params.position);
            let weights = plate.body.hammer_weights(place, plate.size, hi_hat.modes(0).len().min(scratch.room()), scratch);
            let mass = params.hammer.mass * hammer.launch.share;
            let law = contact_law(&params.contact, mass);
            hi_hat.set_resolution(resolution(context.settings.solver_quality()));
            hi_hat.strike(&StickStroke { law, mass, velocity, delay: hammer.launch.delay }, weights);
            self.hammers.head = HammerHead::new(mass, context.rate);
            self.output.silence.reset();
            self.last_strike = context.frame;
        }
        self.hi_hat = Some(hi_hat);
    }
}

fn resolution(quality: SolverQuality) -> NetworkResolution {
    NetworkResolution { level: 0, most_modes: 0, parts: PARTS[quality as usize] }
}
