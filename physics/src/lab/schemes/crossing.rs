//! First time at which a smooth motion leaves an interval.

/// Minimum and maximum number of pieces of the time; else one for each radian of the fastest mode, so that no piece has two
/// turns.
const PIECES: (f64, f64) = (4.0, 1e6);
/// Maximum number of steps to a root.
const MAX_STEPS: u32 = 80;

/// Which end was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Lower,
    Upper,
}

/// The first time in (0, `time`] [s] at which `motion`, which gives x and x', leaves [low, high], and at which end; None if it
/// stays inside. `fastest` is the largest rate |s| [1/s] in it. A start on an end, or by rounding beyond it, counts as inside
/// while the motion leads inwards.
pub(super) fn first_exit(
    motion: impl Fn(f64) -> (f64, f64),
    fastest: f64,
    (low, high): (f64, f64),
    time: f64,
) -> Option<(f64, End)> {
    let pieces = (time * fastest).ceil().clamp(PIECES.0, PIECES.1);
    let (mut from, mut before) = (0.0, motion(0.0));
    for piece in 1..=pieces as u32 {
        let to = time * f64::from(piece) / pieces;
        let after = motion(to);
        if before.1 * after.1 < 0.0 {
            let turn = root(|t| motion(t).1, from, to, before.1);
            let turned = motion(turn);
            if let Some(exit) = monotone_exit(&motion, (low, high), (from, before.0), (turn, turned.0)) {
                return Some(exit);
            }
            (from, before) = (turn, turned);
        }
        if let Some(exit) = monotone_exit(&motion, (low, high), (from, before.0), (to, after.0)) {
            return Some(exit);
        }
        (from, before) = (to, after);
    }
    None
}

fn monotone_exit(
    motion: impl Fn(f64) -> (f64, f64),
    (low, high): (f64, f64),
    (t0, x0): (f64, f64),
    (t1, x1): (f64, f64),
) -> Option<(f64, End)> {
    let (edge, end) = match () {
        () if x1 > high && x1 > x0 => (high, End::Upper),
        () if x1 < low && x1 < x0 => (low, End::Lower),
        () => return None,
    };
    let inside = if end == End::Upper { x0 < edge } else { x0 > edge };
    Some((if inside { root(|t| motion(t).0 - edge, t0, t1, x0 - edge) } else { t0 }, end))
}

/// The root of `value` between t0, where it is `start`, and t1, where it has the other sign (Illinois variant of regula falsi).
fn root(value: impl Fn(f64) -> f64, mut t0: f64, mut t1: f64, start: f64) -> f64 {
    let (mut y0, mut y1) = (start, value(t1));
    let mut t = t1;
    for step in 0..MAX_STEPS {
        let middle = 0.5 * (t0 + t1);
        t = if step % 8 == 7 || y1 == y0 { middle } else { t1 - y1 * (t1 - t0) / (y1 - y0) };
        if !(t > t0.min(t1) && t < t0.max(t1)) {
            t = middle;
        }
        if (t - t1).abs() <= f64::EPSILON * t.abs() || y1 == 0.0 {
            break;
        }
        let y = value(t);
        if y * y1 < 0.0 {
            (t0, y0) = (t1, y1);
        } else {
            y0 *= 0.5;
        }
        (t1, y1) = (t, y);
    }
    if y1 == 0.0 { t1 } else { t }
}
