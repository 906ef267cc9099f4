//! The parameters of modulation: macros, LFOs, envelopes, and the rows of the matrix.

/// Calls the macro `$params` with the rows of the table and those of modulation behind them, and lists the parameters of each macro, LFO, envelope and
/// row of the matrix.
macro_rules! with_modulation_params {
    ($params:ident { $($rows:tt)* }) => {
        with_modulation_params! {@all $params { $($rows)* }
        macros {
            [1, Macro1 "macro_1"]
            [2, Macro2 "macro_2"]
            [3, Macro3 "macro_3"]
            [4, Macro4 "macro_4"]
            [5, Macro5 "macro_5"]
            [6, Macro6 "macro_6"]
            [7, Macro7 "macro_7"]
            [8, Macro8 "macro_8"]
        }
        lfos {
            [1, "LFO 1", Lfo1Shape "lfo_1_shape", Lfo1Rate "lfo_1_rate", Lfo1Sync "lfo_1_sync", Lfo1Phase "lfo_1_phase", Lfo1Mode "lfo_1_mode"]
            [2, "LFO 2", Lfo2Shape "lfo_2_shape", Lfo2Rate "lfo_2_rate", Lfo2Sync "lfo_2_sync", Lfo2Phase "lfo_2_phase", Lfo2Mode "lfo_2_mode"]
        }
        envelopes {
            [1, "Envelope 1", Env1Attack "env_1_attack", Env1Decay "env_1_decay", Env1Sustain "env_1_sustain", Env1Release "env_1_release", Env1Mode "env_1_mode"]
            [2, "Envelope 2", Env2Attack "env_2_attack", Env2Decay "env_2_decay", Env2Sustain "env_2_sustain", Env2Release "env_2_release", Env2Mode "env_2_mode"]
        }
        rows {
            [1, Mod1Source "mod_1_source", Mod1Target "mod_1_target", Mod1Amount "mod_1_amount", Mod1Curve "mod_1_curve"]
            [2, Mod2Source "mod_2_source", Mod2Target "mod_2_target", Mod2Amount "mod_2_amount", Mod2Curve "mod_2_curve"]
            [3, Mod3Source "mod_3_source", Mod3Target "mod_3_target", Mod3Amount "mod_3_amount", Mod3Curve "mod_3_curve"]
            [4, Mod4Source "mod_4_source", Mod4Target "mod_4_target", Mod4Amount "mod_4_amount", Mod4Curve "mod_4_curve"]
            [5, Mod5Source "mod_5_source", Mod5Target "mod_5_target", Mod5Amount "mod_5_amount", Mod5Curve "mod_5_curve"]
            [6, Mod6Source "mod_6_source", Mod6Target "mod_6_target", Mod6Amount "mod_6_amount", Mod6Curve "mod_6_curve"]
            [7, Mod7Source "mod_7_source", Mod7Target "mod_7_target", Mod7Amount "mod_7_amount", Mod7Curve "mod_7_curve"]
            [8, Mod8Source "mod_8_source", Mod8Target "mod_8_target", Mod8Amount "mod_8_amount", Mod8Curve "mod_8_curve"]
            [9, Mod9Source "mod_9_source", Mod9Target "mod_9_target", Mod9Amount "mod_9_amount", Mod9Curve "mod_9_curve"]
            [10, Mod10Source "mod_10_source", Mod10Target "mod_10_target", Mod10Amount "mod_10_amount", Mod10Curve "mod_10_curve"]
            [11, Mod11Source "mod_11_source", Mod11Target "mod_11_target", Mod11Amount "mod_11_amount", Mod11Curve "mod_11_curve"]
            [12, Mod12Source "mod_12_source", Mod12Target "mod_12_target", Mod12Amount "mod_12_amount", Mod12Curve "mod_12_curve"]
            [13, Mod13Source "mod_13_source", Mod13Target "mod_13_target", Mod13Amount "mod_13_amount", Mod13Curve "mod_13_curve"]
            [14, Mod14Source "mod_14_source", Mod14Target "mod_14_target", Mod14Amount "mod_14_amount", Mod14Curve "mod_14_curve"]
            [15, Mod15Source "mod_15_source", Mod15Target "mod_15_target", Mod15Amount "mod_15_amount", Mod15Curve "mod_15_curve"]
            [16, Mod16Source "mod_16_source", Mod16Target "mod_16_target", Mod16Amount "mod_16_amount", Mod16Curve "mod_16_curve"]
        }}
    };
    (@all $params:ident { $($rows:tt)* }
     macros { $([$macro:literal, $value:ident $value_id:literal])* }
     lfos { $([$lfo:literal, $lfo_group:literal, $shape:ident $shape_id:literal, $rate:ident $rate_id:literal,
        $sync:ident $sync_id:literal, $phase:ident $phase_id:literal, $lfo_mode:ident $lfo_mode_id:literal])* }
     envelopes { $([$env:literal, $env_group:literal, $attack:ident $attack_id:literal, $decay:ident $decay_id:literal,
        $sustain:ident $sustain_id:literal, $release:ident $release_id:literal, $env_mode:ident $env_mode_id:literal])* }
     rows { $([$row:literal, $source:ident $source_id:literal, $target:ident $target_id:literal,
        $amount:ident $amount_id:literal, $curve:ident $curve_id:literal])* }) => {
        $params! { $($rows)*
        $(
            $value: $value_id, concat!("Macro ", $macro), "Macros", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
                concat!("Moves the parameters that the preset gives to macro ", $macro, ", each within a range of its own.");
        )*
        $(
            $shape: $shape_id, concat!("LFO ", $lfo, " shape"), $lfo_group, "", 0.0, LFO_SHAPES.len() as f64 - 1.0, 0.0, Choice(LFO_SHAPES), OnGrid, true,
                "Shape of the oscillation: sine, triangle, ramps, square, or random values, in steps or joined smoothly.";
            $rate: $rate_id, concat!("LFO ", $lfo, " rate"), $lfo_group, "Hz", 0.01, 50.0, 2.0, Logarithmic, OnGrid, true,
                concat!("Frequency of the oscillation [Hz], unless LFO ", $lfo, " sync gives it a note length.");
            $sync: $sync_id, concat!("LFO ", $lfo, " sync"), $lfo_group, "", 0.0, SYNC_LENGTHS.len() as f64 - 1.0, 0.0, Choice(SYNC_LENGTHS), OnGrid, true,
                "Off: the rate in Hz applies. Otherwise one oscillation takes this note length at the tempo of the host.";
            $phase: $phase_id, concat!("LFO ", $lfo, " phase"), $lfo_group, "", 0.0, 1.0, 0.0, Linear, OnGrid, true,
                "Where in the oscillation it begins, as part of a period.";
            $lfo_mode: $lfo_mode_id, concat!("LFO ", $lfo, " mode"), $lfo_group, "", 0.0, LFO_MODES.len() as f64 - 1.0, 0.0, Choice(LFO_MODES), OnGrid, false,
                "Common: all notes share one oscillation, which begins when the first of them sounds. Per note: each strike begins its own.";
        )*
        $(
            $attack: $attack_id, concat!("Envelope ", $env, " attack"), $env_group, "s", 0.0, 10.0, 0.0, Cubic, OnGrid, true,
                "Time in which the envelope rises to its maximum [s]. At 0 it begins there.";
            $decay: $decay_id, concat!("Envelope ", $env, " decay"), $env_group, "s", 1e-3, 60.0, 0.5, Logarithmic, OnGrid, true,
                "Time in which the envelope falls from its maximum to 0.1 % above the sustain level [s].";
            $sustain: $sustain_id, concat!("Envelope ", $env, " sustain"), $env_group, "", 0.0, 1.0, 0.0, Linear, OnGrid, true,
                "Level of the envelope while the key is down, after the decay. In the mode One-shot it falls to 0.";
            $release: $release_id, concat!("Envelope ", $env, " release"), $env_group, "s", 1e-3, 60.0, 0.5, Logarithmic, OnGrid, true,
                "Time in which the envelope falls to 0.1 % after the key is released [s].";
            $env_mode: $env_mode_id, concat!("Envelope ", $env, " mode"), $env_group, "", 0.0, ENVELOPE_MODES.len() as f64 - 1.0, 0.0, Choice(ENVELOPE_MODES), OnGrid, false,
                "Key: the envelope holds its sustain level until the key is released. One-shot: from the strike to 0, whatever the key does.";
        )*
        $(
            $source: $source_id, concat!("Modulation ", $row, " source"), "Modulation", "",
                0.0, MOD_SOURCES.len() as f64 - 1.0, 0.0, Choice(MOD_SOURCES => MOD_SOURCE_NAMES), OnGrid, false,
                concat!("What moves the target of row ", $row, " of the modulation matrix.");
            $target: $target_id, concat!("Modulation ", $row, " target"), "Modulation", "",
                0.0, MOD_TARGET_IDS.len() as f64 - 1.0, 0.0, Choice(MOD_TARGET_IDS => MOD_TARGET_NAMES), OnGrid, false,
                concat!("The parameter that row ", $row, " of the modulation matrix moves.");
            $amount: $amount_id, concat!("Modulation ", $row, " amount"), "Modulation", "",
                -1.0, 1.0, 0.0, Linear, OnGrid, true,
                concat!("How far row ", $row, " moves its target, as part of the target's range. Negative reverses it.");
            $curve: $curve_id, concat!("Modulation ", $row, " curve"), "Modulation", "",
                -1.0, 1.0, 0.0, Linear, OnGrid, true,
                concat!("Curve of row ", $row, ". Up: the source acts late, at its largest values. Down: early. 0: in proportion.");
        )* }

        /// The parameters of one LFO.
        #[derive(Clone, Copy, Debug)]
        pub struct LfoParams {
            /// Its shape.
            pub shape: ParamId,
            /// Its frequency.
            pub rate: ParamId,
            /// Its period as a note length.
            pub sync: ParamId,
            /// Where in the period it begins.
            pub phase: ParamId,
            /// Whose it is.
            pub mode: ParamId,
        }

        /// The parameters of one envelope.
        #[derive(Clone, Copy, Debug)]
        pub struct EnvelopeParams {
            /// Time of the attack.
            pub attack: ParamId,
            /// Time of the decay.
            pub decay: ParamId,
            /// Level after the decay.
            pub sustain: ParamId,
            /// Time of the release.
            pub release: ParamId,
            /// When it ends.
            pub mode: ParamId,
        }

        /// The parameters of one row of the matrix.
        #[derive(Clone, Copy, Debug)]
        pub struct ModRowParams {
            /// What moves the target.
            pub source: ParamId,
            /// The parameter that is moved.
            pub target: ParamId,
            /// How far.
            pub amount: ParamId,
            /// The curve of the source.
            pub curve: ParamId,
        }

        /// The parameters of the macros, in their order.
        pub const MACRO_PARAMS: [ParamId; [$($macro),*].len()] = [$(ParamId::$value),*];

        /// The parameters of the LFOs.
        pub const LFO_PARAMS: [LfoParams; [$($lfo),*].len()] = [$(LfoParams {
            shape: ParamId::$shape, rate: ParamId::$rate, sync: ParamId::$sync, phase: ParamId::$phase, mode: ParamId::$lfo_mode,
        }),*];

        /// The parameters of the envelopes.
        pub const ENVELOPE_PARAMS: [EnvelopeParams; [$($env),*].len()] = [$(EnvelopeParams {
            attack: ParamId::$attack, decay: ParamId::$decay, sustain: ParamId::$sustain, release: ParamId::$release, mode: ParamId::$env_mode,
        }),*];

        /// The parameters of the rows of the matrix.
        pub const MOD_ROW_PARAMS: [ModRowParams; [$($row),*].len()] = [$(ModRowParams {
            source: ParamId::$source, target: ParamId::$target, amount: ParamId::$amount, curve: ParamId::$curve,
        }),*];
    };
}
