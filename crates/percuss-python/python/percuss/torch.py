"""Clips for PyTorch, rendered while a model trains. Needs torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils.data import IterableDataset, get_worker_info

from ._percuss import Clip, Recipe
from .data import Dataset

__all__ = ["ClipStream"]


def _tensors(clip: Clip) -> dict[str, Any]:
    """The sound as float32, the parameters as numbers, the labels as they are."""
    labels = {name: torch.as_tensor(value) for name, value in clip.labels.items()}
    return {"clip": clip.index, "audio": torch.as_tensor(clip.samples).float(), **clip.parameters, **labels}


class ClipStream(IterableDataset[Any]):
    """The clips of a recipe in order, from `start` to below `end`; workers of a `DataLoader` take turns.

    `transform` makes an item of a clip; by default a dictionary with the sound as a tensor, the parameters and the labels.
    """

    def __init__(
        self,
        recipe: Recipe | Dataset,
        start: int = 0,
        end: int | None = None,
        transform: Callable[[Clip], Any] = _tensors,
    ) -> None:
        self.recipe = recipe.recipe if isinstance(recipe, Dataset) else recipe
        self.range = range(start, self.recipe.clips if end is None else end)
        self.transform = transform

    def __len__(self) -> int:
        return len(self.range)

    def __iter__(self) -> Iterator[Any]:
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker is not None else (0, 1)
        for index in self.range[first::step]:
            clip = self.recipe.render(index)
            if clip is not None:
                yield self.transform(clip)
