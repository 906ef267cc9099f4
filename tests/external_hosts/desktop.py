"""A desktop of its own for hosts with windows: X server, window manager, JACK server and home folder. All of it ends with the test."""

import os
import re
import shutil
import signal
import subprocess
import time
import zlib

from sound import RATE

# Largest window of the editor that is tested, with the window of the host around it.
SCREEN = (2100, 1400)
# Frames of a period of the JACK server.
PERIOD = 512


def wait_for(condition, seconds, what):
    """The first true value of `condition`, which is asked ten times a second."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.1)
    raise TimeoutError(f"{what}: not within {seconds} s")


class Desktop:
    """Runs programs with a display, a JACK server and a home folder below `folder`; pictures go to `pictures`."""

    def __init__(self, folder, pictures):
        self.folder, self.pictures = folder, pictures
        self.home, self.processes, self.display = os.path.join(folder, "home"), [], None
        # JACK remembers eight names, also those of servers that were killed: the name of a folder is always the same
        self.server, self.jack = f"urto-{zlib.crc32(os.path.abspath(folder).encode()):08x}", None

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.home)
        os.makedirs(self.pictures, exist_ok=True)
        os.mkdir(os.path.join(self.folder, "run"), 0o700)
        try:
            self.start_display()
            self.start("openbox")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            self.end(process)

    def environment(self, **additions):
        """Variables of a program here: nothing of the user's desktop or configuration."""
        kept = ("PATH", "TMPDIR", "LD_LIBRARY_PATH", "USER", "LOGNAME")
        own = {
            "HOME": self.home,
            "XDG_CONFIG_HOME": os.path.join(self.home, ".config"),
            "XDG_DATA_HOME": os.path.join(self.home, ".local/share"),
            "XDG_CACHE_HOME": os.path.join(self.home, ".cache"),
            "XDG_RUNTIME_DIR": os.path.join(self.folder, "run"),
            "DISPLAY": self.display or "",
            "LANG": "C.UTF-8",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "JACK_DEFAULT_SERVER": self.server,
            "JACK_NO_AUDIO_RESERVATION": "1",
            # no session bus: neither a settings service nor an accessibility service is started
            "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            "NO_AT_BRIDGE": "1",
            "QT_QPA_PLATFORM": "xcb",
        }
        return {name: os.environ[name] for name in kept if name in os.environ} | own | additions

    def start_display(self):
        read, write = os.pipe()
        size = "x".join(map(str, SCREEN))
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
        self.start(*command, pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        assert number, f"Xvfb has not started; see {self.log('Xvfb')}"
        self.display = f":{number}"

    def start_jack(self):
        """A new JACK server. Every host gets one, since a client that has not said goodbye blocks a server that waits for clients."""
        if self.jack:
            self.end(self.jack)
        options = ["-n", self.server, "-r", "-S", "-t", "2000", "-d", "dummy", "-r", str(RATE), "-p", str(PERIOD)]
        self.jack = self.start("jackd", *options)
        wait_for(lambda: self.run("jack_lsp", check=False).returncode == 0, 20, "the JACK server answers")

    def log(self, program):
        return os.path.join(self.folder, f"{os.path.basename(program)}.log")

    def start(self, *command, pass_fds=(), **additions):
        """Starts a program; what it prints goes to a file of its name."""
        with open(self.log(command[0]), "ab") as log:
            process = subprocess.Popen(
                command,
                env=self.environment(**additions),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=pass_fds,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def end(self, process, seconds=10):
        """Asks a program to end, and kills it with its children if it does not."""
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        if process in self.processes:
            self.processes.remove(process)

    def run(self, *command, check=True, seconds=60, **additions):
        """Runs a program to its end."""
        result = subprocess.run(command, env=self.environment(**additions), capture_output=True, text=True, timeout=seconds)
        if check and result.returncode:
            raise RuntimeError(f"{' '.join(command)}: {result.stdout}{result.stderr}")
        return result

    def record(self, ports, seconds, file):
        """Starts to record JACK ports; the process ends after `seconds`."""
        return self.start("jack_rec", "-f", file, "-d", str(seconds), "-b", "32", *ports)

    def ports(self):
        return self.run("jack_lsp").stdout.split("\n")

    def windows(self, name):
        """Visible windows whose title matches the regular expression, by number."""
        found = self.run("xdotool", "search", "--onlyvisible", "--name", name, check=False).stdout
        return [int(number) for number in found.split()]

    def window(self, name, seconds=60):
        """The one visible window with this title, as soon as it is there."""
        return wait_for(lambda: self.windows(name), seconds, f"a window named {name}")[-1]

    def place(self, window):
        """Left, top, width and height of a window on the screen."""
        # xdotool counts the frame that the window manager draws twice
        text = self.run("xwininfo", "-id", str(window)).stdout
        values = dict(re.findall(r"^ +(Absolute.*X|Absolute.*Y|Width|Height): +(-?\d+)", text, re.MULTILINE))
        return tuple(int(values[name]) for name in ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height"))

    def colours(self, window):
        """How many colours the screen shows where the window is."""
        left, top, width, height = self.place(window)
        area = f"{width}x{height}{left:+}{top:+}"
        counted = self.run("import", "-silent", "-window", "root", "-crop", area, "-format", "%k", "info:", check=False).stdout
        return int(counted or 0)

    def pixels(self, window):
        """What the screen shows where the window is."""
        left, top, width, height = self.place(window)
        area = f"{width}x{height}{left:+}{top:+}"
        command = ["import", "-silent", "-window", "root", "-crop", area, "rgb:-"]
        return subprocess.run(command, env=self.environment(), capture_output=True, timeout=60).stdout

    def photograph(self, name, area=None):
        """A picture of the screen, or of the area (left, top, width, height) with what is around it."""
        file = os.path.join(self.pictures, f"{name}.png")
        cropped = []
        if area:
            margin = 60
            left, top = max(0, area[0] - margin), max(0, area[1] - margin)
            right = min(SCREEN[0], area[0] + area[2] + margin)
            bottom = min(SCREEN[1], area[1] + area[3] + margin)
            cropped = ["-crop", f"{right - left}x{bottom - top}+{left}+{top}", "+repage"]
        self.run("import", "-silent", "-window", "root", *cropped, file)
        return file

    def press(self, *keys):
        """Presses keys one after the other in the window that has the focus."""
        self.run("xdotool", "key", "--delay", "80", *keys)

    def click(self, left, top, times=1):
        self.run("xdotool", "mousemove", str(left), str(top), "click", "--repeat", str(times), "--delay", "60", "1")

    def move(self, left, top):
        self.run("xdotool", "mousemove", str(left), str(top))

    def drag(self, left, top, right, down):
        """Drags from a point by so many pixels; the pointer rests there first, so that what lies under it is ready."""
        self.run("xdotool", "mousemove", str(left), str(top), "sleep", "1", "mousedown", "1", "sleep", "0.3")
        for part in range(1, 5):
            self.run("xdotool", "mousemove", str(left + right * part // 4), str(top + down * part // 4), "sleep", "0.2")
        self.run("xdotool", "sleep", "0.3", "mouseup", "1")

    def focus(self, window):
        self.run("xdotool", "windowactivate", "--sync", str(window))
