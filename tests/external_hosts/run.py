"""Runs every `test_...` of the hosts against one bundle: `python run.py Urto.vst3 urto-cli`. Exits with 1 if one fails."""

import sys
import time
import traceback

import in_dawdreamer
import in_pedalboard

HOSTS = [in_pedalboard, in_dawdreamer]
# A host that reads the texts of thousands of hidden parameters takes half a minute.
LONGEST_LOAD = 10.0


def load_times(host, path):
    """Seconds of a first and of a second instance."""
    times = []
    for _ in range(2):
        begun = time.perf_counter()
        host.load(path)
        times.append(time.perf_counter() - begun)
    return times


def main(path):
    passed, failed = 0, 0
    for host in HOSTS:
        times = load_times(host, path)
        print(f"{host.__name__}: loads in {times[0]:.2f} s, again in {times[1]:.2f} s")
        failed += max(times) > LONGEST_LOAD
        for name, test in vars(host).items():
            if not name.startswith("test_"):
                continue
            try:
                test(path)
                passed += 1
                print(f"  ok      {name.removeprefix('test_').replace('_', ' ')}")
            except Exception:
                failed += 1
                print(f"  FAILED  {name.removeprefix('test_').replace('_', ' ')}")
                traceback.print_exc(file=sys.stdout)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
