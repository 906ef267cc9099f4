//! A bank of modes: their state and the tables of their exact steps.
//!
//! Arrays are padded with zeros to a multiple of [`LANES`].

use std::ops::Range;

use crate::modal::mode::Mode;
use crate::modal::mode_array::{ModeArray, mode_array};
use crate::modal::modes::Modes;
use crate::modal::propagator::{FirstModeStep, Span, StepTable};
use crate::modal::simd::{
    LANES, MAX_STEPS_PER_PASS, advance, advance_ahead, apply_force, energy, force_and_step, free_step, predict_steps,
};
use crate::modal::tension_loops::{LoadedStep, brake};

/// Minimum number of tables of a bank: the whole sample, one level, odd lengths.
pub const LEAST_LEVELS: usize = 3;

/// Exchanges the first `count` numbers of two arrays of the same length.
#[inline]
fn exchange(a: &mut ModeArray, b: &mut ModeArray, count: usize) {
    if count == a.len() {
        std::mem::swap(a, b);
    } else {
        a[..count].swap_with_slice(&mut b[..count]);
    }
}

/// Modes, their predicted state, and the tables of their steps: level 0, a few levels in use, one for odd lengths.
#[derive(Clone, Debug)]
pub struct ModeBank {
    pub(super) h: f64,
    pub(super) tracks_losses: bool,
    clock: u64,
    pub(super) tables: Vec<StepTable>,
    /// The table of the step predicted last.
    pub(super) current: usize,
    /// Maximum length of the arrays of the felt modes.
    most_felt: usize,
    /// Length of the arrays of the felt modes; the modes beyond are held.
    pub(super) felt: usize,
    /// Present state.
    pub modes: Modes,
    /// Change of displacement over the predicted step; after `commit` the displacement before it.
    pub dq: ModeArray,
    /// Velocity at the end of the predicted step; after `commit` the velocity before it.
    pub vf: ModeArray,
    /// [`ModeBank::predict_steps`] of one step from the present state, if known.
    ahead: Option<f64>,
    /// The state of the held modes is that after [`ModeBank::advance_held`].
    pub(super) held_ahead: bool,
    /// Some held modes rest: see `thinning`.
    pub(super) thinned: bool,
    /// The state is borrowed, see `solver::exact_pair`: that in `modes` is out of date.
    pub borrowed: bool,
}

impl ModeBank {
    /// Room for `modes` modes and `levels` >= [`LEAST_LEVELS`] tables at a sample of h [s]; the only allocation, except for the
    /// losses.
    pub fn new(h: f64, modes: usize, levels: usize) -> Self {
        Self::with_held(h, modes, 0, levels)
    }

    /// The same with room for `held` further modes, for which only the table of a whole sample has room.
    pub fn with_held(h: f64, felt: usize, held: usize, levels: usize) -> Self {
        let modes = if held == 0 { felt } else { felt.next_multiple_of(LANES) + held };
        let room = |table: usize| if table == 0 { modes } else { felt };
        Self {
            h,
            tracks_losses: false,
            clock: 0,
            tables: (0..levels.max(LEAST_LEVELS)).map(|table| StepTable::with_capacity(room(table))).collect(),
            current: 0,
            most_felt: felt.next_multiple_of(LANES),
            felt: 0,
            modes: Modes::with_capacity(modes),
            dq: mode_array(modes),
            vf: mode_array(modes),
            ahead: None,
            held_ahead: false,
            thinned: false,
            borrowed: false,
        }
    }

    /// Length of the arrays of the felt modes: those of the held modes begin there.
    #[inline]
    pub fn felt(&self) -> usize {
        self.felt
    }

    /// Length of a span [s].
    #[inline]
    pub fn seconds(&self, span: Span) -> f64 {
        span.seconds(self.h)
    }

    /// Computes the losses of every mode from now on (allocates).
    pub fn track_losses(&mut self) {
        self.tracks_losses = true;
        self.forget_tables();
    }

