//! Rows of the table of parameters for the pairs of microphones and the room.

/// Appends the rows of microphones and room to those of `$params`, for the macro `$next`.
macro_rules! with_room_params {
    ($next:ident { $params:ident { $($rows:tt)* } }) => {
        $next! { $params {
            $($rows)*
            CloseLevel: "close_level", "Close mic level", "Microphones", "dB", -60.0, 12.0, 0.0, Linear, OnGrid, true,
                "Level of the close sound, that of the pickups, on the main output [dB]. Down: more distant, if other microphones or a room are on. Off at its minimum.";
            OverheadLevel: "overhead_level", "Overhead mic level", "Microphones", "dB", -60.0, 12.0, -60.0, Linear, OnGrid, true,
                "Level of a pair of microphones over the instrument [dB]. At 0 dB it is as loud as the close sound from 1 m. It hears the zones of a kit from their positions. Off at its minimum.";
            OverheadHeight: "overhead_height", "Overhead mic height", "Microphones", "m", 0.3, 3.0, 1.2, Linear, OnGrid, true,
                "Height of the overhead pair over the instrument [m]. Up: softer and later, with zones at similar levels. Down: nearer zones are louder.";
            OverheadSpacing: "overhead_spacing", "Overhead mic spacing", "Microphones", "m", 0.0, 3.0, 1.0, Linear, OnGrid, true,
                "Distance of the two overhead microphones from each other [m]. Up: wider. 0: mono.";
            FarLevel: "far_level", "Far mic level", "Microphones", "dB", -60.0, 12.0, -60.0, Linear, OnGrid, true,
                "Level of a pair of microphones in front of the instrument, without the reflections of the room [dB]. At 0 dB it is as loud as the close sound from 1 m. Off at its minimum.";
            FarDistance: "far_distance", "Far mic distance", "Microphones", "m", 0.5, 20.0, 4.0, Logarithmic, OnGrid, true,
                "Distance of the far pair from the instrument [m]. Up: softer, later, and with weaker first reflections. It is also where the room is heard.";
            FarSpacing: "far_spacing", "Far mic spacing", "Microphones", "m", 0.0, 6.0, 2.0, Linear, OnGrid, true,
                "Distance of the two far microphones from each other [m]. Up: wider. 0: mono, but for the end of a room's reverberation.";
            InstrumentX: "instrument_x", "Instrument position X", "Microphones", "m", -3.0, 3.0, 0.0, Linear, OnGrid, true,
                "Position of the instrument to the right of the middle of the pairs [m]; of all zones of a kit together. Negative: to the left, as the player sees it.";
            InstrumentY: "instrument_y", "Instrument position Y", "Microphones", "m", -3.0, 3.0, 0.0, Linear, OnGrid, true,
                "Position of the instrument in front of the overhead pair [m]. Up: nearer to the far pair. Negative: further away.";
            RoomType: "room_type", "Room type", "Room", "", 0.0, ROOM_TYPES.len() as f64 - 1.0, 0.0, Choice(ROOM_TYPES), OnGrid, true,
                "Room around instrument and microphones: its reflections at the far pair and its reverberation. Off costs nothing.";
            RoomLevel: "room_level", "Room level", "Room", "dB", -60.0, 12.0, -6.0, Linear, OnGrid, true,
                "Level of the room [dB]. At 0 dB reflections and reverberation are together as loud as the close sound. Off at its minimum.";
            RoomDecay: "room_decay", "Room decay", "Room", "", 0.25, 2.0, 1.0, Logarithmic, OnGrid, true,
                "Factor of the reverberation times of the room. Down: more absorption, shorter and softer. Up: longer.";
        }}
    };
}
