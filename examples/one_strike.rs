//! One measured strike: a 20 g hammer meets a rigid wall, then a bar.
//!
//! `cargo run --no-default-features --example one_strike`

use urto::strike::{ContactLaw, Corrections, Experiment, LabMode, LabStriker, Method};

fn main() {
    let modes = [(220.0, 0.9), (606.4, -0.7), (1189.0, 0.3)];
    let bar = modes.map(|(frequency, shape)| LabMode { frequency, decay: 2.0, mass: 0.1, shape });
    for (name, body) in [("rigid wall", Vec::new()), ("bar", bar.to_vec())] {
        let experiment = Experiment {
            sample_rate: 48_000.0,
            duration: None,
            substeps_per_contact: 16.0,
            law: ContactLaw::hunt_crossley(2e6, 1.5, 0.15),
            method: Method::Edg,
            corrections: Corrections::None,
            striker: LabStriker { mass: 0.02, velocity: 1.0, position: 0.0, gravity: 0.0, modes: Vec::new() },
            body,
        };
        let report = experiment.run(&mut |_| ());
        let contact = &report.contacts[0];
        println!("{name}:");
        println!("  contact time    {:8.4} ms", 1e3 * contact.duration.unwrap_or(f64::NAN));
        println!("  velocity after  {:8.4} m/s", contact.velocity_out.unwrap_or(f64::NAN));
        println!("  compression     {:8.4} mm", 1e3 * contact.max_compression);
        println!("  peak force      {:8.2} N", contact.peak_force);
        println!("  solver          {} substeps", report.solver.substeps);
    }
}