    /// Sets new modes at rest, all of which are felt; modes beyond the capacity are ignored. If the modes are unchanged, the tables
    /// stay valid.
    pub fn set(&mut self, modes: impl IntoIterator<Item = Mode>) {
        self.set_felt(modes, usize::MAX);
    }

    /// The same with the first `felt` modes, rounded up to whole blocks of [`LANES`], felt, and the others held.
    pub fn set_felt(&mut self, modes: impl IntoIterator<Item = Mode>, felt: usize) {
        (self.borrowed, self.thinned) = (false, false);
        self.forget_ahead();
        let list = &mut self.modes.list;
        let (before, mut count, mut same) = (list.len(), 0, true);
        for mode in modes.into_iter().take(list.capacity()) {
            match list.get_mut(count) {
                Some(old) => same &= std::mem::replace(old, mode) == mode,
                None => list.push(mode),
            }
            count += 1;
        }
        list.truncate(count);
        same &= count == before;
        let padded = self.modes.list.len().next_multiple_of(LANES);
        for array in [&mut self.modes.q, &mut self.modes.v, &mut self.dq, &mut self.vf, &mut self.modes.omega2] {
            array.clear();
            array.resize(padded, 0.0);
        }
        self.square();
        let most = self.most_felt.min(felt.saturating_add(LANES - 1) / LANES * LANES);
        let felt = std::mem::replace(&mut self.felt, padded.min(most));
        if !same || felt != self.felt {
            self.forget_tables();
        }
    }

    /// Sets frequencies and decays of the same modes; q is scaled by omega/omega', so that the energy is kept.
    pub fn retune(&mut self, modes: impl IntoIterator<Item = Mode>) {
        for ((old, new), q) in self.modes.list.iter_mut().zip(modes).zip(self.modes.q.iter_mut()) {
            if new.omega > 0.0 {
                *q *= old.omega / new.omega;
            }
            *old = new;
        }
        self.refresh();
    }

    /// The same for mode i alone.
    pub fn retune_one(&mut self, i: usize, mode: Mode) {
        let old = std::mem::replace(&mut self.modes.list[i], mode);
        if mode.omega > 0.0 {
            self.modes.q[i] *= old.omega / mode.omega;
        }
        self.refresh();
    }

    /// Exchanges the table for odd lengths. Such a length is used within one sample only, so that banks can share a table with
    /// capacity for the modes of each.
    pub fn swap_odd_table(&mut self, table: &mut StepTable) {
        if let Some(odd) = self.tables.last_mut() {
            std::mem::swap(odd, table);
            odd.span = None;
        }
    }

    fn refresh(&mut self) {
        self.square();
        self.forget_tables();
    }

    fn square(&mut self) {
        for (omega2, mode) in self.modes.omega2.iter_mut().zip(&self.modes.list) {
            *omega2 = mode.omega * mode.omega;
        }
    }

    fn forget_tables(&mut self) {
        self.forget_ahead();
        for table in &mut self.tables {
            table.span = None;
        }
    }

    /// Selects the table of this span, and fills it if necessary: level 0 has its own table, odd lengths another; the other
    /// levels share the rest, and replace the least recently used.
    #[inline]
    pub fn take(&mut self, span: Span) {
        if self.tables[self.current].span != Some(span) {
            self.look_up(span);
        }
    }

    /// The same for a span of this level. A span that is copied as a whole after its parts were written would stall on store forwarding.
    #[inline]
    pub(crate) fn take_level(&mut self, level: u32) {
        if !matches!(self.tables[self.current].span, Some(Span::Level(selected)) if selected == level) {
            self.look_up(Span::Level(level));
        }
    }

