//! The Matrix page: rows of source, target, amount and curve, and the macros with what they move, LFOs and envelopes.

mod macro_editor;
mod matrix_page;
mod matrix_row;

pub use crate::editor::matrix::matrix_page::MatrixPage;
#[cfg(test)]
pub use crate::editor::matrix::matrix_page::ROWS;
