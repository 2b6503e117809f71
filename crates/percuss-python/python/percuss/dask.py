"""Data sets made by a Dask cluster. Needs distributed: pip install percuss[dask]."""

from __future__ import annotations

import os
from collections.abc import Callable

from distributed import Client, as_completed

from ._percuss import Recipe, ShardRecord
from .data import Dataset, _make_shard

__all__ = ["write"]


def write(
    recipe: Recipe | Dataset,
    folder: str | os.PathLike[str],
    *,
    client: Client | None = None,
    retries: int = 5,
    progress: Callable[[int, int], object] | None = None,
) -> list[ShardRecord]:
    """Writes a set to a folder that all workers share: a task for every shard that is missing.

    Uses `client`, or starts a cluster on this machine. A task that fails is tried again up to `retries` times, one whose worker
    dies as often as the cluster allows (`distributed.scheduler.allowed-failures`). `progress` is called with the number of complete
    shards and of all.
    """
    recipe = recipe.recipe if isinstance(recipe, Dataset) else recipe
    folder = os.path.abspath(folder)
    missing = recipe.missing_shards(folder)
    complete = recipe.shards - len(missing)
    cluster = client or Client(threads_per_worker=1)
    try:
        make = [cluster.submit(_make_shard, recipe.text, recipe.file, folder, shard, retries=retries) for shard in missing]
        for future in as_completed(make):
            future.result()
            complete += 1
            if progress is not None:
                progress(complete, recipe.shards)
    finally:
        if client is None:
            cluster.close()
    return recipe.finish(folder)