    fn look_up(&mut self, span: Span) {
        self.ahead = None;
        self.clock += 1;
        self.tables[self.current].used = self.clock;
        let odd = self.tables.len() - 1;
        self.current = match span {
            Span::Level(0) => 0,
            Span::Seconds(_) => odd,
            Span::Level(_) => {
                let held = (1..odd).find(|&i| self.tables[i].span == Some(span));
                held.unwrap_or_else(|| (1..odd).min_by_key(|&i| self.tables[i].used).unwrap_or(odd))
            }
        };
        let table = &mut self.tables[self.current];
        if table.span != Some(span) {
            let count = if self.current == 0 { self.modes.len() } else { self.felt.min(self.modes.len()) };
            table.fill(&self.modes.list[..count], span.seconds(self.h), self.tracks_losses);
            table.span = Some(span);
        }
    }

    /// The selected table.
    pub fn table(&self) -> &StepTable {
        &self.tables[self.current]
    }

    /// The same, and the modes it belongs to.
    pub fn parts(&mut self) -> (&StepTable, &mut Modes) {
        self.forget_ahead();
        (&self.tables[self.current], &mut self.modes)
    }

    /// Predicts the state after the span without contact force: (q + dq, vf) = A (q, v). Displacements are kept as changes, since
    /// their rounding error times a large force would show in the energy balance; a11 - 1 is -omega^2 bq without cancellation.
    /// Sum of `weights` dq, one weight a mode.
    #[inline(always)]
    pub fn predict(&mut self, span: Span, weights: &[f64]) -> f64 {
        self.take(span);
        let StepTable { fall, a12, a21, a22, .. } = &self.tables[self.current];
        let Modes { q, v, list, .. } = &self.modes;
        let felt = self.felt;
        if list.len() == 1 && felt > 0 {
            let (q, v) = (q[0], v[0]);
            self.dq[0] = a12[0] * v - fall[0] * q;
            self.vf[0] = a21[0] * q + a22[0] * v;
            return weights[0] * self.dq[0];
        }
        let (dq, vf) = (&mut self.dq[..felt], &mut self.vf[..felt]);
        free_step([fall, a12, a21, a22], weights, &q[..felt], &v[..felt], dq, vf)
    }

    /// The same without weights.
    pub fn predict_alone(&mut self, span: Span) {
        self.take(span);
        let Self { tables, modes: Modes { q, v, .. }, dq, vf, felt, .. } = self;
        let StepTable { fall, a12, a21, a22, .. } = &tables[self.current];
        let (q, v) = (&q[..*felt], &v[..*felt]);
        free_step([fall, a12, a21, a22], v, q, v, &mut dq[..*felt], &mut vf[..*felt]);
    }

    /// Adds an outside force `push` [m kg^1/2/s^2] on mode i over the predicted step. Change of dq.
    pub fn push(&mut self, i: usize, push: f64) -> f64 {
        let StepTable { bq, a12, .. } = &self.tables[self.current];
        let moved = bq[i] * push;
        self.dq[i] += moved;
        self.vf[i] += a12[i] * push;
        moved
    }

    /// Displacement of mode i over the predicted step if the force `forced` [m kg^1/2/s^2] opposed it too.
    pub fn way(&self, i: usize, forced: f64) -> f64 {
        self.dq[i] - self.table().bq[i] * forced
    }

    /// Applies the contact force to the predicted step: dq -= weights bq F, vf -= weights bv F.
    pub fn apply_force(&mut self, weights: &[f64], force: f64) {
        let StepTable { bq, a12, .. } = &self.tables[self.current];
        apply_force([bq, a12], weights, force, &mut self.dq[..self.felt], &mut self.vf[..self.felt]);
    }

    /// Makes a step under the tension T and contact forces the predicted step.
    pub(crate) fn load_predicted(&mut self, tension: f64, LoadedStep { half_stretch, moved, sums, load }: LoadedStep) {
        let Self { tables, current, dq, vf, felt, .. } = self;
        let felt = *felt;
        dq[..felt].copy_from_slice(&moved[..felt]);
        brake([&tables[*current].a12, half_stretch], tension, [sums, load], &mut vf[..felt]);
    }

