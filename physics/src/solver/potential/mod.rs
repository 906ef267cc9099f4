//! Potential of plates and shells beyond that of their linear modes, as one more number of state.
//!
//! ```text
//! psi^2/2 = V(q) + C0,   u = grad V/sqrt(2 (V + C0))          C0 = 0 for flat bodies
//! v' = -psi u,   psi' = u.v                                   keeps (v.v + psi^2)/2 for any u
//! ```
//!
//! A wrong or rounded gradient costs accuracy, never energy. There are two kinds of samples:
//!
//! ```text
//! nothing touches   half rotation of (v, psi) along u, exact linear sample, V and grad V at the new q, half rotation
//! something may     u at the middle of the sample; the force -u psi is held through all substeps. In each of them psi is eliminated:
//!                   P = (psi0 + u.(qf - q0)/2)/(1 + u.Bq u/2),  c_a = sum Wt_a Bq u
//!                   df_a := df_a - c_a P,  b_ab := b_ab - c_a c_b/(2 + u.Bq u)
//!                   psi mean = P - sum c_a F_a/(2 + u.Bq u),  psi1 = psi0 + u.(q1 - q0)
//! ```
//!
//! The equation of a contact keeps its form. After every sample psi relaxes: it moves a tenth of the way to the root of V, and the
//! velocities take the difference of energy, up to a twentieth of theirs. Without that the sound drifts by up to 300 cents in a second.
//!
//! Bottom up: `potential_reading` < `potential_change` < `potential_step` < `potential_ring`.

mod potential_change;
mod potential_reading;
mod potential_ring;
mod potential_step;
