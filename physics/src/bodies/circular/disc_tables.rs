//! Coefficients of the potential of a disc, group by group of stress functions, and their order in memory.

use crate::bodies::circular::circular_modes::{Twin, lowest, pairs};
use crate::bodies::circular::circular_plate::{fewest_circles, waves};
use crate::bodies::circular::disc_fields::{OrderRule, RadialField, RadialRule, StressFunction};
use crate::bodies::circular::disc_orders::{Cap, DiscOrder};
use crate::bodies::circular::disc_products::{GROUP, Group, Layout, Rows, Segment, Span};
use crate::bodies::position::EdgeSupport;
use crate::modal::{FormEntry, QuadraticForms};

/// A mode: its nodal diameters, its place among those with as many, and which of its pair it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DiscMode {
    pub m: usize,
    pub place: usize,
    pub twin: Twin,
}

/// Second derivatives of the modes and stress functions of a disc.
#[derive(Clone)]
pub(super) struct DiscTables {
    /// By nodal diameters.
    fields: Vec<Vec<RadialField>>,
    /// By nodal diameters: in whole groups.
    stresses: Vec<Vec<StressFunction>>,
    /// 2 H of a mode and the dome of one thickness: by diameters, stress function, mode.
    dome: Vec<Vec<Vec<f64>>>,
}

impl DiscTables {
    /// For the first `counts` modes of every order, and the lowest `stresses` stress functions, which are completed to groups.
    pub fn new(cap: &Cap, orders: &[DiscOrder], counts: &[usize], stresses: usize) -> Self {
        let numbers = stress_counts(stresses);
        let of_modes = orders.iter().flat_map(|order| &order.waves).fold(0.0_f64, |most, wave| most.max(*wave));
        let of_stresses = std::f64::consts::PI * (0.5 * numbers.len() as f64 + 2.0 * GROUP as f64);
        let rule = RadialRule::new(2.0 * of_modes + of_stresses);
        let fields: Vec<_> = orders.iter().zip(counts).enumerate().map(|(m, (o, n))| o.fields(m, &rule, *n)).collect();
        let stresses: Vec<_> = numbers.iter().enumerate().map(|(p, count)| StressFunction::lowest(&rule, p, *count)).collect();
        let paraboloid = RadialField::paraboloid(&rule);
        let slope = |stress: &StressFunction, field| 2.0 * cap.height * stress.meet([&paraboloid, field], OrderRule::Difference);
        let slopes = |p: usize| {
            let fields = fields.get(p).map_or(&[][..], Vec::as_slice);
            stresses[p].iter().map(|stress| fields.iter().map(|field| slope(stress, field)).collect()).collect()
        };
        let dome = if cap.height == 0.0 { Vec::new() } else { (0..numbers.len()).map(slopes).collect() };
        Self { fields, stresses, dome }
    }

    /// The first `counts` modes of every order and about the lowest `stresses` stress functions of these tables.
    pub fn lowest(&self, counts: &[usize], stresses: usize) -> Self {
        let mut part = self.clone();
        part.fields.truncate(counts.len());
        part.fields.iter_mut().zip(counts).for_each(|(fields, count)| fields.truncate(*count));
        let numbers = stress_counts(stresses);
        part.stresses.truncate(numbers.len());
        part.stresses.iter_mut().zip(&numbers).for_each(|(stresses, count)| stresses.truncate(*count));
        part.dome.truncate(part.stresses.len());
        for ((dome, fields), stresses) in part.dome.iter_mut().zip(counts.iter().chain(std::iter::repeat(&0))).zip(&part.stresses)
        {
            dome.truncate(stresses.len());
            dome.iter_mut().for_each(|of_modes| of_modes.truncate(*fields));
        }
        part
    }

    /// H of stress function k of p diameters and two modes.
    fn form(&self, [p, k]: [usize; 2], [a, b]: [[usize; 2]; 2], rule: OrderRule) -> f64 {
        self.stresses[p][k].meet([&self.fields[a[0]][a[1]], &self.fields[b[0]][b[1]]], rule)
    }

