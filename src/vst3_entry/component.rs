//! The VST3 component: forwards to nice-plug's, and handles buses, controllers and note expressions itself.

use std::slice;

use nice_plug::prelude::Vst3Plugin;
use nice_plug::wrapper::vst3::Wrapper;
use nice_plug::wrapper::vst3::vst3::Class;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::BusDirections_::{kInput, kOutput};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::BusInfo_::BusFlags_::kDefaultActive;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::ChannelContext::{IInfoListener, IInfoListenerTrait};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::MediaTypes_::kAudio;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::ParameterInfo_::ParameterFlags_::kIsList;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::SpeakerArr::{kEmpty, kStereo};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::*;
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    FIDString, FUnknown, IBStream, IPlugView, IPluginBaseTrait, TBool, TUID, int16, int32, kInvalidArgument, kResultFalse,
    kResultOk, tresult, uint32,
};

use crate::plugin::with_heard_outputs;
use crate::vst3_entry::buses::{BusStorage, Buses};
use crate::vst3_entry::midi_mapping;
#[cfg(target_os = "linux")]
use crate::vst3_entry::view::View;
use urto_engine::params::ParamId;

/// A plugin of this library.
pub trait ExportedPlugin: Vst3Plugin {
    /// Whether the main output holds the input before it is overwritten.
    const HAS_MAIN_INPUT: bool;
}

/// One instance of a plugin.
pub struct Component<P: ExportedPlugin> {
    wrapped: Wrapper<P>,
    buses: Buses,
}

impl<P: ExportedPlugin> Component<P> {
    /// A new instance.
    pub fn new() -> Self {
        let outputs = 1 + P::AUDIO_IO_LAYOUTS.iter().map(|layout| layout.aux_output_ports.len()).max().unwrap_or(0);
        let component = Self { wrapped: Wrapper::new(), buses: Buses::new(P::HAS_MAIN_INPUT, outputs) };
        component.choose_all_outputs(outputs);
        component
    }

    /// Chooses nice-plug's layout with all outputs, for good: VST3 hosts switch single buses, not layouts.
    fn choose_all_outputs(&self, count: usize) {
        // nice-plug 0.4.2 reads one input more than there are
        let (mut inputs, mut outputs) = ([kStereo; 2], vec![kStereo; count]);
        // SAFETY: both arrays are at least as long as they are read.
        unsafe { self.wrapped.setBusArrangements(inputs.as_mut_ptr(), 1, outputs.as_mut_ptr(), count as int32) };
    }

    /// Number of parameters that are not hidden controllers.
    fn param_count(&self) -> int32 {
        // SAFETY: only counts.
        unsafe { self.wrapped.getParameterCount() - midi_mapping::WRAPPED_COUNT }
    }
}

