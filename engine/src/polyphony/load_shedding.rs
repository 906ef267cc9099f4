//! Who leaves when the least that hammers take is too much: what the quietest bodies knock against, and the weakest hammers, of one
//! instrument or of all zones of a kit.

use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::Voice;

/// Most bodies and hammers that are looked for at once: each look goes over all.
const MAX_REMOVALS: usize = 64;

impl AsRef<VoiceManager> for VoiceManager {
    fn as_ref(&self) -> &VoiceManager {
        self
    }
}

impl AsMut<VoiceManager> for VoiceManager {
    fn as_mut(&mut self) -> &mut VoiceManager {
        self
    }
}

/// This part of the hammers of `stages` leaves. Of the bodies that knock against something all but the one with the most energy may lose it,
/// until they are struck again, that with the least first and one that is driven last; then hammers leave, the weakest first, but not those
/// of the drive. How many left.
#[cold]
pub fn shed_load<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(stages: &mut [S], part: f32) -> u64 {
    let hammers: usize = stages.iter().flat_map(|stage| stage.as_ref().awake()).map(Voice::active_count).sum();
    // saturates
    let leaving = (hammers as f32 * part).ceil() as usize;
    let mut left = 0;
    for _ in 0..MAX_REMOVALS {
        if left >= leaving {
            break;
        }
        match drop_quietest_obstacles(stages) {
            0 if lift(stages) => left += 1,
            0 => break,
            obstacles => left += obstacles,
        }
    }
    left as u64
}

/// The body with the least energy of those that knock against something, unless it is the last, loses that. How many obstacles.
fn drop_quietest_obstacles<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(stages: &mut [S]) -> usize {
    let mut knocking: usize = 0;
    let bodies = stages.iter().enumerate().flat_map(|(n, stage)| stage.as_ref().knocking().map(move |body| (body, n)));
    let least = bodies.inspect(|_| knocking += 1).min_by(|(a, _), (b, _)| a.order(b));
    match least.filter(|_| knocking > 1) {
        Some((body, n)) => stages[n].as_mut().hush(&body),
        None => 0,
    }
}

/// The weakest hammer leaves. Whether there was one.
fn lift<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(stages: &mut [S]) -> bool {
    let weakest = stages.iter().enumerate().filter_map(|(n, stage)| Some((n, stage.as_ref().weakest()?)));
    let Some((n, weakest)) = weakest.min_by(|a, b| a.1.order(&b.1)) else { return false };
    stages[n].as_mut().lift(&weakest);
    true
}
