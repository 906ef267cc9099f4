//! A VST3 host around the factory of the plugin, without a file; it can also break the rules of the format.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::ParameterInfo_::ParameterFlags_::kIsList;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{
    AudioBusBuffers, BusDirections_, BusInfo, Event, Event_::EventTypes_, IAudioProcessor, IAudioProcessorTrait, IComponent,
    IComponentTrait, IEditController, IEditControllerTrait, IEventList, IEventListTrait, IMidiMapping, IMidiMappingTrait,
    IParamValueQueue, IParamValueQueueTrait, IParameterChanges, IParameterChangesTrait, MediaTypes_, ParameterInfo, ProcessData,
    ProcessSetup, SpeakerArrangement,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    IPluginBaseTrait, IPluginFactory, IPluginFactoryTrait, kResultFalse, kResultOk, tresult,
};
use nice_plug::wrapper::vst3::vst3::{Class, ComPtr, ComWrapper, Interface};

use crate::support::clap_host::{LARGEST, in_real_time};
use crate::support::engine_reference::Stereo;

unsafe extern "system" {
    safe fn GetPluginFactory() -> *mut c_void;
}

const AUDIO: i32 = MediaTypes_::kAudio as i32;
const IN: i32 = BusDirections_::kInput as i32;
const OUT: i32 = BusDirections_::kOutput as i32;

/// What the host passes as the side-chain of a block.
pub enum Wire<'a> {
    /// No input bus at all.
    Absent,
    /// A bus with a channel count, without pointers to channels.
    Hollow(i32),
    /// The channels of the output.
    InPlace,
    /// Channels; some may be missing.
    Channels(Vec<Option<&'a [f32]>>),
}

/// One event for the plugin: frame in the block, and what happens.
#[derive(Clone, Copy)]
pub enum Sent {
    NoteOn { at: i32, channel: i16, key: i16, velocity: f32 },
    Turn { at: i32, id: u32, travel: f64 },
}

/// An instance of the plugin.
pub struct Vst3 {
    component: ComPtr<IComponent>,
    processor: ComPtr<IAudioProcessor>,
    controller: ComPtr<IEditController>,
}

impl Vst3 {
    /// A new instance of the instrument, initialised and not yet set up.
    pub fn new() -> Self {
        Self::listed_at(0)
    }

    /// A new instance of the effect, initialised and not yet set up.
    pub fn effect() -> Self {
        Self::listed_at(1)
    }

    fn listed_at(place: i32) -> Self {
        // SAFETY: a factory keeps its contract; the id is read from its own answer.
        unsafe {
            let factory = ComPtr::from_raw(GetPluginFactory().cast::<IPluginFactory>()).expect("a factory");
            let mut class = std::mem::zeroed();
            assert_eq!((factory.countClasses(), factory.getClassInfo(place, &mut class)), (2, kResultOk));
            let mut made = null_mut();
            let interface = IComponent::IID.as_ptr().cast();
            assert_eq!(factory.createInstance(class.cid.as_ptr().cast(), interface, &mut made), kResultOk);
            let component = ComPtr::from_raw(made.cast::<IComponent>()).expect("a component");
            assert_eq!(component.initialize(null_mut()), kResultOk);
            let (processor, controller) = (component.cast().expect("a processor"), component.cast().expect("a controller"));
            Self { component, processor, controller }
        }
    }

    /// A new instance that runs at `rate` [Hz], its side-chain switched off.
    pub fn running(rate: f64) -> Self {
        let plugin = Self::new();
        plugin.set_up(rate);
        plugin.start();
        plugin
    }

    pub fn set_up(&self, rate: f64) {
        let mut setup =
            ProcessSetup { processMode: 0, symbolicSampleSize: 0, maxSamplesPerBlock: LARGEST as i32, sampleRate: rate };
        // SAFETY: the setup is there.
        assert_eq!(unsafe { self.processor.setupProcessing(&mut setup) }, kResultOk);
    }

    pub fn start(&self) {
        // SAFETY: the order that VST3 asks for.
        unsafe {
            assert_eq!(self.component.activateBus(AUDIO, OUT, 0, 1), kResultOk);
            assert_eq!((self.component.setActive(1), self.processor.setProcessing(1)), (kResultOk, kResultOk));
        }
    }

    pub fn stop(&self) {
        // SAFETY: the order that VST3 asks for.
        unsafe {
            self.processor.setProcessing(0);
            self.component.setActive(0);
        }
    }

    /// Switches the side-chain.
    pub fn switch(&self, on: bool) {
        // SAFETY: numbers only.
        assert_eq!(unsafe { self.component.activateBus(AUDIO, IN, 0, u8::from(on)) }, kResultOk);
    }

