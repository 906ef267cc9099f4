//! How far macros and the modulation matrix can move each parameter, for the rings around knobs.

use crate::host_params::HostParams;
use urto_engine::params::{MOD_ROW_PARAMS, MOD_TARGET_PARAMS, ModRowParams, ModSource, ParamId, ParamValues};
use urto_engine::patch::{MACRO_PARAMS, Macro};

/// Offsets of the normalised value of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModulationRange {
    param: ParamId,
    /// The lowest possible offset, -1 to 0 where a source can be at rest.
    pub lowest: f32,
    /// The highest possible offset.
    pub highest: f32,
    /// The offset by the macros as they are now.
    pub present: f32,
}

/// The ranges of all parameters that are moved.
#[derive(Clone, Debug, Default)]
pub struct ModulationRanges(Vec<ModulationRange>);

impl ModulationRanges {
    /// Those of the patch of `params`.
    pub fn of(params: &HostParams) -> Self {
        Self::of_sound(&params.settings(), &params.macros())
    }

    fn of_sound(settings: &ParamValues, macros: &[Macro]) -> Self {
        let mut ranges = Self::default();
        for (one, id) in macros.iter().zip(MACRO_PARAMS) {
            for target in &one.targets {
                let [from, to] = [target.from as f32, target.to as f32];
                ranges.add(target.param, [from, to], target.offset(settings.get(id)) as f32);
            }
        }
        for (source, target, amount) in MOD_ROW_PARAMS.iter().filter_map(|row| matrix_row(row, settings)) {
            let from = if source.is_bipolar() { -amount } else { 0.0 };
            ranges.add(target, [from, amount], 0.0);
        }
        ranges
    }

    /// The range of a parameter; none if nothing moves it.
    pub fn get(&self, param: ParamId) -> Option<&ModulationRange> {
        self.0.iter().find(|range| range.param == param)
    }

    fn add(&mut self, param: ParamId, ends: [f32; 2], present: f32) {
        let (lowest, highest) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        match self.0.iter_mut().find(|range| range.param == param) {
            Some(range) => {
                range.lowest += lowest;
                range.highest += highest;
                range.present += present;
            }
            None => self.0.push(ModulationRange { param, lowest, highest, present }),
        }
    }
}

/// Source, target and amount of a row, if it is in use.
fn matrix_row(row: &ModRowParams, settings: &ParamValues) -> Option<(ModSource, ParamId, f32)> {
    let source = ModSource::from_value(settings.get(row.source));
    let target = MOD_TARGET_PARAMS.get(settings.get(row.target) as usize).copied().flatten()?;
    (source != ModSource::Off).then_some((source, target, settings.get(row.amount) as f32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_engine::params::MOD_TARGET_IDS;
    use urto_engine::patch::MacroTarget;

    #[test]
    fn rows_and_macros_add_up() {
        let mut settings = ParamValues::default();
        let target = MOD_TARGET_IDS.iter().position(|id| *id == "decay").expect("decay is a target") as f64;
        for (id, value) in [
            (ParamId::Mod3Source, ModSource::Lfo1 as usize as f64),
            (ParamId::Mod3Target, target),
            (ParamId::Mod3Amount, 0.25),
            (ParamId::Mod4Source, ModSource::Velocity as usize as f64),
            (ParamId::Mod4Target, target),
            (ParamId::Mod4Amount, -0.5),
            (ParamId::Macro1, 1.0),
        ] {
            settings.set(id, value);
        }
        let targets = vec![MacroTarget { param: ParamId::Decay, from: 0.125, to: -0.125 }];
        let ranges = ModulationRanges::of_sound(&settings, &[Macro { name: "Short".into(), targets }]);
        let expected = ModulationRange { param: ParamId::Decay, lowest: -0.875, highest: 0.375, present: -0.125 };
        assert_eq!((ranges.get(ParamId::Decay), ranges.get(ParamId::Tune)), (Some(&expected), None));
    }
}
