//! The methods by name, and the laws that each of them supports.

use crate::contact::ContactLaw;
use crate::lab::schemes::exact_linear::{Offset, Onset, spring_of};
use crate::lab::schemes::explicit::{Heun, Rk4, Verlet};
use crate::lab::schemes::k_method::{KMethod, Loop};
use crate::lab::schemes::piecewise_linear::Piecewise;
use crate::lab::schemes::system::{Scheme, System};

/// Method by which an experiment is stepped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// Urto's own: exact modes, discrete gradient, substeps in contact; see `solver::step`.
    #[default]
    Edg,
    /// Trapezoidal rule, K method, Newton; [PAR] (20), [AR].
    KMethod,
    /// The same with a solution that always converges.
    KMethodSafe,
    /// Velocity Verlet; [PAR] (21).
    Verlet,
    /// Heun as printed; [PAR] (22).
    Heun,
    /// Runge-Kutta of order 4; [PAR] (23).
    Rk4,
    /// Exact linear contact with the offset element; [Rath].
    Offset,
    /// Exact segments of a broken line; [Rath] section 3.
    Piecewise {
        /// Segments up to the deepest compression expected, >= 1.
        segments: usize,
    },
}

/// Default number of segments of the piecewise method.
const SEGMENTS: usize = 16;

impl Method {
    /// All names.
    pub const NAMES: &[&str] = &["edg", "k-method", "k-method-safe", "verlet", "heun", "rk4", "offset", "piecewise"];

    /// The method called `name`; None when there is none.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "edg" => Self::Edg,
            "k-method" => Self::KMethod,
            "k-method-safe" => Self::KMethodSafe,
            "verlet" => Self::Verlet,
            "heun" => Self::Heun,
            "rk4" => Self::Rk4,
            "offset" => Self::Offset,
            "piecewise" => Self::Piecewise { segments: SEGMENTS },
            _ => return None,
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Edg => "edg",
            Self::KMethod => "k-method",
            Self::KMethodSafe => "k-method-safe",
            Self::Verlet => "verlet",
            Self::Heun => "heun",
            Self::Rk4 => "rk4",
            Self::Offset => "offset",
            Self::Piecewise { .. } => "piecewise",
        }
    }

    /// Whether it supports `law`. Errors: a message that names the methods that do.
    pub fn can(self, law: &ContactLaw) -> Result<(), String> {
        if self.knows(law) {
            return Ok(());
        }
        let able = Self::NAMES.iter().filter(|name| Self::named(name).is_some_and(|method| method.knows(law)));
        let able: Vec<_> = able.map(|name| format!("\"{name}\"")).collect();
        Err(format!("use scheme = {}; \"{}\" supports {}", able.join(" or "), self.name(), self.laws()))
    }

    /// Whether a step of `law` is defined for it.
    fn knows(self, law: &ContactLaw) -> bool {
        match self {
            Self::Edg => true,
            Self::Offset => spring_of(law).is_some(),
            Self::Piecewise { .. } => matches!(law, ContactLaw::HuntCrossley(_)),
            _ => matches!(law, ContactLaw::HuntCrossley(_) | ContactLaw::Linear(_)),
        }
    }

    /// The laws it supports, in words.
    pub fn laws(self) -> &'static str {
        match self {
            Self::Edg => "every law",
            Self::Offset => "law = \"linear\", and law = \"hunt-crossley\" with exponent = 1 and damping = 0",
            Self::Piecewise { .. } => "law = \"hunt-crossley\"",
            _ => "law = \"hunt-crossley\" or \"linear\"",
        }
    }

    /// A stepper for `system`; None for EDG-D, which does not make one step a sample.
    pub fn scheme(self, system: &System) -> Option<Box<dyn Scheme>> {
        let modes = system.modes.len();
        Some(match self {
            Self::Edg => return None,
            Self::KMethod => Box::new(KMethod::new(system, Loop::Newton)),
            Self::KMethodSafe => Box::new(KMethod::new(system, Loop::Bracketed)),
            Self::Verlet => Box::new(Verlet),
            Self::Heun => Box::new(Heun::new(modes)),
            Self::Rk4 => Box::new(Rk4::new(modes)),
            Self::Offset => Box::new(Offset::new(modes, Onset::OffsetElement)),
            Self::Piecewise { segments } => Box::new(Piecewise::new(segments)),
        })
    }
}
