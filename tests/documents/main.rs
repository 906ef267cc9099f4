//! What documents and sources say of themselves: the manual, its links, the directions of imports.

mod architecture;
mod flow;
mod links;
mod manual;
mod parameters;
mod public_api;
