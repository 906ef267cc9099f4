//! Offsets of normalised values of parameters. Plain data of fixed size.

use crate::params::ParamId;

/// Offsets of up to `N` parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamOffsets<const N: usize> {
    params: [ParamId; N],
    offsets: [f64; N],
    count: usize,
}

impl<const N: usize> Default for ParamOffsets<N> {
    fn default() -> Self {
        Self { params: [ParamId::Macro1; N], offsets: [0.0; N], count: 0 }
    }
}

impl<const N: usize> ParamOffsets<N> {
    /// Removes all.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds `offset` to that of a parameter. Ignored if there is no room.
    pub fn add(&mut self, param: ParamId, offset: f64) {
        if let Some(place) = self.place(param) {
            self.offsets[place] += offset;
        }
    }

    /// The place of a parameter, a new one with the offset 0 if it has none. None if there is no room.
    pub fn place(&mut self, param: ParamId) -> Option<usize> {
        let known = self.params[..self.count].iter().position(|id| *id == param);
        if known.is_none() && self.count < N {
            (self.params[self.count], self.offsets[self.count]) = (param, 0.0);
            self.count += 1;
            return Some(self.count - 1);
        }
        known
    }

    /// The offset at a place.
    pub fn at(&mut self, place: usize) -> &mut f64 {
        &mut self.offsets[place]
    }

    /// The offset of a parameter; 0 if it has none.
    pub fn get(&self, param: ParamId) -> f64 {
        self.params[..self.count].iter().position(|id| *id == param).map_or(0.0, |place| self.offsets[place])
    }

    /// Whether it has the parameters of `other`, in the same order.
    pub fn has_params_of(&self, other: &Self) -> bool {
        self.params[..self.count] == other.params[..other.count]
    }

    /// The parameters with another offset than in `before`, which has the same parameters in the same order.
    pub fn moved_since(&self, before: &Self) -> impl Iterator<Item = ParamId> {
        self.iter().zip(&before.offsets).filter(|((_, offset), before)| offset != *before).map(|((id, _), _)| id)
    }

    /// All parameters with their offsets.
    pub fn iter(&self) -> impl Iterator<Item = (ParamId, f64)> + '_ {
        self.params[..self.count].iter().copied().zip(self.offsets[..self.count].iter().copied())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
