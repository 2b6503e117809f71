"""Options of the tests."""

from pathlib import Path

import pytest

import percuss

ROOT = Path(__file__).parents[3]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rust-examples",
        default=str(ROOT / "target/debug/examples"),
        help="folder of the Rust examples that results are compared with",
    )
    parser.addoption(
        "--program",
        default=str(ROOT / "target/release/percuss"),
        help="the program percuss, for what it and Python must do alike",
    )


def mass_on_spring() -> percuss.Model:
    """A model of one node with one pickup."""
    model = percuss.Model()
    mass = model.add(percuss.Mass(frequency=440.0, velocity=1.0))
    model.pickup(mass.point(), percuss.Quantity.Displacement)
    return model
