//! Weights and compliances of springs between bodies whose forces are held over a sample.
//!
//! Two bodies of modes omega, each stepped exactly under a held force, and a spring with the mean of the extensions at both ends of the
//! sample vibrate at the frequencies X of
//!
//! ```text
//! C = sum Wh^2 (h^2/4)(tan^2 x/x^2)/(tan^2 X - tan^2 x)      x = omega h/2; X: half the angle of a sample
//! ```
//!
//! Near a mode this is the exact coupling for Wh = W/sinc^2 x, within x^4/15 of it; but modes far above the frequencies played are then
//! too soft, and those beyond the band of the body are missing. Both errors are constants, which belong into the spring:
//!
//! ```text
//! Wh_a = W_a/sinc^(2 p_a)(x)     C_ab = [a = b]/k_a + c_ab - E_ab     E_ab = sum W_a W_b (1/sinc^(2 p_a + 2 p_b)(x) - 1)/omega^2
//! ```
//!
//! c_ab is the missing flexibility [m/N]. Every p_a is 1, or the largest with C_aa >= 0.1/k_a; then all of them are multiplied by the largest
//! common factor with which C - diag(0.1/k) is positive semidefinite. A stiff spring, k > 1000/c for the static compliance c of its points, has
//! C = 1/k and no part in C_ab; a rigid joint is one of k = 1e5/c. A dashpot alone has p = 1/2. A dashpot beside a spring sees the compliance c - E in
//! series with both: r' = r t/(k C)^2, t = X/tan X at 3 kHz.
//!
//! Limits: against the exact poles of two bodies of 64 modes, 0.5 cent, 0.5 % of the decay and 0.5 dB below 5 kHz at 48 kHz for k from
//! 0.01 to 1000 times the static stiffness of both points.

use crate::connections::port_matrix::{Factor, PortMatrix, PortVector};
use crate::modal::MAX_PORTS;
use std::f64::consts::PI;

/// k over the static stiffness of both points above which weights need no correction, but for rounding.
const STIFF: f64 = 1000.0 + 1e-6;

/// The same of a rigid joint: within 0.1 cent of an infinite stiffness.
const RIGID: f64 = 1e5;

/// Least C over 1/k of other springs. A dashpot needs a displacement to act on, and joints without C that work against each other, on bodies of
/// few modes or at neighbouring points, would have forces so large that the energy balance loses digits.
const LEAST_COMPLIANCE: f64 = 0.1;

/// Part of a compliance within which an exponent is found.
const CLOSE: f64 = 1e-9;

/// Frequency [Hz] at which a dashpot beside a spring has exactly its resistance.
const DASHPOT_FREQUENCY: f64 = 3000.0;

/// Maximum number of evaluations for an exponent, and of halvings for the common factor.
const MAX_EVALUATIONS: u32 = 40;
const MAX_HALVINGS: u32 = 24;

/// Exponent of the weights of a dashpot without a spring.
pub(crate) const DASHPOT_EXPONENT: f64 = 0.5;

/// A spring with a dashpot in parallel between two points.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Joint {
    /// Stiffness k [N/m], >= 0; infinite: rigid.
    pub stiffness: f64,
    /// Resistance r [kg/s], >= 0.
    pub damping: f64,
    /// Missing flexibility c [m/N], >= 0: the static compliance of both points less that of the modes of the bodies.
    pub missing: f64,
}

impl Joint {
    /// Whether it has a spring.
    pub(crate) fn has_spring(&self) -> bool {
        self.stiffness > 0.0
    }
}

/// What the rule needs to know about the ports of a network.
pub(crate) trait SpringPorts {
    /// Number of ports.
    fn port_count(&self) -> usize;
    /// The spring at a port, if there is one.
    fn spring(&self, port: usize) -> Option<Joint>;
    /// Missing flexibility c_ab between two different ports [m/N].
    fn missing_between(&self, ports: [usize; 2]) -> f64;
    /// Static compliance of a port [m/N].
    fn static_compliance(&self, port: usize) -> f64;
    /// E_ab for exponents p_a, p_b [m/N]; 0 for ports that share no body.
    fn excess(&self, ports: [usize; 2], exponents: [f64; 2]) -> f64;
}

/// Exponents of the springs' weights, and the remaining compliance of the springs.
#[derive(Clone, Debug)]
pub(crate) struct SpringFit {
    /// p, of ports with a spring.
    pub exponents: PortVector,
    /// C of the springs, factored.
    pub compliance: Factor,
    /// r' of the springs' dashpots [kg/s].
    pub damping: PortVector,
}

