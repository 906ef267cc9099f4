//! Strikes with known outcome, read from `reference_strikes.json`.

use serde::Deserialize;
use std::f64::consts::TAU;
use urto_physics::contact::ContactLaw;
use urto_physics::lab::Corrections;
use urto_physics::lab::Method;
use urto_physics::lab::{Experiment, LabMode, LabStriker, Report};

#[derive(Deserialize)]
struct Book {
    cases: Vec<Case>,
}

/// A strike and what comes of it.
#[derive(Deserialize)]
pub struct Case {
    pub name: String,
    pub contact: Law,
    pub striker: Striker,
    pub body: Vec<UnitMode>,
    pub first_contact: FirstContact,
    /// End of the observed time [s], where more than one contact was observed.
    pub until: Option<f64>,
    #[serde(default)]
    pub contacts: Vec<LaterContact>,
    #[serde(rename = "final")]
    pub last: Option<Last>,
}

#[derive(Deserialize)]
pub struct Law {
    pub stiffness: f64,
    pub exponent: f64,
    pub damping: f64,
}

#[derive(Deserialize)]
pub struct Striker {
    pub mass: f64,
    pub velocity: f64,
    pub gravity: f64,
    pub modes: Vec<UnitMode>,
}

/// A mode of unit modal mass.
#[derive(Deserialize)]
pub struct UnitMode {
    pub omega: f64,
    pub sigma: f64,
    pub weight: f64,
}

#[derive(Deserialize)]
pub struct FirstContact {
    pub duration: f64,
    pub velocity_out: f64,
    pub max_compression: f64,
    pub peak_force: f64,
    pub energy_body: f64,
    pub energy_striker: Option<f64>,
    pub energy_initial: Option<f64>,
}

#[derive(Deserialize)]
pub struct LaterContact {
    pub start: f64,
    pub end: f64,
    pub velocity_out: f64,
}

#[derive(Deserialize)]
pub struct Last {
    pub striker_position: f64,
    pub striker_velocity: f64,
    pub energy_body: f64,
    pub energy_total: f64,
}

/// All cases.
pub fn cases() -> Vec<Case> {
    let book: Book = serde_json::from_str(include_str!("../reference_strikes.json")).expect("the reference file is well formed");
    assert_eq!(book.cases.len(), 16);
    book.cases
}

/// The case whose name starts with `name`.
pub fn case(name: &str) -> Case {
    cases().into_iter().find(|case| case.name.starts_with(name)).expect("there is such a case")
}

impl UnitMode {
    fn in_laboratory(&self) -> LabMode {
        LabMode { frequency: self.omega / TAU, decay: self.sigma, mass: 1.0, shape: self.weight }
    }
}

impl Case {
    /// The strike at `sample_rate` [Hz] with P = `substeps`, begun `lead` [s] before the contact by flying back freely.
    pub fn experiment(&self, sample_rate: f64, substeps: f64, lead: f64) -> Experiment {
        let Striker { mass, velocity, gravity, modes } = &self.striker;
        Experiment {
            sample_rate,
            duration: self.until.map(|until| until + lead),
            substeps_per_contact: substeps,
            law: ContactLaw::hunt_crossley(self.contact.stiffness, self.contact.exponent, self.contact.damping),
            method: Method::Edg,
            corrections: Corrections::None,
            striker: LabStriker {
                mass: *mass,
                velocity: velocity - gravity * lead,
                position: -(velocity * lead - 0.5 * gravity * lead * lead),
                gravity: *gravity,
                modes: modes.iter().map(UnitMode::in_laboratory).collect(),
            },
            body: self.body.iter().map(UnitMode::in_laboratory).collect(),
        }
    }

    /// Makes the strike of [`Case::experiment`].
    pub fn strike(&self, sample_rate: f64, substeps: f64, lead: f64) -> Report {
        self.experiment(sample_rate, substeps, lead).run(&mut |_| ())
    }

    /// Energy at the onset [J].
    pub fn initial_energy(&self) -> f64 {
        self.first_contact.energy_initial.unwrap_or(0.5 * self.striker.mass * self.striker.velocity.powi(2))
    }
}
