//! MIDI controllers as VST3 has them: hidden parameters, one for each controller and channel.
//!
//! nice-plug announces all 130 controllers of 16 channels, and a host that looks at every parameter then loads for half a minute.
//! Here are those that a player uses, on all 16 channels, so that an MPE controller gets through; their ids are nice-plug's.
//! Their names begin as hosts expect of such parameters: pedalboard leaves those out of its list by name.

use std::ops::Range;

/// Modulation wheel, data, expression; sustain, sostenuto and soft pedal; brightness; registered parameters (bend range, MPE zones); all
/// sound off, controllers at rest, all notes off, channel pressure, pitch bend. Numbers as in VST3.
const PLAYED: [u32; 14] = [1, 6, EXPRESSION, 64, 66, 67, BRIGHTNESS, 100, 101, 120, 121, 123, 128, PITCH_BEND];
const EXPRESSION: u32 = 11;
const BRIGHTNESS: u32 = 74;
const PITCH_BEND: u32 = 129;

/// The middle of a controller of seven bits.
const MIDDLE: f64 = 64.0 / 127.0;

/// Controllers that nice-plug has for each channel.
const ALL: u32 = 130;
const CHANNELS: u32 = 16;
/// Hidden parameters of nice-plug, behind all others.
pub const WRAPPED: i32 = (ALL * CHANNELS) as i32;
/// Hidden parameters that hosts see.
pub const COUNT: i32 = PLAYED.len() as i32 * CHANNELS as i32;
/// Ids of nice-plug's hidden parameters.
const IDS: Range<u32> = (1 << 31) - ALL * CHANNELS..1 << 31;

/// The place among nice-plug's hidden parameters of the one that hosts see at `index`, 0 to [`COUNT`] - 1.
pub fn place(index: i32) -> i32 {
    let (channel, played) = (index as usize / PLAYED.len(), index as usize % PLAYED.len());
    (channel as u32 * ALL + PLAYED[played]) as i32
}

/// Whether a host may map `controller` of VST3 to a parameter.
pub fn is_played(controller: i16) -> bool {
    PLAYED.iter().any(|&played| i32::from(controller) == played as i32)
}

/// Controller and channel of the hidden parameter `id`; nothing for parameters that are not hidden.
fn address(id: u32) -> Option<(u32, u32)> {
    IDS.contains(&id).then(|| ((id - IDS.start) % ALL, (id - IDS.start) / ALL))
}

/// What the hidden parameter `id` is called, shorter than 128 letters.
pub fn name(id: u32) -> Option<String> {
    address(id).map(|(controller, channel)| format!("MIDI CC {controller} of channel {}", channel + 1))
}

/// Where the hidden parameter `id` rests, 0 to 1; nothing for parameters that are not hidden.
pub fn rest(id: u32) -> Option<f64> {
    address(id).map(|(controller, _)| match controller {
        PITCH_BEND => 0.5,
        BRIGHTNESS => MIDDLE,
        EXPRESSION => 1.0,
        _ => 0.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_has_every_controller_once() {
        let mut places: Vec<_> = (0..COUNT).map(place).collect();
        places.dedup();
        assert_eq!(places.len(), COUNT as usize);
        assert!(places.is_sorted() && places.iter().all(|place| (0..WRAPPED).contains(place)));
        assert!(places.contains(&(15 * 130 + 64)) && places.contains(&129));
    }

    #[test]
    fn what_goes_either_way_rests_in_the_middle() {
        let id = |channel: u32, controller: u32| (1 << 31) - 2080 + 130 * channel + controller;
        assert_eq!(
            [rest(id(0, 129)), rest(id(15, 129)), rest(id(0, 64)), rest(id(15, 128)), rest(id(3, 74))],
            [Some(0.5), Some(0.5), Some(0.0), Some(0.0), Some(64.0 / 127.0)]
        );
        assert_eq!([rest(id(0, 0) - 1), rest(1 << 31)], [None, None]);
        assert_eq!(name(id(15, 64)).as_deref(), Some("MIDI CC 64 of channel 16"));
    }
}
