"""Modes against closed forms."""

import numpy as np
import pytest
from conftest import mass_on_spring

import percuss
from percuss import Bar, End, Method, Model, Plate, StiffString

RATE = 44_100.0


def test_modes_of_a_stiff_string_are_those_of_the_closed_form() -> None:
    model = Model()
    string = StiffString(sigma0=0.0, sigma1=0.0)
    element = model.add(string)
    found = percuss.modes(model.compile(RATE), element, 20)
    area = np.pi * string.radius**2
    number = np.arange(1, 21)
    inharmonicity = np.pi**2 * string.youngs_modulus * np.pi * string.radius**4 / 4.0 / string.tension
    exact = number / 2.0 * np.sqrt(string.tension / (string.density * area)) * np.sqrt(1.0 + inharmonicity * number**2)
    assert np.allclose(found.frequencies, exact, rtol=1e-9)
    for shape, n in zip(found.shapes, number):
        sine = np.sin(n * np.pi * found.places[:, 0])
        assert np.allclose(shape, sine / sine[np.abs(shape).argmax()], atol=1e-6)


def test_modes_of_a_grid_are_below_those_of_the_closed_form_and_orthogonal() -> None:
    model = Model()
    element = model.add(Bar(method=Method.Grid, ends=[End.SimplySupported] * 2, sigma0=0.0, sigma1=0.0))
    simulation = model.compile(RATE)
    found, operators = percuss.modes(simulation, element, 8), simulation.operators(element)
    assert operators is not None
    partials = np.pi / 2.0 * np.arange(1, 9) ** 2 * np.sqrt(7e10 / 12.0 / 2700.0) * 5e-3 / 0.3**2
    assert np.all(found.frequencies <= partials * (1.0 + 1e-9)) and found.frequencies[0] > 0.97 * partials[0]
    gram = found.shapes * operators.mass @ found.shapes.T
    assert np.allclose(gram, np.diag(np.diag(gram)), atol=1e-9 * gram.max())


def test_a_free_plate_has_three_rigid_motions() -> None:
    model = Model()
    element = model.add(Plate.steel([0.3, 0.2], 2e-3, method=Method.Grid))
    found = percuss.modes(model.compile(RATE), element, 5)
    assert np.all(found.frequencies[:3] < 0.05 * found.frequencies[3]) and found.places.shape[1] == 2
    assert found.shapes.shape[1] == len(found.places) and np.all(np.abs(found.shapes).max(axis=1) == 1.0)


def test_what_has_no_modes_is_refused() -> None:
    model = mass_on_spring()
    wall = model.add(percuss.Barrier())
    with pytest.raises(ValueError, match="has no modes"):
        percuss.modes(model.compile(RATE), wall)
