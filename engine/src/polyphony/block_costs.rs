//! Cost of one part in the present control block, and what it knows of the others.

use crate::block::CONTROL_BLOCK;

/// Cost of each frame of a control block, in samples of one mode of the reference resonator.
pub type FrameCosts = [f32; CONTROL_BLOCK];

/// What a part has spent in one control block. Zones of a kit render at the same time or one after another, in one run or in several: what one knows of the
/// others must not depend on that.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockCosts {
    /// Number of the control block.
    pub number: u64,
    /// Cost that the part has spent.
    pub own: FrameCosts,
    /// Cost other than that of hammers, which is charged to the first frame.
    pub charged: f32,
    /// Such cost of the other parts.
    pub charged_to_others: f32,
    /// Least cost of its hammers.
    pub least: FrameCosts,
    /// Moving modes of touched dense bodies of this part and those before it.
    pub touched: f32,
    /// Cost per frame of the voices of these parts that ring under their tension.
    pub ringing: f32,
}

impl BlockCosts {
    /// Number of the control block that contains an absolute frame, and the place of the frame in it.
    pub fn place_of(frame: u64) -> (u64, usize) {
        (frame / CONTROL_BLOCK as u64, (frame % CONTROL_BLOCK as u64) as usize)
    }

    /// Cost of hammers of this part in frame `place`.
    pub fn hammers(&self, place: usize) -> f32 {
        if place == 0 { (self.own[0] - self.charged).max(0.0) } else { self.own[place] }
    }

    /// Cost of all parts in frame `place` if the hammers of this one take `part` of it.
    pub fn of_all(&self, place: usize, part: f32) -> f32 {
        let charged = if place == 0 { self.charged + self.charged_to_others } else { 0.0 };
        charged + self.hammers(place) / part
    }

    /// The same for the frames before `place`.
    pub fn of_all_before(&self, place: usize, part: f32) -> f32 {
        if place == 0 {
            return 0.0;
        }
        self.of_all(0, part) + self.own[1..place].iter().sum::<f32>() / part
    }

    /// Adds the costs of another part in the same control block.
    pub fn add(&mut self, other: &Self) {
        self.own.iter_mut().zip(other.own).for_each(|(sum, x)| *sum += x);
        self.least.iter_mut().zip(other.least).for_each(|(sum, x)| *sum += x);
    }

    /// These costs if they are those of control block `number`, else none.
    pub fn in_block(&self, number: u64) -> Self {
        if self.number == number { *self } else { Self { number, ..Self::default() } }
    }
}

/// What the other zones of a kit are assumed to go on doing, in every control block, while one renders several.
#[derive(Clone, Copy, Debug, Default)]
pub struct OtherZones {
    /// Cost other than that of hammers, charged to the first frame.
    pub charged: f32,
    /// Moving modes of touched dense bodies.
    pub touched: f32,
    /// Cost per frame planned for the modes of dense bodies.
    pub planned: f32,
    /// Cost reserved for tensions and potentials: ringing and struck.
    pub stiffening: [f32; 2],
}

/// What one zone of a kit may spend beside the others.
#[derive(Clone, Copy, Debug)]
pub struct ZoneShare {
    /// Its part of the rest of the window, above 0 to 1.
    pub part: f32,
    /// Least cost of a frame of the hammers of the others.
    pub others: f32,
}

/// The shares of all zones: half of the rest in equal parts among those with hammers, half by the least cost of their hammers.
#[derive(Clone, Copy, Debug)]
pub struct BudgetShares {
    least: f32,
    struck: f32,
}

impl BudgetShares {
    /// Those of zones whose hammers cost at least `least` in a frame each.
    pub fn of(least: impl Iterator<Item = f32> + Clone) -> Self {
        let struck = least.clone().filter(|least| *least > 0.0).count().max(1);
        Self { least: least.sum(), struck: struck as f32 }
    }

    /// The share of a zone whose hammers cost at least `least`.
    pub fn of_zone(&self, least: f32) -> ZoneShare {
        let by_least = if self.least > 0.0 { least / self.least } else { 0.0 };
        ZoneShare { part: 0.5 / self.struck + 0.5 * by_least, others: self.least - least }
    }
}

/// Costs of a window around one control block, which do not change within it.
#[derive(Clone, Copy, Debug, Default)]
pub struct CostsAround {
    /// Cost of the frames before the control block.
    pub earlier: f32,
    /// Cost of the frames that those of the control block after each place replace later.
    pub staying: FrameCosts,
    /// Cost of the frames that leave the window soon after each place.
    pub leaving: FrameCosts,
}

impl CostsAround {
    /// Sums of the frames before the control block, oldest first, which are `parts` one after another, and of those that it has `replaced`. `soon`: number of
    /// frames in which a cost leaves the window soon, at least a control block.
    pub fn new(replaced: &FrameCosts, parts: [&[f32]; 2], soon: usize) -> Self {
        let mut around = Self { earlier: parts.into_iter().flatten().sum(), ..Self::default() };
        for place in (1..CONTROL_BLOCK).rev() {
            around.staying[place - 1] = around.staying[place] + replaced[place];
        }
        // after each place, all that is replaced after it leaves, and as many of the frames before the control block as are left
        let mut oldest = parts.into_iter().flatten();
        let mut left: f32 = oldest.by_ref().take(soon + 1 - CONTROL_BLOCK).sum();
        for (leaving, staying) in around.leaving.iter_mut().zip(around.staying) {
            *leaving = staying + left;
            left += oldest.next().copied().unwrap_or(0.0);
        }
        around
    }
}
