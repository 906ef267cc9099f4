"""Runs every `test_...` of the hosts against the bundles: `python run.py Urto.vst3 urto-cli Urto.clap FOLDER [HOST...]`.

Without a HOST all run. Hosts with windows run on a display of their own, in `FOLDER/<host>`; their pictures are in
`FOLDER/pictures`. Exits with 1 if a test fails.
"""

import argparse
import importlib
import os
import sys
import time
import traceback

# Hosts that are Python packages, and hosts with windows.
LIBRARIES, PROGRAMS = ["pedalboard", "dawdreamer"], ["ardour", "qtractor"]
# A host that reads the texts of thousands of hidden parameters takes half a minute.
LONGEST_LOAD = 10.0


class Results:
    """Counts and prints the results of tests."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, test, *arguments):
        """Runs a test; what it returns is shown beside its name. Returns whether it has passed."""
        shown = name.removeprefix("test_").replace("_", " ")
        try:
            detail = test(*arguments)
        except Exception:
            self.failed += 1
            print(f"  FAILED  {shown}")
            traceback.print_exc(file=sys.stdout)
            return False
        self.passed += 1
        print(f"  ok      {shown}{f': {detail}' if detail else ''}", flush=True)
        return True


def tests(module):
    return [(name, test) for name, test in vars(module).items() if name.startswith("test_")]


def load_times(host, path):
    """Seconds of a first and of a second instance."""
    times = []
    for _ in range(2):
        begun = time.perf_counter()
        host.load(path)
        times.append(time.perf_counter() - begun)
    return times


def run_library(name, bundles, results):
    host = importlib.import_module(f"in_{name}")
    times = load_times(host, bundles.vst3)
    print(f"{name}: loads in {times[0]:.2f} s, again in {times[1]:.2f} s")
    results.failed += max(times) > LONGEST_LOAD
    for test_name, test in tests(host):
        results.check(test_name, test, bundles.vst3)


def run_program(name, bundles, results):
    """Runs the tests of a host with windows in their order; each begins where the one before has ended."""
    from desktop import Desktop

    module = importlib.import_module(f"in_{name}")
    begun = time.monotonic()
    print(f"{name}:", flush=True)
    with Desktop(os.path.join(bundles.folder, name), os.path.join(bundles.folder, "pictures")) as desktop:
        host = module.Host(desktop, bundles)
        for test_name, test in tests(module):
            if not results.check(test_name, test, host):
                picture = desktop.photograph(f"{name}-failed-{test_name.removeprefix('test_')}")
                print(f"          picture: {picture}; logs: {desktop.folder}", flush=True)
        host.end()
    print(f"  {time.monotonic() - begun:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("vst3", "cli", "clap", "folder"):
        parser.add_argument(name)
    parser.add_argument("hosts", nargs="*", metavar="HOST", help=", ".join([*LIBRARIES, *PROGRAMS]))
    parser.add_argument("--skipped", action="append", default=[], metavar="REASON", help="a line for the summary")
    arguments = parser.parse_args()
    if unknown := set(arguments.hosts) - {*LIBRARIES, *PROGRAMS}:
        parser.error(f"no host {', '.join(unknown)}")
    results = Results()
    for name in arguments.hosts or [*LIBRARIES, *PROGRAMS]:
        run = run_library if name in LIBRARIES else run_program
        run(name, arguments, results)
    print(f"pictures of hosts with windows: {os.path.join(arguments.folder, 'pictures')}")
    for reason in arguments.skipped:
        print(f"skipped: {reason}")
    print(f"{results.passed} passed, {results.failed} failed, {len(arguments.skipped)} skipped")
    return 1 if results.failed else 0


if __name__ == "__main__":
    sys.exit(main())
