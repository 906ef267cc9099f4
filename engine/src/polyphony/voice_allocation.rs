//! Room on the stage: the object of a key, and who has to give way for another.

use crate::block::CONTROL_BLOCK;
use crate::context::{RenderContext, decay_rate};
use crate::params::ParamId;
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::MAX_HAMMERS;
use crate::voice::Voice;

/// Time to -60 dB of a body whose place another key has taken [s].
const STEAL_FADE_TIME: f64 = 0.02;

impl VoiceManager {
    /// The object that sounds with `key`'s body, or another that becomes it; none for a silent key.
    pub fn voice_for_key(&mut self, key: u8, scene: &RenderContext) -> Option<usize> {
        let (current, hertz) = (self.shelf.current(), scene.tuning.hertz(key)?);
        if let Some(i) = self.objects.iter().position(|o| o.matches(key, hertz, current)) {
            return Some(i);
        }
        let i = self.allocate_voice(scene)?;
        let body = self.shelf.body(current)?;
        self.objects[i].activate((key, hertz), current, body, scene, &mut self.scratch);
        self.objects[i].tuned = self.retune_count;
        self.register_active(i);
        self.shelf.retain(current);
        Some(i)
    }

    /// An object asleep. When enough play beside the one that is driven, the one with the least energy gives way and fades; when no spare one is left to fade
    /// in, the one that has faded most is cut off and its last output ramps out.
    fn allocate_voice(&mut self, scene: &RenderContext) -> Option<usize> {
        let most = (scene.settings.get(ParamId::Voices) as usize).min(self.most);
        let playing = |stage: &Self, i: usize| {
            let o = &stage.objects[i];
            o.is_awake() && !o.stolen && !stage.drive.hung.is_on(i)
        };
        while (0..self.objects.len()).filter(|&i| playing(self, i)).count() >= most {
            let quietest = self.lowest_energy_voice(playing)?;
            self.steal(quietest, scene);
        }
        if let Some(i) = self.objects.iter().position(|o| !o.is_awake()) {
            return Some(i);
        }
        let i = self.lowest_energy_voice(|stage, i| stage.objects[i].stolen)?;
        let offset = (scene.frame % CONTROL_BLOCK as u64) as usize;
        self.objects[i].ring_to(offset, scene.click());
        let last = (offset + CONTROL_BLOCK - 1) % CONTROL_BLOCK;
        for (cut, out) in self.fade_tail.iter_mut().zip(&self.objects[i].out) {
            cut[offset] += out[last];
        }
        self.sleep(i);
        Some(i)
    }

    fn lowest_energy_voice(&mut self, among: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        self.objects.iter_mut().for_each(Voice::sync_state);
        let candidates = (0..self.objects.len()).filter(|&i| among(self, i));
        candidates.min_by(|&a, &b| self.objects[a].collision.energy().total_cmp(&self.objects[b].collision.energy()))
    }

    /// Object `i` fades fast, without its hammers; its notes have ended.
    pub fn steal(&mut self, i: usize, scene: &RenderContext) {
        for hammer in 0..MAX_HAMMERS {
            self.objects[i].remove_hammer(hammer);
            self.recorder.forget(i, hammer);
        }
        if self.drive.hung.is_on(i) {
            self.drive.hung.forget();
        }
        let object = &mut self.objects[i];
        object.stolen = true;
        object.choked = decay_rate(STEAL_FADE_TIME);
        object.set_decay_target(scene.rate);
        object.notes.end(&mut self.ended, |_| true);
    }

    /// Damps all that sounds with the oldest body, so that its place becomes free.
    pub fn release_oldest_body(&mut self, scene: &RenderContext) {
        let oldest = self.shelf.oldest();
        for i in 0..self.objects.len() {
            if self.objects[i].is_awake() && !self.objects[i].stolen && self.objects[i].place == oldest {
                self.steal(i, scene);
            }
        }
    }
}
