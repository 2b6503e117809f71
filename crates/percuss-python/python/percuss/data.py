"""Recipes that are written in Python, and data sets.

A recipe names a scene, what varies in it and what is kept. Clip i depends on the recipe and on i alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ._percuss import Clip, Recipe, ShardRecord

__all__ = ["Choice", "Dataset", "Integer", "LogUniform", "Normal", "Uniform", "dataset", "recipe"]


@dataclass(frozen=True)
class Uniform:
    """Every number between two equally often."""

    least: float
    most: float

    def _toml(self) -> str:
        return f"uniform = [{float(self.least)!r}, {float(self.most)!r}]"


@dataclass(frozen=True)
class LogUniform:
    """Every ratio equally often, between two positive numbers."""

    least: float
    most: float

    def _toml(self) -> str:
        return f"log_uniform = [{float(self.least)!r}, {float(self.most)!r}]"


@dataclass(frozen=True)
class Normal:
    """The normal distribution, by its mean and standard deviation."""

    mean: float
    deviation: float

    def _toml(self) -> str:
        return f"normal = [{float(self.mean)!r}, {float(self.deviation)!r}]"


@dataclass(frozen=True)
class Integer:
    """Every whole number from one to another, both included, equally often."""

    least: int
    most: int

    def _toml(self) -> str:
        return f"integer = [{int(self.least)}, {int(self.most)}]"


class Choice:
    """Every value of a list equally often."""

    def __init__(self, values: Sequence[float | int | str]) -> None:
        self.values = list(values)

    def _toml(self) -> str:
        return f"choice = {_list(self.values)}"


Distribution = Uniform | LogUniform | Normal | Integer | Choice


def _list(values: Sequence[float | int | str]) -> str:
    return "[" + ", ".join(json.dumps(value, ensure_ascii=False) for value in values) + "]"


def recipe(
    name: str,
    *,
    scene: str | os.PathLike[str] | None = None,
    preset: str | None = None,
    vary: Mapping[str, Distribution],
    seed: int,
    clips: int,
    clips_per_shard: int | None = None,
    duration: float | None = None,
    rate: float | None = None,
    portable: bool = False,
    invalid: Literal["replace", "skip", "refuse"] = "replace",
    format: Literal["parquet", "webdataset"] = "parquet",
    audio: Literal["flac", "wav", "none"] = "flac",
    forces: Sequence[str] = (),
    hits: Sequence[str] = (),
    partials: Sequence[str] = (),
    energy: bool = False,
) -> Recipe:
    """A recipe of a scene file or a preset; `recipe(...).text` is its file."""
    lines = [f"name = {json.dumps(name)}"]
    if scene is not None:
        lines.append(f"scene = {json.dumps(str(Path(scene).absolute()))}")
    if preset is not None:
        lines.append(f"preset = {json.dumps(preset)}")
    if portable:
        lines.append("portable = true")
    lines += [f"seed = {seed}", f"clips = {clips}", f'invalid = "{invalid}"', f'format = "{format}"']
    for field, value in (("clips_per_shard", clips_per_shard), ("duration", duration), ("rate", rate)):
        if value is not None:
            lines.append(f"{field} = {value!r}")
    lines += ["", "[keep]", f'audio = "{audio}"', f"energy = {str(energy).lower()}"]
    for field, names in (("forces", forces), ("hits", hits), ("partials", partials)):
        lines.append(f"{field} = {_list(list(names))}")
    for path, distribution in vary.items():
        lines += ["", "[[vary]]", f"path = {json.dumps(path)}", distribution._toml()]
    return Recipe.parse("\n".join(lines) + "\n", f"{name}.toml")


def _make_shard(text: str, file: str, folder: str, shard: int) -> int:
    """What a task of a cluster does: makes a shard, unless it is complete."""
    recipe = Recipe.parse(text, file)
    if recipe.record(folder, shard) is None:
        recipe.write_shard(folder, shard)
    return shard


class Dataset(Sequence[Clip | None]):
    """The clips of a recipe, rendered when they are asked for; `None` for a clip that is left out."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe

    def __len__(self) -> int:
        return self.recipe.clips

    def __getitem__(self, index: int) -> Clip | None:  # type: ignore[override]
        return self.recipe.render(index + len(self) if index < 0 else index)

    def __iter__(self) -> Iterator[Clip | None]:
        return (self.recipe.render(index) for index in range(len(self)))

    def write(
        self, folder: str | os.PathLike[str], progress: Callable[[int, int], object] | None = None
    ) -> list[ShardRecord]:
        """Writes the set to a folder over all cores, or what is missing of it; returns a record of every shard.

        `progress` is called with the number of complete shards and of all.
        """
        missing = self.recipe.missing_shards(folder)
        for count, shard in enumerate(missing, 1):
            self.recipe.write_shard(folder, shard)
            if progress is not None:
                progress(self.recipe.shards - len(missing) + count, self.recipe.shards)
        return self.recipe.finish(folder)

    def __repr__(self) -> str:
        return f"<Dataset of {self.recipe!r}>"


def dataset(recipe: Recipe | str | os.PathLike[str]) -> Dataset:
    """The clips of a recipe, or of a recipe file."""
    return Dataset(recipe if isinstance(recipe, Recipe) else Recipe.load(recipe))
