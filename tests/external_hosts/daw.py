"""What the tests of hosts with windows share: the song, the plugin's state, takes from JACK, and the editor inside a window."""

import math
import os
import re

import program
from desktop import wait_for
from sound import RATE, assert_sane, first, read

PRESET = "Concert Xylophone"
# Seconds of the song with its end; a second is two quarter notes.
SECONDS = 4.0
# Frame, key and velocity; 0 ends a note. The frames lie on the ticks of both hosts.
NOTES = [(12_000, 60, 100), (18_000, 60, 0), (24_000, 67, 60), (30_000, 67, 0), (48_000, 72, 120), (54_000, 72, 0)]
# Colours of a window in which the editor is drawn; an empty one has fewer than ten.
DRAWN = 300
# Largest difference of what is recorded in real time from what the command line renders [dB].
RECORDED = -80.0


def write_song(folder):
    file = os.path.join(folder, "song.mid")
    with open(file, "wb") as song:
        song.write(program.midi(NOTES))
    return file


def expected(folder, preset):
    """What the command line renders of the song."""
    return program.render(NOTES, SECONDS, folder, "--preset", preset)


def write_preferences(desktop, zoom=1.0):
    """Preferences of the editor: not its first run, and this zoom."""
    folder = os.path.join(desktop.home, ".local/share/urto")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "editor.toml"), "w") as file:
        file.write(f"first = false\nzoom = {zoom}\n")


def zoom_of(desktop):
    """The zoom in the preferences of the editor, which it writes at each change."""
    with open(os.path.join(desktop.home, ".local/share/urto/editor.toml")) as file:
        return float(dict(line.split(" = ") for line in file.read().splitlines() if line.startswith("zoom"))["zoom"])


# A number in the text of a state.
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE]-?\d+)?")


def assert_same_state(recalled, saved):
    """Fails if two states of the plugin differ. Their numbers may differ by what a host loses that keeps every value in 32 bits."""
    recalled, saved = (data[data.index(b"{") : data.rindex(b"}") + 1].decode() for data in (recalled, saved))
    assert NUMBER.sub("#", recalled) == NUMBER.sub("#", saved), "the recalled state has other fields"
    pairs = list(zip(NUMBER.findall(recalled), NUMBER.findall(saved)))
    differing = [pair for pair in pairs if not math.isclose(float(pair[0]), float(pair[1]), rel_tol=1e-6)]
    assert not differing, f"{len(differing)} numbers differ, the first {differing[0]}"
    exact = sum(one == other for one, other in pairs)
    return f"{len(pairs)} numbers, {len(pairs) - exact} of them with another last digit"


def write_list(desktop, host, lines):
    """Keeps the list of parameters that a host shows, beside the pictures."""
    with open(os.path.join(desktop.pictures, f"{host}-parameters.txt"), "w") as file:
        file.write("\n".join(lines) + "\n")


def compare(take, whole):
    """How far a take from JACK, which begins at any frame, is from the whole song [dB]."""
    assert_sane(take)
    length = int(2.5 * RATE)
    begun, due = first(take), first(whole)
    heard, asked = take[:, begun : begun + length], whole[:, due : due + length]
    assert heard.shape == asked.shape, f"the take ends {asked.shape[1] - heard.shape[1]} frames early"
    return program.apart(heard, asked)


def record(desktop, ports, play, stop, whole):
    """Plays the song and records it. Returns its distance from the whole song [dB]; an overloaded computer gets three tries."""
    distances = []
    for number in range(3):
        file = os.path.join(desktop.folder, f"take{number}.wav")
        recorder = desktop.record(ports, int(SECONDS) + 2, file)
        wait_for(lambda: any("jackrec" in port for port in desktop.ports()), 10, "jack_rec opens its ports")
        play()
        recorder.wait(30)
        stop()
        desktop.end(recorder)
        distances.append(compare(read(file), whole))
        if distances[-1] < RECORDED:
            break
    assert distances[-1] < RECORDED, f"{', '.join(f'{value:.0f}' for value in distances)} dB from the command line"
    return f"{distances[-1]:.0f} dB from the command line"


def wait_until_drawn(desktop, window, seconds=20):
    wait_for(lambda: desktop.colours(window) > DRAWN, seconds, "the editor draws its first picture")


def editor_inside(desktop, window):
    """Sizes of the host's window and of the editor in it. Fails if the editor is larger than the window."""
    left, top, width, height = desktop.place(window)
    editor = desktop.place(desktop.window("^Urto$", 5))
    text = f"window {width}x{height}, editor {editor[2]}x{editor[3]}"
    inside = editor[0] >= left and editor[1] >= top and editor[0] + editor[2] <= left + width and editor[1] + editor[3] <= top + height
    assert inside, f"the editor is larger than the host's window: {text}"
    return text


def settle(desktop, window, seconds=5):
    """Waits until the screen shows the same twice in a row."""
    seen = [None]

    def same():
        before, seen[0] = seen[0], desktop.pixels(window)
        return before == seen[0]

    try:
        wait_for(same, seconds, "the editor rests")
    except TimeoutError:
        pass


def show_zooms(desktop, window, host):
    """Pictures of the editor at zoom 1, 1.5 and 1 again, and after a drag of its corner. Fails if the editor outgrows its window."""
    results, faults = [], []

    def show(name, zoom, change=None):
        if change:
            change()
            wait_for(lambda: abs(zoom_of(desktop) - zoom) < 1e-6, 10, f"the editor's zoom becomes {zoom}")
        settle(desktop, window)
        desktop.photograph(f"{host}-{name}", desktop.place(window))
        try:
            results.append(f"{name}: {editor_inside(desktop, window)}")
        except AssertionError as fault:
            faults.append(f"{name}: {fault}")

    desktop.focus(window)
    left, top, width, height = desktop.place(window)
    desktop.move(left + width // 3, top + height // 3)
    show("zoom-100", 1.0)
    show("zoom-150", 1.5, lambda: desktop.press("plus", "plus"))
    show("zoom-100-again", 1.0, lambda: desktop.press("minus", "minus"))
    show("grip", 1.0, lambda: drag_grip(desktop, window))
    assert not faults, "; ".join(faults + results)
    return "; ".join(results)


def drag_grip(desktop, window):
    """Drags the lower right corner of the window, where the editor has its grip, by 120 x 80 pixels."""
    left, top, width, height = desktop.place(window)
    desktop.drag(left + width - 9, top + height - 9, 120, 80)
