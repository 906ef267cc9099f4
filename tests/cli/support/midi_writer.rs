//! Writes MIDI files byte by byte.

/// Beginning of a file: format, number of tracks, division.
pub fn header(format: u16, tracks: u16, division: u16) -> Vec<u8> {
    let mut bytes = b"MThd\0\0\0\x06".to_vec();
    for number in [format, tracks, division] {
        bytes.extend(number.to_be_bytes());
    }
    bytes
}

/// One track out of delta times and events; the end mark is added.
pub fn track(events: &[(u32, &[u8])]) -> Vec<u8> {
    let mut data = Vec::new();
    for (delta, event) in events {
        data.extend(length(*delta));
        data.extend(*event);
    }
    data.extend([0, 0xff, 0x2f, 0]);
    let mut bytes = b"MTrk".to_vec();
    bytes.extend((data.len() as u32).to_be_bytes());
    bytes.extend(data);
    bytes
}

/// A file of one track with 480 ticks a beat, 120 beats a minute: 960 ticks a second.
pub fn song(events: &[(u32, &[u8])]) -> Vec<u8> {
    [header(0, 1, 480), track(events)].concat()
}

/// A tempo change.
pub fn tempo(microseconds: u32) -> Vec<u8> {
    [&[0xff, 0x51, 3], &microseconds.to_be_bytes()[1..]].concat()
}

/// A number of seven bits a byte.
fn length(value: u32) -> Vec<u8> {
    let groups = (0..4).rev().map(|i| (value >> (7 * i)) as u8 & 0x7f).skip_while(|&group| group == 0);
    let mut bytes: Vec<u8> = groups.map(|group| group | 0x80).collect();
    match bytes.last_mut() {
        Some(last) => *last &= 0x7f,
        None => bytes.push(0),
    }
    bytes
}

/// C4, struck.
pub const C4_ON: &[u8] = &[0x90, 60, 100];
/// C4, released.
pub const C4_OFF: &[u8] = &[0x80, 60, 0];