/// Compliances of one spring [m/N].
#[derive(Clone, Copy, Debug, Default)]
struct Compliance {
    /// 1/k + c.
    free: f64,
    /// Least C.
    least: f64,
    is_stiff: bool,
}

impl Compliance {
    fn new(ports: &impl SpringPorts, port: usize, joint: Joint) -> Self {
        let points = ports.static_compliance(port);
        let own = (1.0 / joint.stiffness).max(points / RIGID);
        let is_stiff = own * STIFF < points;
        Self { free: joint.missing + own, least: if is_stiff { own } else { LEAST_COMPLIANCE * own }, is_stiff }
    }
}

impl SpringFit {
    /// The rule for samples of h [s].
    pub fn new(ports: &impl SpringPorts, h: f64) -> Self {
        let n = ports.port_count();
        let mut springs = [Compliance::default(); MAX_PORTS];
        let mut own = [1.0; MAX_PORTS];
        for port in 0..n {
            if let Some(joint) = ports.spring(port) {
                springs[port] = Compliance::new(ports, port, joint);
                own[port] = own_exponent(ports, port, springs[port]);
            }
        }
        let scaled = |factor: f64| own.map(|p| factor * p);
        let least = springs.map(|spring| CLOSE * spring.least);
        let keeps_least = |exponents: &PortVector| {
            let mut matrix = compliances(ports, &springs, exponents);
            for (port, spring) in springs.iter().enumerate().take(n) {
                *matrix.at_mut(port, port) -= spring.least * (1.0 - CLOSE);
            }
            Factor::new(&matrix, n, &least).is_semidefinite
        };
        let mut factor = 1.0;
        if !keeps_least(&own) {
            let mut high = 1.0;
            factor = 0.0;
            for _ in 0..MAX_HALVINGS {
                let middle = 0.5 * (factor + high);
                if keeps_least(&scaled(middle)) { factor = middle } else { high = middle }
            }
        }
        let exponents = scaled(factor);
        let matrix = compliances(ports, &springs, &exponents);
        let compliance = Factor::new(&matrix, n, &least);
        let damping = std::array::from_fn(|port| {
            let joint = ports.spring(port).filter(|_| port < n && compliance.lower.at(port, port) > 0.0);
            joint.map_or(0.0, |joint| damping_beside(joint, matrix.at(port, port), h))
        });
        Self { exponents, compliance, damping }
    }
}

/// The largest exponent up to 1 with which the spring alone keeps its least compliance, by regula falsi (Illinois): E grows with it, and is
/// convex.
fn own_exponent(ports: &impl SpringPorts, port: usize, spring: Compliance) -> f64 {
    let target = spring.free - spring.least;
    if target <= 0.0 {
        return 0.0;
    }
    let surplus = |p: f64| ports.excess([port, port], [p, p]) - target;
    let (mut low, mut high) = ((0.0, -target), (1.0, surplus(1.0)));
    if high.1 <= 0.0 {
        return 1.0;
    }
    for _ in 0..MAX_EVALUATIONS {
        let p = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let now = (p, surplus(p));
        if now.1.abs() <= CLOSE * spring.least {
            return now.0;
        }
        if now.1 > 0.0 {
            (high, low.1) = (now, 0.5 * low.1);
        } else {
            (low, high.1) = (now, 0.5 * high.1);
        }
    }
    low.0
}

/// C [m/N] of all springs for these exponents. The corrections of other springs would leave nothing of a stiff one: it takes no part in them.
fn compliances(ports: &impl SpringPorts, springs: &[Compliance; MAX_PORTS], exponents: &PortVector) -> PortMatrix {
    let mut matrix = PortMatrix::ZERO;
    for a in (0..ports.port_count()).filter(|port| ports.spring(*port).is_some()) {
        let takes_part = |b: usize| a == b || ports.spring(b).is_some() && !springs[a].is_stiff && !springs[b].is_stiff;
        for b in (0..=a).filter(|b| takes_part(*b)) {
            let whole = if a == b { springs[a].free } else { ports.missing_between([a, b]) };
            let c = whole - ports.excess([a, b], [exponents[a], exponents[b]]);
            (*matrix.at_mut(a, b), *matrix.at_mut(b, a)) = (c, c);
        }
    }
    matrix
}

/// r' [kg/s] of a dashpot beside a spring whose compliance is now C [m/N].
fn damping_beside(joint: Joint, compliance: f64, h: f64) -> f64 {
    let left = joint.stiffness * compliance;
    if joint.damping == 0.0 || !(left.is_finite() && left > 0.0) {
        return 0.0;
    }
    let turn = (PI * DASHPOT_FREQUENCY * h).min(0.25 * PI);
    joint.damping * turn / turn.tan() / (left * left)
}
