//! A long session of random notes, automation, pitch bend, drive and preset changes. Every block is checked for energy balance, level
//! and cost.
//!
//! The everyday tier plays five seconds of music, the thorough tier one minute, and `cargo xtask soak` one hour
//! (`URTO_SOAK_MINUTES`). To repeat a late failure, skip the minutes before it (`URTO_SOAK_FROM`): the random numbers stay the same,
//! but nothing is rendered. Another seed gives other music (`URTO_SOAK_SEED`).

mod session;

use crate::tier;
use session::{BLOCK, RATE, Session};

#[test]
fn a_long_session_keeps_energy_balance_level_and_speed() {
    tier::in_own_process("soak::a_long_session_keeps_energy_balance_level_and_speed", play_session);
}

fn play_session() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<f64>().ok());
    let (from, minutes) = (asked("URTO_SOAK_FROM").unwrap_or(0.0), asked("URTO_SOAK_MINUTES").unwrap_or(tier::size(0.08, 1.0)));
    let [first, blocks] = [from, minutes].map(|minutes| (minutes * 60.0 * RATE) as usize / BLOCK);
    let mut session = Session::new(asked("URTO_SOAK_SEED").map_or(2031, |seed| seed as u64));
    (0..first).for_each(|_| session.pass_over());
    let mut settled = 0;
    for block in first..blocks {
        session.block();
        if block == first + blocks.saturating_sub(first) / 4 {
            settled = session.memory_at_rest();
        }
        if block % (RATE as usize * 60 / BLOCK) == 0 {
            println!("minute {}: {session}", block / (RATE as usize * 60 / BLOCK));
        }
    }
    println!("after {minutes} minutes: {session}");
    session.assert_played();
    let grown = session.memory_at_rest() - settled;
    println!("memory at rest: {} KB, {grown} bytes more than after a quarter", settled >> 10);
    assert!(grown < MOST_GROWTH, "{grown} bytes more than after a quarter");
}

/// What vectors may keep that were longer once [bytes]: 0.5 MB at most, the same after six minutes as after three.
const MOST_GROWTH: i64 = 1 << 20;
