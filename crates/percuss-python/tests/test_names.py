"""Models have the names of Rust: those of the engine's record of its public API.

The engine may be ahead of the package: what only Rust has is reported by a skipped test; what only Python has is an error.
"""

import re
from typing import Any

import pytest
from conftest import ROOT

import percuss

RECORD = (ROOT / "crates/percuss/public-api.txt").read_text()
DESCRIPTIONS = [
    "Bar", "Barrier", "Blow", "Bow", "Cavity", "Collision", "Connection", "Damper", "Finger", "Mallet", "Mass", "Modal", "Mode",
    "Patch", "Plate", "Pluck", "Pulse", "Spring", "StiffString", "Touch", "Undercut",
]  # fmt: skip
CHOICES = [
    "BarrierShape", "Drive", "Edge", "End", "Friction", "Method", "Outline", "ParamPath", "Profile", "Quantity", "Region", "Scheme",
    "Shape", "TouchLaw", "TouchParam", "Waveform",
]  # fmt: skip
REQUIRED: dict[str, dict[str, Any]] = {
    "Blow": {"time": 0.0, "speed": 1.0},
    "Cavity": {"volume": 1.0},
    "Damper": {"resistance": 1.0},
    "Modal": {"modes": [], "points": []},
    "Mode": {"frequency": 1.0, "mass": 1.0},
    "Patch": {"radius": 1.0, "surface_density": 1.0},
    "Plate": {"size": [1.0, 1.0], "thickness": 1e-3},
    "Undercut": {"width": 0.1, "depth": 0.1},
}
# Python has lists of ids under these names, or operators in their place.
LEFT_OUT = {"element_ids", "interaction_ids", "exciter_ids", "exciters", "new", "eq", "default", "clone"}


def report(name: str, missing: set[str]) -> None:
    if missing:
        pytest.skip(f"{name} of Rust has {', '.join(sorted(missing))}, which Python has not yet")


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_descriptions_have_the_fields_of_rust(name: str) -> None:
    fields = set(re.findall(rf"^pub percuss::{name}::(\w+): ", RECORD, re.MULTILINE))
    described = getattr(percuss, name)(**REQUIRED.get(name, {}))
    assert fields and set(dir(described)) <= fields
    for field in dir(described):
        # What is read can be set again, and changes nothing.
        value = getattr(described, field)
        before = repr(described)
        setattr(described, field, value)
        assert repr(described) == before
    report(name, fields - set(dir(described)))


@pytest.mark.parametrize("name", CHOICES)
def test_enums_have_the_variants_of_rust(name: str) -> None:
    variants = set(re.findall(rf"^pub percuss::{name}::(\w+)(?:\(.*)?$", RECORD, re.MULTILINE))
    assert variants
    report(name, {variant for variant in variants if not hasattr(getattr(percuss, name), variant)})


def test_a_model_has_the_functions_of_rust() -> None:
    functions = set(re.findall(r"^pub fn percuss::Model::(\w+)\(", RECORD, re.MULTILINE)) - LEFT_OUT
    assert len(functions) > 15
    report("Model", {function for function in functions if not hasattr(percuss.Model, function)})
