//! The order in which voices, hammers and obstacles are removed where there are too many.

use std::cmp::Ordering;

/// Rank of something that may be removed: protected last, then by rising energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RemovalRank {
    /// Removed only after everything unprotected.
    pub protected: bool,
    /// Its energy [J].
    pub energy: f64,
}

impl RemovalRank {
    /// Unprotected, with `energy` [J].
    pub fn of_energy(energy: f64) -> Self {
        Self { protected: false, energy }
    }

    /// The one that is removed first comes first.
    pub fn order(&self, other: &Self) -> Ordering {
        self.protected.cmp(&other.protected).then(self.energy.total_cmp(&other.energy))
    }
}

/// The first of `items` in the order of removal, by their ranks.
pub fn first_removed<T>(items: impl Iterator<Item = (RemovalRank, T)>) -> Option<(RemovalRank, T)> {
    items.min_by(|(a, _), (b, _)| a.order(b))
}
