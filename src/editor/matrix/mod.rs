//! The Matrix page: rows of source, target, amount and curve, and the macros, LFOs and envelopes.

mod matrix_page;
mod matrix_row;

pub use crate::editor::matrix::matrix_page::MatrixPage;
#[cfg(test)]
pub use crate::editor::matrix::matrix_page::ROWS;
