//! State of the tension of one body.

use crate::modal::{
    ContactLoad, LANES, LoadedStep, Mode, ModeBank, Modes, StepTable, StretchAtContact, StretchChange, TensionStep, add_load,
    dot3, load_relaxed, relax_under,
};

/// Stiffening of a body by its own deflection: V = K e^2/2, e = sum g_i q_i^2/2.
#[derive(Clone, Copy, Debug)]
pub struct TensionLaw<'a> {
    /// K: tension over stretch, EA/L of a string [N/m], E h/((1 - nu^2) S) of a membrane [N/m^3]; 0: none.
    pub stiffness: f64,
    /// g_i of the first modes: the integral of the square of the shape's slope over its modal mass, [1/(kg m)] of a string, [1/kg] of a
    /// membrane; 0 for the modes beyond. Held modes have none.
    pub stretches: &'a [f64],
}

/// Whether the tension acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Activity {
    /// The body is linear: it has no tension, or is too quiet for it.
    #[default]
    Resting,
    /// The tension acts.
    Acting,
}

/// The last tensions, all of steps of one length.
#[derive(Clone, Copy, Debug, Default)]
struct TensionHistory {
    last: [f64; 3],
    known: usize,
    /// Length of the steps [s].
    dt: f64,
}

impl TensionHistory {
    /// Adds the tension of a step of dt [s].
    fn note(&mut self, tension: f64, dt: f64) {
        if dt != self.dt {
            (self.known, self.dt) = (0, dt);
        }
        let [a, b, _] = self.last;
        self.last = [tension, a, b];
        self.known = 3.min(self.known + 1);
    }

    /// The next one on the parabola, or the line, through the last ones.
    fn next(&self, dt: f64) -> f64 {
        let [a, b, c] = self.last;
        let known = if dt == self.dt { self.known } else { self.known.min(1) };
        let next = match known {
            3 => 3.0 * (a - b) + c,
            2 => 2.0 * a - b,
            _ => a,
        };
        if next > 0.0 && next < 2.0 * a { next } else { a }
    }
}

/// The tension of one body.
#[derive(Clone, Debug)]
pub(crate) struct BodyTension {
    activity: Activity,
    /// K in force; below that of the law while the motion pays for its rise.
    stiffness: f64,
    /// K of the law.
    wanted: f64,
    /// g/2 of the felt modes, padded.
    half_stretch: Vec<f64>,
    /// g/omega^2/2.
    compliances: Vec<f64>,
    /// Largest g/omega^2 and g/2.
    softest: f64,
    largest: f64,
    history: TensionHistory,
    /// Displacements of the felt modes over the step.
    moved: Vec<f64>,
    /// Their displacements before and after the step, added: without cancellation where a large tension reverses them.
    sums: Vec<f64>,
    /// bq/(1 + a T), or 1/(1 + a T) of a step at the only contact.
    softened: Vec<f64>,
    /// Sum of the contact forces on each mode.
    load: Vec<f64>,
    /// The tension held over the step, and the energy [J] that its iteration has left.
    held: f64,
    unfinished: f64,
}

/// Energy that an iteration may give, over that of the tension: rounding.
const ROUNDED: f64 = 4e-15;

impl BodyTension {
    /// Room for `felt` modes; the only allocation.
    pub fn new(felt: usize) -> Self {
        let array = |n: usize| Vec::with_capacity(n.next_multiple_of(LANES));
        Self {
            activity: Activity::Resting,
            stiffness: 0.0,
            wanted: 0.0,
            half_stretch: array(felt),
            compliances: array(felt),
            softest: 0.0,
            largest: 0.0,
            history: TensionHistory::default(),
            moved: array(felt),
            sums: array(felt),
            softened: array(felt),
            load: array(felt),
            held: 0.0,
            unfinished: 0.0,
        }
    }

    /// No tension.
    pub fn clear(&mut self) {
        (self.activity, self.stiffness, self.wanted) = (Activity::Resting, 0.0, 0.0);
        self.forget();
    }

    fn forget(&mut self) {
        (self.history, self.held, self.unfinished) = (TensionHistory::default(), 0.0, 0.0);
    }

    /// Whether it acts.
    #[inline]
    pub fn acts(&self) -> bool {
        self.activity == Activity::Acting
    }

    /// Whether the body has a tension that may act.
    pub fn exists(&self) -> bool {
        self.wanted > 0.0
    }

