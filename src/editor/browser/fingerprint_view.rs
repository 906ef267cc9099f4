//! Draws fingerprints as small diagrams.

use egui::{Pos2, Rect, pos2};

use crate::editor::browser::fingerprint::{Fingerprint, axis_position};
use crate::editor::widgets::ThemePainter;

/// Draws the partials as lines on a logarithmic axis.
pub fn partials(painter: &ThemePainter, rect: Rect, fingerprint: Option<&Fingerprint>) {
    painter.hline(rect.x_range(), rect.bottom(), painter.ink.hair);
    let width = if rect.width() > 150.0 { 2.2 } else { 1.5 };
    for &(hertz, level) in fingerprint.iter().flat_map(|fingerprint| &fingerprint.partials) {
        if let Some(part) = axis_position(hertz) {
            let x = rect.left() + rect.width() * part;
            let top = rect.bottom() - rect.height() * level as f32;
            painter.line(pos2(x, rect.bottom()), pos2(x, top), width, painter.ink.body);
        }
    }
}

/// Draws the force pulse over `longest` [s], scaled to its own peak.
pub fn pulse(painter: &ThemePainter, rect: Rect, fingerprint: Option<&Fingerprint>, longest: f64) {
    painter.hline(rect.x_range(), rect.bottom(), painter.ink.hair);
    let Some((fingerprint, (forces, duration))) =
        fingerprint.and_then(|fingerprint| Some((fingerprint, fingerprint.pulse.as_ref()?)))
    else {
        return;
    };
    let peak = fingerprint.peak().max(1e-12);
    let width = rect.width() * ((duration / longest) as f32).clamp(0.06, 1.0);
    let point = |(i, force): (usize, &f64)| -> Pos2 {
        let x = rect.left() + width * i as f32 / forces.len() as f32;
        pos2(x, rect.bottom() - rect.height() * (force / peak) as f32)
    };
    let curve: Vec<Pos2> = forces.iter().enumerate().map(point).collect();
    let ink = painter.ink.force.gamma_multiply(0.9);
    painter.fill_to(&curve, rect.bottom(), [ink, ink]);
}
