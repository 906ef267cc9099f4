//! The bodies in use: the one that strikes go to, those that still sound, the one that waits for the grid. Nothing is freed here.

use crate::body::prepared_body::{BodySpec, PreparedBody};

/// Bodies that may sound side by side while the knob turns.
const PLACES: usize = 8;

/// A few bodies and how many objects sound with each.
pub struct BodySlots {
    places: [Option<Box<PreparedBody>>; PLACES],
    uses: [u32; PLACES],
    age: [u32; PLACES],
    current: usize,
    waiting: Option<Box<PreparedBody>>,
}

impl BodySlots {
    /// A shelf with one body.
    pub fn new(body: Box<PreparedBody>) -> Self {
        let mut places = [const { None }; PLACES];
        places[0] = Some(body);
        Self { places, uses: [0; PLACES], age: [0; PLACES], current: 0, waiting: None }
    }

    /// The body at a place that is in use.
    pub fn body(&self, place: usize) -> Option<&PreparedBody> {
        self.places[place].as_deref()
    }

    /// Place of the body that strikes go to.
    pub fn current(&self) -> usize {
        self.current
    }

    /// What was asked for last.
    pub fn request(&self) -> Option<BodySpec> {
        self.waiting.as_deref().or(self.body(self.current)).map(PreparedBody::request)
    }

    /// One object more sounds with the body at `place`.
    pub fn retain(&mut self, place: usize) {
        self.uses[place] += 1;
    }

    /// One object less.
    pub fn release(&mut self, place: usize) {
        self.uses[place] = self.uses[place].saturating_sub(1);
    }

    /// Lets `body` wait for [`Shelf::install`]; gives back one that is no longer needed. Errors: gives `body` back when there is no
    /// free place.
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

    /// The waiting body becomes the one that strikes go to.
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

    /// A body that nothing sounds with, to be freed elsewhere.
    pub fn take_unused(&mut self) -> Option<Box<PreparedBody>> {
        let unused = |&place: &usize| place != self.current && self.uses[place] == 0 && self.places[place].is_some();
        (0..PLACES).find(unused).and_then(|place| self.places[place].take())
    }

    /// Place of the oldest body but the current one.
    pub fn oldest(&self) -> Option<usize> {
        (0..PLACES).filter(|&place| place != self.current && self.places[place].is_some()).max_by_key(|&place| self.age[place])
    }
}
