//! A host's list of events with its times set straight: every one inside the block, none before its predecessor.
//!
//! nice-plug 0.4.2 trusts a host's times: one past the end of the block makes it write past the host's buffers, one out of order
//! overflows inside `extern "C"`, and so does a system exclusive message without bytes.

use std::ptr::null;

use clap_sys::events::{
    CLAP_CORE_EVENT_SPACE_ID, CLAP_EVENT_MIDI_SYSEX, CLAP_EVENT_TRANSPORT, clap_event_header, clap_input_events,
};

/// Room for a copy of one event; the largest of CLAP's fixed-size events has 104 bytes.
const ROOM: usize = 256;

/// A host's list of events with its times set straight. nice-plug asks for them with a rising index, the last one perhaps twice.
pub struct Ordered {
    host: *const clap_input_events,
    last: u32,
    index: Option<u32>,
    /// Time of the event before `index`, and of that at `index`.
    times: (u32, u32),
    copy: Copied,
}

#[repr(C, align(16))]
struct Copied([u8; ROOM]);

impl Ordered {
    /// Of a block of so many frames.
    pub fn new(host: *const clap_input_events, frames: u32) -> Self {
        Self { host, last: frames.saturating_sub(1), index: None, times: (0, 0), copy: Copied([0; ROOM]) }
    }

    /// What nice-plug is to be given in place of the host's list, for as long as this lives and stays where it is.
    pub fn list(&mut self) -> clap_input_events {
        clap_input_events { ctx: std::ptr::from_mut(self).cast(), size: Some(size), get: Some(get) }
    }

    /// The time at which the event at `index`, which the host put at `time`, takes place.
    fn straight(&mut self, index: u32, time: u32) -> u32 {
        if self.index != Some(index) {
            (self.index, self.times.0) = (Some(index), self.times.1);
        }
        self.times.1 = time.clamp(self.times.0, self.last);
        self.times.1
    }

    /// # Safety
    /// The host's list must be valid, and what an earlier call returned no longer in use.
    unsafe fn get(&mut self, index: u32) -> *const clap_event_header {
        // SAFETY: the list is valid by contract; an event has at least a header; the copy stays within both.
        unsafe {
            let Some(ask) = (*self.host).get else { return null() };
            let event = ask(self.host, index);
            if event.is_null() {
                return null();
            }
            let header = *event;
            let time = self.straight(index, header.time);
            let core = header.space_id == CLAP_CORE_EVENT_SPACE_ID;
            if core && header.type_ == CLAP_EVENT_MIDI_SYSEX {
                return null();
            }
            if time == header.time {
                return event;
            }
            let bytes = header.size as usize;
            // nice-plug keeps a pointer to the transport, which a copy would not outlive.
            if core && header.type_ == CLAP_EVENT_TRANSPORT || !(size_of::<clap_event_header>()..=ROOM).contains(&bytes) {
                return null();
            }
            self.copy = Copied([0; ROOM]);
            std::ptr::copy_nonoverlapping(event.cast::<u8>(), self.copy.0.as_mut_ptr(), bytes);
            let copy = (&raw mut self.copy).cast::<clap_event_header>();
            (*copy).time = time;
            copy
        }
    }
}

unsafe extern "C" fn size(list: *const clap_input_events) -> u32 {
    // SAFETY: `ctx` is the `Ordered` of the running call.
    unsafe {
        let ordered = &*(*list).ctx.cast::<Ordered>();
        (*ordered.host).size.map_or(0, |size| size(ordered.host))
    }
}

unsafe extern "C" fn get(list: *const clap_input_events, index: u32) -> *const clap_event_header {
    // SAFETY: `ctx` is the `Ordered` of the running call, reached by nothing else while it runs.
    unsafe { (*(*list).ctx.cast::<Ordered>()).get(index) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_lie_inside_the_block_and_in_order() {
        let mut ordered = Ordered::new(null(), 64);
        let given = [0, 10, 4, 10, 70, 63, u32::MAX, 0];
        let expected = [0, 10, 10, 10, 63, 63, 63, 63];
        for (index, (given, expected)) in given.into_iter().zip(expected).enumerate() {
            for _ in 0..2 {
                assert_eq!(ordered.straight(index as u32, given), expected);
            }
        }
        assert_eq!(Ordered::new(null(), 0).straight(0, 9), 0);
    }
}
