//! One-step Adams-Moulton (trapezoidal rule, bilinear transform) on every mode, with the delay-free loop through the contact
//! solved by the K method ([PAR] equation 20; Borin, De Poli, Rocchesso 2000).
//!
//! With D = 1 + sigma h + (omega h/2)^2 a step of one mode is, linear in the two forces,
//!
//! ```text
//! v_(n+1) = [(2 - D) v_n - omega^2 h q_n + h a - h/2 W (f_n + f_(n+1))]/D        q_(n+1) = q_n + h/2 (v_n + v_(n+1))
//! x_(n+1) = x~ - K_x f_(n+1)      x'_(n+1) = x~' - K_v f_(n+1)      K_v = sum W^2 h/2D,  K_x = h/2 K_v
//! f_(n+1) = f(x_(n+1), x'_(n+1))
//! ```
//!
//! `k-method` solves the last line by Newton's method from f_n, as the papers do; it may fail to converge, and then continues
//! with the last iterate. `k-method-safe` solves it inside a bracket and always converges; there the contact has no tension: f =
//! max(0, f(x, x')).

use crate::lab::schemes::system::{Cost, Scheme, State, System};
use crate::modal::Mode;

/// Maximum number of steps of either variant.
pub const MAX_ITERATIONS: u32 = 100;

/// Step over force (for `k-method` over at least 1 N) at which the solution has converged; the tolerance of [AR] section 4.2.
pub const TOLERANCE: f64 = 1e-13;

/// Coefficients of one mode.
#[derive(Clone, Copy, Debug)]
struct Answer {
    from_velocity: f64,
    from_displacement: f64,
    from_push: f64,
    from_force: f64,
}

/// Solution of the delay-free loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loop {
    /// Newton from the last force, without a safeguard.
    Newton,
    /// Newton inside a bracket around the only solution.
    Bracketed,
}

/// The trapezoidal rule with the K method.
#[derive(Clone, Debug)]
pub struct KMethod {
    answers: Vec<Answer>,
    compliance: Compliance,
    way: Loop,
}

/// Effect of the new force on compression and its velocity: x = free.0 - K_x f, x' = free.1 - K_v f.
#[derive(Clone, Copy, Debug)]
struct Compliance {
    x: f64,
    v: f64,
}

impl KMethod {
    /// Coefficients for `system`.
    pub fn new(system: &System, way: Loop) -> Self {
        let h = system.h;
        let answer = |&Mode { omega, sigma }: &Mode| {
            // free motion has no damping, see Mode
            let sigma = if omega == 0.0 { 0.0 } else { sigma };
            let d = 1.0 + sigma * h + (0.5 * omega * h).powi(2);
            Answer {
                from_velocity: (2.0 - d) / d,
                from_displacement: -omega * omega * h / d,
                from_push: h / d,
                from_force: 0.5 * h / d,
            }
        };
        let answers: Vec<Answer> = system.modes.iter().map(answer).collect();
        let v = answers.iter().zip(&system.weights).map(|(answer, w)| w * w * answer.from_force).sum();
        Self { answers, compliance: Compliance { x: 0.5 * h * v, v }, way }
    }
}

impl Scheme for KMethod {
    fn step(&mut self, system: &System, state: &mut State) -> Cost {
        let (x0, closing0, known) = (system.compression(state), system.closing(state), state.force);
        let mut free = 0.0;
        for (i, a) in self.answers.iter().enumerate() {
            let start = state.v[i];
            let v = a.from_velocity * start + a.from_displacement * state.q[i] + a.from_push * system.push[i]
                - a.from_force * system.weights[i] * known;
            (state.q[i], state.v[i]) = (state.q[i] + 0.5 * system.h * (start + v), v);
            free += system.weights[i] * v;
        }
        let free = (x0 + 0.5 * system.h * (closing0 + free), free);
        let loop_ = Equation { system, free, compliance: self.compliance };
        let (force, cost) = match self.way {
            Loop::Newton => loop_.newton(known),
            Loop::Bracketed => loop_.bracketed(known),
        };
        for (i, a) in self.answers.iter().enumerate() {
            let kick = a.from_force * system.weights[i] * force;
            state.q[i] -= 0.5 * system.h * kick;
            state.v[i] -= kick;
        }
        state.force = force;
        cost
    }
}

/// f = f(x~ - K_x f, x~' - K_v f).
struct Equation<'a> {
    system: &'a System,
    free: (f64, f64),
    compliance: Compliance,
}

impl Equation<'_> {
    /// The law's force at the state after `f`, and its decrease with f.
    fn law(&self, f: f64) -> (f64, f64) {
        let (x, v) = (self.free.0 - self.compliance.x * f, self.free.1 - self.compliance.v * f);
        let (by_x, by_v) = self.system.law.slopes(x, v, 0.0);
        (self.system.force(x, v), self.compliance.x * by_x + self.compliance.v * by_v)
    }

    fn newton(&self, start: f64) -> (f64, Cost) {
        let mut f = start;
        for iterations in 1..=MAX_ITERATIONS {
            let (law, fall) = self.law(f);
            let step = (law - f) / (1.0 + fall);
            f += step;
            if step.abs() <= TOLERANCE * f.abs().max(1.0) {
                return (f, Cost { iterations, ..Cost::default() });
            }
        }
        (f, Cost { iterations: MAX_ITERATIONS, unconverged: true, ..Cost::default() })
    }

    /// f - max(0, law(f)) grows with f, is <= 0 at 0 and >= 0 at the law's force for f = 0 and where x = 0: one root between.
    fn bracketed(&self, start: f64) -> (f64, Cost) {
        let mut high = self.law(0.0).0.min(self.free.0 / self.compliance.x);
        let mut low = 0.0;
        if high.is_nan() || high <= 0.0 {
            return (0.0, Cost::default());
        }
        let mut f = if start > low && start < high { start } else { 0.5 * high };
        let mut last = f64::INFINITY;
        for iterations in 1..=MAX_ITERATIONS {
            let (law, fall) = self.law(f);
            let residual = f - law.max(0.0);
            if residual < 0.0 {
                low = f
            } else {
                high = f
            }
            let newton = f - residual / (1.0 + if law > 0.0 { fall } else { 0.0 });
            let slow = residual.abs() > 0.5 * last;
            last = if slow { f64::INFINITY } else { residual.abs() };
            let next = if slow || !(newton >= low && newton <= high) { 0.5 * (low + high) } else { newton };
            let step = next - f;
            f = next;
            if step.abs() <= TOLERANCE * f || high - low <= f64::EPSILON * high {
                return (f, Cost { iterations, ..Cost::default() });
            }
        }
        (f, Cost { iterations: MAX_ITERATIONS, unconverged: true, ..Cost::default() })
    }
}
