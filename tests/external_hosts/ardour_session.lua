-- Makes a session with one MIDI track that plays through Urto: `ardour7-lua ardour_session.lua FOLDER NAME RATE`.
local folder, name, rate = arg[1], arg[2], tonumber(arg[3])

local session = assert(create_session(folder, name, rate), "Ardour has not made the session")
local plugin = ARDOUR.LuaAPI.new_plugin_info("Urto", ARDOUR.PluginType.VST3)
assert(not plugin:isnil(), "Ardour does not know the plugin; its scanner has written no cache file")
local one_midi, two_audio = ARDOUR.ChanCount(ARDOUR.DataType("midi"), 1), ARDOUR.ChanCount(ARDOUR.DataType("audio"), 2)
local last, normal = ARDOUR.PresentationInfo.max_order, ARDOUR.TrackMode.Normal
local tracks = session:new_midi_track(one_midi, two_audio, true, plugin, nil, nil, 1, "Urto", last, normal, true)
local output = tracks:front():output()

-- a thread of Ardour connects the track with the master bus
for _ = 1, 100 do
	if output:audio(0):connected() and output:audio(1):connected() then
		break
	end
	sleep(0.1)
end
assert(output:audio(1):connected(), "Ardour has not connected the track with the master bus")
session:save_state("")
close_session()
