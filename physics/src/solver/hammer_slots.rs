//! Numbered slots for the hammers of one body; a hammer moves from body to body without allocation.

use crate::solver::hammer::Hammer;
use std::ops::{Index, IndexMut};

/// Slots for hammers; a hammer in a slot is active or spare.
#[derive(Clone, Debug)]
pub(crate) struct HammerSlots {
    places: Vec<Option<Box<Hammer>>>,
    /// Slots from here on are empty.
    end: usize,
}

impl HammerSlots {
    /// `room` empty slots; allocates.
    pub fn new(room: usize) -> Self {
        Self { places: (0..room).map(|_| None).collect(), end: 0 }
    }

    /// Number of slots.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Slots from here on are empty.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Whether hammer i is active.
    pub fn is_active(&self, i: usize) -> bool {
        self.places.get(i).and_then(Option::as_deref).is_some_and(|s| s.active)
    }

    /// The active hammers with their numbers, in order.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &Hammer)> {
        let there = self.places[..self.end].iter().enumerate();
        there.filter_map(|(i, place)| place.as_deref().filter(|s| s.active).map(|s| (i, s)))
    }

    /// The same, mutable.
    pub fn numbered_mut(&mut self) -> impl Iterator<Item = (usize, &mut Hammer)> {
        let there = self.places[..self.end].iter_mut().enumerate();
        there.filter_map(|(i, place)| place.as_deref_mut().filter(|s| s.active).map(|s| (i, s)))
    }

    /// The active hammers.
    pub fn iter(&self) -> impl Iterator<Item = &Hammer> {
        self.numbered().map(|(_, hammer)| hammer)
    }

    /// The same, mutable.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Hammer> {
        self.numbered_mut().map(|(_, hammer)| hammer)
    }

    /// The active hammer, if there is exactly one.
    pub fn only_active(&mut self) -> Option<&mut Hammer> {
        let i = self.only_active_number()?;
        self.places[i].as_deref_mut()
    }

    /// Its number.
    #[inline]
    pub fn only_active_number(&self) -> Option<usize> {
        let mut active = self.numbered();
        let (i, _) = active.next()?;
        active.next().is_none().then_some(i)
    }

    /// All hammers, spare ones included.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Hammer> {
        self.places.iter_mut().filter_map(Option::as_deref_mut)
    }

    /// Number of a spare hammer.
    pub fn idle(&self) -> Option<usize> {
        self.places[..self.end].iter().position(|place| place.as_deref().is_some_and(|s| !s.active))
    }

    /// Inserts a spare hammer. Errors: returns it when every slot is taken.
    pub fn insert(&mut self, mut hammer: Box<Hammer>) -> Result<(), Box<Hammer>> {
        let Some(i) = self.places.iter().position(Option::is_none) else { return Err(hammer) };
        hammer.active = false;
        self.places[i] = Some(hammer);
        self.end = self.end.max(i + 1);
        Ok(())
    }

    /// Removes a spare hammer.
    pub fn remove(&mut self) -> Option<Box<Hammer>> {
        let hammer = self.idle().and_then(|i| self.places[i].take());
        while self.end > 0 && self.places[self.end - 1].is_none() {
            self.end -= 1;
        }
        hammer
    }
}

#[allow(clippy::expect_used, reason = "as with a slice: numbers come from this rack")]
impl Index<usize> for HammerSlots {
    type Output = Hammer;

    fn index(&self, i: usize) -> &Hammer {
        self.places[i].as_deref().expect("a hammer hangs at this place")
    }
}

#[allow(clippy::expect_used, reason = "as with a slice: numbers come from this rack")]
impl IndexMut<usize> for HammerSlots {
    fn index_mut(&mut self, i: usize) -> &mut Hammer {
        self.places[i].as_deref_mut().expect("a hammer hangs at this place")
    }
}
