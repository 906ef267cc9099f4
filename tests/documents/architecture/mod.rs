//! The sources keep the architecture of `docs/architecture.md`: imports, methods, sizes, names and crates, read from their text.

mod circles;
mod crates;
mod dialect;
mod exceptions;
mod imports;
mod map;
mod methods;
mod module_table;
mod path_tree;
mod picture;
mod size;
mod sources;
mod tokens;
