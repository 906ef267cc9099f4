//! Cost budget of all contacts, and of the ringing of dense bodies: the share of each voice in a frame, and the excess of the hammers.

use crate::block::CONTROL_BLOCK;
use crate::polyphony::block_costs::{BlockCosts, CostsAround, FrameCosts, OtherZones, ZoneShare};
use crate::polyphony::cost_totals::CostTotals;
use crate::polyphony::excess::{Excess, LastObstacles};
use crate::polyphony::tension_load::TensionLoad;
use crate::voice::StiffeningUse;

/// Number of consecutive frames that share a budget.
const WINDOW: usize = 64;

/// Cost of hammers in a window, in samples of one mode of the reference resonator: 208 reference resonators of 64 modes a sample, where a
/// block of the most expensive sound may cost 220. The estimated cost is accurate to a third; see
/// [`Collision::set_cost_limit`](urto_physics::solver::Collision::set_cost_limit).
const WINDOW_COST: f32 = (208 * 64 * WINDOW) as f32;

/// Part of the window's remainder that one frame may take: the first frames of many strikes leave some to the frames after them.
const FRAME_PART: f32 = 1.0 / 16.0;

/// Frames for which the least cost of the present hammers is reserved, less a part of what leaves the window in the meantime: so that what the first
/// frames of a crowd have spent is not spent a second time.
const RESERVED_FRAMES: f32 = 0.5 * WINDOW as f32;
const LEAVING_PART: f32 = 0.5;

/// Part of an even share that a frame may take while there is one.
const MIN_PART: f32 = 0.12;

/// Cost of a frame that can be sustained.
pub const SUSTAINED_COST: f32 = WINDOW_COST / WINDOW as f32;

/// Cost of a frame that the modes of dense bodies may take before bodies are thinned. The other half is left to contacts, which would otherwise get
/// too few substeps when several cymbals are struck together.
pub const DENSE_COST: f32 = 0.5 * SUSTAINED_COST;

/// Upper limit for the cost of a window over its usual one, for hammers that are added after others have spent it. The least cost of hammers is
/// only estimated: the largest window in half an hour of the soak test was 1.24 [`WINDOW_COST`].
const MAX_PART: f32 = 1.44;

/// Moving modes of dense bodies that have been touched, up to which their tables fit into the cache of a core.
const CACHED_MODES: f32 = 8192.0;

/// Cost per frame of each such mode beyond them that is in no other count: tables from distant caches, contacts between them that find nothing
/// in the caches, and the ringing of all these bodies when their hammers are removed. Fitted to the most expensive block of sixteen crash cymbals.
const TOUCHED_MODE_COST: f32 = 1.9;

/// Least part of the window that such modes leave to contacts.
const LEAST_LIMIT: f32 = 1.0 / 3.0;

/// Cost that hammers have taken in the last frames, and may take in this one. The first voice may take all that is left except the least
/// cost of those after it; once everything is spent each voice still completes the sample at its least cost.
#[derive(Clone, Copy, Debug)]
pub struct VoiceCostBudget {
    /// Cost of all parts in each frame.
    frames: [f32; WINDOW],
    /// Least cost of the hammers of all parts so far in each of these frames.
    least: [f32; WINDOW],
    /// Cost of the frames that the frames of the present control block replace in the window.
    replaced: FrameCosts,
    /// Sums over the window that last for the present control block.
    around: CostsAround,
    /// What the part that renders has spent and knows in it.
    block: BlockCosts,
    /// The present frame.
    frame: u64,
    /// Cost of the other control blocks in the window that ends with this frame.
    elsewhere: f32,
    /// Cost of the frames before this one in the window that the part knows.
    before: f32,
    /// Cost of those that leave the window in the next [`RESERVED_FRAMES`].
    leaving: f32,
    /// Least cost of a frame of the hammers of other zones of a kit.
    others: f32,
    /// Part of the rest of the window that this part may take, above 0; the others take the rest at the same time.
    part: f32,
    /// Cost other than that of hammers in each of these frames: the hammers of a frame need not make up for it at once.
    charged: [f32; WINDOW],
    /// Cost per frame planned for the control block that begins with frame `planned_frame`.
    planned: f32,
    planned_frame: u64,
    /// Moving modes of touched dense bodies in all parts: in the last control block, and so far in the present one.
    touched: [f32; 2],
    totals: CostTotals,
    tension: TensionLoad,
    /// What others do in the control blocks that a zone renders without them.
    beside: Option<OtherZones>,
}