    /// [`ModeBank::apply_force`] and [`ModeBank::commit`] in one pass, for the only or last force on the bank.
    #[inline(always)]
    pub fn force_and_commit(&mut self, weights: &[f64], force: f64) {
        self.ahead = None;
        let StepTable { bq, a12, .. } = &self.tables[self.current];
        let Self { modes, dq, vf, felt, .. } = self;
        let felt = *felt;
        if modes.list.len() == 1 && felt > 0 {
            let (forced, before) = (weights[0] * force, modes.q[0]);
            modes.q[0] = before + (dq[0] - bq[0] * forced);
            dq[0] = before;
            vf[0] -= a12[0] * forced;
        } else {
            force_and_step([bq, a12], weights, force, &mut modes.q[..felt], &mut dq[..felt], &mut vf[..felt]);
        }
        exchange(&mut modes.v, vf, felt);
    }

    /// Sum of `weights` dq in each of the next `count` steps of the selected table without force; no state is predicted.
    pub fn predict_steps(&self, weights: &[f64], count: usize) -> [f64; MAX_STEPS_PER_PASS] {
        let StepTable { fall, a12, a21, a22, .. } = self.table();
        predict_steps([fall, a12, a21, a22], weights, &self.modes.q[..self.felt], &self.modes.v[..self.felt], count)
    }

    /// [`ModeBank::predict_steps`] with the constant force `push` [m kg^1/2/s^2] on the first mode.
    #[inline(always)]
    pub(crate) fn predict_steps_pushed(
        &self,
        first: &FirstModeStep,
        weights: &[f64],
        push: f64,
        count: usize,
    ) -> [f64; MAX_STEPS_PER_PASS] {
        if self.modes.len() == 1 {
            return first.ways((self.modes.q[0], self.modes.v[0]), push).map(|dq| weights[0] * dq);
        }
        let mut ways = self.predict_steps(weights, count);
        if push != 0.0 {
            let pushed = first.ways((0.0, 0.0), push);
            ways.iter_mut().zip(pushed).for_each(|(way, dq)| *way += weights[0] * dq);
        }
        ways
    }

    /// One step of the selected table for each of `forces`, at most [`MAX_STEPS_PER_PASS`]. Sum of `weights` v after each.
    pub fn advance(&mut self, weights: &[f64], forces: &[f64]) -> [f64; MAX_STEPS_PER_PASS] {
        self.ahead = None;
        let StepTable { fall, a12, a21, a22, bq, .. } = &self.tables[self.current];
        let Modes { q, v, .. } = &mut self.modes;
        advance([fall, a12, a21, a22], bq, weights, forces, &mut q[..self.felt], &mut v[..self.felt])
    }

    /// One step of [`ModeBank::advance`]; the weighted displacement of the next one is known after it.
    #[inline]
    pub fn advance_ahead(&mut self, weights: &[f64], force: f64) -> f64 {
        let StepTable { fall, a12, a21, a22, bq, .. } = &self.tables[self.current];
        let Modes { q, v, .. } = &mut self.modes;
        let (q, v) = (&mut q[..self.felt], &mut v[..self.felt]);
        let (speed, way) = advance_ahead([fall, a12, a21, a22], bq, weights, force, q, v);
        self.ahead = Some(way);
        speed
    }

    /// [`ModeBank::predict_steps`] of one step with the `weights` of [`ModeBank::advance_ahead`], unless the state has changed
    /// since.
    #[inline]
    pub fn next_way(&self, weights: &[f64]) -> f64 {
        let look = || self.predict_steps(weights, 1)[0];
        debug_assert!(
            self.ahead.is_none_or(|way| way.to_bits() == look().to_bits()),
            "the predicted displacement must be invalidated"
        );
        self.ahead.unwrap_or_else(look)
    }

    /// Invalidates the known next displacements, before a change of state or weights.
    pub fn forget_ahead(&mut self) {
        (self.ahead, self.held_ahead) = (None, false);
    }

    /// The same for the felt modes alone, before a change of the substeps' length.
    pub fn forget_felt_ahead(&mut self) {
        self.ahead = None;
    }

