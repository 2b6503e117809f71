"""Sounds in notebooks, and pictures."""

import io
import wave
from xml.etree import ElementTree

import numpy as np
import pytest

import percuss
from percuss import Sound


def test_a_scene_renders_its_channels() -> None:
    scene = percuss.preset("hammer-bar")
    sound = scene.render(seconds=0.1)
    assert sound.samples.shape == (2, 4_410) and sound.seconds == pytest.approx(0.1)
    pickups = scene.compile().process(4_410)
    pans = [output.pan for output in scene.outputs]
    assert all(pan is not None for pan in pans)
    angles = [(pan + 1.0) * np.pi / 4.0 for pan in pans if pan is not None]
    gains = [output.gain for output in scene.outputs]
    left = sum(gain * np.cos(angle) * row for gain, angle, row in zip(gains, angles, pickups))
    assert np.allclose(sound.samples[0], left, rtol=1e-12, atol=1e-15)
    with pytest.raises(ValueError, match="must be above 0"):
        scene.render(seconds=-1.0)


def test_a_sound_has_a_player_and_a_picture() -> None:
    sound = Sound(np.sin(np.arange(10_000) * 0.1), 44_100)
    with wave.open(io.BytesIO(sound.wav())) as file:
        assert (file.getnchannels(), file.getframerate(), file.getnframes()) == (1, 44_100, 10_000)
        frames = np.frombuffer(file.readframes(10_000), dtype="<i2")
    assert np.abs(frames / 32_767.0 - sound.samples[0] / np.abs(sound.samples).max()).max() < 1e-4
    assert ElementTree.fromstring(sound.svg()).tag.endswith("svg")
    assert "<audio controls" in sound._repr_html_() and "1 channel, 0.227 s" in repr(sound)
    assert Sound(np.zeros((2, 0)), 8_000).svg() and Sound(np.zeros(3), 8_000).wav()
    with pytest.raises(ValueError, match="dimensions"):
        Sound(np.zeros((1, 1, 1)), 1.0)


def test_scenes_and_clips_show_themselves() -> None:
    assert "<svg" in percuss.preset("bounce")._repr_html_()
    recipe = percuss.recipe("x", preset="bounce", vary={}, seed=1, clips=1, duration=0.1)
    clip = recipe.render(0)
    assert clip is not None and "<audio" in clip._repr_html_()


def test_pictures_are_drawn() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from percuss import plot

    scene = percuss.preset("regional-damping")
    running = scene.compile()
    samples = running.process(4_000)
    assert len(plot.waveform(samples, 44_100, ["a", "b"]).lines) == len(samples)
    levels = plot.spectrogram(samples, 44_100).images[0].get_array()
    assert levels is not None and levels.shape[0] == 1_025
    assert plot.field(running.displacements(scene.elements["plate"])).images
    assert plot.field(np.arange(3.0)).lines
