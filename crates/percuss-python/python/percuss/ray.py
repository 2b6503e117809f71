"""Data sets made by a Ray cluster. Needs ray: pip install percuss[ray]."""

from __future__ import annotations

import os
from collections.abc import Callable

import ray

from ._percuss import Recipe, ShardRecord
from .data import Dataset, _make_shard

__all__ = ["write"]


def write(
    recipe: Recipe | Dataset,
    folder: str | os.PathLike[str],
    *,
    address: str | None = None,
    retries: int = 5,
    progress: Callable[[int, int], object] | None = None,
) -> list[ShardRecord]:
    """Writes a set to a folder that all workers share: a task for every shard that is missing, each with one core.

    Starts Ray on this machine, or connects to the cluster at `address`, unless it is running already. A task whose worker dies is
    tried again up to `retries` times; shards are written completely or not at all, and once. `progress` is called with the
    number of complete shards and of all.
    """
    recipe = recipe.recipe if isinstance(recipe, Dataset) else recipe
    if not ray.is_initialized():
        ray.init(address=address)
    folder = os.path.abspath(folder)
    missing = recipe.missing_shards(folder)
    # A thread for the core that a task has: Ray puts a task on every core.
    environment = {"env_vars": {"RAYON_NUM_THREADS": "1"}}
    make = ray.remote(num_cpus=1, max_retries=retries, runtime_env=environment)(_make_shard)
    pending = [make.remote(recipe.text, recipe.file, folder, shard) for shard in missing]
    complete = recipe.shards - len(missing)
    while pending:
        done, pending = ray.wait(pending, num_returns=1)
        ray.get(done)
        complete += len(done)
        if progress is not None:
            progress(complete, recipe.shards)
    return recipe.finish(folder)