/// Cost of one voice in one frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameCost {
    /// Number of hammers.
    pub hammers: u32,
    /// Number of substeps.
    pub substeps: u32,
    /// Cost, in samples of one mode of the reference resonator.
    pub cost: f32,
    /// Whether it would have cost more without a limit.
    pub limited: bool,
}

impl Default for VoiceCostBudget {
    fn default() -> Self {
        Self {
            frames: [0.0; WINDOW],
            least: [0.0; WINDOW],
            replaced: [0.0; CONTROL_BLOCK],
            around: CostsAround::default(),
            block: BlockCosts::default(),
            frame: 0,
            elsewhere: 0.0,
            before: 0.0,
            leaving: 0.0,
            others: 0.0,
            part: 1.0,
            charged: [0.0; WINDOW],
            planned: 0.0,
            planned_frame: 0,
            touched: [0.0; 2],
            totals: CostTotals::default(),
            tension: TensionLoad::default(),
            beside: None,
        }
    }
}

impl VoiceCostBudget {
    fn index(frame: u64) -> usize {
        (frame % WINDOW as u64) as usize
    }

    /// Begins an absolute frame.
    pub fn begin(&mut self, frame: u64) {
        self.enter_block(frame);
        self.frame = frame;
        let (_, place) = BlockCosts::place_of(frame);
        self.elsewhere = self.around.earlier + self.around.staying[place];
        self.before = self.elsewhere + self.block.of_all_before(place, self.part);
        self.leaving = self.around.leaving[place];
    }

    /// Begins the control block that contains an absolute frame: its frames replace the oldest ones in the window.
    fn enter_block(&mut self, frame: u64) {
        const BLOCKS: u64 = (WINDOW / CONTROL_BLOCK) as u64;
        let (number, _) = BlockCosts::place_of(frame);
        let passed = number.saturating_sub(self.block.number);
        if passed == 0 {
            return;
        }
        if self.beside.is_some() {
            let start = Self::index(self.block.number * CONTROL_BLOCK as u64);
            (0..CONTROL_BLOCK).for_each(|place| self.frames[start + place] = self.block.of_all(place, self.part));
        }
        for block in number + 1 - passed.min(BLOCKS)..=number {
            let start = Self::index(block * CONTROL_BLOCK as u64);
            let frames = start..start + CONTROL_BLOCK;
            self.replaced.copy_from_slice(&self.frames[frames.clone()]);
            [&mut self.frames, &mut self.least, &mut self.charged].into_iter().for_each(|costs| costs[frames.clone()].fill(0.0));
        }
        if passed > BLOCKS {
            self.replaced.fill(0.0);
        }
        let start = Self::index(number * CONTROL_BLOCK as u64);
        let (newer, older) = (&self.frames[..start], &self.frames[start + CONTROL_BLOCK..]);
        self.around = CostsAround::new(&self.replaced, [older, newer], RESERVED_FRAMES as usize);
        self.touched = [if passed == 1 { self.touched[1] } else { 0.0 }, 0.0];
        self.block = BlockCosts { number, ringing: self.tension.reserved_at(frame), ..BlockCosts::default() };
        if let Some(others) = self.beside {
            self.touched[1] = others.touched;
            (self.block.touched, self.block.charged_to_others) = (others.touched, others.charged);
        }
    }

    /// Begins the turn of a zone of a kit in the control block of absolute frame `frame`, with what it has `spent` and known in its last turn.
    pub fn begin_turn(&mut self, frame: u64, spent: BlockCosts) {
        self.enter_block(frame);
        let fresh = BlockCosts {
            number: self.block.number,
            touched: self.touched[1],
            ringing: self.tension.reserved_at(frame),
            ..BlockCosts::default()
        };
        self.block = if spent.number == fresh.number { spent } else { fresh };
    }