    /// The coefficients of `modes` one by one: the reference, and what dents need. Forms in the order of the groups: cosines, then sines.
    pub fn forms(&self, modes: &[DiscMode]) -> QuadraticForms {
        let mut entries = Vec::new();
        for (i, a) in modes.iter().enumerate() {
            for (j, b) in modes.iter().enumerate().skip(i) {
                self.couple(i, j, [*a, *b], &mut entries);
            }
        }
        QuadraticForms::curved(modes.len(), entries, self.dome_slopes(modes))
    }

    /// Number of real forms.
    pub fn form_count(&self) -> usize {
        self.first_form(self.stresses.len())
    }

    /// Number of real forms of all orders below p.
    fn first_form(&self, p: usize) -> usize {
        2 * self.stresses[..p].iter().map(Vec::len).sum::<usize>()
    }

    /// Numbers of the first forms of every group of the layout, among those of `all`, of which these tables are a part.
    pub fn group_forms<'a>(&'a self, all: &'a Self) -> impl Iterator<Item = GroupForms> + 'a {
        self.stresses.iter().enumerate().flat_map(move |(p, stresses)| {
            (0..stresses.len()).step_by(GROUP).map(move |first| {
                let cosines = all.first_form(p) + first;
                GroupForms { cosines, sines: (p > 0).then_some(cosines + all.stresses[p].len()) }
            })
        })
    }

    fn couple(&self, i: usize, j: usize, [a, b]: [DiscMode; 2], entries: &mut Vec<FormEntry>) {
        let [big, small] = if a.m >= b.m { [a, b] } else { [b, a] };
        let pair = if i == j { 1.0 } else { 2.0 };
        let ends = [[big.m, big.place], [small.m, small.place]];
        let mut add = |p: usize, rule: OrderRule, sine: bool, sign: f64| {
            let Some(stresses) = self.stresses.get(p) else { return };
            let first = self.first_form(p) + if sine { stresses.len() } else { 0 };
            for k in 0..stresses.len() {
                let value = sign * pair * self.form([p, k], ends, rule);
                entries.push(FormEntry { form: first + k, modes: [i, j], value });
            }
        };
        let crossed = big.twin != small.twin;
        if big.m > small.m || !crossed {
            let turned = crossed && small.twin == Twin::Sine;
            add(big.m - small.m, OrderRule::Difference, crossed, if turned { -1.0 } else { 1.0 });
        }
        if small.m > 0 {
            let both_sines = !crossed && big.twin == Twin::Sine;
            add(big.m + small.m, OrderRule::Sum, crossed, if both_sines { -1.0 } else { 1.0 });
        }
    }

    /// b of the dome, form by form; none of a flat disc.
    fn dome_slopes(&self, modes: &[DiscMode]) -> Vec<f64> {
        let mut slopes = Vec::new();
        for (p, of_order) in self.dome.iter().enumerate() {
            for twin in [Twin::Cosine, Twin::Sine] {
                for of_stress in of_order {
                    slopes.extend(modes.iter().map(
                        |mode| {
                            if (mode.m, mode.twin) == (p, twin) { of_stress[mode.place] } else { 0.0 }
                        },
                    ));
                }
            }
        }
        slopes
    }

    /// The coefficients in the order in which `disc_products` reads them.
    pub fn layout(&self) -> DiscLayout {
        let mut starts = Vec::new();
        let mut cells = 0;
        for fields in &self.fields {
            starts.push(cells);
            cells += fields.len().next_multiple_of(2);
        }
        let mut made = DiscLayout { layout: Layout { pairs: cells / 2, ..Layout::default() }, starts };
        for (p, stresses) in self.stresses.iter().enumerate() {
            for first in (0..stresses.len()).step_by(GROUP) {
                self.add_group(&mut made, p, first);
            }
        }
        made.layout.finish();
        made
    }

