//! Exact steps of modes, and the exchange of energy between bands.

mod band_exchange;
mod propagators;
