//! Documents compared with the program, and the architecture of the sources.

mod architecture;
mod flow;
mod links;
mod manual;
mod parameters;
mod public_api;
