//! How long a 20 g hammer stays on a rigid wall and on a bar, over the stiffness of its head. Writes `contact_time.svg`.
//!
//! `cargo run --release --no-default-features --example contact_time`

use plotters::prelude::*;
use urto_physics::contact::ContactLaw;
use urto_physics::lab::Corrections;
use urto_physics::lab::Method;
use urto_physics::lab::{Experiment, LabMode, LabStriker};

/// Measures the labels of the picture.
const FONT: &[u8] = include_bytes!("../assets/fonts/IBMPlexSans_400Regular.ttf");

fn contact_time(stiffness: f64, body: Vec<LabMode>) -> Option<f64> {
    let experiment = Experiment {
        sample_rate: 48_000.0,
        duration: None,
        substeps_per_contact: 16.0,
        law: ContactLaw::hunt_crossley(stiffness, 1.5, 0.1),
        method: Method::Edg,
        corrections: Corrections::None,
        striker: LabStriker { mass: 0.02, velocity: 1.0, position: 0.0, gravity: 0.0, modes: Vec::new() },
        body,
    };
    experiment.run(&mut |_| ()).contacts.first()?.duration
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let modes = [(220.0, 0.9), (606.4, -0.7), (1189.0, 0.3)];
    let bar = modes.map(|(frequency, shape)| LabMode { frequency, decay: 2.0, mass: 0.1, shape });
    let stiffnesses = || (0..=40).map(|i| 10_f64.powf(4.0 + f64::from(i) / 10.0));
    let curve = |body: &[LabMode]| stiffnesses().filter_map(|k| Some((k, 1e3 * contact_time(k, body.to_vec())?))).collect();
    let curves: [(&str, Vec<(f64, f64)>, _); 2] = [("rigid wall", curve(&[]), BLUE), ("bar", curve(&bar), RED)];

    plotters::style::register_font("sans-serif", FontStyle::Normal, FONT).map_err(|_| "the font is damaged")?;
    let root = SVGBackend::new("contact_time.svg", (800, 500)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut builder = ChartBuilder::on(&root);
    builder.margin(12).x_label_area_size(40).y_label_area_size(50);
    let mut chart = builder.build_cartesian_2d((1e4..1e8).log_scale(), (0.1..20.0).log_scale())?;
    chart.configure_mesh().x_desc("stiffness in N/m^1.5").y_desc("contact time in ms").draw()?;
    for (name, points, colour) in curves {
        println!("{name}: {:.3} ms at 1e4 N/m^1.5, {:.3} ms at 1e8", points[0].1, points[points.len() - 1].1);
        chart.draw_series(LineSeries::new(points, colour))?.label(name).legend(move |at| Circle::new(at, 4, colour.filled()));
    }
    chart.configure_series_labels().border_style(BLACK).draw()?;
    root.present()?;
    Ok(())
}