    /// The budget of a zone that renders at the same time as others, after its turn with the costs `block`: it may take its `share` of the rest.
    pub fn for_zone(&self, block: BlockCosts, share: ZoneShare) -> Self {
        Self { block, part: share.part, others: share.others, totals: CostTotals::default(), ..*self }
    }

    /// The budget of a zone that renders several control blocks without knowing what `beside` it others spend; otherwise as [`Self::for_zone`].
    pub fn for_zone_beside(&self, block: BlockCosts, share: ZoneShare, beside: OtherZones) -> Self {
        let block =
            BlockCosts { charged_to_others: beside.charged, touched: beside.touched, ringing: beside.stiffening[0], ..block };
        let touched = [self.touched[0].max(self.touched[1]), beside.touched];
        let tension = TensionLoad::beside(beside.stiffening);
        Self { beside: Some(beside), touched, tension, ..self.for_zone(block, share) }
    }

    /// Begins the control block of absolute frame `frame` in which zones have moved `touched` modes of dense bodies.
    pub fn begin_block(&mut self, frame: u64, touched: f32) {
        self.enter_block(frame);
        self.touched[1] = touched;
    }

    /// Part of the window that ends before the absolute frame `frame` which all zones have spent.
    pub fn spent_part(&mut self, frame: u64) -> f32 {
        self.enter_block(frame);
        let (number, place) = BlockCosts::place_of(frame);
        let start = Self::index(number * CONTROL_BLOCK as u64);
        let spent = self.around.earlier + self.frames[start..start + place].iter().sum::<f32>() + self.around.staying[place];
        spent / self.limit_with(self.touched[1])
    }

    /// The totals since the last call, but for the largest costs, which the zone does not know.
    pub fn take_totals(&mut self) -> CostTotals {
        CostTotals { most_in_frame: 0.0, most_in_window: 0.0, ..std::mem::take(&mut self.totals) }
    }

    /// Adds the totals of a zone.
    pub fn add_totals(&mut self, totals: CostTotals) {
        self.totals = self.totals.with(totals);
    }

    /// Takes what all zones have spent in the frames from the absolute frame `frame` on: `spent` in total.
    pub fn add_zones(&mut self, frame: u64, frames: usize, spent: &BlockCosts) {
        let (_, first) = BlockCosts::place_of(frame);
        let mut window = self.around.earlier + spent.own[..first].iter().sum::<f32>();
        for place in first..first + frames {
            let i = Self::index(spent.number * CONTROL_BLOCK as u64) + place;
            (self.frames[i], self.least[i]) = (spent.own[place], spent.least[place]);
            window += spent.own[place];
            self.totals.most_in_frame = self.totals.most_in_frame.max(spent.own[place]);
            self.totals.most_in_window = self.totals.most_in_window.max(window + self.around.staying[place]);
        }
    }

    /// What the zone has spent and knows at the end of its turn.
    pub fn end_turn(&self) -> BlockCosts {
        self.block
    }

    /// Cost that leaves the window when frame number n after the present one begins.
    fn leaving_after(&self, n: usize) -> f32 {
        let (_, place) = BlockCosts::place_of(self.frame);
        self.replaced.get(place + n).copied().unwrap_or_else(|| self.frames[Self::index(self.frame + n as u64)])
    }

    /// Cost of the present frame, as far as the part knows it: the hammers of others are assumed to cost as much as theirs.
    fn in_frame(&self) -> f32 {
        self.block.of_all(BlockCosts::place_of(self.frame).1, self.part)
    }

    /// Cost of all parts in the window that ends with the present frame.
    fn in_window(&self) -> f32 {
        let (_, place) = BlockCosts::place_of(self.frame);
        let start = Self::index(self.block.number * CONTROL_BLOCK as u64);
        self.elsewhere + self.frames[start..=start + place].iter().sum::<f32>()
    }

