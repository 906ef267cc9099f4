//! Contact parameters automated at every sample during a contact.

use clack_host::prelude::*;
use urto::host_params::HostParams;

use crate::support::clap_host::{Clap, note_on};
use crate::support::engine_reference::{IN_CONTACT, assert_same, on, peak, render, turn, wander};

const RATE: f64 = 48_000.0;
const FRAMES: usize = 2000;

#[test]
fn the_plugin_matches_the_engine_bit_for_bit() {
    let params = HostParams::new(|_| ());
    let mut events = Vec::new();
    for frame in 0..FRAMES {
        for param in IN_CONTACT {
            events.push((frame, turn(&params, param, wander(&params, param, frame))));
        }
        if frame % 400 == 3 {
            events.push((frame, on(60, 0.9)));
        }
    }
    let expected = render(RATE, FRAMES, &events, &[]);
    assert!(peak(&expected) > 0.01, "the hammer strikes");

    for sizes in [vec![FRAMES], vec![64; 32], vec![1; FRAMES], vec![3, 1, 509, 64, 1000, 17, 406]] {
        let mut rest = FRAMES;
        let fits = |size: usize| {
            let size = size.min(rest);
            rest -= size;
            (size > 0).then_some(size)
        };
        let sizes: Vec<_> = sizes.into_iter().map_while(fits).collect();
        let mut clap = Clap::running(RATE);
        let send = |clap: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| {
            for frame in span.clone() {
                let time = (frame - span.start) as u32;
                for param in IN_CONTACT {
                    events.push(&clap.turn(time, param, wander(&params, param, frame)));
                }
                if frame % 400 == 3 {
                    events.push(&note_on(time, 60, 0.9, None));
                }
            }
        };
        assert_same(&clap.blocks(sizes, send, None), &expected);
    }
}
