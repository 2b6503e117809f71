"""Sounds that a notebook shows with a player and a picture."""

from __future__ import annotations

import base64
import io
import wave
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Sound"]

_COLUMNS, _HEIGHT = 600, 60


class Sound:
    """Samples and their rate [Hz]: a row for every channel."""

    def __init__(self, samples: NDArray[np.floating[Any]], rate: float) -> None:
        self.samples = np.atleast_2d(np.asarray(samples, dtype=np.float64))
        if self.samples.ndim != 2:
            raise ValueError(
                f"samples has {self.samples.ndim} dimensions, must have 1 or 2\n  hint: a row for every channel"
            )
        self.rate = float(rate)

    @property
    def seconds(self) -> float:
        """Length [s]."""
        return self.samples.shape[1] / self.rate

    def wav(self) -> bytes:
        """A WAV file with 16 bits, scaled to full scale, of up to two channels."""
        peak = float(np.abs(self.samples).max(initial=0.0)) or 1.0
        frames = np.round(self.samples[:2].T / peak * 32_767.0).astype("<i2")
        file = io.BytesIO()
        with wave.open(file, "wb") as writer:
            writer.setnchannels(frames.shape[1])
            writer.setsampwidth(2)
            writer.setframerate(round(self.rate))
            writer.writeframes(frames.tobytes())
        return file.getvalue()

    def svg(self) -> str:
        """The least and largest samples of every channel, as a picture."""
        count = len(self.samples)
        peak = float(np.abs(self.samples).max(initial=0.0)) or 1.0
        shapes = []
        for channel, row in enumerate(self.samples):
            parts = np.array_split(row, min(_COLUMNS, max(1, row.size)))
            middle = _HEIGHT * (channel + 0.5)
            edges = [[middle - 0.5 * _HEIGHT * edge(part, initial=0.0) / peak for part in parts] for edge in (np.max, np.min)]
            points = list(enumerate(edges[0])) + list(enumerate(edges[1]))[::-1]
            path = " ".join(f"{x},{y:.1f}" for x, y in points)
            shapes.append(f'<polygon points="{path}" fill="#3465a4" stroke="#3465a4" stroke-width="0.5"/>')
        size = f'width="{_COLUMNS}" height="{_HEIGHT * count}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(shapes)}</svg>'

    def _repr_html_(self) -> str:
        player = base64.b64encode(self.wav()).decode()
        return f'{self.svg()}<br><audio controls src="data:audio/wav;base64,{player}"></audio>'

    def __repr__(self) -> str:
        channels = len(self.samples)
        return f"<Sound: {channels} channel{'s' * (channels != 1)}, {self.seconds:.3f} s at {self.rate:g} Hz>"
