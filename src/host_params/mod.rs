//! The parameter table as host parameters; their remote-control pages, and repair of host states.

mod host_param;
#[cfg(any(test, feature = "standalone"))]
mod mock_host;
mod params;
mod remote_controls;

#[cfg(any(test, feature = "standalone"))]
pub use crate::host_params::mock_host::{HostRequest, MockHost};
pub use crate::host_params::params::{HostParams, repair_state};
