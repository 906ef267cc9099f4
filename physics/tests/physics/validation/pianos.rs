//! Piano hammers on their strings.

use super::comparison::{Comparison, Measured, Quantity, about};
use super::sources;
use std::f64::consts::PI;
use urto_physics::contact::ContactLaw;
use urto_physics::lab::{Corrections, Experiment, LabMode, LabStriker, Method};

/// Sample rate [Hz], and the highest string mode that is computed [Hz].
const RATE: f64 = 96e3;
const HIGHEST: f64 = 40e3;
/// Speed of a hammer at mezzo-forte [m/s], assumed.
const SPEED: f64 = 1.5;

/// The strings of a note together and their hammer.
struct Note {
    /// Mass [kg].
    mass: f64,
    /// Tension over length [N/m].
    stiffness: f64,
    /// Inharmonicity B, from steel core, tension and length.
    inharmonicity: f64,
    /// Place of the strike over the length.
    strike: f64,
    /// Mass of the hammer [kg].
    hammer: f64,
    /// Felt: F = k x^exponent.
    felt: (f64, f64),
}

/// C1, whose felt is that of C2; C4; C7.
const NOTES: [Note; 3] = [
    Note { mass: 0.189, stiffness: 810.0, inharmonicity: 2.6e-4, strike: 0.135, hammer: 0.012, felt: (4e8, 2.3) },
    Note { mass: 0.0117, stiffness: 3220.0, inharmonicity: 3.6e-4, strike: 0.125, hammer: 0.009, felt: (4.5e9, 2.5) },
    Note { mass: 1.15e-3, stiffness: 20_140.0, inharmonicity: 7.7e-3, strike: 0.09, hammer: 0.006, felt: (1e12, 3.0) },
];

impl Note {
    /// Time [s] from the first touch to the last.
    fn contact_time(&self) -> f64 {
        let lowest = 0.5 * (self.stiffness / self.mass).sqrt();
        let frequency = |n: usize| lowest * n as f64 * (1.0 + self.inharmonicity * (n * n) as f64).sqrt();
        let mode = |n: usize| LabMode {
            frequency: frequency(n),
            decay: 1.0,
            mass: 0.5 * self.mass,
            shape: (n as f64 * PI * self.strike).sin(),
        };
        let experiment = Experiment {
            sample_rate: RATE,
            duration: Some(0.02),
            substeps_per_contact: 32.0,
            law: ContactLaw::hunt_crossley(self.felt.0, self.felt.1, 0.0),
            method: Method::Edg,
            corrections: Corrections::None,
            striker: LabStriker { mass: self.hammer, velocity: SPEED, position: 0.0, gravity: 0.0, modes: vec![] },
            body: (1..).take_while(|&n| frequency(n) < HIGHEST).map(mode).collect(),
        };
        let contacts = experiment.run(&mut |_| ()).contacts;
        contacts.last().and_then(|last| last.end).expect("the hammer has left") - contacts[0].start
    }
}

pub fn comparisons() -> Vec<Comparison> {
    let row = |object, measured: Measured, note: &Note, source| Comparison {
        object,
        name: "contact time, ms",
        quantity: Quantity::Contact,
        measured,
        urto: 1e3 * note.contact_time(),
        source,
    };
    let [low, middle, high] = NOTES;
    vec![
        row("piano hammer, C1", Measured::Between(4.0, 5.0), &low, &sources::PULSES),
        row("piano hammer, C4", about(2.0, 0.4), &middle, &sources::KTH),
        row("piano hammer, C7", Measured::AtMost(1.0), &high, &sources::PULSES),
    ]
}
