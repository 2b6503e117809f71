"""Pictures of sounds and fields. Needs matplotlib: pip install percuss[plot]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from numpy.typing import NDArray

__all__ = ["field", "spectrogram", "waveform"]


def waveform(samples: NDArray[np.floating[Any]], rate: float, labels: Sequence[str] = (), axes: Axes | None = None) -> Axes:
    """Rows of samples over time [s]."""
    axes = axes if axes is not None else pyplot.subplots(figsize=(8, 2.5), layout="constrained")[1]
    rows = np.atleast_2d(samples)
    for index, row in enumerate(rows):
        axes.plot(np.arange(row.size) / rate, row, linewidth=0.7, label=labels[index] if index < len(labels) else None)
    axes.set_xlabel("time [s]")
    axes.margins(x=0)
    if labels:
        axes.legend(loc="upper right")
    return axes


def spectrogram(
    samples: NDArray[np.floating[Any]], rate: float, axes: Axes | None = None, window: int = 2048, decibels: float = 90.0
) -> Axes:
    """Level of one row of samples over time [s] and frequency [kHz], down to so many decibels below the loudest."""
    axes = axes if axes is not None else pyplot.subplots(figsize=(8, 3), layout="constrained")[1]
    row = np.atleast_2d(samples)[0]
    row = np.pad(row, (0, max(0, window - row.size)))
    frames = np.lib.stride_tricks.sliding_window_view(row, window)[:: window // 4]
    level = 20.0 * np.log10(np.abs(np.fft.rfft(frames * np.hanning(window))).T + 1e-300)
    top = float(level.max())
    extent = (0.0, row.size / rate, 0.0, rate / 2000.0)
    axes.imshow(level, origin="lower", aspect="auto", extent=extent, vmin=top - decibels, vmax=top, cmap="magma")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("frequency [kHz]")
    return axes


def field(displacements: NDArray[np.floating[Any]], axes: Axes | None = None) -> Axes:
    """Displacements of a string or bar as a line, those of a plate as a map [m]."""
    axes = axes if axes is not None else pyplot.subplots(figsize=(5, 3), layout="constrained")[1]
    if displacements.ndim == 1:
        axes.plot(displacements)
        axes.set_ylabel("displacement [m]")
        return axes
    top = float(np.abs(displacements).max()) or 1.0
    picture = axes.imshow(displacements, origin="lower", cmap="RdBu", vmin=-top, vmax=top)
    axes.figure.colorbar(picture, ax=axes, label="displacement [m]")
    return axes
