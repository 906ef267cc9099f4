//! Contact time of a 20 g hammer on a rigid wall and on a bar, for a stiffness from 1e4 to 1e8 N/m^1.5.
//!
//! `cargo run --release --no-default-features --example contact_time`

use urto::strike::{ContactLaw, Corrections, Experiment, LabMode, LabStriker, Method};

/// Duration of the first contact [s].
fn contact_time(stiffness: f64, body: &[LabMode]) -> Option<f64> {
    let experiment = Experiment {
        sample_rate: 48_000.0,
        duration: None,
        substeps_per_contact: 16.0,
        law: ContactLaw::hunt_crossley(stiffness, 1.5, 0.1),
        method: Method::Edg,
        corrections: Corrections::None,
        striker: LabStriker { mass: 0.02, velocity: 1.0, position: 0.0, gravity: 0.0, modes: Vec::new() },
        body: body.to_vec(),
    };
    experiment.run(&mut |_| ()).contacts.first()?.duration
}

fn main() {
    let modes = [(220.0, 0.9), (606.4, -0.7), (1189.0, 0.3)];
    let bar = modes.map(|(frequency, shape)| LabMode { frequency, decay: 2.0, mass: 0.1, shape });
    println!("stiffness N/m^1.5   wall ms    bar ms");
    for stiffness in [1e4, 1e5, 1e6, 1e7, 1e8] {
        let [wall, bar] = [&[][..], &bar].map(|body| 1e3 * contact_time(stiffness, body).unwrap_or(f64::NAN));
        println!("{stiffness:>17e} {wall:>9.3} {bar:>9.3}");
    }
}
