//! Note expressions as VST3 has them: those that Urto plays. nice-plug offers a vibrato besides, and calls a half the rest of a volume
//! that would be twice as loud.

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::NoteExpressionTypeInfo_::NoteExpressionTypeFlags_::{
    kIsAbsolute, kIsBipolar,
};

/// One expression.
#[derive(Clone, Copy)]
pub struct Played {
    /// Its place in nice-plug's list.
    pub place: i32,
    /// Where it rests, 0 to 1.
    pub rest: f64,
    both_ways: bool,
}

/// Volume (a quarter is unity), pan, tuning, expression, brightness.
pub const PLAYED: [Played; 5] = [
    Played { place: 0, rest: 0.25, both_ways: false },
    Played { place: 1, rest: 0.5, both_ways: true },
    Played { place: 2, rest: 0.5, both_ways: true },
    Played { place: 4, rest: 0.5, both_ways: true },
    Played { place: 5, rest: 0.5, both_ways: true },
];

impl Played {
    /// What VST3 is told of its values.
    pub fn flags(&self) -> i32 {
        (kIsAbsolute | if self.both_ways { kIsBipolar } else { 0 }) as i32
    }
}
