//! The Parts page: what a connected body consists of, and how firmly its parts are joined.

mod connector;
mod frequency_rows;
mod parts_page;

pub use crate::editor::parts::parts_page::PartsPage;
