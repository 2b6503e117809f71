"""Recipes and data sets: what the libraries of others read from them, and that Python and the program make the same."""

import hashlib
import io
import json
import pickle
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import percuss
from percuss import Choice, Integer, LogUniform, Normal, Recipe, Uniform

EXAMPLE = ROOT / "examples/datasets/struck-plates.toml"


def small(clips: int = 10, shard: int = 4, changes: dict[str, str] | None = None) -> Recipe:
    """The example, with few short clips."""
    text = EXAMPLE.read_text().replace("clips = 10000", f"clips = {clips}\nduration = 0.1")
    text = text.replace("clips_per_shard = 500", f"clips_per_shard = {shard}")
    for old, new in (changes or {}).items():
        assert old in text
        text = text.replace(old, new)
    return Recipe.parse(text, str(EXAMPLE))


def contents(folder: Path) -> dict[str, str]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_clips_have_sound_parameters_and_labels() -> None:
    clips = percuss.dataset(small())
    assert len(clips) == 10
    clip = clips[3]
    assert clip is not None
    assert clip.samples.shape == (1, 4410) and clip.sample_rate == 44_100
    assert 0.5e-3 <= clip.parameters["plate_thickness"] <= 4e-3
    start, force = clip.labels["strike_force_start"], clip.labels["strike_force"]
    assert force.dtype == np.float32 and force[0] != 0.0
    assert clip.labels["strike_hits"][0] == pytest.approx(start / 44_100)
    assert not np.any(clip.samples[0, :start]), "there is silence before the stroke"
    last = clips[-1]
    assert last is not None and last.index == 9
    with pytest.raises(IndexError):
        clips[10]


def test_partials_scale_with_the_thickness() -> None:
    """A plate twice as thick sounds an octave higher: all partials but for losses are proportional."""
    sigma0 = np.log(1000.0) / 0.8
    ratios = []
    for clip in percuss.dataset(small()):
        assert clip is not None
        undamped = np.hypot(clip.labels["plate_partials"], sigma0 / (2.0 * np.pi))
        ratios.append(undamped[:40] / clip.parameters["plate_thickness"])
    assert np.all(np.ptp(ratios, axis=0) < 1e-9 * np.mean(ratios, axis=0))


def test_a_clip_is_the_scene_that_it_names() -> None:
    recipe = small()
    text, clip = recipe.scene(2), recipe.render(2)
    assert text is not None and clip is not None
    sound = percuss.parse(text, str(EXAMPLE)).compile().process(4_410)
    assert np.array_equal(sound, clip.samples)


def test_recipes_written_in_python_are_read_from_their_text() -> None:
    recipe = percuss.recipe(
        "masses",
        preset="colliding-masses",
        vary={
            "light.mass": LogUniform(1e-3, 1e-2),
            "heavy.mass": Uniform(1, 2),
            "light.damping": Normal(6.0, 1.0),
            "light.frequency": Integer(300, 400),
            "clash.exponent": Choice([1.5, 2]),
        },
        seed=1,
        clips=5,
        duration=0.05,
        energy=True,
        hits=["clash"],
    )
    again = pickle.loads(pickle.dumps(recipe))
    assert again.text == recipe.text
    for index in range(5):
        one, two = recipe.render(index), again.render(index)
        assert one is not None and two is not None
        assert one.parameters == two.parameters and np.array_equal(one.samples, two.samples)
        assert one.parameters["clash_exponent"] in (1.5, 2.0) and isinstance(one.parameters["light_frequency"], int)
        assert one.labels["energy_stored"].size == 2205 // 64


def test_errors_have_place_and_hint(tmp_path: Path) -> None:
    with pytest.raises(percuss.SceneError, match="did you mean \"light.mass\"") as raised:
        percuss.recipe("x", preset="colliding-masses", vary={"light.mas": Uniform(0, 1)}, seed=1, clips=1)
    assert raised.value.diagnostics[0].line is not None
    never = percuss.recipe(
        "x", preset="colliding-masses", vary={"light.mass": Uniform(-2, -1)}, seed=1, clips=1, invalid="refuse"
    )
    with pytest.raises(percuss.DataSetError, match="clip 0 .*\n  hint: "):
        never.render(0)
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(percuss.DataSetError, match="is not empty"):
        percuss.dataset(small()).write(tmp_path)
    with pytest.raises(OSError):
        percuss.dataset(small()).write("/proc/set")
    with pytest.raises(FileNotFoundError):
        percuss.dataset("no-such-recipe.toml")


