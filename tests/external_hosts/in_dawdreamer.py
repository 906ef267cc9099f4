"""Urto in DawDreamer, a headless JUCE host with graphs: automation and side-chain."""

import os
import tempfile

import dawdreamer
import numpy as np

import program
from sound import RATE, assert_sane, cents, drums, first, noise, peak

BLOCK = 512


def load(path, rate=RATE, block=BLOCK):
    engine = dawdreamer.RenderEngine(rate, block)
    return engine, engine.make_plugin_processor("urto", path)


def index(plugin, name):
    return [knob["name"] for knob in plugin.get_parameters_description()].index(name)


def render(engine, graph, seconds=1.0):
    engine.load_graph(graph)
    engine.render(seconds)
    return engine.get_audio()


def test_a_note_sounds_on_its_frame_and_at_its_pitch(path):
    engine, plugin = load(path)
    plugin.add_midi_note(69, 100, 0.25, 2.0)
    sound = render(engine, [(plugin, [])], 2.5)
    assert_sane(sound)
    assert first(sound) in (RATE // 4, RATE // 4 + 1), first(sound)
    assert abs(cents(sound[:, RATE // 4 :], 440.0)) < 1.0


def test_rates_of_22_to_192_khz_have_the_same_pitch(path):
    for rate in (22_050, 44_100, 88_200, 96_000, 176_400, 192_000):
        engine, plugin = load(path, rate=rate)
        plugin.add_midi_note(69, 100, 0.0, 2.0)
        sound = render(engine, [(plugin, [])], 2.0)
        assert_sane(sound)
        assert abs(cents(sound, 440.0, rate)) < 1.0, f"{rate} Hz: {cents(sound, 440.0, rate)}"


def test_blocks_of_1_to_8192_frames_sound_the_same(path):
    def sound_of(block):
        engine, plugin = load(path, block=block)
        plugin.add_midi_note(60, 100, 0.0, 0.4)
        return render(engine, [(plugin, [])], 0.5)[:, : RATE // 2]

    sounds = [sound_of(block) for block in (1, 7, 64, 1000, 8192)]
    assert_sane(sounds[0])
    assert all(np.array_equal(sounds[0], sound) for sound in sounds)


def test_fifty_instances_in_one_graph_sum_up(path):
    def sum_of(count):
        engine = dawdreamer.RenderEngine(RATE, BLOCK)
        plugins = [engine.make_plugin_processor(f"urto{number}", path) for number in range(count)]
        for plugin in plugins:
            plugin.add_midi_note(60, 100, 0.0, 0.4)
        mix = engine.make_add_processor("mix", [1.0 / count] * count)
        return render(engine, [(p, []) for p in plugins] + [(mix, [p.get_name() for p in plugins])], 0.5)

    one, many = sum_of(1), sum_of(50)
    assert_sane(many)
    assert program.apart(many, one) < -110.0, f"{program.apart(many, one)} dB"


def test_a_preset_driven_by_the_side_chain_is_that_of_the_command_line(path):
    loop, strikes = drums(2.0), [(0, 48, 90)]
    for name in ("Vocal Plate", "Snare with Wires"):
        engine, plugin = load(path)
        with tempfile.TemporaryDirectory() as folder:
            preset = program.preset(name, folder)
            assert plugin.load_vst3_preset(preset)
            plugin.add_midi_note(48, 90, 0.0, 4.0)
            source = engine.make_playback_processor("drums", loop)
            heard = render(engine, [(source, []), (plugin, ["drums"])], 2.0)
            expected = program.render(strikes, 2.0, folder, "--preset", preset, drive=loop)
        assert_sane(heard)
        assert np.array_equal(heard, expected), f"{name}: {program.apart(heard, expected)} dB apart"


def test_a_parameter_is_set_and_read(path):
    _, plugin = load(path)
    plugin.set_parameter(index(plugin, "Contact stiffness"), 0.31)
    assert abs(plugin.get_parameter(index(plugin, "Contact stiffness")) - 0.31) < 1e-6
    assert plugin.get_parameter_text(index(plugin, "Contact stiffness"))


def test_automation_moves_the_level(path):
    engine, plugin = load(path)
    plugin.add_midi_note(60, 100, 0.0, 1.0)
    plugin.set_automation(index(plugin, "Output level"), np.linspace(0.2, 0.9, RATE).astype(np.float32))
    sound = render(engine, [(plugin, [])])
    quarters = [peak(part) for part in np.split(sound[:, :RATE], 4, axis=1)]
    assert quarters == sorted(quarters) and quarters[3] > 10 * quarters[0], quarters


def test_the_side_chain_drives_the_hammer(path):
    def driven(travel, connected):
        engine, plugin = load(path)
        plugin.set_parameter(index(plugin, "Drive level"), travel)
        plugin.add_midi_note(57, 30, 0.1, 0.5)
        source = engine.make_playback_processor("noise", noise(1.0))
        graph = [(source, []), (plugin, ["noise"])] if connected else [(plugin, [])]
        return render(engine, graph)

    alone, deaf, driven = driven(0.0, False), driven(0.0, True), driven(0.7, True)
    assert_sane(driven)
    assert np.array_equal(alone, deaf), "without drive it is as if nothing were connected"
    assert peak(driven) > 3 * peak(alone)


def through_drums(path, travels, loop=1.0, seconds=3.0):
    """A loop of `loop` seconds into the side-chain, no note; the drive follows `travels` (a number or a curve), short bodies."""
    engine, plugin = load(path)
    plugin.set_parameter(index(plugin, "Body decay time (T60)"), 0.0)
    plugin.set_parameter(index(plugin, "Body loss factor"), 1.0)
    if np.isscalar(travels):
        plugin.set_parameter(index(plugin, "Drive level"), travels)
    else:
        plugin.set_automation(index(plugin, "Drive level"), travels.astype(np.float32))
    silence = np.zeros((2, int((seconds - loop) * RATE)), np.float32)
    source = engine.make_playback_processor("drums", np.concatenate([drums(loop), silence], axis=1))
    return render(engine, [(source, []), (plugin, ["drums"])], seconds)


def test_a_drum_loop_sounds_without_a_note_once_the_gain_is_turned_up(path):
    travels = np.concatenate([np.zeros(RATE // 4), np.full(3 * RATE - RATE // 4, 0.3)])
    sound = through_drums(path, travels)
    # automation lies on the blocks of the host
    assert not sound[:, : RATE // 4 - BLOCK].any(), "the drive is at 0 at first"
    assert_sane(sound[:, RATE // 4 : RATE])
    assert not sound[:, 2 * RATE + RATE // 2 :].any(), "silence in, silence out within the tail"


def test_without_gain_a_drum_loop_is_exact_silence(path):
    assert not through_drums(path, 0.0).any()


def test_a_side_chain_may_come_late_and_go_while_it_plays(path):
    engine, plugin = load(path)
    plugin.set_parameter(index(plugin, "Drive level"), 0.3)
    source = engine.make_playback_processor("drums", drums(2.0))
    connected, alone = [(source, []), (plugin, ["drums"])], [(plugin, [])]
    parts = [render(engine, graph, 0.5) for graph in (alone, connected, alone, connected)]
    assert not parts[0].any(), "nothing is connected yet"
    assert_sane(parts[1])
    assert all(np.isfinite(part).all() and peak(part) <= 1.0 for part in parts)
    usual = max(float(np.abs(np.diff(part)).max()) for part in (parts[1], parts[3]))
    assert float(np.abs(np.diff(parts[2])).max()) <= usual, "taking it away makes no click"


def test_a_state_makes_another_instance_the_same(path):
    def sound_of(engine, plugin):
        plugin.add_midi_note(64, 90, 0.0, 0.5)
        return render(engine, [(plugin, [])], 0.5)

    engine, plugin = load(path)
    plugin.set_parameter(index(plugin, "Contact stiffness"), 0.31)
    sound = sound_of(engine, plugin)
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "state")
        plugin.save_state(state)
        engine, fresh = load(path)
        fresh.load_state(state)
    assert abs(fresh.get_parameter(index(fresh, "Contact stiffness")) - 0.31) < 1e-6
    assert np.array_equal(sound_of(engine, fresh), sound)