    /// Asks for arrangements; whether the plugin took them.
    pub fn arrange(&self, inputs: &[SpeakerArrangement], outputs: &[SpeakerArrangement]) -> bool {
        let (mut inputs, mut outputs) = (inputs.to_vec(), outputs.to_vec());
        let counts = (inputs.len() as i32, outputs.len() as i32);
        // no spare room behind the arrays, and no array where there is nothing
        inputs.shrink_to_fit();
        let first = if inputs.is_empty() { null_mut() } else { inputs.as_mut_ptr() };
        // SAFETY: as long as said.
        unsafe { self.processor.setBusArrangements(first, counts.0, outputs.as_mut_ptr(), counts.1) == kResultOk }
    }

    /// Arrangement and channels of the first bus.
    pub fn arrangement(&self, input: bool) -> (SpeakerArrangement, i32) {
        let direction = if input { IN } else { OUT };
        // SAFETY: there is room for both answers.
        unsafe {
            let (mut arrangement, mut info): (_, BusInfo) = (0, std::mem::zeroed());
            assert_eq!(self.processor.getBusArrangement(direction, 0, &mut arrangement), kResultOk);
            assert_eq!(self.component.getBusInfo(AUDIO, direction, 0, &mut info), kResultOk);
            (arrangement, info.channelCount)
        }
    }

    /// Id, name and default of all parameters.
    pub fn parameters(&self) -> Vec<(u32, String, f64)> {
        // SAFETY: there is room for each answer.
        unsafe {
            let mut info: ParameterInfo = std::mem::zeroed();
            let count = self.controller.getParameterCount();
            assert_ne!(self.controller.getParameterInfo(count, &mut info), kResultOk, "there is none behind the last");
            assert_ne!(self.controller.getParameterInfo(-1, &mut info), kResultOk);
            let read = |index| {
                assert_eq!(self.controller.getParameterInfo(index, &mut info), kResultOk);
                let name: Vec<u16> = info.title.iter().copied().take_while(|&sign| sign != 0).collect();
                (info.id, String::from_utf16_lossy(&name), info.defaultNormalizedValue)
            };
            (0..count).map(read).collect()
        }
    }

    /// Names of the parameters that the host is to show as lists.
    pub fn lists(&self) -> Vec<String> {
        let mut lists = Vec::new();
        // SAFETY: there is room for each answer.
        unsafe {
            let mut info: ParameterInfo = std::mem::zeroed();
            for index in 0..self.controller.getParameterCount() {
                assert_eq!(self.controller.getParameterInfo(index, &mut info), kResultOk);
                if info.flags & kIsList != 0 {
                    lists.push(String::from_utf16_lossy(&info.title).trim_end_matches('\0').to_owned());
                }
            }
        }
        lists
    }

    /// Where the host sees a parameter.
    pub fn value(&self, id: u32) -> f64 {
        // SAFETY: numbers only.
        unsafe { self.controller.getParamNormalized(id) }
    }

    /// The parameter behind a controller of VST3.
    pub fn mapped(&self, channel: i16, controller: i16) -> Option<u32> {
        let mapping: ComPtr<IMidiMapping> = self.component.cast().expect("a mapping");
        let mut id = 0;
        // SAFETY: there is room for the answer.
        (unsafe { mapping.getMidiControllerAssignment(0, channel, controller, &mut id) } == kResultOk).then_some(id)
    }

    /// Processes one block, which the plugin must take.
    pub fn block(&self, frames: usize, sent: &[Sent], wire: &Wire) -> Stereo {
        // the output buffer starts with arbitrary values, some of them finite
        let stale = if matches!(wire, Wire::Channels(_)) { f32::NAN } else { 0.5 };
        let mut sound = [vec![stale; frames], vec![stale; frames]];
        let [left, right] = &mut sound;
        let answer = self.process(frames as i32, sent, wire, &mut [left.as_mut_ptr(), right.as_mut_ptr()]);
        assert_eq!(answer, kResultOk);
        sound
    }

    /// Processes one block into `outputs`; what the plugin answers.
    pub fn process(&self, frames: i32, sent: &[Sent], wire: &Wire, outputs: &mut [*mut f32]) -> tresult {
        let notes = ComWrapper::new(Notes::of(sent)).to_com_ptr::<IEventList>().expect("a list");
        let changes = ComWrapper::new(Changes::of(sent)).to_com_ptr::<IParameterChanges>().expect("a list");
        let mut channels: Vec<*mut f32> = match wire {
            Wire::Channels(channels) => channels.iter().map(|c| c.map_or(null_mut(), |c| c.as_ptr().cast_mut())).collect(),
            Wire::InPlace => outputs.to_vec(),
            _ => Vec::new(),
        };
        let count = if let Wire::Hollow(count) = wire { *count } else { channels.len() as i32 };
        let mut input = bus(count, if channels.is_empty() { null_mut() } else { channels.as_mut_ptr() });
        let mut output = bus(outputs.len() as i32, outputs.as_mut_ptr());
        output.silenceFlags = 3;
        let absent = matches!(wire, Wire::Absent);
        let mut data = ProcessData {
            processMode: 0,
            symbolicSampleSize: 0,
            numSamples: frames,
            numInputs: i32::from(!absent),
            numOutputs: i32::from(!outputs.is_empty()),
            inputs: if absent { null_mut() } else { &mut input },
            outputs: &mut output,
            inputParameterChanges: changes.as_ptr(),
            outputParameterChanges: null_mut(),
            inputEvents: notes.as_ptr(),
            outputEvents: null_mut(),
            processContext: null_mut(),
        };
        // SAFETY: buffers as long as said, or deliberately absent.
        let answer = in_real_time(|| unsafe { self.processor.process(&mut data) });
        let sounds = answer == kResultOk && outputs.len() > 1 && !outputs.contains(&null_mut());
        assert!(!sounds || output.silenceFlags == 0, "what sounds is not called silent");
        answer
    }
}