def test_the_program_makes_the_same_set(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    program = shutil.which(request.config.getoption("--program"))
    if program is None:
        pytest.skip("needs the program: cargo build --release")
    recipe = small()
    percuss.dataset(recipe).write(tmp_path / "python")
    folder = tmp_path / "recipe"
    folder.mkdir()
    shutil.copy(EXAMPLE.with_name("plate.toml"), folder)
    (folder / "recipe.toml").write_text(recipe.text)
    subprocess.run([program, "sweep", folder / "recipe.toml", "-o", tmp_path / "rust"], check=True, capture_output=True)
    assert contents(tmp_path / "python") == contents(tmp_path / "rust")


def test_a_set_that_is_killed_is_continued(tmp_path: Path) -> None:
    recipe = small(clips=40, shard=2)
    calls: list[tuple[int, int]] = []
    percuss.dataset(recipe).write(tmp_path / "whole", lambda done, all: calls.append((done, all)))
    assert calls == [(done, 20) for done in range(1, 21)]
    script = "import percuss, pickle, sys; percuss.dataset(pickle.load(open(sys.argv[1], 'rb'))).write(sys.argv[2])"
    (tmp_path / "recipe.pickle").write_bytes(pickle.dumps(recipe))
    broken = tmp_path / "broken"
    for _ in range(3):
        run = subprocess.Popen([sys.executable, "-c", script, tmp_path / "recipe.pickle", broken])
        count = len(list(broken.glob("records/*.json")))
        while run.poll() is None and len(list(broken.glob("records/*.json"))) < count + 3:
            time.sleep(0.001)
        run.kill()
        run.wait()
    percuss.dataset(recipe).write(broken)
    assert contents(broken) == contents(tmp_path / "whole")


def test_datasets_reads_the_set(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    soundfile = pytest.importorskip("soundfile")
    recipe = small()
    records = percuss.dataset(recipe).write(tmp_path / "set")
    assert sum(record.clips for record in records) == 10
    read = datasets.load_dataset(str(tmp_path / "set"), split="train", cache_dir=str(tmp_path / "cache"))
    assert isinstance(read.features["audio"], datasets.Audio) and read.features["audio"].sampling_rate == 44_100
    # Decoded by soundfile: the decoder of `datasets` needs torch.
    read = read.cast_column("audio", datasets.Audio(decode=False))
    assert len(read) == 10
    for row in read:
        clip = recipe.render(row["clip"])
        assert clip is not None
        sound, rate = soundfile.read(io.BytesIO(row["audio"]["bytes"]), dtype="float64")
        assert rate == 44_100 and row["audio"]["path"] == f"{clip.index:06}.flac"
        assert np.abs(sound * row["audio_scale"] - clip.samples[0]).max() <= row["audio_scale"] / 2**23
        for name, value in clip.parameters.items():
            assert row[name] == value
        for name in ("strike_force", "strike_hits", "plate_partials"):
            assert np.array_equal(np.asarray(row[name], dtype=clip.labels[name].dtype), clip.labels[name])


def test_webdataset_reads_the_set(tmp_path: Path) -> None:
    webdataset = pytest.importorskip("webdataset")
    soundfile = pytest.importorskip("soundfile")
    recipe = small(changes={"clips_per_shard": 'format = "webdataset"\nclips_per_shard', 'audio = "flac"': 'audio = "wav"'})
    percuss.dataset(recipe).write(tmp_path / "set")
    shards = sorted(str(file) for file in (tmp_path / "set/data").glob("*.tar"))
    assert len(shards) == 3
    rows = list(webdataset.WebDataset(shards, shardshuffle=False))
    assert [row["__key__"] for row in rows] == [f"{index:06}" for index in range(10)]
    for row in rows:
        labels = json.loads(row["json"])
        clip = recipe.render(labels["clip"])
        assert clip is not None
        sound, rate = soundfile.read(io.BytesIO(row["wav"]), dtype="float32")
        assert rate == 44_100 and np.array_equal(sound, clip.samples[0].astype(np.float32))
        force = np.load(io.BytesIO(row["strike_force.npy"]))
        assert np.array_equal(force, clip.labels["strike_force"])
        assert labels["plate_thickness"] == clip.parameters["plate_thickness"]
        assert labels["strike_hits"] == list(clip.labels["strike_hits"])


def test_torch_streams_every_clip_once() -> None:
    torch = pytest.importorskip("torch")
    from percuss.torch import ClipStream

    recipe = small()
    for workers in (0, 2):
        loader = torch.utils.data.DataLoader(ClipStream(recipe, end=7), batch_size=None, num_workers=workers)
        items = {int(item["clip"]): item for item in loader}
        assert sorted(items) == list(range(7))
        clip = recipe.render(5)
        assert clip is not None
        assert items[5]["audio"].dtype == torch.float32
        assert np.array_equal(items[5]["audio"].numpy(), clip.samples.astype(np.float32))
