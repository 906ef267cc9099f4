"""Renders a data set with Ray: shards are tasks, which Ray repeats on another worker if one dies.

The result is the same as of `urto.dataset`. The folder must be one that all workers see.

Usage: python dataset_with_ray.py SPEC.toml FOLDER
"""

import os
import sys
from pathlib import Path

# no message to the developers of Ray, no lower priority than other programs (its default of 15 is five times slower beside other work), no token
os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0", "RAY_AUTH_MODE": "disabled"}

import ray
import urto


@ray.remote(max_retries=5)
def shard(spec, folder, number):
    urto.dataset_shard(spec, folder, number)


def main(spec, folder):
    ray.init(include_dashboard=False)
    missing = urto.dataset_prepare(spec, folder)
    ray.get([shard.remote(spec, folder, number) for number in missing])
    urto.dataset_finish(spec, folder)
    print(urto.dataset_verify(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
