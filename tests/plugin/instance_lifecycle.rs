//! Instances created, played, saved, loaded and destroyed many times in each format: the output repeats exactly and no memory leaks.
//!
//! Runs in its own process because it measures the memory of its process.

use clack_host::prelude::*;
use urto_engine::params::ParamId;

use crate::support::clap_host::{Clap, Side, note_on};
use crate::support::engine_reference::{Stereo, assert_same, peak};
use crate::support::vst3_bundle::{BLOCK, Bundle, RATE, play, strike};
use crate::tier::{in_own_process, size};

/// Cycles in the everyday and in the thorough tier.
const CYCLES: [usize; 2] = [120, 1_000];
/// What may stay, as text of the loader [bytes]. One forgotten engine alone is some megabytes.
const MOST_GROWTH: usize = 1 << 20;

/// Memory in use [bytes], as the allocator counts it: physical memory also has the gaps that many threads leave between their blocks, up to
/// some megabytes by chance. 0 where it cannot be told.
fn memory() -> usize {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: reads counters of the allocator.
        let counters = unsafe { nix::libc::mallinfo2() };
        counters.uordblks + counters.hblkhd
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    0
}

/// Runs `cycle` again and again; every time it has to sound the same. After a quarter of the cycles allocator, worker and loader have
/// what they keep.
fn cycles(name: &str, mut cycle: impl FnMut() -> Stereo) {
    let count = size(CYCLES[0], CYCLES[1]);
    let expected = cycle();
    assert!(peak(&expected) > 0.0, "{name} is silent");
    let mut settled = 0;
    for turn in 0..count {
        if turn == count / 4 {
            settled = memory();
        }
        assert_same(&cycle(), &expected);
    }
    let grown = memory().saturating_sub(settled);
    println!("{name}: {count} cycles, {} KB more than after a quarter of them, {} MB in all", grown >> 10, memory() >> 20);
    assert!(grown < MOST_GROWTH, "{name}: {grown} bytes more than after {} cycles", count / 4);
}

fn clap() -> Stereo {
    let mut plugin = Clap::running(RATE);
    let mut turned = EventBuffer::new();
    turned.push(&plugin.turn(0, ParamId::Stiffness, 0.6));
    plugin.block(BLOCK, &turned, Side::Absent);
    let saved = plugin.save();
    drop(plugin);
    let mut again = Clap::new();
    assert!(again.load(&saved));
    again.start(RATE);
    let mut struck = EventBuffer::new();
    struck.push(&note_on(0, 60, 0.8, None));
    again.block(BLOCK, &struck, Side::Absent).sound
}

#[test]
fn many_instance_cycles_leak_nothing() {
    in_own_process("instance_lifecycle::many_instance_cycles_leak_nothing", both_formats);
}

fn both_formats() {
    cycles("CLAP", clap);
    let bundle = Bundle::new("cycles");
    let id = Clap::new().listed()[ParamId::Stiffness as usize].id;
    cycles("VST3", || {
        let mut plugin = bundle.load();
        plugin.set_parameter(id, 0.6).expect("set");
        play(&mut plugin, 1, |_, _| {});
        let saved = plugin.save_state().expect("saves");
        drop(plugin);
        let mut again = bundle.load();
        again.load_state(&saved).expect("loads");
        play(&mut again, 1, |plugin, _| strike(plugin, 60, 100, 0))
    });
}