    fn add_group(&self, made: &mut DiscLayout, p: usize, first: usize) {
        let top = self.fields.len();
        let mut add = |orders: std::ops::Range<usize>, other: &dyn Fn(usize) -> usize, rule: OrderRule| {
            let mut segment = Segment { pair: made.starts.get(orders.start).map_or(0, |start| start / 2), pairs: 0 };
            for m in orders {
                segment.pairs += self.add_rows(made, [p, first], [m, other(m)], rule);
            }
            segment
        };
        // modes without diameters meet p from either side: they are in the lower segment, but for p = 0
        let (shared, higher, lower) = if p == 0 {
            (add(0..top, &|m| m, OrderRule::Difference), Segment::default(), Segment::default())
        } else {
            let shared = add((p + 1).saturating_sub(top).max(1)..p.min(top), &|m| p - m, OrderRule::Sum);
            let higher = add(p..top, &|m| m - p, OrderRule::Difference);
            (shared, higher, add(0..top.saturating_sub(p), &|m| m + p, OrderRule::Difference))
        };
        let slopes = self.add_slopes(made, p, first);
        made.layout.groups.push(Group { shared, higher, lower, twins: p > 0, slopes });
    }

    /// Rows of the modes with m diameters and others with n; returns the number of pairs.
    fn add_rows(&self, made: &mut DiscLayout, [p, first]: [usize; 2], [m, n]: [usize; 2], rule: OrderRule) -> usize {
        let [count, others] = [m, n].map(|order| self.fields[order].len());
        let pairs = count.div_ceil(2);
        for j in 0..others {
            for i in 0..2 * pairs {
                let value = |k| if i < count { self.form([p, first + k], [[m, i], [n, j]], rule) as f32 } else { 0.0 };
                made.layout.table.extend((0..GROUP).map(value));
            }
        }
        if pairs > 0 {
            made.layout.rows.push(Rows { pairs, other: made.starts[n], others });
        }
        pairs
    }

    /// b of the dome: modes with p diameters, cosines and sines.
    fn add_slopes(&self, made: &mut DiscLayout, p: usize, first: usize) -> [Span; 2] {
        let Some(of_order) = self.dome.get(p).filter(|_| p < self.fields.len()) else { return Default::default() };
        let count = self.fields[p].len();
        for lane in 0..2 {
            let lanes = |place: usize| {
                std::array::from_fn(|i| if i / GROUP == lane { of_order[first + i % GROUP][place] as f32 } else { 0.0 })
            };
            made.layout.slopes.extend((0..count).map(lanes));
        }
        [0, 2 * made.layout.pairs].map(|half| Span { start: half + made.starts[p], count })
    }
}

/// Numbers of the first forms of a group among those of [`DiscTables::forms`].
pub(super) struct GroupForms {
    pub cosines: usize,
    pub sines: Option<usize>,
}

/// A layout, and where it has the modes of every order.
pub(super) struct DiscLayout {
    pub layout: Layout,
    pub starts: Vec<usize>,
}

impl DiscLayout {
    /// Cell of a mode.
    pub fn cell(&self, mode: DiscMode) -> usize {
        let half = if mode.twin == Twin::Sine { 2 * self.layout.pairs } else { 0 };
        half + self.starts[mode.m] + mode.place
    }
}