    /// Reserves as much of `cost` as is left for tensions and potentials of this use in every frame of the control block that begins at
    /// `frame`. Returns the cost that it has reserved.
    pub fn reserve_stiffening(&mut self, spent_on: StiffeningUse, frame: u64, cost: f32) -> f32 {
        self.enter_block(frame);
        let granted = self.tension.reserve(spent_on, frame, cost);
        self.block.ringing = self.tension.reserved_at(frame);
        granted
    }

    /// Cost that can still be reserved for it.
    pub fn stiffening_room(&self, spent_on: StiffeningUse, frame: u64) -> f32 {
        self.tension.room(spent_on, frame)
    }

    /// Cost that a voice may take before others that take `waiting` at least, where all take `least`.
    pub fn share(&self, waiting: f32, least: f32) -> f32 {
        if self.is_overdrawn() {
            return 0.0;
        }
        let reserved = (RESERVED_FRAMES * (least + self.others) - LEAVING_PART * self.leaving).max(0.0);
        let charged = self.charged[Self::index(self.frame)];
        let left = (self.limit() - self.ringing() - self.before - charged - reserved).max(0.0);
        let part = (FRAME_PART * left).max(left.min(MIN_PART * SUSTAINED_COST));
        (least + self.part * part - self.block.hammers(BlockCosts::place_of(self.frame).1) - waiting).max(0.0)
    }

    /// Cost left in the window.
    pub fn left(&self) -> f32 {
        self.part * (self.limit() - self.ringing() - self.before - self.in_frame()).max(0.0)
    }

    /// Adds the moving modes of touched dense bodies of a part in the control block that begins with the present frame.
    pub fn add_touched_modes(&mut self, modes: usize) {
        self.touched[1] += modes as f32;
        self.block.touched = self.touched[1];
    }

    /// Cost of a window that the modes of touched dense bodies leave to contacts.
    fn limit(&self) -> f32 {
        self.limit_with(self.block.touched)
    }

    /// The same if so many have been counted in the present control block.
    fn limit_with(&self, touched: f32) -> f32 {
        let uncached = (self.touched[0].max(touched) - CACHED_MODES).max(0.0);
        (WINDOW_COST - WINDOW as f32 * TOUCHED_MODE_COST * uncached).max(LEAST_LIMIT * WINDOW_COST)
    }

    /// Cost of a window of the voices that ring under their tension, which leave less to contacts.
    fn ringing(&self) -> f32 {
        WINDOW as f32 * self.block.ringing
    }

    /// Counts `frames` frames in which the hammers of a voice have flown, at no cost of their own.
    pub fn add_flight(&mut self, frames: usize) {
        self.totals.frames += frames as u64;
    }

    /// Adds the cost of one voice.
    pub fn spend(&mut self, FrameCost { hammers, substeps, cost, limited }: FrameCost) {
        self.add(cost);
        self.totals.frames += 1;
        self.totals.bound += u64::from(limited);
        self.totals.substeps += u64::from(substeps * hammers);
        self.totals.most_in_frame = self.totals.most_in_frame.max(self.frames[Self::index(self.frame)]);
    }

    /// Adds a cost other than that of hammers in a frame.
    pub fn charge(&mut self, cost: f32) {
        self.add(cost);
        self.charged[Self::index(self.frame)] += cost;
        self.block.charged += cost;
    }

    fn add(&mut self, cost: f32) {
        self.frames[Self::index(self.frame)] += cost;
        self.block.own[BlockCosts::place_of(self.frame).1] += cost;
        self.totals.work += f64::from(cost);
        // a zone beside others does not know the window of all; `add_zones` finds its largest cost
        if self.beside.is_none() {
            self.totals.most_in_window = self.totals.most_in_window.max(self.in_window());
        }
    }

    /// Adds the cost per frame that the modes of dense bodies are going to take in the control block that begins with the present frame. Returns that
    /// of all parts so far beyond [`DENSE_COST`]; negative if there is room.
    pub fn plan(&mut self, cost: f32) -> f32 {
        if self.planned_frame != self.frame {
            (self.planned_frame, self.planned) = (self.frame, self.beside.map_or(0.0, |others| others.planned));
        }
        self.planned += cost;
        self.planned - DENSE_COST
    }