impl Drop for Vst3 {
    fn drop(&mut self) {
        self.stop();
        // SAFETY: the last call.
        unsafe { self.component.terminate() };
    }
}

fn bus(channels: i32, pointers: *mut *mut f32) -> AudioBusBuffers {
    // SAFETY: of plain numbers and pointers, all zero is a value.
    let mut bus: AudioBusBuffers = unsafe { std::mem::zeroed() };
    (bus.numChannels, bus.__field0.channelBuffers32) = (channels, pointers);
    bus
}

/// The notes of one block.
struct Notes(Vec<Event>);

impl Notes {
    fn of(sent: &[Sent]) -> Self {
        let event = |sent: &Sent| {
            let Sent::NoteOn { at, channel, key, velocity } = *sent else { return None };
            // SAFETY: of plain numbers, all zero is a value.
            let mut event: Event = unsafe { std::mem::zeroed() };
            (event.sampleOffset, event.r#type) = (at, EventTypes_::kNoteOnEvent as u16);
            event.__field0.noteOn = nice_plug::wrapper::vst3::vst3::Steinberg::Vst::NoteOnEvent {
                channel,
                pitch: key,
                tuning: 0.0,
                velocity,
                length: 0,
                noteId: -1,
            };
            Some(event)
        };
        Self(sent.iter().filter_map(event).collect())
    }
}

impl Class for Notes {
    type Interfaces = (IEventList,);
}

impl IEventListTrait for Notes {
    unsafe fn getEventCount(&self) -> i32 {
        self.0.len() as i32
    }

    unsafe fn getEvent(&self, index: i32, to: *mut Event) -> tresult {
        let Some(event) = self.0.get(index as usize) else { return kResultFalse };
        // SAFETY: the plugin gives room.
        unsafe { to.write(*event) };
        kResultOk
    }

    unsafe fn addEvent(&self, _: *mut Event) -> tresult {
        kResultFalse
    }
}

/// The parameter changes of one block, a queue for each parameter.
struct Changes(Vec<ComWrapper<Queue>>);

impl Changes {
    fn of(sent: &[Sent]) -> Self {
        let mut queues: Vec<Queue> = Vec::new();
        for sent in sent {
            let Sent::Turn { at, id, travel } = *sent else { continue };
            match queues.iter_mut().find(|queue| queue.id == id) {
                Some(queue) => queue.points.push((at, travel)),
                None => queues.push(Queue { id, points: vec![(at, travel)] }),
            }
        }
        Self(queues.into_iter().map(ComWrapper::new).collect())
    }
}

impl Class for Changes {
    type Interfaces = (IParameterChanges,);
}

impl IParameterChangesTrait for Changes {
    unsafe fn getParameterCount(&self) -> i32 {
        self.0.len() as i32
    }

    unsafe fn getParameterData(&self, index: i32) -> *mut IParamValueQueue {
        let queue = self.0.get(index as usize).and_then(|queue| queue.as_com_ref::<IParamValueQueue>());
        queue.map_or(null_mut(), |queue| queue.as_ptr())
    }

    unsafe fn addParameterData(&self, _: *const u32, _: *mut i32) -> *mut IParamValueQueue {
        null::<IParamValueQueue>().cast_mut()
    }
}

struct Queue {
    id: u32,
    points: Vec<(i32, f64)>,
}

impl Class for Queue {
    type Interfaces = (IParamValueQueue,);
}

impl IParamValueQueueTrait for Queue {
    unsafe fn getParameterId(&self) -> u32 {
        self.id
    }

    unsafe fn getPointCount(&self) -> i32 {
        self.points.len() as i32
    }

    unsafe fn getPoint(&self, index: i32, at: *mut i32, travel: *mut f64) -> tresult {
        let Some(point) = self.points.get(index as usize) else { return kResultFalse };
        // SAFETY: the plugin gives room for both.
        unsafe {
            at.write(point.0);
            travel.write(point.1);
        }
        kResultOk
    }

    unsafe fn addPoint(&self, _: i32, _: f64, _: *mut i32) -> tresult {
        kResultFalse
    }
}
