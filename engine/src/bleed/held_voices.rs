//! Bodies of one sound that are not damped answer to the strikes of its other keys: sympathetic strings.

use std::f64::consts::E;
use std::ops::Range;

use crate::bleed::answering_body::{AnswerScratch, AnswerSettings, AnsweringBody, AnsweringKey, Wires};
use crate::block::{CONTROL_BLOCK, StereoBlock, mid};
use crate::context::RenderContext;
use crate::midi::Note;
use crate::modulation::FrameTime;
use crate::params::{KeyLayout, ParamId};
use crate::polyphony::VoiceManager;
use crate::voice::Voice;

/// Maximum number of voices that answer.
const MAX_ANSWERING: usize = 16;

/// Level of the answer of a mode to a partial of its frequency and decay, over that partial, at a bleed of 1: -34 dB. Fitted to the
/// built-in strings: one a fifth from the one that is struck answers 30 to 50 dB below it on the partials that both share.
const SHARE: f64 = 2.0 * E * 0.02;

/// Number of voices in a control block that may begin to answer, and whose parameters may have changed since their bodies were described.
const BEGUN_PER_BLOCK: usize = 2;
const UPDATED_PER_BLOCK: usize = 2;

/// The voice that answers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct VoiceRef {
    number: usize,
    activated_at: u64,
}

impl VoiceRef {
    fn of(number: usize, voice: &Voice) -> Self {
        Self { number, activated_at: voice.activated_at() }
    }

    /// The voice, as long as it plays the same key.
    fn find(self, voices: &VoiceManager) -> Option<&Voice> {
        let voice = voices.voice(self.number);
        (voice.is_awake() && !voice.is_stolen() && voice.activated_at() == self.activated_at).then_some(voice)
    }
}

/// Room for the answer of one voice.
struct Slot {
    /// None: its voice has ended, and it fades or is free.
    voice: Option<VoiceRef>,
    body: AnsweringBody,
    /// Sound of the voice itself in this control block.
    own: [f64; CONTROL_BLOCK],
}

impl Slot {
    fn new() -> Self {
        Self { voice: None, body: AnsweringBody::new(Wires::Off), own: [0.0; CONTROL_BLOCK] }
    }

    fn is_free(&self) -> bool {
        self.voice.is_none() && self.body.is_resting()
    }
}

/// The voices of one sound that answer to others.
pub struct HeldVoices {
    slots: Vec<Slot>,
    scratch: AnswerScratch,
    /// Sound of all strikes in this control block.
    struck: [f64; CONTROL_BLOCK],
    was_struck: bool,
    answer: StereoBlock,
    /// Something answers in this control block.
    is_answering: bool,
}

impl HeldVoices {
    /// Room for the answers of as many of `voices` voices as may answer; allocates.
    pub fn new(voices: usize) -> Self {
        Self {
            slots: (0..voices.min(MAX_ANSWERING)).map(|_| Slot::new()).collect(),
            scratch: AnswerScratch::new(),
            struck: [0.0; CONTROL_BLOCK],
            was_struck: false,
            answer: [[0.0; CONTROL_BLOCK]; 2],
            is_answering: false,
        }
    }

    /// Whether nothing of it sounds or is going to.
    pub fn is_silent(&self) -> bool {
        !self.was_struck && self.slots.iter().all(|slot| slot.body.is_resting())
    }

    /// Sets everything to rest.
    pub fn reset(&mut self) {
        for slot in &mut self.slots {
            slot.voice = None;
            slot.body.forget();
        }
        (self.was_struck, self.is_answering) = (false, false);
    }

    /// Begins a control block: computes the answers to the strikes of the last one.
    pub fn begin_block(&mut self, voices: &mut VoiceManager, context: &RenderContext) {
        let amount = context.settings.get(ParamId::Bleed);
        let is_on = amount > 0.0 && !self.slots.is_empty() && context.settings.key_layout() == KeyLayout::Keys;
        self.is_answering = is_on || self.slots.iter().any(|slot| !slot.is_free());
        if !self.is_answering {
            self.was_struck = false;
            return;
        }
        self.answer = [[0.0; CONTROL_BLOCK]; 2];
        self.release_ended(is_on, voices);
        if is_on {
            self.begin_voices(voices, context);
            self.update(voices, context);
        }
        let struck = if std::mem::take(&mut self.was_struck) { self.struck } else { [0.0; CONTROL_BLOCK] };
        for slot in &mut self.slots {
            slot.answer(&struck, SHARE * amount, voices, context, &mut self.answer);
        }
        let cost: f32 = self.slots.iter().map(|slot| slot.body.cost()).sum();
        voices.charge(context.frame, cost * CONTROL_BLOCK as f32);
    }

    /// Lets the slots go whose voices have ended, or all.
    fn release_ended(&mut self, is_on: bool, voices: &mut VoiceManager) {
        for slot in &mut self.slots {
            let Some(voice) = slot.voice.filter(|voice| !is_on || voice.find(voices).is_none()) else { continue };
            // also one that has been stolen, which fades
            if voices.voice(voice.number).activated_at() == voice.activated_at {
                voices.keep_awake(voice.number, false);
            }
            slot.voice = None;
        }
    }

