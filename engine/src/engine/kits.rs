//! The kits that sound: that of the patch, and the one before it until it is silent.

use crate::kit::KitPlayer;

/// The zones of the patch, and those of the previous patch until they are silent.
#[derive(Default)]
pub(crate) struct Kits {
    /// Those of the patch.
    pub current: Option<Box<KitPlayer>>,
    /// Those of the previous patch.
    pub outgoing: Option<Box<KitPlayer>>,
}

impl Kits {
    /// Whether there are no zones.
    pub fn is_empty(&self) -> bool {
        self.current.is_none() && self.outgoing.is_none()
    }

    /// Both players.
    pub fn all(&self) -> impl Iterator<Item = &KitPlayer> {
        self.current.iter().chain(&self.outgoing).map(Box::as_ref)
    }

    /// The same, mutable.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut KitPlayer> {
        self.current.iter_mut().chain(&mut self.outgoing).map(Box::as_mut)
    }
}
