//! Tension of strings, membranes and bars held at both ends, which grows with their deflection (Kirchhoff 1876, Carrier 1945,
//! Berger 1955).
//!
//! ```text
//! e = sum g_i q_i^2/2,  V = K e^2/2                  tension K e beyond that at rest, force -K e g_i q_i on mode i
//! ```
//!
//! In every substep all modes share one tension T. Its force on mode i is held at -T g_i (q0 + q1)/2, where T = K (e0 + e1)/2. The
//! work of these forces is then V0 - V1 to the last bit, because e is quadratic. The exact steps of the modes become
//!
//! ```text
//! q1 = (qf + Bq sum Wt F - a T q0)/(1 + a T)         a = Bq g/2
//! R(T) = T - K (e0 + e1(T))/2 = 0                    R(0) <= 0, R > 0 for large T
//! ```
//!
//! The equation of a contact keeps its form: its compliance b and its free way depend on T. T is found outside by Newton's method
//! and the secant rule within a bracket, the contacts inside. What an unfinished iteration leaves, (T - K (e0 + e1)/2) (e1 - e0),
//! is recorded.
//!
//! Bottom up: `root` < `tension_reading` < `tension_change` < `tension_step` < `tension_ring`.

mod root;
mod tension_change;
mod tension_reading;
mod tension_ring;
mod tension_step;
