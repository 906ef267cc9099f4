//! The slots of the prepared bodies in use.

use crate::body::body_types::BodySpec;
use crate::body::prepared_body::PreparedBody;
use crate::hi_hat::HiHat;
use urto_physics::modal::LentPotential;

/// Maximum number of bodies in use while the body type changes.
const SLOTS: usize = 8;

/// The prepared bodies in use, with the number of voices that use each: the current one, older ones that voices still use, and the
/// next one. Frees nothing.
pub struct BodySlots {
    places: [Option<Box<PreparedBody>>; SLOTS],
    uses: [u32; SLOTS],
    age: [u32; SLOTS],
    current: usize,
    waiting: Option<Box<PreparedBody>>,
}

impl BodySlots {
    /// Slots with one body, which is the current one.
    pub fn new(body: Box<PreparedBody>) -> Self {
        let mut places = [const { None }; SLOTS];
        places[0] = Some(body);
        Self { places, uses: [0; SLOTS], age: [0; SLOTS], current: 0, waiting: None }
    }

    /// The body in slot `place`; `None` if it is free.
    pub fn body(&self, place: usize) -> Option<&PreparedBody> {
        self.places[place].as_deref()
    }

    /// The same, to change it.
    fn body_mut(&mut self, place: usize) -> Option<&mut PreparedBody> {
        self.places[place].as_deref_mut()
    }

    /// Slot of the current body: the one for new strikes.
    pub fn current(&self) -> usize {
        self.current
    }

    /// The latest request.
    pub fn request(&self) -> Option<BodySpec> {
        self.waiting.as_deref().or(self.body(self.current)).map(PreparedBody::request)
    }

    /// Counts one more voice on the body in slot `place`.
    pub fn retain(&mut self, place: usize) {
        self.uses[place] += 1;
    }

    /// Counts one voice less.
    pub fn release(&mut self, place: usize) {
        self.uses[place] = self.uses[place].saturating_sub(1);
    }

    /// Queues `body` for [`BodySlots::install`]; returns a body that is no longer needed. Errors: `body` itself if no slot is free.
    pub fn queue(&mut self, body: Box<PreparedBody>) -> Result<Option<Box<PreparedBody>>, Box<PreparedBody>> {
        if let Some(waiting) = &mut self.waiting {
            return Ok(Some(std::mem::replace(waiting, body)));
        }
        let spent = self.take_unused();
        if self.places.iter().all(Option::is_some) {
            return Err(body);
        }
        self.waiting = Some(body);
        Ok(spent)
    }

    /// Makes the queued body the current one.
    pub fn install(&mut self) {
        let Some(free) = self.places.iter().position(Option::is_none) else { return };
        if let Some(body) = self.waiting.take() {
            self.places[free] = Some(body);
            self.uses[free] = 0;
            self.age.iter_mut().for_each(|age| *age = age.saturating_add(1));
            self.age[free] = 0;
            self.current = free;
        }
    }

    /// Takes a body that no voice uses; the caller frees it off the audio thread.
    pub fn take_unused(&mut self) -> Option<Box<PreparedBody>> {
        let unused = |&place: &usize| place != self.current && self.uses[place] == 0 && self.places[place].is_some();
        (0..SLOTS).find(unused).and_then(|place| self.places[place].take())
    }

    /// Slot of the oldest body except the current one.
    pub fn oldest(&self) -> Option<usize> {
        (0..SLOTS).filter(|&place| place != self.current && self.places[place].is_some()).max_by_key(|&place| self.age[place])
    }

    /// Whether the current body is a hi-hat.
    pub fn plays_hi_hat(&self) -> bool {
        self.body(self.current()).is_some_and(PreparedBody::is_hi_hat)
    }

    /// Lends the hi-hat in slot `place`, unless a voice plays it.
    pub fn lend_hi_hat(&mut self, place: usize) -> Option<Box<HiHat>> {
        self.body_mut(place)?.hi_hat.take()
    }

    /// Takes back the hi-hat that [`BodySlots::lend_hi_hat`] has lent; before [`BodySlots::release`].
    pub fn return_hi_hat(&mut self, place: usize, hi_hat: Box<HiHat>) {
        if let Some(body) = self.body_mut(place) {
            debug_assert!(body.hi_hat.is_none(), "it came from here");
            body.hi_hat = Some(hi_hat);
        }
    }

    /// The hi-hats that no voice plays.
    pub fn hi_hats(&mut self) -> impl Iterator<Item = &mut HiHat> {
        self.places.iter_mut().flatten().filter_map(|body| body.hi_hat.as_deref_mut())
    }

    /// The same, to be read.
    pub fn resting_hi_hats(&self) -> impl Iterator<Item = &HiHat> {
        self.places.iter().flatten().filter_map(|body| body.hi_hat.as_deref())
    }

    /// Lends a copy of the potential of the body in slot `place`, if one is left.
    pub fn lend_potential(&mut self, place: usize) -> Option<LentPotential> {
        self.body_mut(place)?.potentials.pop()
    }

    /// Takes back a copy that [`BodySlots::lend_potential`] has lent; before [`BodySlots::release`].
    pub fn return_potential(&mut self, place: usize, potential: LentPotential) {
        if let Some(body) = self.body_mut(place) {
            debug_assert!(body.potentials.len() < body.potentials.capacity(), "it came from here");
            body.potentials.push(potential);
        }
    }
}
