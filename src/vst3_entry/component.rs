//! The component that hosts hold: nice-plug's, with buses and controllers settled here.

use std::slice;

use nice_plug::prelude::Vst3Plugin;
use nice_plug::wrapper::vst3::Wrapper;
use nice_plug::wrapper::vst3::vst3::Class;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::BusDirections_::kInput;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::ChannelContext::{IInfoListener, IInfoListenerTrait};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::MediaTypes_::kAudio;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::*;
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    FIDString, FUnknown, IBStream, IPlugView, IPluginBaseTrait, TBool, TUID, int16, int32, kInvalidArgument, kResultFalse,
    kResultOk, tresult, uint32,
};

use crate::vst3_entry::buses::{Buses, Room};
use crate::vst3_entry::{midi_mapping, note_expressions};

/// A plugin of this library.
pub trait Listed: Vst3Plugin {
    /// Whether what comes in is in its output before it is overwritten.
    const THROUGH: bool;
}

/// One instance of a plugin.
pub struct Component<P: Listed> {
    wrapped: Wrapper<P>,
    buses: Buses,
}

impl<P: Listed> Component<P> {
    pub fn new() -> Self {
        Self { wrapped: Wrapper::new(), buses: Buses::new(P::THROUGH) }
    }

    /// Parameters that are not hidden controllers.
    fn knobs(&self) -> int32 {
        // SAFETY: counts, nothing else.
        unsafe { self.wrapped.getParameterCount() - midi_mapping::WRAPPED }
    }
}

/// nice-plug's own list.
impl<P: Listed> Class for Component<P> {
    type Interfaces = (
        IComponent,
        IEditController,
        IAudioProcessor,
        IMidiMapping,
        INoteExpressionController,
        IProcessContextRequirements,
        IUnitInfo,
        IInfoListener,
    );
}