    /// Whether nothing is left of the window for this frame: every voice takes its least cost.
    fn is_overdrawn(&self) -> bool {
        self.before > self.limit()
    }

    /// Ends a frame in which the hammers of one part take `least` at least. Returns those of them that exceed the budget once the window is spent:
    /// their cost cannot be sustained, or not until the cost spent has left the window.
    pub fn end(&mut self, least: f32) -> Excess {
        self.least[Self::index(self.frame)] += least;
        self.block.least[BlockCosts::place_of(self.frame).1] += least;
        self.excess_of(self.before, self.in_frame(), least + self.others, self.limit())
    }

    /// Hammers of all zones of a kit that exceed the budget after the control block that contains the absolute frame `frame`.
    pub fn end_block(&mut self, frame: u64) -> Excess {
        let (number, _) = BlockCosts::place_of(frame);
        self.begin((number + 1) * CONTROL_BLOCK as u64 - 1);
        let last = Self::index(self.frame);
        self.excess_of(
            self.in_window() - self.frames[last],
            self.frames[last],
            self.least[last],
            self.limit_with(self.touched[1]),
        )
    }

    /// Part of the hammers of all zones of a kit that has to be removed before they render `frames` frames from the absolute frame `frame` on one
    /// after another: if all take `least` at least, the rest keeps every window below the upper limit.
    pub fn foresee(&mut self, frame: u64, frames: usize, least: f32) -> Excess {
        self.begin(frame);
        let limit = self.limit_with(self.touched[1]);
        let (mut left, mut bearable) = (MAX_PART * limit - self.in_window(), f32::INFINITY);
        let last = if left <= 0.0 { LastObstacles::Leave } else { LastObstacles::Stay };
        for n in 0..frames {
            left += if n > 0 { self.leaving_after(n) } else { 0.0 };
            bearable = bearable.min(left / (n + 1) as f32);
        }
        Excess { part: if least > bearable { 1.0 - bearable.max(0.0) / least } else { 0.0 }, last }
    }

    /// Hammers that exceed `limit` if they take `least` at least and `in_frame` in the present frame, after `before` in the window.
    fn excess_of(&self, before: f32, in_frame: f32, least: f32, limit: f32) -> Excess {
        let leaving = self.leaving_after(1);
        let next = before + in_frame - leaving;
        let last = if before + in_frame >= MAX_PART * limit { LastObstacles::Leave } else { LastObstacles::Stay };
        if next <= limit {
            return Excess { part: 0.0, last };
        }
        let cost = if before > limit { in_frame } else { in_frame.min(least) };
        let sustained = limit / WINDOW as f32;
        let bearable = sustained.min(leaving + (MAX_PART * limit - next).max(0.0) / RESERVED_FRAMES);
        Excess { part: (1.0 - bearable / cost).max(0.0), last }
    }

    /// Counts hammers and obstacles that were removed.
    pub fn add_removed(&mut self, count: u64) {
        self.totals.relieved += count;
    }

    /// Counts a body that was thinned.
    pub fn add_thinned(&mut self) {
        self.totals.thinned += 1;
    }

    /// Counts dense bodies and networks that fade.
    pub fn add_faded(&mut self, bodies: u64) {
        self.totals.faded += bodies;
    }

    /// Counts frames of voices whose potential had fewer modes.
    pub fn add_reduced(&mut self, frames: u64) {
        self.totals.reduced += frames;
    }

    /// Cost since it was made.
    pub fn totals(&self) -> CostTotals {
        self.totals
    }

    /// Leaves only the part `left` of the window, spent in the frame before the first.
    #[cfg(test)]
    pub fn leave(&mut self, left: f32) {
        self.frames[WINDOW - 1] = WINDOW_COST - left * WINDOW_COST;
        self.around.earlier = self.frames.iter().sum();
    }