    /// Displacement per force [m/N] along `weights` in the steps after one under a force. The predicted step is lost.
    pub fn echoes(&mut self, weights: &[f64]) -> [f64; MAX_STEPS_PER_PASS - 1] {
        let Self { tables, current, dq, vf, felt, .. } = self;
        let StepTable { fall, a12, a21, a22, bq, .. } = &tables[*current];
        let (dq, vf) = (&mut dq[..*felt], &mut vf[..*felt]);
        for ((((q, v), weights), bq), bv) in dq.iter_mut().zip(vf.iter_mut()).zip(weights).zip(bq.iter()).zip(a12.iter()) {
            (*q, *v) = (bq * weights, bv * weights);
        }
        let [first, second, third, _] = predict_steps([fall, a12, a21, a22], weights, dq, vf, MAX_STEPS_PER_PASS - 1);
        [first, second, third]
    }

    /// Makes the predicted state the present one, and keeps the one before it in dq and vf.
    pub fn commit(&mut self) {
        self.ahead = None;
        for (q, dq) in self.modes.q[..self.felt].iter_mut().zip(self.dq.iter_mut()) {
            (*q, *dq) = (*q + *dq, *q);
        }
        exchange(&mut self.modes.v, &mut self.vf, self.felt);
    }

    /// Copies the present state of the felt modes to dq and vf, as the state before.
    pub fn remember(&mut self) {
        let felt = self.felt;
        self.dq[..felt].copy_from_slice(&self.modes.q[..felt]);
        self.vf[..felt].copy_from_slice(&self.modes.v[..felt]);
    }

    /// Sets displacements q and velocities v, and keeps the state before in dq and vf; the state is no longer borrowed.
    pub fn go_to(&mut self, q: &[f64], v: &[f64]) {
        self.remember();
        self.modes.q[..q.len()].copy_from_slice(q);
        self.modes.v[..v.len()].copy_from_slice(v);
        self.borrowed = false;
        self.forget_ahead();
    }

    /// Exchanges displacements and velocities with arrays of the same length.
    pub fn exchange_state(&mut self, [q, v]: &mut [ModeArray; 2]) {
        debug_assert!(q.len() == self.modes.q.len() && v.len() == self.modes.v.len(), "another body's");
        std::mem::swap(&mut self.modes.q, q);
        std::mem::swap(&mut self.modes.v, v);
        self.forget_ahead();
    }

    /// Kinetic and elastic energy [J] before the step committed last, within a sample that the held modes have not yet passed.
    pub fn energy_before(&self) -> f64 {
        let (felt, Modes { omega2, q, v, .. }) = (self.felt, &self.modes);
        energy(&omega2[..felt], &self.dq[..felt], &self.vf[..felt]) + energy(&omega2[felt..], &q[felt..], &v[felt..])
    }

    /// Loss [J] of the felt modes over a step that starts here with the constant force a_i = `force(i)` [m kg^1/2/s^2]; 0 unless
    /// losses are tracked. Twice sigma times the integral of v^2, hence never negative and without cancellation.
    pub fn step_loss(&self, force: impl Fn(usize) -> f64) -> f64 {
        self.losses(self.table(), 0..self.felt, force)
    }

    /// Loss [J] of the modes in `range` over a step of `table`.
    pub(super) fn losses(&self, table: &StepTable, range: Range<usize>, force: impl Fn(usize) -> f64) -> f64 {
        let losses = self.modes.list.iter().zip(&table.loss).enumerate().take(range.end).skip(range.start);
        losses
            .filter(|(_, (mode, _))| mode.omega > 0.0)
            .map(|(i, (mode, [l11, l12, l22]))| {
                let y = self.modes.q[i] - force(i) / (mode.omega * mode.omega);
                let v = self.modes.v[i];
                2.0 * mode.sigma * (y * y * l11 + 2.0 * y * v * l12 + v * v * l22)
            })
            .sum()
    }
}
