//! The public interface of the library: four modules that re-export the documented part of engine and physics.

pub mod body;
pub mod engine;
pub mod patch;
pub mod strike {
    //! One fully measured strike: a hammer meets a body with given modes, or a rigid wall.
    //!
    //! An [`Experiment`] names hammer, contact law, body and numerical method in SI units. [`Experiment::run`] simulates it and returns a
    //! [`Report`] with every [`Contact`], the energy balance and the cost.
    //!
    //! ```
    //! use urto::strike::{ContactLaw, Corrections, Experiment, LabStriker, Method};
    //!
    //! let experiment = Experiment {
    //!     sample_rate: 48_000.0,
    //!     duration: None, // until the first contact has ended
    //!     substeps_per_contact: 16.0,
    //!     law: ContactLaw::hunt_crossley(2e6, 1.5, 0.15), // N/m^1.5, exponent, s/m
    //!     method: Method::Edg,
    //!     corrections: Corrections::None,
    //!     striker: LabStriker { mass: 0.02, velocity: 1.0, position: 0.0, gravity: 0.0, modes: Vec::new() }, // kg, m/s
    //!     body: Vec::new(), // a rigid wall
    //! };
    //! let report = experiment.run(&mut |_| ());
    //! assert!(report.contacts[0].velocity_out.is_some_and(|velocity| velocity > -1.0 && velocity < 0.0));
    //! ```

    #[doc(inline)]
    pub use urto_physics::contact::ContactLaw;
    #[doc(inline)]
    pub use urto_physics::lab::{Contact, Corrections, Experiment, LabMode, LabStriker, Method, Report, TracePoint};
}
