//! Recordings to patches.

mod recordings;
