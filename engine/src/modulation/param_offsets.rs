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
        if let Some(place) = self.params[..self.count].iter().position(|id| *id == param) {
            self.offsets[place] += offset;
        } else if self.count < N {
            (self.params[self.count], self.offsets[self.count]) = (param, offset);
            self.count += 1;
        }
    }

    /// The offset of a parameter; 0 if it has none.
    pub fn get(&self, param: ParamId) -> f64 {
        self.iter().find(|(id, _)| *id == param).map_or(0.0, |(_, offset)| offset)
    }

    /// The parameters with another offset than in `before`.
    pub fn moved_since<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = ParamId> + 'a {
        let same_order = self.params[..self.count] == before.params[..before.count];
        let lost = before.iter().filter(move |(id, offset)| !same_order && *offset != self.get(*id));
        let own = self
            .iter()
            .enumerate()
            .filter(move |(place, (id, offset))| *offset != if same_order { before.offsets[*place] } else { before.get(*id) });
        lost.map(|(id, _)| id).chain(own.map(|(_, (id, _))| id))
    }

    /// All parameters with their offsets.
    pub fn iter(&self) -> impl Iterator<Item = (ParamId, f64)> + '_ {
        self.params.iter().copied().zip(self.offsets).take(self.count)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
