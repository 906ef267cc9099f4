//! The origin of sounds of a patch, for the files that hold them.

use crate::formats::Origin;
use crate::params::ParamId;
use crate::patch::patch::Patch;

/// Parameters that are seeds.
const SEEDS: [ParamId; 2] = [ParamId::HumanSeed, ParamId::RollSeed];

/// Name and seeds of `patch`. The zones of a kit have their own seeds, which its text contains.
pub fn origin_of(patch: &Patch) -> Origin {
    let seeds = SEEDS.map(|param| format!("{} = {}", param.spec().id, patch.settings.get(param)));
    Origin { title: patch.name.clone(), seeds: seeds.join(", ") }
}
