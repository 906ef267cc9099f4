//! The macros that make the table of parameters from its rows.

/// Defines the names of the parameters, the table, and which of them may be the target of modulation.
macro_rules! params {
    ($($variant:ident: $id:literal, $name:expr, $group:literal, $unit:literal, $min:expr, $max:expr, $default:expr,
       $scale:ident $(($names:expr $(=> $labels:expr)?))?, $takes:expr, $automatable:expr, $hint:expr;)*) => {
        /// Names of the parameters; `as usize` is the index in [`PARAMS`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum ParamId { $(#[doc = $hint] $variant),* }

        impl ParamId {
            /// All parameters in their fixed order.
            pub const ALL: &'static [ParamId] = &[$(ParamId::$variant),*];
        }

        /// The table of all parameters, in the order of [`ParamId`].
        pub static PARAMS: [ParamSpec; ParamId::ALL.len()] = [$(ParamSpec {
            id: $id, name: $name, group: $group, unit: $unit, min: $min, max: $max, default: $default,
            scale: $scale $(($names))?, choice_labels: choice_labels!($($names $(=> $labels)?)?), update_rate: $takes, automatable: $automatable, in_patch: !is_session($group), hint: $hint,
        }),*];

        /// Whether each parameter may be the target of modulation, with its id and name, in the order of [`ParamId`].
        const TARGETS: [(bool, &str, &str); ParamId::ALL.len()] =
            [$((is_continuous!($scale) && !is_session($group), $id, $name)),*];
    };
}

/// Displayed names of choices: those of files unless others are given.
macro_rules! choice_labels {
    () => {
        &[]
    };
    ($names:expr) => {
        $names
    };
    ($names:expr => $labels:expr) => {
        $labels
    };
}

/// Whether a scale is continuous.
macro_rules! is_continuous {
    (Integer) => {
        false
    };
    (Choice) => {
        false
    };
    ($scale:ident) => {
        true
    };
}