/// nice-plug's list.
impl<P: ExportedPlugin> Class for Component<P> {
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

/// Methods that are forwarded to nice-plug's component.
macro_rules! forward {
    ($interface:ident: $(fn $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(unsafe fn $name(&self, $($argument: $kind),*) -> $answer {
            // SAFETY: under the same contract.
            unsafe { $interface::$name(&self.wrapped, $($argument),*) }
        })*
    };
}

/// Whether a host addresses the input: the instrument's side-chain, or the effect's main input.
fn is_input(media: MediaType, direction: BusDirection, index: int32) -> bool {
    media == kAudio as MediaType && direction == kInput as BusDirection && index == 0
}

/// Whether a host addresses an output.
fn is_output(media: MediaType, direction: BusDirection) -> bool {
    media == kAudio as MediaType && direction == kOutput as BusDirection
}

/// A host's array as a slice.
///
/// # Safety
/// `first` must be null or point to `count` values.
unsafe fn array<'a, T>(first: *const T, count: int32) -> &'a [T] {
    // SAFETY: by contract.
    if first.is_null() || count <= 0 { &[] } else { unsafe { slice::from_raw_parts(first, count as usize) } }
}

impl<P: ExportedPlugin> IPluginBaseTrait for Component<P> {
    forward! { IPluginBaseTrait:
        fn initialize(context: *mut FUnknown) -> tresult;
        fn terminate() -> tresult;
    }
}

impl<P: ExportedPlugin> IComponentTrait for Component<P> {
    forward! { IComponentTrait:
        fn getControllerClassId(class: *mut TUID) -> tresult;
        fn setIoMode(mode: IoMode) -> tresult;
        fn getBusCount(media: MediaType, direction: BusDirection) -> int32;
        fn getRoutingInfo(from: *mut RoutingInfo, to: *mut RoutingInfo) -> tresult;
        fn setActive(state: TBool) -> tresult;
        fn setState(state: *mut IBStream) -> tresult;
        fn getState(state: *mut IBStream) -> tresult;
    }

    unsafe fn getBusInfo(&self, media: MediaType, direction: BusDirection, index: int32, info: *mut BusInfo) -> tresult {
        // SAFETY: under the same contract; after success the answer is valid.
        unsafe {
            let answer = self.wrapped.getBusInfo(media, direction, index, info);
            if answer == kResultOk && is_input(media, direction, index) {
                (*info).channelCount = self.buses.input().count_ones() as int32;
            }
            if answer == kResultOk && is_output(media, direction) {
                (*info).channelCount = self.buses.outputs().arrangement(index).unwrap_or(kEmpty).count_ones() as int32;
                if index > 0 {
                    (*info).flags &= !kDefaultActive as uint32;
                }
            }
            answer
        }
    }

    unsafe fn activateBus(&self, media: MediaType, direction: BusDirection, index: int32, state: TBool) -> tresult {
        if is_input(media, direction, index) {
            self.buses.switch_input(state != 0);
        }
        if is_output(media, direction) {
            self.buses.outputs().switch(index, state != 0);
        }
        // SAFETY: under the same contract.
        unsafe { self.wrapped.activateBus(media, direction, index, state) }
    }
}

impl<P: ExportedPlugin> IAudioProcessorTrait for Component<P> {
    forward! { IAudioProcessorTrait:
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
        // SAFETY: under the same contract; after success the answer is valid.
        unsafe {
            let answer = self.wrapped.getBusArrangement(direction, index, to);
            if answer == kResultOk && is_input(kAudio as MediaType, direction, index) {
                *to = self.buses.input();
            }
            if answer == kResultOk
                && direction == kOutput as BusDirection
                && let Some(output) = self.buses.outputs().arrangement(index)
            {
                *to = output;
            }
            answer
        }
    }

    unsafe fn setupProcessing(&self, setup: *mut ProcessSetup) -> tresult {
        // SAFETY: under the same contract; after success the setup is valid.
        unsafe {
            let answer = self.wrapped.setupProcessing(setup);
            if answer == kResultOk {
                self.buses.set_max_frames((*setup).maxSamplesPerBlock);
            }
            answer
        }
    }

    unsafe fn process(&self, data: *mut ProcessData) -> tresult {
        let mut storage = BusStorage::default();
        // SAFETY: the host's block is valid during this call, and so is `storage`.
        unsafe {
            match data.as_ref().and_then(|data| self.buses.correct(data, &mut storage)) {
                Some((mut data, heard)) => with_heard_outputs(heard, || self.wrapped.process(&mut data)),
                None => kInvalidArgument,
            }
        }
    }
}

impl<P: ExportedPlugin> IEditControllerTrait for Component<P> {
    forward! { IEditControllerTrait:
        fn setComponentState(state: *mut IBStream) -> tresult;
        fn setState(state: *mut IBStream) -> tresult;
        fn getState(state: *mut IBStream) -> tresult;
        fn getParamStringByValue(id: ParamID, value: ParamValue, text: *mut String128) -> tresult;
        fn getParamValueByString(id: ParamID, text: *mut TChar, value: *mut ParamValue) -> tresult;
        fn normalizedParamToPlain(id: ParamID, value: ParamValue) -> ParamValue;
        fn plainParamToNormalized(id: ParamID, value: ParamValue) -> ParamValue;
        fn setParamNormalized(id: ParamID, value: ParamValue) -> tresult;
        fn setComponentHandler(handler: *mut IComponentHandler) -> tresult;
    }

    unsafe fn createView(&self, name: FIDString) -> *mut IPlugView {
        // SAFETY: under the same contract; a new view has no other owner.
        unsafe {
            let view = self.wrapped.createView(name);
            #[cfg(target_os = "linux")]
            let view = View::around(view);
            view
        }
    }

    unsafe fn getParameterCount(&self) -> int32 {
        self.param_count() + midi_mapping::COUNT
    }

    unsafe fn getParameterInfo(&self, index: int32, info: *mut ParameterInfo) -> tresult {
        let params = self.param_count();
        if !(0..params + midi_mapping::COUNT).contains(&index) {
            return kInvalidArgument;
        }
        let wrapped_index = if index < params { index } else { params + midi_mapping::wrapped_index(index - params) };
        // SAFETY: under the same contract; after success the answer is valid.
        let (answer, info) = unsafe { (self.wrapped.getParameterInfo(wrapped_index, info), info.as_mut()) };
        let Some(info) = info.filter(|_| answer == kResultOk) else { return answer };
        if let (Some(default), Some(name)) = (midi_mapping::default_value(info.id), midi_mapping::name(info.id)) {
            info.defaultNormalizedValue = default;
            let name: Vec<TChar> = name.encode_utf16().chain([0]).collect();
            info.title[..name.len()].copy_from_slice(&name);
            info.shortTitle = info.title;
        } else if ParamId::ALL.get(index as usize).is_some_and(|id| id.spec().has_named_choices()) {
            info.flags |= kIsList;
        }
        answer
    }

    unsafe fn getParamNormalized(&self, id: ParamID) -> ParamValue {
        // SAFETY: under the same contract.
        midi_mapping::default_value(id).unwrap_or_else(|| unsafe { self.wrapped.getParamNormalized(id) })
    }
}

impl<P: ExportedPlugin> IMidiMappingTrait for Component<P> {
    unsafe fn getMidiControllerAssignment(
        &self,
        bus: int32,
        channel: int16,
        controller: CtrlNumber,
        id: *mut ParamID,
    ) -> tresult {
        if !midi_mapping::is_supported(channel, controller) {
            return kResultFalse;
        }
        // SAFETY: under the same contract.
        unsafe { self.wrapped.getMidiControllerAssignment(bus, channel, controller, id) }
    }
}

impl<P: ExportedPlugin> INoteExpressionControllerTrait for Component<P> {
    forward! { INoteExpressionControllerTrait:
        fn getNoteExpressionStringByValue(bus: int32, channel: int16, id: NoteExpressionTypeID, value: NoteExpressionValue, text: *mut String128) -> tresult;
        fn getNoteExpressionValueByString(bus: int32, channel: int16, id: NoteExpressionTypeID, text: *const TChar, value: *mut NoteExpressionValue) -> tresult;
    }

    unsafe fn getNoteExpressionCount(&self, bus: int32, _: int16) -> int32 {
        if bus == 0 { midi_mapping::NOTE_EXPRESSIONS.len() as int32 } else { 0 }
    }

    unsafe fn getNoteExpressionInfo(
        &self,
        bus: int32,
        channel: int16,
        index: int32,
        info: *mut NoteExpressionTypeInfo,
    ) -> tresult {
        let Some(&expression) = usize::try_from(index).ok().and_then(|index| midi_mapping::NOTE_EXPRESSIONS.get(index)) else {
            return kInvalidArgument;
        };
        // SAFETY: under the same contract; after success the answer is valid.
        unsafe {
            let answer = self.wrapped.getNoteExpressionInfo(bus, channel, expression.index, info);
            if answer == kResultOk {
                (*info).valueDesc.defaultValue = expression.default;
                (*info).flags = expression.flags();
            }
            answer
        }
    }
}

impl<P: ExportedPlugin> IProcessContextRequirementsTrait for Component<P> {
    forward! { IProcessContextRequirementsTrait:
        fn getProcessContextRequirements() -> uint32;
    }
}

impl<P: ExportedPlugin> IUnitInfoTrait for Component<P> {
    forward! { IUnitInfoTrait:
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

impl<P: ExportedPlugin> IInfoListenerTrait for Component<P> {
    forward! { IInfoListenerTrait:
        fn setChannelContextInfos(list: *mut IAttributeList) -> tresult;
    }
}