    /// Lets it act or rest. What it stores is lost when it rests; when it begins to act, it stores nothing at first.
    pub fn set_activity(&mut self, activity: Activity) {
        if self.activity != activity {
            (self.activity, self.stiffness) = (activity, 0.0);
            self.forget();
        }
    }

    /// Sets the law for a body of `modes`, of which the first `felt` places take part.
    pub fn set_law(&mut self, law: &TensionLaw, modes: &Modes, felt: usize) {
        self.wanted = if law.stiffness > 0.0 && law.stiffness.is_finite() { law.stiffness } else { 0.0 };
        self.half_stretch.clear();
        self.half_stretch.extend(law.stretches.iter().take(felt.min(modes.len())).map(|g| 0.5 * g.max(0.0)));
        for array in [&mut self.half_stretch, &mut self.moved, &mut self.sums, &mut self.softened, &mut self.load] {
            array.resize(felt, 0.0);
        }
        if self.wanted == 0.0 {
            self.set_activity(Activity::Resting);
        }
        self.refresh(modes.list());
    }

    /// Takes over the frequencies of the modes.
    pub fn refresh(&mut self, modes: &[Mode]) {
        self.compliances.clear();
        let reach = |(half, mode): (&f64, &Mode)| if mode.omega > 0.0 { half / (mode.omega * mode.omega) } else { 0.0 };
        self.compliances.extend(self.half_stretch.iter().zip(modes).map(reach));
        self.largest = self.half_stretch.iter().fold(0.0, |most: f64, one| most.max(*one));
        self.softest = 2.0 * self.compliances.iter().fold(0.0, |most: f64, one| most.max(*one));
    }

    /// Extra tension over that at rest, which follows from the lowest mode that stretches: T0 = omega^2/g, exact for strings without
    /// stiffness and for membranes.
    pub fn share_of_rest(&self, q: &[f64]) -> f64 {
        let reach = self.compliances.iter().find(|reach| **reach > 0.0).copied().unwrap_or(0.0);
        2.0 * reach * self.stiffness * self.stretch(q)
    }

    /// K in force.
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// e of displacements q, padded.
    pub fn stretch(&self, q: &[f64]) -> f64 {
        let n = self.half_stretch.len().min(q.len());
        dot3(&self.half_stretch[..n], &q[..n], &q[..n])
    }

    /// Energy V [J] that it stores.
    pub fn energy(&self, q: &[f64]) -> f64 {
        if !self.acts() {
            return 0.0;
        }
        let stretch = self.stretch(q);
        0.5 * self.stiffness * stretch * stretch
    }

    /// Lowers K such that it stores at most `energy` [J], otherwise raises it to that of the law as far as that costs nothing.
    pub fn limit_energy(&mut self, energy: f64, q: &[f64]) {
        let stretch = self.stretch(q);
        let square = stretch * stretch;
        let most = if square > 0.0 { 2.0 * energy / square } else { f64::INFINITY };
        self.stiffness = self.wanted.min(most.max(0.0));
    }

    /// Energy [J] that K needs to reach that of the law.
    pub fn missing_energy(&self, q: &[f64]) -> f64 {
        let missing = self.wanted - self.stiffness;
        if missing <= 0.0 {
            return 0.0;
        }
        let stretch = self.stretch(q);
        0.5 * missing * stretch * stretch
    }

    /// Raises K, for which the motion has paid `part` of [`BodyTension::missing_energy`], 0 to 1.
    pub fn raise(&mut self, part: f64) {
        self.stiffness = if part >= 1.0 { self.wanted } else { self.stiffness + part * (self.wanted - self.stiffness) };
    }

    /// Upper bound of the force of the tension over that of the body's own stiffness, on any mode, with all modes at their largest
    /// deflection at once.
    pub fn strength(&self, modes: &Modes) -> f64 {
        let swing: f64 = self
            .compliances
            .iter()
            .zip(modes.list())
            .zip(modes.q.iter().zip(modes.v.iter()))
            .map(|((reach, mode), (q, v))| reach * ((mode.omega * q).powi(2) + v * v))
            .sum();
        self.wanted * swing * self.softest
    }

    /// Expected tension of the next step, of dt [s].
    pub fn guess(&self, dt: f64) -> f64 {
        self.history.next(dt)
    }

    /// Notes the tension of a step that has been made.
    pub fn note(&mut self, tension: f64, dt: f64) {
        self.history.note(tension, dt);
    }

