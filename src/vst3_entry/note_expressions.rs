//! The VST3 note expressions that Urto supports. nice-plug also offers vibrato, and a default volume of 0.5, which would be twice as loud.

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::NoteExpressionTypeInfo_::NoteExpressionTypeFlags_::{
    kIsAbsolute, kIsBipolar,
};

/// One expression.
#[derive(Clone, Copy)]
pub struct SupportedExpression {
    /// Its index in nice-plug's list.
    pub index: i32,
    /// Its default, 0 to 1.
    pub default: f64,
    is_bipolar: bool,
}

/// Volume (a quarter is unity), pan, tuning, expression, brightness.
pub const SUPPORTED: [SupportedExpression; 5] = [
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
