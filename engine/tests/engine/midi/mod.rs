//! Controllers and humanise.

mod controllers;
mod humanise;