    /// Cost of the present window over the limit.
    #[cfg(test)]
    pub fn window_part(&self) -> [f32; 2] {
        [self.before / WINDOW_COST, self.totals.most_in_window / WINDOW_COST]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame_cost(cost: f32, limited: bool) -> FrameCost {
        FrameCost { hammers: 1, substeps: 1, cost, limited }
    }

    /// Costs per frame and voice over some windows, of `voices` voices that each request `requested` in every frame and take at least `least`.
    fn costs(voices: usize, least: f32, requested: f32) -> Vec<Vec<f32>> {
        let mut budget = VoiceCostBudget::default();
        let mut frame = |frame| {
            budget.begin(frame);
            let mut turn = |waiting: usize| {
                let cost = budget.share(waiting as f32 * least, voices as f32 * least).max(least).min(requested);
                budget.spend(frame_cost(cost, cost < requested));
                cost
            };
            (0..voices).rev().map(&mut turn).collect()
        };
        (0..5 * WINDOW as u64).map(&mut frame).collect()
    }

    #[test]
    fn first_voice_takes_most_and_every_voice_its_least() {
        let frames = costs(40, 200.0, 1e9);
        let left = WINDOW_COST - RESERVED_FRAMES * 40.0 * 200.0;
        assert_eq!(frames[0][..2], [200.0 + FRAME_PART * left, 200.0], "the first, and the least cost");
        assert!(frames.iter().flatten().all(|&cost| cost >= 200.0));
        assert!(frames.iter().all(|frame| frame.is_sorted_by(|a, b| *a >= b - 0.1)));
        // a voice that requests less leaves more for the others
        assert_eq!(costs(40, 200.0, 900.0)[0], vec![900.0; 40]);
    }

    #[test]
    fn every_window_keeps_its_limit_and_is_spent_evenly() {
        for voices in [1, 10, 40] {
            let cost: Vec<f32> = costs(voices, 200.0, 1e9).iter().map(|frame| frame.iter().sum()).collect();
            let windows: Vec<f32> = cost.windows(WINDOW).map(|window| window.iter().sum()).collect();
            let most = windows.iter().fold(0.0, |a: f32, b| a.max(*b));
            assert!(most <= 1.12 * WINDOW_COST, "only the least costs exceed the limit: {most}");
            let later = &windows[2 * WINDOW..];
            assert!(later.iter().all(|cost| *cost > 0.6 * WINDOW_COST), "{later:?}");
            assert!(cost.iter().all(|cost| *cost > 0.1 * SUSTAINED_COST), "every frame gets a share: {cost:?}");
        }
    }

    /// Many hammers spend the window in a few frames, and others follow whose least cost could just be sustained: together with the cost
    /// already spent it is too much, and some of them are removed.
    #[test]
    fn hammers_after_a_spent_window_do_not_take_a_second_one() {
        let mut budget = VoiceCostBudget::default();
        let (mut hammers, mut most) = (40.0_f32, 0.0_f32);
        for frame in 0..4 * WINDOW as u64 {
            budget.begin(frame);
            let least = hammers * 0.024 * SUSTAINED_COST;
            budget.spend(frame_cost(if frame < 10 { 0.11 * WINDOW_COST } else { least }, true));
            most = most.max(budget.before + budget.in_frame());
            hammers -= (hammers * budget.end(least).part).ceil();
        }
        assert!(most <= MAX_PART * WINDOW_COST && most > 1.2 * WINDOW_COST, "{}", most / WINDOW_COST);
        assert!(hammers >= 4.0, "some are left: {hammers}");
    }

    /// Many modes of touched dense bodies leave less of the window to contacts, and only for the control blocks in which it is counted.
    #[test]
    fn many_touched_modes_leave_less_to_contacts() {
        let mut budget = VoiceCostBudget::default();
        budget.begin(0);
        budget.add_touched_modes(CACHED_MODES as usize);
        assert_eq!(budget.left(), WINDOW_COST);
        // another zone in the same control block
        budget.add_touched_modes(2000);
        assert_eq!(budget.left(), WINDOW_COST - WINDOW as f32 * TOUCHED_MODE_COST * 2000.0);
        budget.add_touched_modes(100_000);
        assert_eq!(budget.left(), LEAST_LIMIT * WINDOW_COST);
        budget.begin(CONTROL_BLOCK as u64);
        budget.add_touched_modes(0);
        assert_eq!(budget.left(), LEAST_LIMIT * WINDOW_COST, "zones that follow have not been counted yet");
        budget.begin(2 * CONTROL_BLOCK as u64);
        budget.add_touched_modes(0);
        assert_eq!(budget.left(), WINDOW_COST);
        budget.add_touched_modes(100_000);
        budget.begin(4 * CONTROL_BLOCK as u64);
        assert_eq!(budget.left(), WINDOW_COST, "nothing is counted after a control block in which nothing is touched");
    }

    #[test]
    fn zones_that_render_a_block_one_after_another_share_its_frames() {
        let mut budget = VoiceCostBudget::default();
        for zone in 0..3 {
            for frame in 0..CONTROL_BLOCK as u64 {
                budget.begin(frame);
                assert_eq!(budget.in_frame(), 100.0 * zone as f32, "cost of the zones before");
                budget.spend(frame_cost(100.0, false));
            }
        }
        budget.begin(CONTROL_BLOCK as u64);
        assert_eq!((budget.in_frame(), budget.before), (0.0, 300.0 * CONTROL_BLOCK as f32));
    }

    /// What is charged to a frame is not taken from the hammers of another zone, which renders after the first has rendered the next frame.
    #[test]
    fn a_charge_is_the_same_for_all_zones() {
        let mut budget = VoiceCostBudget::default();
        budget.charge(0.05 * WINDOW_COST);
        let share = budget.share(100.0, 200.0);
        [1, 0].iter().for_each(|&frame| budget.begin(frame));
        assert!(budget.share(100.0, 200.0) == share && share > 0.1 * SUSTAINED_COST);
    }

    /// What leaves the window soon is the sum over the next frames, wherever the present one is in its control block and in the window.
    #[test]
    fn the_cost_that_leaves_soon_is_that_of_the_next_frames() {
        let mut budget = VoiceCostBudget::default();
        for frame in 0..3 * WINDOW as u64 {
            budget.begin(frame);
            let one_by_one: f32 = (1..=RESERVED_FRAMES as usize).map(|n| budget.leaving_after(n)).sum();
            assert!((budget.leaving - one_by_one).abs() <= 1e-5 * one_by_one, "frame {frame}: {} {one_by_one}", budget.leaving);
            budget.spend(frame_cost(1.0 + (frame * 37 % 101) as f32, false));
        }
    }

    /// A zone that renders several control blocks by itself knows its own cost and assumes that the others go on as they did.
    #[test]
    fn a_zone_assumes_that_others_go_on() {
        let stiffening = [1_000.0, 2_000.0];
        let beside = OtherZones { charged: 160.0, touched: CACHED_MODES + 1_000.0, planned: 300.0, stiffening };
        let kit = VoiceCostBudget::default();
        let mut zone = kit.for_zone_beside(BlockCosts::default(), ZoneShare { part: 0.25, others: 0.0 }, beside);
        for frame in 0..2 * CONTROL_BLOCK as u64 {
            zone.begin(frame);
            zone.spend(frame_cost(10.0, false));
        }
        let frame = 2 * CONTROL_BLOCK as u64;
        zone.begin(frame);
        assert_eq!(zone.before, 2.0 * (160.0 + CONTROL_BLOCK as f32 * 40.0), "its hammers are a quarter of all");
        assert_eq!(zone.limit(), WINDOW_COST - WINDOW as f32 * TOUCHED_MODE_COST * 1_000.0);
        assert_eq!(zone.plan(50.0), 350.0 - DENSE_COST);
        assert_eq!(zone.ringing(), WINDOW as f32 * 1_000.0);
        let rooms = [StiffeningUse::Ringing, StiffeningUse::Struck].map(|spent_on| zone.stiffening_room(spent_on, frame));
        assert_eq!(rooms, [48.0 * 64.0 - 1_000.0, 96.0 * 64.0 - 2_000.0]);
        let totals = zone.take_totals();
        assert_eq!((totals.frames, totals.work, totals.most_in_window), (32, 320.0, 0.0));
        assert_eq!(zone.take_totals(), CostTotals::default(), "counted once");
    }
}
