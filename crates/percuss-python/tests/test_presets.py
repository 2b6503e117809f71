"""Samples from Python against those of the Rust program."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import percuss

SAMPLES = 11_025


@pytest.fixture(scope="session")
def rust_samples(request: pytest.FixtureRequest) -> Path:
    """The Rust example that writes the samples of a preset."""
    folder = Path(request.config.getoption("--rust-examples"))
    program = shutil.which("samples", path=folder)
    if program is None:
        pytest.skip(f"needs {folder / 'samples'}: cargo build --profile test --workspace --example samples")
    return Path(program)


@pytest.mark.parametrize("name", list(percuss.presets()))
def test_samples_equal_those_of_rust_bit_for_bit(name: str, rust_samples: Path, tmp_path: Path) -> None:
    simulation = percuss.preset(name).compile()
    ours = simulation.process(SAMPLES)
    file = tmp_path / "samples"
    subprocess.run([rust_samples, name, str(SAMPLES), file], check=True, capture_output=True)
    theirs = np.fromfile(file, dtype="<f8").reshape(SAMPLES, -1).T
    assert ours.shape == theirs.shape
    assert np.array_equal(ours.view(np.int64), np.ascontiguousarray(theirs).view(np.int64))
    assert np.any(ours != 0.0)
