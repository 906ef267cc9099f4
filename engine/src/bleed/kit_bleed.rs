//! The zones of a kit answer to each other: each has a body that hears the strikes of the others, by level and distance.

use std::f64::consts::E;

use crate::bleed::answering_body::{AnswerScratch, AnswerSettings, AnsweringBody, AnsweringKey, Wires};
use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::body::PreparedBody;
use crate::context::RenderContext;
use crate::modulation::FrameTime;
use crate::params::ParamId;

/// Level of the answer of a mode to a tone of its frequency and decay at the least distance, over that tone, at a bleed of 1: -36 dB. Fitted
/// to wires of snares, which answer to a kick of velocity 110 29 to 38 dB below it in two kits and five pairs of drums.
const SHARE: f64 = 2.0 * E * 0.0158;

/// Least distance of two zones, and distance of the zones at the far left and right from the centre [m].
const LEAST_DISTANCE: f64 = 0.5;
const HALF_WIDTH: f64 = 1.0;

/// Number of zones in a control block whose parameters may have changed since their bodies were described.
const UPDATED_PER_BLOCK: usize = 2;

/// A zone as others hear it.
#[derive(Clone, Copy, Debug)]
pub struct ZonePlace {
    /// Pan, -1 left to 1 right.
    pub pan: f64,
    /// Choke group, whose zones are one instrument; 0: none.
    pub group: u8,
    /// Amplitude of the zone in the kit over that of its voices.
    pub gain: f64,
    /// The part of it that belongs to the sound, without the level of the zone.
    pub own_gain: f64,
    /// The lowest key of its sound that it plays.
    pub key: u8,
}

impl ZonePlace {
    /// Gain of the sound of `other` here.
    fn hears(&self, other: &ZonePlace) -> f64 {
        let is_same = self.group != 0 && self.group == other.group;
        let aside = HALF_WIDTH * (self.pan - other.pan) / LEAST_DISTANCE;
        if is_same { 0.0 } else { SHARE / (1.0 + aside * aside).sqrt() / self.own_gain }
    }
}

/// A zone that answers.
struct AnsweringZone {
    place: ZonePlace,
    body: AnsweringBody,
    amount: f64,
    /// Sound of its strikes in this and in the last control block, at its level in the kit.
    struck: [[f64; CONTROL_BLOCK]; 2],
    was_struck: [bool; 2],
    /// Its answer in this control block.
    answer: StereoBlock,
}

/// What the answer of a zone depends on in one control block.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnswerParams {
    /// How strongly it answers.
    amount: f64,
    /// Its other parameters if its turn has come: none without a body or a pitch.
    settings: Option<Option<AnswerSettings>>,
}

impl AnswerParams {
    /// Those of a zone at `place`, number `turn.zone` of `turn.count`, at frame `context.frame`, the first of a control block.
    pub fn of(place: &ZonePlace, turn: AnswerTurn, body: Option<&PreparedBody>, context: &RenderContext) -> Self {
        let settings = turn.has_come(context.frame).then(|| settings(place, body, context));
        Self { amount: amount(body, context), settings }
    }
}

/// Number of a zone among those of a kit: the zones update their parameters in turn.
#[derive(Clone, Copy, Debug)]
pub struct AnswerTurn {
    /// Its number, from 0.
    pub zone: usize,
    /// Number of all zones.
    pub count: usize,
}

impl AnswerTurn {
    /// Whether its turn comes in the control block that begins with `frame`.
    fn has_come(self, frame: u64) -> bool {
        let first = (frame / CONTROL_BLOCK as u64 * UPDATED_PER_BLOCK as u64 % self.count as u64) as usize;
        (self.zone + self.count - first) % self.count < UPDATED_PER_BLOCK
    }
}

/// All zones of a kit that answer.
pub struct KitBleed {
    zones: Vec<AnsweringZone>,
    scratch: AnswerScratch,
    is_on: bool,
}

