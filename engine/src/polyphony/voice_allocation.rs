//! Room on the stage: the object of a key, and who has to give way for another.

use crate::context::{Scene, decay_rate};
use crate::params::table::KnobId;
use crate::polyphony::voice_manager::Stage;
use crate::voice::hammers::HAMMERS;
use crate::voice::ring::GRID;
use crate::voice::voice::Object;

/// Time to -60 dB of a body whose place another key has taken [s].
const STOLEN_TIME: f64 = 0.02;

impl Stage {
    /// The object that sounds with `key`'s body, or another that becomes it; none for a silent key.
    pub fn object_of(&mut self, key: u8, scene: &Scene) -> Option<usize> {
        let (current, hertz) = (self.shelf.current(), scene.tuning.hertz(key)?);
        if let Some(i) = self.objects.iter().position(|o| o.meets(key, hertz, current)) {
            return Some(i);
        }
        let i = self.free_object(scene)?;
        let body = self.shelf.body(current)?;
        self.objects[i].wake((key, hertz), current, body, scene, &mut self.scratch);
        self.objects[i].tuned = self.tunings;
        self.note_awake(i);
        self.shelf.take_up(current);
        Some(i)
    }

    /// An object asleep. When enough play beside the one that is driven, the one with the least energy gives way and fades; when no spare one is left to fade
    /// in, the one that has faded most is cut off and its last output ramps out.
    fn free_object(&mut self, scene: &Scene) -> Option<usize> {
        let most = (scene.settings.get(KnobId::Voices) as usize).min(self.most);
        let playing = |stage: &Self, i: usize| {
            let o = &stage.objects[i];
            o.is_awake() && !o.stolen && !stage.drive.hung.is_on(i)
        };
        while (0..self.objects.len()).filter(|&i| playing(self, i)).count() >= most {
            let quietest = self.quietest(playing)?;
            self.steal(quietest, scene);
        }
        if let Some(i) = self.objects.iter().position(|o| !o.is_awake()) {
            return Some(i);
        }
        let i = self.quietest(|stage, i| stage.objects[i].stolen)?;
        let offset = (scene.frame % GRID as u64) as usize;
        self.objects[i].ring_to(offset, scene.click());
        let last = (offset + GRID - 1) % GRID;
        for (cut, out) in self.cut.iter_mut().zip(&self.objects[i].out) {
            cut[offset] += out[last];
        }
        self.sleep(i);
        Some(i)
    }

    fn quietest(&mut self, among: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        self.objects.iter_mut().for_each(Object::catch_up);
        let candidates = (0..self.objects.len()).filter(|&i| among(self, i));
        candidates.min_by(|&a, &b| self.objects[a].collision.energy().total_cmp(&self.objects[b].collision.energy()))
    }

    /// Object `i` fades fast, without its hammers; its notes have ended.
    pub fn steal(&mut self, i: usize, scene: &Scene) {
        for hammer in 0..HAMMERS {
            self.objects[i].lift(hammer);
            self.recorder.forget(i, hammer);
        }
        if self.drive.hung.is_on(i) {
            self.drive.hung.forget();
        }
        let object = &mut self.objects[i];
        object.stolen = true;
        object.choked = decay_rate(STOLEN_TIME);
        object.set_fade(scene.rate);
        object.notes.end(&mut self.ended, |_| true);
    }

    /// Damps all that sounds with the oldest body, so that its place becomes free.
    pub fn clear_oldest(&mut self, scene: &Scene) {
        let oldest = self.shelf.oldest();
        for i in 0..self.objects.len() {
            if self.objects[i].is_awake() && !self.objects[i].stolen && self.objects[i].place == oldest {
                self.steal(i, scene);
            }
        }
    }
}
