//! MIDI controllers in VST3: hidden parameters on 16 channels, and their effect.

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::ControllerNumbers_::{
    kAfterTouch, kCtrlAllNotesOff, kCtrlAllSoundsOff, kCtrlDataEntryMSB, kCtrlFilterResonance, kCtrlModWheel, kCtrlRPNSelectLSB,
    kCtrlRPNSelectMSB, kCtrlResetAllCtrlers, kCtrlSoftPedalOnOff, kCtrlSustainOnOff, kCtrlSustenutoOnOff, kPitchBend,
};
use urto_engine::params::ParamId;
use urto_engine::{Event, NoteId};

use crate::support::engine_reference::{assert_same, render};
use crate::support::vst3_com_host::{Sent, Vst3, Wire};

const RATE: f64 = 48_000.0;

#[test]
fn midi_and_mpe_controllers_are_mapped_on_16_channels() {
    let plugin = Vst3::new();
    let parameters = plugin.parameters();
    let (wheel, data, numbers) = (kCtrlModWheel, kCtrlDataEntryMSB, [kCtrlRPNSelectLSB, kCtrlRPNSelectMSB]);
    let pedals = [kCtrlSustainOnOff, kCtrlSustenutoOnOff, kCtrlSoftPedalOnOff];
    let modes = [kCtrlAllSoundsOff, kCtrlResetAllCtrlers, kCtrlAllNotesOff];
    let continuous = [kCtrlFilterResonance, kAfterTouch, kPitchBend];
    for channel in 0..16 {
        for controller in [wheel, data].into_iter().chain(numbers).chain(pedals).chain(modes).chain(continuous) {
            let id = plugin.mapped(channel, controller as i16).expect("mapped");
            let (_, name, default) = parameters.iter().find(|(listed, ..)| *listed == id).expect("listed");
            let middle = [(kPitchBend, 0.5), (kCtrlFilterResonance, 64.0 / 127.0)];
            let rest = middle.into_iter().find(|(other, _)| *other == controller).map_or(0.0, |(_, rest)| rest);
            assert_eq!((*default, plugin.value(id)), (rest, rest), "{name}");
            assert!(name.starts_with("MIDI CC "), "pedalboard leaves out what is called so: {name}");
        }
        assert_eq!(plugin.mapped(channel, 7), None, "the volume is the host's");
        assert!(plugin.mapped(channel, 4).is_some(), "the pedal of a hi-hat");
        assert_eq!(plugin.mapped(channel, 21).is_some(), channel == 0, "a knob that may be assigned");
    }
    assert_eq!([plugin.mapped(16, 64), plugin.mapped(-1, 64), plugin.mapped(0, -1), plugin.mapped(0, 500)], [None; 4]);
    let hidden = parameters.len() - ParamId::ALL.len();
    assert!(hidden <= 300, "{hidden} hidden parameters: hosts look at every one of them");
}

#[test]
fn all_sound_off_damps_the_notes_of_its_channel() {
    let plugin = Vst3::running(RATE);
    let id = plugin.mapped(9, kCtrlAllSoundsOff as i16).expect("mapped");
    let velocity = 0.8f32;
    let sent = [
        Sent::NoteOn { at: 10, channel: 9, key: 60, velocity },
        Sent::NoteOn { at: 10, channel: 3, key: 67, velocity },
        Sent::Turn { at: 900, id, travel: 1.0 },
    ];
    let note = |channel, key| NoteId { voice: None, channel, key };
    let on = |channel, key| Event::NoteOn { note: note(channel, key), velocity: f64::from(velocity) };
    let struck = [(10, on(9, 60)), (10, on(3, 67))];
    let damped = [struck[0], struck[1], (900, Event::Choke { note: note(9, 60) })];
    let heard = plugin.block(4000, &sent, &Wire::Absent);
    assert_same(&heard, &render(RATE, 4000, &damped, &[]));
    assert_ne!(heard, render(RATE, 4000, &struck, &[]), "it is heard");
}
