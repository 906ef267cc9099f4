//! Obstacles of all voices: their assignment to voices, and the order in which voices lose them.

use crate::context::RenderContext;
use crate::event::NoteId;
use crate::midi::Note;
use crate::params::ParamId;
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::{ObstacleParams, RemovalRank, contact_law};

/// A voice that may lose its obstacles when the total cost is too high; a driven one is protected: its energy is low when its note begins.
#[derive(Clone, Copy, Debug)]
pub struct ObstacleOwner {
    /// Number of the voice.
    voice: usize,
}

impl VoiceManager {
    /// Assigns voice `i` the obstacles of the parameters, modulated by its last note.
    pub(super) fn update_obstacles(&mut self, i: usize, context: &RenderContext) {
        let last = self.voices[i].obstacles().params().copied();
        if !self.voices[i].is_awake()
            || self.voices[i].has_hi_hat()
            || last.is_none() && context.settings.get(ParamId::Rattle) < 0.5
        {
            return;
        }
        let note = self.voices[i].notes().iter().last().copied().unwrap_or_else(|| Note::of(NoteId::default()));
        let offsets = context.note_param_context().offsets(&note);
        // a rigid obstacle has the damping of a hammer of the same mass
        let law = contact_law(&context.settings.obstacle_contact(), context.settings.get(ParamId::RattleMass));
        let params = ObstacleParams::new(context.settings, &offsets, law);
        if last == Some(params) {
            return;
        }
        self.voices[i].discard_lookahead();
        if let Some(last) = last.filter(|last| params.keeps_obstacles_of(last)) {
            let voice = &mut self.voices[i];
            let Some(body) = voice.body_slot().and_then(|slot| self.bodies.body(slot)) else { return };
            voice.update_obstacles(&params, &last, body, context, &mut self.scratch);
        } else {
            self.replace_obstacles(i, &params, context);
        }
        self.voices[i].set_obstacle_params((!params.is_off()).then_some(params));
    }

    /// Replaces the obstacles of voice `i`; on a body at rest they are at rest.
    fn replace_obstacles(&mut self, i: usize, params: &ObstacleParams, context: &RenderContext) {
        self.render_state.order.clear();
        self.voices[i].clear_obstacles();
        let at_rest = self.voices[i].activated_at() == context.frame && !self.voices[i].collision().any_active();
        for _ in 0..params.count() {
            if !self.may_add_obstacle() {
                break;
            }
            self.reserve_hammer(i);
            let voice = &mut self.voices[i];
            let Some(body) = voice.body_slot().and_then(|slot| self.bodies.body(slot)) else { return };
            if !voice.add_obstacle(params, body, context, &mut self.scratch) {
                break;
            }
        }
        if at_rest {
            self.voices[i].collision_mut().settle_preload();
        }
    }

    /// The voices with obstacles to step, with their ranks.
    pub(super) fn obstacle_owners(&self) -> impl Iterator<Item = (RemovalRank, ObstacleOwner)> {
        let owners = self.active_voices.iter().copied().filter(|&i| self.voices[i].obstacles().active_count() > 0);
        owners.map(|i| {
            let (protected, energy) = (self.drive.hammers().is_on(i), self.voices[i].collision().energy());
            (RemovalRank { protected, energy }, ObstacleOwner { voice: i })
        })
    }

    /// Removes the obstacles of a voice until it is struck again. Returns their number.
    pub(super) fn remove_obstacles(&mut self, &ObstacleOwner { voice }: &ObstacleOwner) -> usize {
        let voice = &mut self.voices[voice];
        let count = voice.obstacles().count();
        voice.clear_obstacles();
        self.pool.collect(voice.collision_mut());
        count
    }
}
