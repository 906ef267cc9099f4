//! Irregular bodies: frequency ratios changed by dishing, and a random detuning of each family of modes.
//!
//! ```text
//! r'  = r^p (1 + s g)      g: random, mean square 1, between -3.5 and 3.5, the same for the modes of a pair
//! ```
//!
//! Flat plates follow Chladni's law f = C (m + 2 n)^2 for m diameters and n circles, dished ones, gongs and cymbals, one with a power of
//! 1.4 to 2 (Rossing and Peterson, "Vibrations of plates, gongs, and cymbals", Percussive Notes 1982): p is half of it.

use crate::bodies::modal_shape::ModalShape;
use crate::random::SplitMix64;

impl ModalShape {
    /// The same modes with their ratios to the power of `power` and detuned by `irregularity` (relative, root mean square),
    /// except for the one nearest to 1 and its twin; in rising order. The detuning is the same every time.
    pub fn uneven(&self, power: f64, irregularity: f64) -> Self {
        if power == 1.0 && irregularity == 0.0 {
            return self.clone();
        }
        let name = |i: usize| self.family(i).unwrap_or((i as u32, 0));
        let distance = |i: &usize| self.ratios[*i].ln().abs();
        let pitch = (0..self.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).map(name);
        let ratio = |i: usize| {
            let off = if Some(name(i)) == pitch { 0.0 } else { irregularity * deviation(name(i)) };
            self.ratios[i].powf(power) * (1.0 + off).max(0.1)
        };
        let ratios: Vec<f64> = (0..self.len()).map(ratio).collect();
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&a, &b| ratios[a].total_cmp(&ratios[b]));
        let mut moved = self.only(&order);
        moved.ratios = order.iter().map(|&i| ratios[i]).collect();
        moved
    }
}

/// A number of mean square 1 for a family: four uniform random numbers added.
fn deviation((m, n): (u32, u32)) -> f64 {
    let mut random = SplitMix64::new((u64::from(m) << 32 | u64::from(n)) ^ 0x5EED);
    3_f64.sqrt() * (0..4).map(|_| random.uniform() - 0.5).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::circular_modes::tests::phi;
    use crate::bodies::edge::EdgeSupport;
    use crate::bodies::position::BodyPosition;
    use crate::bodies::shells::Bell;

    #[test]
    fn deviations_have_mean_square_one() {
        let all: Vec<f64> = (0..60).flat_map(|m| (0..60).map(move |n| deviation((m, n)))).collect();
        let mean = |of: fn(f64) -> f64| all.iter().map(|&g| of(g)).sum::<f64>() / all.len() as f64;
        assert!(mean(|g| g).abs() < 0.05 && (mean(|g| g * g) - 1.0).abs() < 0.05);
        assert!(all.iter().all(|g| g.abs() < 3.5));
    }

    /// Twins keep their split, shapes follow their modes, the pitch is unchanged.
    #[test]
    fn modes_move_by_families() {
        let disc = ModalShape::disc(EdgeSupport::Free, 0.33, 80, 0.004);
        let moved = disc.uneven(0.9, 0.03);
        assert!((1..80).all(|i| moved.ratio(i) >= moved.ratio(i - 1)));
        let place = BodyPosition { along: 0.8, across: 0.1 };
        let (before, after) = (phi(&disc, place), phi(&moved, place));
        for (i, before) in before.iter().enumerate() {
            let family = disc.family(i);
            let twin = (0..i).any(|k| disc.family(k) == family);
            let there = (0..80).filter(|&k| moved.family(k) == family).nth(usize::from(twin)).unwrap();
            assert!((after[there] - before).abs() < 1e-12, "{family:?}");
            if twin {
                let pair = (0..80).find(|&k| moved.family(k) == family).unwrap();
                assert!((moved.ratio(there) / moved.ratio(pair) - 1.004_f64.powf(0.9)).abs() < 1e-9);
            }
            let off = moved.ratio(there) / disc.ratio(i).powf(0.9) - 1.0;
            assert!(off.abs() < 0.03 * 3.5 && (off == 0.0 || i > 1), "{family:?}: {off}");
        }
        assert_eq!(moved.ratio(0), 1.0);
        let bell = ModalShape::bell(&Bell::tuned(), 20);
        let off = bell.uneven(1.0, 0.02);
        assert!((2..4).all(|i| off.ratio(i) == bell.ratio(i)) && off.ratio(5) != bell.ratio(5));
    }
}
