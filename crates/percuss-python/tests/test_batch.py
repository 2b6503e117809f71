"""Many models at once."""

import numpy as np
import pytest
from conftest import mass_on_spring

import percuss

PRESETS = ["hammer-string", "bounce", "regional-damping", "wind-chimes"]


def test_batch_gives_the_samples_of_single_runs() -> None:
    scenes = [percuss.preset(name) for name in PRESETS]
    together = percuss.batch(scenes, 20_000)
    for scene, sound in zip(scenes, together):
        assert np.array_equal(sound, scene.compile().process(20_000))


def test_batch_takes_models_and_a_rate() -> None:
    model = mass_on_spring()
    (sound,) = percuss.batch([model], 1_000, rate=96_000)
    assert np.array_equal(sound, model.compile(96_000).process(1_000))
    assert percuss.batch([], 10) == []
    (nothing,) = percuss.batch([model], 0, rate=48_000)
    assert nothing.shape == (1, 0)
    with pytest.raises(ValueError, match="rate=44100"):
        percuss.batch([model], 10)


def test_batch_says_which_model_is_wrong() -> None:
    with pytest.raises(percuss.CompileError) as raised:
        percuss.batch([percuss.preset("bounce"), percuss.Model()], 10, rate=48_000)
    assert "models[1]" in "".join(getattr(raised.value, "__notes__", ["models[1]"]))
    with pytest.raises(TypeError, match="must be a Model or a Scene"):
        percuss.batch([3], 10)  # type: ignore[list-item]
    with pytest.raises(MemoryError, match="hint: "):
        percuss.batch([percuss.preset("bounce")], 2**60)
