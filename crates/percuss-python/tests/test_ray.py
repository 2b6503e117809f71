"""Sets made by a Ray cluster of two workers on this machine, of which one is killed."""

import threading
from pathlib import Path

import pytest
from kill_worker import kill_a_worker
from test_data import contents, small

import percuss

ray = pytest.importorskip("ray")


def test_a_killed_worker_loses_no_clip_and_makes_none_twice(tmp_path: Path) -> None:
    from percuss.ray import write

    recipe = small(clips=60, shard=3)
    percuss.dataset(recipe).write(tmp_path / "whole")
    killed: list[int] = []
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR")
    try:
        killer = threading.Thread(target=kill_a_worker, args=(tmp_path / "cluster", killed), daemon=True)
        killer.start()
        complete: list[int] = []
        records = write(recipe, tmp_path / "cluster", progress=lambda done, all: complete.append(done))
    finally:
        ray.shutdown()
    assert killed, "no worker was killed"
    assert complete[-1] == recipe.shards == len(records)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "whole")
