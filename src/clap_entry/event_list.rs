//! Corrects the times of a host's events: every event within the block, none before its predecessor.
//!
//! nice-plug 0.4.2 does not check them: a time past the end of the block makes it write past the host's buffers, a time out of order
//! overflows inside `extern "C"`, and so does a system exclusive message without bytes.

use std::ptr::null;

use clap_sys::events::{
    CLAP_CORE_EVENT_SPACE_ID, CLAP_EVENT_MIDI_SYSEX, CLAP_EVENT_TRANSPORT, clap_event_header, clap_input_events,
};

/// Size of the copy of one event [bytes]; the largest of CLAP's fixed-size events has 104.
const COPY_SIZE: usize = 256;

/// A host's list of events with corrected times. nice-plug reads it with a rising index, the last event perhaps twice.
pub struct OrderedEvents {
    host: *const clap_input_events,
    last: u32,
    index: Option<u32>,
    /// Corrected time of the event before `index`.
    previous_time: u32,
    /// Corrected time of the event at `index`.
    time: u32,
    copy: EventCopy,
}

#[repr(C, align(16))]
struct EventCopy([u8; COPY_SIZE]);

impl OrderedEvents {
    /// The events of a block of `frames`.
    pub fn new(host: *const clap_input_events, frames: u32) -> Self {
        Self { host, last: frames.saturating_sub(1), index: None, previous_time: 0, time: 0, copy: EventCopy([0; COPY_SIZE]) }
    }

    /// The list for nice-plug, valid while `self` lives and does not move.
    pub fn list(&mut self) -> clap_input_events {
        clap_input_events { ctx: std::ptr::from_mut(self).cast(), size: Some(size), get: Some(get) }
    }

    /// The corrected time of the event at `index` with the host's `time`.
    fn corrected_time(&mut self, index: u32, time: u32) -> u32 {
        if self.index != Some(index) {
            (self.index, self.previous_time) = (Some(index), self.time);
        }
        self.time = time.clamp(self.previous_time, self.last);
        self.time
    }

    /// # Safety
    /// The host's list must be valid, and the result of an earlier call no longer in use.
    unsafe fn get(&mut self, index: u32) -> *const clap_event_header {
        // SAFETY: the list is valid by contract; an event has at least a header; the copy stays within both buffers.
        unsafe {
            let Some(get) = (*self.host).get else { return null() };
            let event = get(self.host, index);
            if event.is_null() {
                return null();
            }
            let header = *event;
            let time = self.corrected_time(index, header.time);
            let core = header.space_id == CLAP_CORE_EVENT_SPACE_ID;
            if core && header.type_ == CLAP_EVENT_MIDI_SYSEX {
                return null();
            }
            if time == header.time {
                return event;
            }
            let bytes = header.size as usize;
            // nice-plug keeps a pointer to the transport, which would outlive a copy.
            if core && header.type_ == CLAP_EVENT_TRANSPORT || !(size_of::<clap_event_header>()..=COPY_SIZE).contains(&bytes) {
                return null();
            }
            self.copy = EventCopy([0; COPY_SIZE]);
            std::ptr::copy_nonoverlapping(event.cast::<u8>(), self.copy.0.as_mut_ptr(), bytes);
            let copy = (&raw mut self.copy).cast::<clap_event_header>();
            (*copy).time = time;
            copy
        }
    }
}

unsafe extern "C" fn size(list: *const clap_input_events) -> u32 {
    // SAFETY: `ctx` is the `OrderedEvents` of the running call.
    unsafe {
        let events = &*(*list).ctx.cast::<OrderedEvents>();
        (*events.host).size.map_or(0, |size| size(events.host))
    }
}

unsafe extern "C" fn get(list: *const clap_input_events, index: u32) -> *const clap_event_header {
    // SAFETY: `ctx` is the `OrderedEvents` of the running call, which has no other reference meanwhile.
    unsafe { (*(*list).ctx.cast::<OrderedEvents>()).get(index) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrected_times_are_within_the_block_and_in_order() {
        let mut events = OrderedEvents::new(null(), 64);
        let given = [0, 10, 4, 10, 70, 63, u32::MAX, 0];
        let expected = [0, 10, 10, 10, 63, 63, 63, 63];
        for (index, (given, expected)) in given.into_iter().zip(expected).enumerate() {
            for _ in 0..2 {
                assert_eq!(events.corrected_time(index as u32, given), expected);
            }
        }
        assert_eq!(OrderedEvents::new(null(), 0).corrected_time(0, 9), 0);
    }
}
