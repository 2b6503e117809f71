"""Eigenfrequencies and mode shapes of elements as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._percuss import ElementId, Simulation

__all__ = ["Modes", "modes"]

_MAX_NODES = 4_000


@dataclass(frozen=True)
class Modes:
    """The lowest modes of an element."""

    frequencies: NDArray[np.float64]
    """Frequencies at which they sound at the simulation's rate [Hz], in rising order; 0 for a rigid motion."""
    shapes: NDArray[np.float64]
    """A row for every mode: the displacement of every node; the largest is 1."""
    places: NDArray[np.float64]
    """Places of the nodes: fractions of the length, or, in two columns, of a plate's sides."""


def modes(simulation: Simulation, element: ElementId, count: int = 12) -> Modes:
    """The lowest modes of an element, with the touches of the present, without losses where it is stepped on a grid."""
    operators = simulation.operators(element)
    if operators is None or operators.mass.size == 0:
        raise ValueError("the element has no modes\n  hint: name one that moves")
    if operators.mode_shapes.size:
        # In its modes: the stiffness is diagonal.
        squares = np.zeros_like(operators.mass)
        squares[operators.rows] = operators.stiffness / operators.mass[operators.rows]
        order = np.argsort(squares)[:count]
        squares, shapes = squares[order], operators.mode_shapes[order]
    else:
        squares, shapes = _eigenpairs(operators.mass, operators.rows, operators.columns, operators.stiffness, count)
    # The scheme steps at w' where 2 sin(w'k/2) = wk; where rounding leaves a rigid motion below 0 it is 0.
    rate = simulation.sample_rate
    sine = np.sqrt(np.maximum(squares, 0.0)) / (2.0 * rate)
    sounds = sine <= 1.0
    frequencies = np.arcsin(sine[sounds]) * rate / np.pi
    shapes = shapes[sounds]
    peaks = np.take_along_axis(shapes, np.abs(shapes).argmax(axis=1)[:, None], axis=1)
    return Modes(frequencies, shapes / peaks, operators.places)


def _eigenpairs(
    mass: NDArray[np.float64],
    rows: NDArray[np.uint64],
    columns: NDArray[np.uint64],
    stiffness: NDArray[np.float64],
    count: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Eigenvalues and vectors of K u = w^2 M u, of the full matrix."""
    if mass.size > _MAX_NODES:
        raise ValueError(f"the element has {mass.size} nodes\n  hint: use a lower rate, or `percuss modes` on the command line")
    scale = 1.0 / np.sqrt(mass)
    matrix = np.zeros((mass.size, mass.size))
    np.add.at(matrix, (rows, columns), stiffness * scale[rows] * scale[columns])
    squares, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
    return squares[:count], (scale[:, None] * vectors[:, :count]).T