    /// Gives slots to voices that are not damped and have none.
    fn begin_voices(&mut self, voices: &VoiceManager, context: &RenderContext) {
        let mut begun = 0;
        for (number, voice) in voices.numbered_awake() {
            let wanted = VoiceRef::of(number, voice);
            let can_answer = !voice.is_stolen() && !voice.has_hi_hat() && voice.is_undamped();
            if begun == BEGUN_PER_BLOCK || !can_answer || self.slots.iter().any(|slot| slot.voice == Some(wanted)) {
                continue;
            }
            let Some(slot) = self.slots.iter_mut().find(|slot| slot.is_free()) else { return };
            slot.voice = Some(wanted);
            slot.body.forget();
            slot.describe(voices, context, &mut self.scratch);
            // its last control block
            slot.own = std::array::from_fn(|n| mid(voice.output(), n));
            begun += 1;
        }
    }

    /// Follows the parameters of some voices in turn.
    fn update(&mut self, voices: &VoiceManager, context: &RenderContext) {
        let count = self.slots.len();
        let first = (context.frame / CONTROL_BLOCK as u64 * UPDATED_PER_BLOCK as u64 % count as u64) as usize;
        for i in first..first + UPDATED_PER_BLOCK.min(count) {
            self.slots[i % count].describe(voices, context, &mut self.scratch);
        }
    }

    /// Takes `struck`, the sound of the strikes, in the frames `run`, and adds the answers to `block`.
    pub fn render(&mut self, run: Range<usize>, voices: &VoiceManager, struck: &[f64; CONTROL_BLOCK], block: &mut StereoBlock) {
        if !self.is_answering {
            return;
        }
        if !voices.is_asleep() {
            self.record(run.clone(), voices, struck);
        }
        for (block, answer) in block.iter_mut().zip(&mut self.answer) {
            // taken once: a part that sleeps does not begin control blocks
            run.clone().for_each(|n| block[n] += std::mem::take(&mut answer[n]));
        }
    }

    /// Records the frames `run` of all voices together, `struck`, and of those that answer.
    fn record(&mut self, run: Range<usize>, voices: &VoiceManager, struck: &[f64; CONTROL_BLOCK]) {
        if !std::mem::replace(&mut self.was_struck, true) {
            self.struck = [0.0; CONTROL_BLOCK];
            self.slots.iter_mut().for_each(|slot| slot.own = [0.0; CONTROL_BLOCK]);
        }
        self.struck[run.clone()].copy_from_slice(&struck[run.clone()]);
        for slot in &mut self.slots {
            if let Some(voice) = slot.voice.and_then(|voice| voice.find(voices)) {
                run.clone().for_each(|n| slot.own[n] = mid(voice.output(), n));
            }
        }
    }
}

impl Slot {
    /// Takes modes and weights of its voice.
    fn describe(&mut self, voices: &VoiceManager, context: &RenderContext, scratch: &mut AnswerScratch) {
        let voice = self.voice.and_then(|voice| voice.find(voices));
        let Some((voice, body)) = voice.and_then(|voice| Some((voice, voices.bodies().body(voice.body_slot()?)?))) else {
            return;
        };
        let key = AnsweringKey { hertz: voice.pitch().hertz(), scaling: voice.key_scaling() };
        self.body.update(body, &AnswerSettings::of(body, key, context), context.rate, scratch);
    }

    /// Adds its answer to the sound `struck` of all voices but its own, times `gain`.
    fn answer(
        &mut self,
        struck: &[f64; CONTROL_BLOCK],
        gain: f64,
        voices: &mut VoiceManager,
        context: &RenderContext,
        out: &mut StereoBlock,
    ) {
        let voice = self.voice.and_then(|voice| voice.find(voices));
        let (heard, decay) = match voice {
            Some(voice) => (std::array::from_fn(|n| gain * (struck[n] - self.own[n])), voice.decay_factor()),
            None => {
                self.body.fade();
                ([0.0; CONTROL_BLOCK], 1.0)
            }
        };
        let (is_held, gains) = voice.map_or((false, [1.0; 2]), |voice| (is_held(voice), voice.gains()));
        let mut answer = [[0.0; CONTROL_BLOCK]; 2];
        self.body.answer(&heard, decay, FrameTime { frame: context.frame, rate: context.rate }, &mut answer);
        for ((out, answer), gain) in out.iter_mut().zip(&answer).zip(gains) {
            out.iter_mut().zip(answer).for_each(|(out, answer)| *out += gain * answer);
        }
        if let Some(voice) = self.voice {
            voices.keep_awake(voice.number, is_held || !self.body.is_resting());
        }
    }
}

/// Whether a key or a pedal holds a voice that may wait for the sound of others in silence.
fn is_held(voice: &Voice) -> bool {
    let holds = |note: &Note| note.is_held() || note.damper > 0.0;
    voice.is_undamped() && !voice.is_dense() && voice.notes().iter().any(holds)
}