/// Methods that nice-plug's component does well.
macro_rules! pass_on {
    ($interface:ident: $(fn $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(unsafe fn $name(&self, $($argument: $kind),*) -> $answer {
            // SAFETY: under the same contract.
            unsafe { $interface::$name(&self.wrapped, $($argument),*) }
        })*
    };
}

/// Whether a host means the input: of the instrument its side-chain, of the effect its main one.
fn is_input(media: MediaType, direction: BusDirection, index: int32) -> bool {
    media == kAudio as MediaType && direction == kInput as BusDirection && index == 0
}

/// What a host passes as an array.
///
/// # Safety
/// `first` must be null or point to `count` values.
unsafe fn array<'a, T>(first: *const T, count: int32) -> &'a [T] {
    // SAFETY: by contract.
    if first.is_null() || count <= 0 { &[] } else { unsafe { slice::from_raw_parts(first, count as usize) } }
}

impl<P: Listed> IPluginBaseTrait for Component<P> {
    pass_on! { IPluginBaseTrait:
        fn initialize(context: *mut FUnknown) -> tresult;
        fn terminate() -> tresult;
    }
}

impl<P: Listed> IComponentTrait for Component<P> {
    pass_on! { IComponentTrait:
        fn getControllerClassId(class: *mut TUID) -> tresult;
        fn setIoMode(mode: IoMode) -> tresult;
        fn getBusCount(media: MediaType, direction: BusDirection) -> int32;
        fn getRoutingInfo(from: *mut RoutingInfo, to: *mut RoutingInfo) -> tresult;
        fn setActive(state: TBool) -> tresult;
        fn setState(state: *mut IBStream) -> tresult;
        fn getState(state: *mut IBStream) -> tresult;
    }

    unsafe fn getBusInfo(&self, media: MediaType, direction: BusDirection, index: int32, info: *mut BusInfo) -> tresult {
        // SAFETY: under the same contract; after success there is an answer to change.
        unsafe {
            let answer = self.wrapped.getBusInfo(media, direction, index, info);
            if answer == kResultOk && is_input(media, direction, index) {
                (*info).channelCount = self.buses.input().count_ones() as int32;
            }
            answer
        }
    }

    unsafe fn activateBus(&self, media: MediaType, direction: BusDirection, index: int32, state: TBool) -> tresult {
        if is_input(media, direction, index) {
            self.buses.switch_input(state != 0);
        }
        // SAFETY: under the same contract.
        unsafe { self.wrapped.activateBus(media, direction, index, state) }
    }
}

impl<P: Listed> IAudioProcessorTrait for Component<P> {
    pass_on! { IAudioProcessorTrait:
        fn canProcessSampleSize(size: int32) -> tresult;
        fn getLatencySamples() -> uint32;
        fn setProcessing(state: TBool) -> tresult;
        fn getTailSamples() -> uint32;
    }

    unsafe fn setBusArrangements(
        &self,
        inputs: *mut SpeakerArrangement,
        input_count: int32,
        outputs: *mut SpeakerArrangement,
        output_count: int32,
    ) -> tresult {
        if input_count < 0 || output_count < 0 {
            return kInvalidArgument;
        }
        // SAFETY: the host's arrays are as long as it says.
        let (inputs, outputs) = unsafe { (array(inputs, input_count), array(outputs, output_count)) };
        if self.buses.arrange(inputs, outputs) { kResultOk } else { kResultFalse }
    }

    unsafe fn getBusArrangement(&self, direction: BusDirection, index: int32, to: *mut SpeakerArrangement) -> tresult {
        // SAFETY: under the same contract; after success there is an answer to change.
        unsafe {
            let answer = self.wrapped.getBusArrangement(direction, index, to);
            if answer == kResultOk && is_input(kAudio as MediaType, direction, index) {
                *to = self.buses.input();
            }
            answer
        }
    }

    unsafe fn setupProcessing(&self, setup: *mut ProcessSetup) -> tresult {
        // SAFETY: under the same contract; after success the setup is there.
        unsafe {
            let answer = self.wrapped.setupProcessing(setup);
            if answer == kResultOk {
                self.buses.announce((*setup).maxSamplesPerBlock);
            }
            answer
        }
    }

    unsafe fn process(&self, data: *mut ProcessData) -> tresult {
        let mut room = Room::default();
        // SAFETY: the host's block is valid for this call, and `room` lives as long.
        unsafe {
            match data.as_ref().and_then(|data| self.buses.straight(data, &mut room)) {
                Some(mut data) => self.wrapped.process(&mut data),
                None => kInvalidArgument,
            }
        }
    }
}

impl<P: Listed> IEditControllerTrait for Component<P> {
    pass_on! { IEditControllerTrait:
        fn setComponentState(state: *mut IBStream) -> tresult;
        fn setState(state: *mut IBStream) -> tresult;
        fn getState(state: *mut IBStream) -> tresult;
        fn getParamStringByValue(id: ParamID, value: ParamValue, text: *mut String128) -> tresult;
        fn getParamValueByString(id: ParamID, text: *mut TChar, value: *mut ParamValue) -> tresult;
        fn normalizedParamToPlain(id: ParamID, value: ParamValue) -> ParamValue;
        fn plainParamToNormalized(id: ParamID, value: ParamValue) -> ParamValue;
        fn setParamNormalized(id: ParamID, value: ParamValue) -> tresult;
        fn setComponentHandler(handler: *mut IComponentHandler) -> tresult;
        fn createView(name: FIDString) -> *mut IPlugView;
    }

    unsafe fn getParameterCount(&self) -> int32 {
        self.knobs() + midi_mapping::COUNT
    }

    unsafe fn getParameterInfo(&self, index: int32, info: *mut ParameterInfo) -> tresult {
        let knobs = self.knobs();
        if !(0..knobs + midi_mapping::COUNT).contains(&index) {
            return kInvalidArgument;
        }
        let place = if index < knobs { index } else { knobs + midi_mapping::place(index - knobs) };
        // SAFETY: under the same contract; after success there is an answer to change.
        let (answer, info) = unsafe { (self.wrapped.getParameterInfo(place, info), info.as_mut()) };
        if let (true, Some(info)) = (answer == kResultOk, info)
            && let (Some(rest), Some(name)) = (midi_mapping::rest(info.id), midi_mapping::name(info.id))
        {
            info.defaultNormalizedValue = rest;
            let name: Vec<TChar> = name.encode_utf16().chain([0]).collect();
            info.title[..name.len()].copy_from_slice(&name);
            info.shortTitle = info.title;
        }
        answer
    }

    unsafe fn getParamNormalized(&self, id: ParamID) -> ParamValue {
        // SAFETY: under the same contract.
        midi_mapping::rest(id).unwrap_or_else(|| unsafe { self.wrapped.getParamNormalized(id) })
    }
}

impl<P: Listed> IMidiMappingTrait for Component<P> {
    unsafe fn getMidiControllerAssignment(
        &self,
        bus: int32,
        channel: int16,
        controller: CtrlNumber,
        id: *mut ParamID,
    ) -> tresult {
        if !midi_mapping::is_played(controller) {
            return kResultFalse;
        }
        // SAFETY: under the same contract.
        unsafe { self.wrapped.getMidiControllerAssignment(bus, channel, controller, id) }
    }
}

impl<P: Listed> INoteExpressionControllerTrait for Component<P> {
    pass_on! { INoteExpressionControllerTrait:
        fn getNoteExpressionStringByValue(bus: int32, channel: int16, id: NoteExpressionTypeID, value: NoteExpressionValue, text: *mut String128) -> tresult;
        fn getNoteExpressionValueByString(bus: int32, channel: int16, id: NoteExpressionTypeID, text: *const TChar, value: *mut NoteExpressionValue) -> tresult;
    }

    unsafe fn getNoteExpressionCount(&self, bus: int32, _: int16) -> int32 {
        if bus == 0 { note_expressions::PLAYED.len() as int32 } else { 0 }
    }

    unsafe fn getNoteExpressionInfo(
        &self,
        bus: int32,
        channel: int16,
        index: int32,
        info: *mut NoteExpressionTypeInfo,
    ) -> tresult {
        let Some(&played) = usize::try_from(index).ok().and_then(|index| note_expressions::PLAYED.get(index)) else {
            return kInvalidArgument;
        };
        // SAFETY: under the same contract; after success there is an answer to change.
        unsafe {
            let answer = self.wrapped.getNoteExpressionInfo(bus, channel, played.place, info);
            if answer == kResultOk {
                (*info).valueDesc.defaultValue = played.rest;
                (*info).flags = played.flags();
            }
            answer
        }
    }
}

impl<P: Listed> IProcessContextRequirementsTrait for Component<P> {
    pass_on! { IProcessContextRequirementsTrait:
        fn getProcessContextRequirements() -> uint32;
    }
}

impl<P: Listed> IUnitInfoTrait for Component<P> {
    pass_on! { IUnitInfoTrait:
        fn getUnitCount() -> int32;
        fn getUnitInfo(index: int32, info: *mut UnitInfo) -> tresult;
        fn getProgramListCount() -> int32;
        fn getProgramListInfo(index: int32, info: *mut ProgramListInfo) -> tresult;
        fn getProgramName(list: ProgramListID, index: int32, name: *mut String128) -> tresult;
        fn getProgramInfo(list: ProgramListID, index: int32, attribute: CString, value: *mut String128) -> tresult;
        fn hasProgramPitchNames(list: ProgramListID, index: int32) -> tresult;
        fn getProgramPitchName(list: ProgramListID, index: int32, pitch: int16, name: *mut String128) -> tresult;
        fn getSelectedUnit() -> UnitID;
        fn selectUnit(unit: UnitID) -> tresult;
        fn getUnitByBus(media: MediaType, direction: BusDirection, bus: int32, channel: int32, unit: *mut UnitID) -> tresult;
        fn setUnitProgramData(list_or_unit: int32, program: int32, data: *mut IBStream) -> tresult;
    }
}

impl<P: Listed> IInfoListenerTrait for Component<P> {
    pass_on! { IInfoListenerTrait:
        fn setChannelContextInfos(list: *mut IAttributeList) -> tresult;
    }
}