    /// Largest a = bq g/2 over steps of dt [s], from above: bq is at most dt^2/2 and 2/omega^2.
    pub fn steepest(&self, dt: f64) -> f64 {
        (0.5 * dt * dt * self.largest).min(self.softest)
    }

    /// Loop constants of a step of the felt modes, and room for a number of each.
    pub fn step<'a>(&'a mut self, StepTable { fall, a12, a21, a22, bq, .. }: &'a StepTable) -> (TensionStep<'a>, &'a mut [f64]) {
        let n = self.half_stretch.len();
        let [fall, a12, a21, a22, bq] = [fall, a12, a21, a22, bq].map(|column| &column[..n]);
        (TensionStep { fall, a12, a21, a22, bq, half_stretch: &self.half_stretch }, &mut self.softened)
    }

    /// Displacements of the felt modes over the predicted step under a tension, without contacts.
    pub fn relax(&mut self, body: &ModeBank, tension: f64) {
        let Self { half_stretch, moved, sums, softened, .. } = self;
        let felt = body.felt();
        let step = [&body.table().bq[..felt], &half_stretch[..felt]];
        relax_under(step, tension, [&body.modes.q[..felt], &body.dq[..felt]], [moved, sums, softened]);
    }

    /// Those displacements.
    pub fn relaxed(&self) -> &[f64] {
        &self.moved
    }

    /// bq/(1 + a T).
    pub fn softened(&self) -> &[f64] {
        &self.softened
    }

    /// Sums up the contact `forces` [N] with their weights, and applies them to the displacements. The change of e.
    pub fn load_by<'a>(&mut self, body: &ModeBank, forces: impl Iterator<Item = (&'a [f64], f64)>) -> StretchChange {
        let Self { half_stretch, moved, sums, softened, load, .. } = self;
        let felt = body.felt();
        load.fill(0.0);
        for (weights, force) in forces.filter(|(_, force)| *force != 0.0) {
            add_load(&weights[..felt], force, load);
        }
        load_relaxed(&half_stretch[..felt], &body.modes.q[..felt], [softened, load], [moved, sums])
    }

    /// A step of `body` under a tension at its only contact with these fitted weights.
    pub fn at_contact(&mut self, body: &ModeBank, weights: &[f64], tension: f64) -> StretchAtContact {
        body.stretch_at_contact(&self.half_stretch, weights, tension, &mut self.softened)
    }

    /// Makes that step, under the last tension of [`BodyTension::at_contact`], the predicted one. e1 - e0.
    pub fn hold_at_contact(&mut self, body: &mut ModeBank, load: ContactLoad) -> f64 {
        self.held = load.tension;
        body.load_at_contact(&self.half_stretch, load, &self.softened, &mut self.sums)
    }

    /// Notes the energy [J] that the iteration of the predicted step has left.
    pub fn leave(&mut self, unfinished: f64) {
        self.unfinished = unfinished;
    }

    /// Makes these displacements, under the tension `held`, the predicted step of `body`. `unfinished`: energy [J] that the iteration
    /// has left.
    pub fn hold(&mut self, held: f64, unfinished: f64, body: &mut ModeBank) {
        (self.held, self.unfinished) = (held, unfinished);
        let loaded = LoadedStep { half_stretch: &self.half_stretch, moved: &self.moved, sums: &self.sums, load: &self.load };
        body.load_predicted(held, loaded);
    }

    /// Ends a step of dt [s] that has led to q. Energy [J] that the iteration has left: lost. One that has not settled must not give
    /// energy: K falls by it.
    #[inline]
    pub fn end_step(&mut self, dt: f64, q: &[f64]) -> f64 {
        if self.acts() { self.end_acting_step(dt, q) } else { 0.0 }
    }

    /// The same of a tension that acts.
    pub fn end_acting_step(&mut self, dt: f64, q: &[f64]) -> f64 {
        self.history.note(self.held, dt);
        let given = -std::mem::take(&mut self.unfinished);
        let stored = self.energy(q);
        if given <= ROUNDED * stored {
            return -given;
        }
        let paid = given.min(stored);
        self.stiffness *= 1.0 - paid / stored;
        paid - given
    }

    /// Force [m kg^1/2/s^2] of the held tension on mode i over the predicted step.
    pub fn force_on(&self, i: usize) -> f64 {
        let of_mode = self.half_stretch.get(i).zip(self.sums.get(i));
        of_mode.map_or(0.0, |(half_stretch, sum)| -self.held * half_stretch * sum)
    }
}
