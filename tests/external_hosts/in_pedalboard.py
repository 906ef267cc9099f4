"""Urto in pedalboard, Spotify's host of VST3 plugins."""

import tempfile

import numpy as np
import pedalboard

import program
from sound import RATE, assert_sane, cents, drums, first, noise, peak, stands_out


def load(path, name="Urto"):
    return pedalboard.load_plugin(path, plugin_name=name)


def note(key, velocity=100, at=0.0, channel=0):
    return bytes([0x90 | channel, key, velocity]), at


def play(plugin, *messages, seconds=1.0, block=512, rate=RATE):
    return plugin(list(messages), duration=seconds, sample_rate=rate, buffer_size=block)


def test_it_is_an_instrument_with_its_knobs(path):
    plugin = load(path)
    assert plugin.is_instrument and plugin.name == "Urto"
    assert {"contact_stiffness", "contact_exponent", "drive_level", "output_level"} <= set(plugin.parameters)
    hidden = [name for name in plugin.parameters if name.startswith("midi")]
    assert not hidden, f"hidden controllers are shown: {hidden[:3]}"


def test_a_note_sounds_when_it_is_struck_and_at_its_pitch(path):
    plugin = load(path)
    sound = play(plugin, note(69, at=0.25), seconds=2.5)
    assert_sane(sound)
    # pedalboard rounds the times of messages to its blocks or to parts of them
    assert abs(first(sound) - RATE // 4) < 512, first(sound)
    assert abs(cents(sound[:, RATE // 4 :], 440.0)) < 1.0, cents(sound[:, RATE // 4 :], 440.0)


def test_blocks_of_1_to_8192_frames_sound_the_same(path):
    sounds = [play(load(path), note(60), seconds=0.5, block=block) for block in (1, 7, 32, 480, 4096, 8192)]
    assert all(np.array_equal(sounds[0], sound) for sound in sounds)


def test_rates_of_22_to_192_khz_have_the_same_pitch(path):
    for rate in (22_050, 44_100, 88_200, 96_000, 176_400, 192_000):
        sound = play(load(path), note(69), seconds=2.0, rate=rate)
        assert_sane(sound)
        assert abs(cents(sound, 440.0, rate)) < 1.0, f"{rate} Hz: {cents(sound, 440.0, rate)}"


def test_fifty_instances_sound_as_one(path):
    instances = [load(path) for _ in range(50)]
    sounds = [play(plugin, note(60), seconds=0.25) for plugin in instances]
    assert_sane(sounds[0])
    assert all(np.array_equal(sounds[0], sound) for sound in sounds)


# on the edges of pedalboard's blocks
STRIKES = [(0, 60, 100), (20 * 512, 67, 40), (20 * 512, 72, 127), (50 * 512, 60, 80)]


def strike(plugin, seconds=2.0):
    return play(plugin, *(note(key, velocity, frame / RATE) for frame, key, velocity in STRIKES), seconds=seconds)


def test_default_strikes_are_those_of_the_command_line(path):
    with tempfile.TemporaryDirectory() as folder:
        assert np.array_equal(strike(load(path)), program.render(STRIKES, 2.0, folder))


def test_bouncing_and_driven_presets_are_those_of_the_command_line(path):
    for name in ("Bouncing Marble", "Pearl on Glacier", "Press Roll", "Wires on Noise", "Buzzing Tanpura"):
        plugin = load(path)
        with tempfile.TemporaryDirectory() as folder:
            preset = program.preset(name, folder)
            plugin.load_preset(preset)
            sound = strike(plugin)
            expected = program.render(STRIKES, 2.0, folder, "--preset", preset)
        assert_sane(sound)
        # to the bit: where a marble bounces a last digit is another song within half a second
        assert np.array_equal(sound, expected), f"{name}: {program.apart(sound, expected)} dB apart"


def test_a_parameter_is_set_read_and_heard(path):
    plugin = load(path)
    loud = peak(play(plugin, note(60)))
    level = plugin.parameters["output_level"]
    level.raw_value = 0.5
    assert abs(level.raw_value - 0.5) < 1e-6 and level.string_value.endswith("dB"), level
    assert peak(play(load(path), note(60))) == loud, "another instance keeps its own"
    assert peak(play(plugin, note(60))) < 0.5 * loud


def test_a_state_makes_another_instance_the_same(path):
    plugin = load(path)
    plugin.parameters["contact_stiffness"].raw_value = 0.31
    plugin.parameters["output_level"].raw_value = 0.6
    sound = play(plugin, note(64))
    fresh = load(path)
    assert not np.array_equal(play(fresh, note(64)), sound)
    fresh.raw_state = plugin.raw_state
    assert abs(fresh.parameters["contact_stiffness"].raw_value - 0.31) < 1e-6
    assert np.array_equal(play(fresh, note(64)), sound)


def test_all_sound_off_is_heard_on_its_own_channel(path):
    def after(channel):
        off = bytes([0xB0 | channel, 120, 0]), 0.2
        return peak(play(load(path), note(60, channel=5), off)[:, RATE // 2 :])

    assert after(5) < 0.05 * after(6)


def effect(path, **travels):
    plugin = load(path, "Urto FonoBump")
    for name, travel in travels.items():
        plugin.parameters[name].raw_value = travel
    return plugin


def test_the_effect_is_an_effect_with_the_same_knobs(path):
    plugin = effect(path)
    assert plugin.is_effect and not plugin.is_instrument and plugin.name == "Urto FonoBump"
    assert list(plugin.parameters) == list(load(path).parameters)


def test_the_effect_is_heard_as_it_comes(path):
    assert_sane(effect(path)(drums(1.0), RATE))


def test_the_effect_fully_wet_at_gain_0_is_exact_silence(path):
    assert not effect(path, drive_level=0.0, dry_wet=1.0)(drums(1.0), RATE).any()


def test_the_effect_dry_passes_every_bit(path):
    loop = drums(1.0)
    assert np.array_equal(effect(path, dry_wet=0.0)(loop, RATE), loop)


def test_the_effect_shows_the_partials_of_its_body(path):
    sound = effect(path, drive_level=0.2, body_loss_factor=0.0, body_decay_time_t60=0.8)(noise(2.0), RATE)
    # a free uniform bar at the home key
    levels = [stands_out(sound, 261.6256 * ratio) for ratio in (1.0, 2.7565, 5.4039)]
    assert min(levels) > 20.0, f"{levels} dB over what is around"


def test_the_effect_in_blocks_of_any_size_sounds_the_same(path):
    sounds = [effect(path)(drums(0.5), RATE, buffer_size=block) for block in (32, 480, 4096)]
    assert all(np.array_equal(sounds[0], sound) for sound in sounds)


def test_a_state_of_the_instrument_makes_the_effect_the_same(path):
    plugin, other = load(path), effect(path)
    plugin.parameters["contact_stiffness"].raw_value = 0.31
    plugin.parameters["drive_level"].raw_value = 0.25
    # what is set lands with the next block
    play(plugin, seconds=0.1)
    other.raw_state = plugin.raw_state
    assert abs(other.parameters["contact_stiffness"].raw_value - 0.31) < 1e-6
    assert abs(other.parameters["drive_level"].raw_value - 0.25) < 1e-6
