"""Sets made by a Dask cluster of two workers on this machine, of which one is killed."""

import threading
from pathlib import Path

import pytest
from test_data import contents, small
from kill_worker import kill_a_worker

import percuss

distributed = pytest.importorskip("distributed")


def test_a_killed_worker_loses_no_clip_and_makes_none_twice(tmp_path: Path) -> None:
    from percuss.dask import write

    recipe = small(clips=60, shard=3)
    percuss.dataset(recipe).write(tmp_path / "whole")
    killed: list[int] = []
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=40) as cluster,
        distributed.Client(cluster) as client,
    ):
        killer = threading.Thread(target=kill_a_worker, args=(tmp_path / "cluster", killed), daemon=True)
        killer.start()
        complete: list[int] = []
        records = write(recipe, tmp_path / "cluster", client=client, progress=lambda done, all: complete.append(done))
    assert killed, "no worker was killed"
    assert complete[-1] == recipe.shards == len(records)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "whole")
