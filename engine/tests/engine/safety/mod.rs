//! Invalid input, allocation, determinism, energy balance.

mod allocation;
mod determinism;
mod energy_balance;
mod invalid_input;