impl KitBleed {
    /// For zones at `places`, each with its body; allocates.
    pub fn new<'a>(places: impl Iterator<Item = (ZonePlace, Option<&'a PreparedBody>, RenderContext<'a>)>) -> Self {
        let mut scratch = AnswerScratch::new();
        let zones = places.map(|(place, body, context)| AnsweringZone::new(place, body, &context, &mut scratch)).collect();
        Self { zones, scratch, is_on: false }
    }

    /// Whether nothing of it sounds or is going to.
    pub fn is_silent(&self) -> bool {
        self.zones.iter().all(|zone| zone.body.is_resting() && zone.was_struck == [false; 2])
    }

    /// Whether a zone may answer in this control block.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Sets everything to rest.
    pub fn reset(&mut self) {
        self.is_on = false;
        self.zones.iter_mut().for_each(AnsweringZone::reset);
    }

    /// Takes the parameters of zone `i` as they are.
    pub fn refresh(&mut self, i: usize, body: Option<&PreparedBody>, context: &RenderContext) {
        let zone = &mut self.zones[i];
        let settings = settings(&zone.place, body, context);
        zone.update(body, settings.as_ref(), context.rate, &mut self.scratch);
    }

    /// Zone `i` is choked.
    pub fn choke(&mut self, i: usize, rate: f64) {
        self.zones[i].body.choke(rate);
    }

    /// Begins a control block of zone `i` with `params`, those of `body` at `rate` [Hz]. `is_active`: something sounds in the kit.
    pub fn take_params(&mut self, i: usize, is_active: bool, params: &AnswerParams, body: Option<&PreparedBody>, rate: f64) {
        let zone = &mut self.zones[i];
        zone.amount = params.amount;
        if let Some(settings) = &params.settings
            && is_active
            && (zone.amount > 0.0 || !zone.body.is_resting())
        {
            zone.update(body, settings.as_ref(), rate, &mut self.scratch);
        }
    }

    /// Computes the answers to the last control block, for the one that begins at `time`.
    pub fn answer(&mut self, time: FrameTime) {
        for zone in &mut self.zones {
            zone.struck.swap(0, 1);
            zone.was_struck = [false, zone.was_struck[0]];
        }
        self.is_on = self.zones.iter().any(|zone| zone.amount > 0.0);
        for i in 0..self.zones.len() {
            if self.zones[i].amount == 0.0 && self.zones[i].body.is_resting() {
                continue;
            }
            let mut heard = [0.0; CONTROL_BLOCK];
            if self.zones[i].amount > 0.0 {
                self.add_heard(i, &mut heard);
            }
            let AnsweringZone { body, answer, .. } = &mut self.zones[i];
            body.answer(&heard, 1.0, time, answer);
        }
    }

    /// Adds the sound of the others at zone `i`.
    fn add_heard(&self, i: usize, heard: &mut [f64; CONTROL_BLOCK]) {
        let here = &self.zones[i];
        let others = self.zones.iter().enumerate().filter(|(k, other)| *k != i && other.was_struck[1]);
        for (_, other) in others {
            let gain = here.amount * here.place.hears(&other.place);
            heard.iter_mut().zip(&other.struck[1]).for_each(|(sum, x)| *sum += gain * x);
        }
    }

    /// Cost of a frame, in samples of one mode of the reference resonator.
    pub fn cost(&self) -> f32 {
        self.zones.iter().map(|zone| zone.body.cost()).sum()
    }

    /// Takes the sound of the strikes of zone `i` in frame `offset` of the control block.
    pub fn hear(&mut self, i: usize, offset: usize, sound: f64) {
        let zone = &mut self.zones[i];
        if !zone.was_struck[0] {
            zone.struck[0] = [0.0; CONTROL_BLOCK];
        }
        zone.struck[0][offset] = zone.place.gain * sound;
        zone.was_struck[0] = true;
    }

    /// The answer of zone `i` in this control block; none if it rests.
    pub fn answer_of(&self, i: usize) -> Option<&StereoBlock> {
        self.zones.get(i).filter(|zone| !zone.body.is_resting()).map(|zone| &zone.answer)
    }
}

impl AnsweringZone {
    fn new(place: ZonePlace, body: Option<&PreparedBody>, context: &RenderContext, scratch: &mut AnswerScratch) -> Self {
        let wires = if body.is_some_and(|body| !body.driven().is_empty()) { Wires::OfBody } else { Wires::Off };
        let mut zone = Self {
            place,
            body: AnsweringBody::new(wires),
            amount: 0.0,
            struck: [[0.0; CONTROL_BLOCK]; 2],
            was_struck: [false; 2],
            answer: [[0.0; CONTROL_BLOCK]; 2],
        };
        if let Some(body) = body {
            zone.body.set_wires(body, context);
        }
        let settings = settings(&place, body, context);
        zone.update(body, settings.as_ref(), context.rate, scratch);
        zone
    }

    fn update(&mut self, body: Option<&PreparedBody>, settings: Option<&AnswerSettings>, rate: f64, scratch: &mut AnswerScratch) {
        match body.zip(settings) {
            Some((body, settings)) => self.body.update(body, settings, rate, scratch),
            None => self.body.forget(),
        }
    }

    fn reset(&mut self) {
        self.body.rest();
        (self.was_struck, self.amount) = ([false; 2], 0.0);
    }
}

/// The settings of a zone that answers; none without a body or a pitch.
fn settings(place: &ZonePlace, body: Option<&PreparedBody>, context: &RenderContext) -> Option<AnswerSettings> {
    let key = context.settings.body_key(place.key);
    let (body, hertz) = body.zip(context.tuning.hertz(key))?;
    Some(AnswerSettings::of(body, AnsweringKey { hertz, scaling: context.key_scaling(key) }, context))
}

/// How strongly a zone answers; a hi-hat answers while its pedal leaves the cymbals apart.
fn amount(body: Option<&PreparedBody>, context: &RenderContext) -> f64 {
    let apart = match body {
        Some(body) if body.is_hi_hat() => (1.0 - 2.0 * context.pedal().position).max(0.0),
        Some(_) => 1.0,
        None => 0.0,
    };
    apart * context.settings.get(ParamId::Bleed)
}
