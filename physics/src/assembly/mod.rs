//! Assemblies: bodies that are joined for good by springs, masses, air volumes and pins, and ring as one body.
//!
//! ```text
//! M q'' + C q' + K q = W f        M = 1 + sum m w w^T,  K = diag(omega^2) + sum k w w^T,  C = diag(2 sigma) + sum r w w^T
//! ```
//!
//! q are the modes of all parts, of unit modal mass, one part after the other; a joint is a row w over them [kg^-1/2]: + shape/sqrt(M) on
//! one part, - shape/sqrt(M) on the other. For a volume of air V the row is the integral of the shape over every wall, outward
//! [m^2 kg^-1/2], and k = rho c^2/V [N/m^5]. Every joint changes the matrices by a product of two vectors, so that the new modes
//! follow from one equation in one unknown each.
//!
//! Bottom up: `rank_one` < `parts`; the equation is that of `eigenbasis::secular`.
//!
//! Reference: Golub, "Some modified matrix eigenvalue problems", SIAM Review 15 (1973).

mod parts;
mod rank_one;

pub use crate::assembly::parts::{Assembly, JoinError, StaticJoint, missing_flexibility, spring_in_series};
