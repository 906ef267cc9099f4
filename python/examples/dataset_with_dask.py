"""Renders a data set with Dask: shards are tasks, which Dask repeats on another worker if one dies.

The result is the same as of `urto.dataset`. The folder must be one that all workers see. Without an address, two workers run on this machine.

Usage: python dataset_with_dask.py SPEC.toml FOLDER [SCHEDULER]
"""

import sys
from pathlib import Path

import urto
from distributed import Client, LocalCluster


def main(spec, folder, scheduler=None):
    # one thread for each worker: a task is one shard, and no two tasks write the same file
    cluster = scheduler or LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
    with Client(cluster) as client:
        missing = urto.dataset_prepare(spec, folder)
        client.gather(client.map(lambda number: urto.dataset_shard(spec, folder, number), missing, pure=False, retries=5))
    urto.dataset_finish(spec, folder)
    print(urto.dataset_verify(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), *sys.argv[3:])
