//! Bodies, contact and time stepping. SI units, f64; no MIDI, no host, no audio buffers.
//!
//! Everything that vibrates is a set of modes of unit modal mass, everything that touches is a contact between two such sets:
//!
//! ```text
//! q_i'' + 2 sigma_i q_i' + omega_i^2 q_i = -W_i f + a_i        mode i, of hammer or body
//! x = sum W_i q_i + offset + z(t)                              compression, > 0 in contact
//! f = k x^alpha (1 + mu x')  for x > 0, else 0                 Hunt and Crossley 1975; other laws in `contact`
//! ```
//!
//! | symbol | name in code | meaning | unit |
//! |---|---|---|---|
//! | q, q' | `q`, `v` | modal displacement and velocity, unit modal mass | m kg^1/2, m kg^1/2/s |
//! | omega, sigma | `omega`, `sigma` | angular frequency, decay rate of the amplitude | rad/s, 1/s |
//! | W | `weights` | shape over root of modal mass: + for a hammer, - for the body | kg^-1/2 |
//! | z | `profile` | height of a profile that moves between hammer and body, rising with dz/dt = `rise` | m |
//! | a | `push` | outside force on a mode (gravity, drive), unit modal mass | m kg^1/2/s^2 |
//! | k, alpha, mu | `HuntCrossley` | stiffness, exponent, loss | N/m^alpha, 1, s/m |
//! | h, dt | `h`, `dt` | sample, substep h/2^j | s |
//! | U, beta | `potential`, `beta` | contact energy, its 4th-order correction beta U'^2 | J, m/N |
//!
//! A point mass m is the mode omega = 0, W = +1/sqrt(m); a rigid wall is a body without modes.
//!
//! References: [PAR] Papetti, Avanzini, Rocchesso, "Energy and accuracy issues in numerical simulations of a non-linear impact
//! model", DAFx 2011. [AR] Avanzini, Rocchesso, "Modeling collision sounds: non-linear contact force", DAFx 2001. [Rath] Rath,
//! "Energy-stable modelling of contacting modal objects with piece-wise linear interaction force", DAFx 2008. [Woodhouse]
//! Woodhouse, "Impact with a mallet or drumstick", Euphonics.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
// nothing that plays panics: docs/real-time.md
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented,
        clippy::get_unwrap
    )
)]
// brackets contain units and papers, [kg], [PAR 11]; links have brackets and backticks and are checked by `cargo xtask test`
#![allow(rustdoc::broken_intra_doc_links)]

#[cfg(feature = "analysis")]
pub mod analysis;
pub mod assembly;
pub mod bodies;
pub mod connections;
pub mod contact;
pub mod eigenbasis;
pub mod lab;
pub mod modal;
pub mod radiation;
pub mod random;
pub mod solver;
pub mod surface;