/// Numbers of radial stress functions of 0, 1, ... diameters among about the lowest `stresses`, rounded to whole groups.
fn stress_counts(stresses: usize) -> Vec<usize> {
    let clamped = EdgeSupport::Clamped;
    let pairs = pairs(stresses, |p, end| waves(clamped, 0.3, p, end), |p| fewest_circles(clamped, p));
    let mut counts: Vec<usize> = Vec::new();
    for (i, twin, _) in lowest(&pairs, stresses, 0.0) {
        let p = pairs[i].family.0;
        if twin == Twin::Cosine {
            counts.resize(counts.len().max(p + 1), 0);
            counts[p] += 1;
        }
    }
    let whole = counts.into_iter().map(|count| (count + GROUP / 2) / GROUP * GROUP).enumerate();
    whole.take_while(|(p, count)| *p == 0 || *count > 0).map(|(_, count)| count.max(GROUP)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::circular_plate::{Bend, Profile};
    use std::f64::consts::{SQRT_2, TAU};

    const RINGS: usize = 60;
    const RAYS: usize = 48;

    /// Value, second derivatives along and across the radius, and the mixed one, of a mode or stress function of mean square 1.
    fn derivatives(profile: &Profile, mode: DiscMode, r: f64, theta: f64) -> [f64; 4] {
        let Bend { value, slope, laplacian } = profile.bend(r);
        let (m, turn) = (mode.m as f64, mode.m as f64 * theta);
        let scale = if mode.m > 0 { SQRT_2 } else { 1.0 };
        let (angle, change) = match mode.twin {
            Twin::Cosine => (turn.cos(), -m * turn.sin()),
            Twin::Sine => (turn.sin(), m * turn.cos()),
        };
        let across = slope / r - m * m * value / (r * r);
        [value * angle, (laplacian - across) * angle, across * angle, (slope / r - value / (r * r)) * change].map(|x| scale * x)
    }

    /// The angular rule and the radial integrals against sums over the whole disc, for pairs of modes of every kind.
    #[test]
    fn coefficients_are_integrals_over_the_disc() {
        let cap = Cap { rim: EdgeSupport::Free, poisson: 0.33, height: 0.0 };
        let orders: Vec<_> = (0..5).map(|m| DiscOrder::new(&cap, m, 2)).collect();
        let tables = DiscTables::new(&cap, &orders, &[2; 5], 60);
        let twins = |m: usize| if m > 0 { vec![Twin::Cosine, Twin::Sine] } else { vec![Twin::Cosine] };
        let mut modes = Vec::new();
        for m in 0..5 {
            modes.extend(twins(m).into_iter().flat_map(|twin| [0, 1].map(|place| DiscMode { m, place, twin })));
        }
        let forms = tables.forms(&modes);
        let mut known = vec![0.0; tables.first_form(tables.stresses.len()) * modes.len() * modes.len()];
        for entry in forms.entries() {
            let [i, j] = entry.modes;
            known[(entry.form * modes.len() + i) * modes.len() + j] += entry.value;
        }
        let largest = known.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let of_mode = |mode: &DiscMode| orders[mode.m].profiles[mode.place];
        for p in [0, 1, 2, 5, 6] {
            let waves = crate::bodies::circular::circular_plate::lowest_waves(EdgeSupport::Clamped, 0.3, p, 4);
            for (k, wave) in waves.into_iter().enumerate() {
                let stress = Profile::new(EdgeSupport::Clamped, 0.3, p, wave);
                for twin in twins(p) {
                    let form = tables.first_form(p) + k + if twin == Twin::Sine { tables.stresses[p].len() } else { 0 };
                    let sums = over_the_disc((&stress, DiscMode { m: p, place: k, twin }), &modes, &of_mode);
                    for (i, row) in sums.chunks(modes.len()).enumerate() {
                        for (j, sum) in row.iter().enumerate().skip(i) {
                            let value = 0.5 * sum / (wave * wave) * if i == j { 1.0 } else { 2.0 };
                            let known = known[(form * modes.len() + i) * modes.len() + j];
                            assert!(
                                (value - known).abs() < 1e-10 * largest,
                                "{:?} {:?} with ({p}, {k}) {twin:?}: {known} and not {value}",
                                modes[i],
                                modes[j]
                            );
                        }
                    }
                }
            }
        }
    }

    /// Integrals of a stress function times L of all pairs of modes: Gauss and Legendre's rule in squares of panels, exact in angle.
    fn over_the_disc(
        (stress, of_stress): (&Profile, DiscMode),
        modes: &[DiscMode],
        profile: &dyn Fn(&DiscMode) -> Profile,
    ) -> Vec<f64> {
        let mut sums = vec![0.0; modes.len() * modes.len()];
        let nodes = [-(0.6_f64.sqrt()), 0.0, 0.6_f64.sqrt()];
        for panel in 0..RINGS {
            for (node, weight) in nodes.into_iter().zip([5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0]) {
                let r = (panel as f64 + 0.5 + 0.5 * node) / RINGS as f64;
                for ray in 0..RAYS {
                    let theta = TAU * ray as f64 / RAYS as f64;
                    let share = derivatives(stress, of_stress, r, theta)[0] * weight * r * TAU / (RINGS * RAYS) as f64;
                    let all: Vec<_> = modes.iter().map(|mode| derivatives(&profile(mode), *mode, r, theta)).collect();
                    for (row, f) in sums.chunks_mut(modes.len()).zip(&all) {
                        row.iter_mut().zip(&all).for_each(|(sum, g)| {
                            *sum += share * (f[1] * g[2] + g[1] * f[2] - 2.0 * f[3] * g[3]);
                        });
                    }
                }
            }
        }
        sums
    }
}
