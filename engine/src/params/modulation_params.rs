//! The parameters of modulation: macros, LFOs, envelopes, and the rows of the matrix.

/// Calls the macro `$params` with the rows of the table and those of modulation behind them.
macro_rules! with_modulation_params {
    ($params:ident { $($rows:tt)* }) => {
        with_modulation_params! {@matrix $params { $($rows)*
            Macro1: "macro_1", "Macro 1", "Macros", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
                concat!("Moves the parameters that the preset gives to macro ", 1, ", each within a range of its own.");
            Macro2: "macro_2", "Macro 2", "Macros", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
                concat!("Moves the parameters that the preset gives to macro ", 2, ", each within a range of its own.");
            Macro3: "macro_3", "Macro 3", "Macros", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
                concat!("Moves the parameters that the preset gives to macro ", 3, ", each within a range of its own.");
            Macro4: "macro_4", "Macro 4", "Macros", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
                concat!("Moves the parameters that the preset gives to macro ", 4, ", each within a range of its own.");
            Macro5: "macro_5", "Macro 5", "Macros", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
                concat!("Moves the parameters that the preset gives to macro ", 5, ", each within a range of its own.");
            Macro6: "macro_6", "Macro 6", "Macros", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
                concat!("Moves the parameters that the preset gives to macro ", 6, ", each within a range of its own.");
            Macro7: "macro_7", "Macro 7", "Macros", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
                concat!("Moves the parameters that the preset gives to macro ", 7, ", each within a range of its own.");
            Macro8: "macro_8", "Macro 8", "Macros", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
                concat!("Moves the parameters that the preset gives to macro ", 8, ", each within a range of its own.");
            Lfo1Shape: "lfo_1_shape", "LFO 1 shape", "LFO 1", "", 0.0, LFO_SHAPES.len() as f64 - 1.0, 0.0, Choice(LFO_SHAPES), OnGrid, true,
                "Shape of the oscillation: sine, triangle, ramps, square, or random values, in steps or joined smoothly.";
            Lfo1Rate: "lfo_1_rate", "LFO 1 rate", "LFO 1", "Hz", 0.01, 50.0, 2.0, Logarithmic, OnGrid, true,
                "Frequency of the oscillation [Hz], unless LFO 1 sync gives it a note length.";
            Lfo1Sync: "lfo_1_sync", "LFO 1 sync", "LFO 1", "", 0.0, SYNC_LENGTHS.len() as f64 - 1.0, 0.0, Choice(SYNC_LENGTHS), OnGrid, true,
                "Off: the rate in Hz applies. Otherwise one oscillation takes this note length at the tempo of the host.";
            Lfo1Phase: "lfo_1_phase", "LFO 1 phase", "LFO 1", "", 0.0, 1.0, 0.0, Linear, OnGrid, true,
                "Where in the oscillation it begins, as part of a period.";
            Lfo1Mode: "lfo_1_mode", "LFO 1 mode", "LFO 1", "", 0.0, LFO_MODES.len() as f64 - 1.0, 0.0, Choice(LFO_MODES), OnGrid, false,
                "Common: all notes share one oscillation, which begins when the first of them sounds. Per note: each strike begins its own.";
            Lfo2Shape: "lfo_2_shape", "LFO 2 shape", "LFO 2", "", 0.0, LFO_SHAPES.len() as f64 - 1.0, 0.0, Choice(LFO_SHAPES), OnGrid, true,
                "Shape of the oscillation: sine, triangle, ramps, square, or random values, in steps or joined smoothly.";
            Lfo2Rate: "lfo_2_rate", "LFO 2 rate", "LFO 2", "Hz", 0.01, 50.0, 2.0, Logarithmic, OnGrid, true,
                "Frequency of the oscillation [Hz], unless LFO 2 sync gives it a note length.";
            Lfo2Sync: "lfo_2_sync", "LFO 2 sync", "LFO 2", "", 0.0, SYNC_LENGTHS.len() as f64 - 1.0, 0.0, Choice(SYNC_LENGTHS), OnGrid, true,
                "Off: the rate in Hz applies. Otherwise one oscillation takes this note length at the tempo of the host.";
            Lfo2Phase: "lfo_2_phase", "LFO 2 phase", "LFO 2", "", 0.0, 1.0, 0.0, Linear, OnGrid, true,
                "Where in the oscillation it begins, as part of a period.";
            Lfo2Mode: "lfo_2_mode", "LFO 2 mode", "LFO 2", "", 0.0, LFO_MODES.len() as f64 - 1.0, 0.0, Choice(LFO_MODES), OnGrid, false,
                "Common: all notes share one oscillation, which begins when the first of them sounds. Per note: each strike begins its own.";
            Env1Attack: "env_1_attack", "Envelope 1 attack", "Envelope 1", "s", 0.0, 10.0, 0.0, Cubic, OnGrid, true,
                "Time in which the envelope rises to its maximum [s]. At 0 it begins there.";
            Env1Decay: "env_1_decay", "Envelope 1 decay", "Envelope 1", "s", 1e-3, 60.0, 0.5, Logarithmic, OnGrid, true,
                "Time in which the envelope falls from its maximum to 0.1 % above the sustain level [s].";
            Env1Sustain: "env_1_sustain", "Envelope 1 sustain", "Envelope 1", "", 0.0, 1.0, 0.0, Linear, OnGrid, true,
                "Level of the envelope while the key is down, after the decay. In the mode One-shot it falls to 0.";
            Env1Release: "env_1_release", "Envelope 1 release", "Envelope 1", "s", 1e-3, 60.0, 0.5, Logarithmic, OnGrid, true,
                "Time in which the envelope falls to 0.1 % after the key is released [s].";
            Env1Mode: "env_1_mode", "Envelope 1 mode", "Envelope 1", "", 0.0, ENVELOPE_MODES.len() as f64 - 1.0, 0.0, Choice(ENVELOPE_MODES), OnGrid, false,
                "Key: the envelope holds its sustain level until the key is released. One-shot: from the strike to 0, whatever the key does.";
            Env2Attack: "env_2_attack", "Envelope 2 attack", "Envelope 2", "s", 0.0, 10.0, 0.0, Cubic, OnGrid, true,
                "Time in which the envelope rises to its maximum [s]. At 0 it begins there.";
            Env2Decay: "env_2_decay", "Envelope 2 decay", "Envelope 2", "s", 1e-3, 60.0, 0.5, Logarithmic, OnGrid, true,
                "Time in which the envelope falls from its maximum to 0.1 % above the sustain level [s].";
            Env2Sustain: "env_2_sustain", "Envelope 2 sustain", "Envelope 2", "", 0.0, 1.0, 0.0, Linear, OnGrid, true,
                "Level of the envelope while the key is down, after the decay. In the mode One-shot it falls to 0.";
            Env2Release: "env_2_release", "Envelope 2 release", "Envelope 2", "s", 1e-3, 60.0, 0.5, Logarithmic, OnGrid, true,
                "Time in which the envelope falls to 0.1 % after the key is released [s].";
            Env2Mode: "env_2_mode", "Envelope 2 mode", "Envelope 2", "", 0.0, ENVELOPE_MODES.len() as f64 - 1.0, 0.0, Choice(ENVELOPE_MODES), OnGrid, false,
                "Key: the envelope holds its sustain level until the key is released. One-shot: from the strike to 0, whatever the key does.";
        }
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
        }
    };
    (@matrix $params:ident { $($rows:tt)* }
     $([$n:literal, $source:ident $source_id:literal, $target:ident $target_id:literal,
        $amount:ident $amount_id:literal, $curve:ident $curve_id:literal])*) => {
        $params! { $($rows)* $(
            $source: $source_id, concat!("Modulation ", $n, " source"), "Modulation", "",
                0.0, MOD_SOURCES.len() as f64 - 1.0, 0.0, Choice(MOD_SOURCES => MOD_SOURCE_NAMES), OnGrid, false,
                concat!("What moves the target of row ", $n, " of the modulation matrix.");
            $target: $target_id, concat!("Modulation ", $n, " target"), "Modulation", "",
                0.0, MOD_TARGET_IDS.len() as f64 - 1.0, 0.0, Choice(MOD_TARGET_IDS => MOD_TARGET_NAMES), OnGrid, false,
                concat!("The parameter that row ", $n, " of the modulation matrix moves.");
            $amount: $amount_id, concat!("Modulation ", $n, " amount"), "Modulation", "",
                -1.0, 1.0, 0.0, Linear, OnGrid, true,
                concat!("How far row ", $n, " moves its target, as part of the target's range. Negative reverses it.");
            $curve: $curve_id, concat!("Modulation ", $n, " curve"), "Modulation", "",
                -1.0, 1.0, 0.0, Linear, OnGrid, true,
                concat!("Curve of row ", $n, ". Up: the source acts late, at its largest values. Down: early. 0: in proportion.");
        )* }
    };
}
