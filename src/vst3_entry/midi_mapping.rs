//! MIDI controllers and note expressions in VST3.
//!
//! MIDI controllers are hidden parameters, one for each controller and channel. nice-plug announces 130 controllers on 16 channels;
//! a host that reads every parameter then loads for half a minute. This list has the 15 controllers that Urto uses, on all 16
//! channels for MPE, and those of knobs and faders that the user can [assign](urto_engine::MidiMap), on channel 1, with nice-plug's ids. Their names start with "MIDI CC", by which pedalboard leaves them out of its list.

use std::ops::Range;

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::NoteExpressionTypeInfo_::NoteExpressionTypeFlags_::{
    kIsAbsolute, kIsBipolar,
};

/// Modulation wheel, foot pedal, data, expression; sustain, sostenuto and soft pedal; brightness; registered parameters (bend range, MPE zones); all
/// sound off, reset all controllers, all notes off, channel pressure, pitch bend. Numbers as in VST3.
const CONTROLLERS: [u32; 15] = [1, 4, 6, EXPRESSION, 64, 66, 67, BRIGHTNESS, 100, 101, 120, 121, 123, 128, PITCH_BEND];
const EXPRESSION: u32 = 11;
const BRIGHTNESS: u32 = 74;
const PITCH_BEND: u32 = 129;

/// Controllers that only the user gives a meaning: breath, undefined and general-purpose controllers, sound controllers, effect depths. Not
/// volume and pan, which hosts keep for themselves.
const ASSIGNABLE: [Range<u32>; 8] = [2..4, 5..6, 12..32, 70..74, 75..84, 91..92, 93..94, 102..120];

/// The middle of a 7-bit controller.
const MIDDLE: f64 = 64.0 / 127.0;

/// Controllers of nice-plug on each channel.
const WRAPPED_CONTROLLERS: u32 = 130;
const CHANNELS: u32 = 16;
/// Number of nice-plug's hidden parameters, which follow all others.
pub const WRAPPED_COUNT: i32 = (WRAPPED_CONTROLLERS * CHANNELS) as i32;
/// Number of hidden parameters that hosts see.
pub const COUNT: i32 = CONTROLLERS.len() as i32 * CHANNELS as i32 + ASSIGNABLE_COUNT as i32;
const ASSIGNABLE_COUNT: u32 = {
    let (mut i, mut count) = (0, 0);
    while i < ASSIGNABLE.len() {
        count += ASSIGNABLE[i].end - ASSIGNABLE[i].start;
        i += 1;
    }
    count
};
/// Ids of nice-plug's hidden parameters.
const IDS: Range<u32> = (1 << 31) - WRAPPED_CONTROLLERS * CHANNELS..1 << 31;

/// The index among nice-plug's hidden parameters of the one that hosts see at `index`, 0 to [`COUNT`] - 1.
pub fn wrapped_index(index: i32) -> i32 {
    let (channel, controller) = (index as usize / CONTROLLERS.len(), index as usize % CONTROLLERS.len());
    if channel < CHANNELS as usize {
        return (channel as u32 * WRAPPED_CONTROLLERS + CONTROLLERS[controller]) as i32;
    }
    let rank = index as usize - CHANNELS as usize * CONTROLLERS.len();
    ASSIGNABLE.into_iter().flatten().nth(rank).map_or(0, |controller| controller as i32)
}

/// Whether a host may map `controller` of VST3 on `channel`, 0 to 15, to a parameter.
pub fn is_supported(channel: i16, controller: i16) -> bool {
    let Ok(controller) = u32::try_from(controller) else { return false };
    CONTROLLERS.contains(&controller) || channel == 0 && ASSIGNABLE.iter().any(|range| range.contains(&controller))
}

/// Controller and channel of the hidden parameter `id`; `None` for other parameters.
fn address(id: u32) -> Option<(u32, u32)> {
    IDS.contains(&id).then(|| ((id - IDS.start) % WRAPPED_CONTROLLERS, (id - IDS.start) / WRAPPED_CONTROLLERS))
}

/// The name of the hidden parameter `id`, shorter than 128 characters.
pub fn name(id: u32) -> Option<String> {
    address(id).map(|(controller, channel)| format!("MIDI CC {controller} of channel {}", channel + 1))
}

/// The default of the hidden parameter `id`, 0 to 1; `None` for other parameters.
pub fn default_value(id: u32) -> Option<f64> {
    address(id).map(|(controller, _)| match controller {
        PITCH_BEND => 0.5,
        BRIGHTNESS => MIDDLE,
        EXPRESSION => 1.0,
        _ => 0.0,
    })
}

/// One expression.
#[derive(Clone, Copy)]
pub struct SupportedExpression {
    /// Its index in nice-plug's list.
    pub index: i32,
    /// Its default, 0 to 1.
    pub default: f64,
    is_bipolar: bool,
}

/// The note expressions that Urto supports: volume (a quarter is unity), pan, tuning, expression, brightness. nice-plug also offers
/// vibrato, and a default volume of 0.5, which would be twice as loud.
pub const NOTE_EXPRESSIONS: [SupportedExpression; 5] = [
    SupportedExpression { index: 0, default: 0.25, is_bipolar: false },
    SupportedExpression { index: 1, default: 0.5, is_bipolar: true },
    SupportedExpression { index: 2, default: 0.5, is_bipolar: true },
    SupportedExpression { index: 4, default: 0.5, is_bipolar: true },
    SupportedExpression { index: 5, default: 0.5, is_bipolar: true },
];

impl SupportedExpression {
    /// Its VST3 flags.
    pub fn flags(&self) -> i32 {
        (kIsAbsolute | if self.is_bipolar { kIsBipolar } else { 0 }) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_has_every_controller_once() {
        let mut indices: Vec<_> = (0..COUNT).map(wrapped_index).collect();
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), COUNT as usize);
        assert!(indices.iter().all(|index| (0..WRAPPED_COUNT).contains(index)));
        assert!(indices.contains(&(15 * 130 + 64)) && indices.contains(&129));
        for index in indices {
            assert!(is_supported((index / 130) as i16, (index % 130) as i16), "{index}");
        }
        assert!(is_supported(0, 21) && !is_supported(1, 21) && !is_supported(0, 7) && is_supported(9, 4));
    }

    #[test]
    fn bipolar_controllers_default_to_the_middle() {
        let id = |channel: u32, controller: u32| (1 << 31) - 2080 + 130 * channel + controller;
        assert_eq!(
            [
                default_value(id(0, 129)),
                default_value(id(15, 129)),
                default_value(id(0, 64)),
                default_value(id(15, 128)),
                default_value(id(3, 74))
            ],
            [Some(0.5), Some(0.5), Some(0.0), Some(0.0), Some(64.0 / 127.0)]
        );
        assert_eq!([default_value(id(0, 0) - 1), default_value(1 << 31)], [None, None]);
        assert_eq!(name(id(15, 64)).as_deref(), Some("MIDI CC 64 of channel 16"));
    }
}
