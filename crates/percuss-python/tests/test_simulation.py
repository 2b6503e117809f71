"""Laws of `Simulation`, and what it refuses."""

import threading
import time

import numpy as np
import pytest
from conftest import mass_on_spring

import percuss


def simulation(name: str = "hammer-string") -> percuss.Simulation:
    return percuss.preset(name).compile()


def test_blocks_of_any_length_give_the_same_samples() -> None:
    whole = simulation().process(6_000)
    in_blocks = simulation()
    blocks = [in_blocks.process(length) for length in (0, 1, 63, 64, 4_097, 1_775)]
    assert np.array_equal(np.concatenate(blocks, axis=1), whole)


def test_process_into_and_reset_give_the_same_samples() -> None:
    running = simulation()
    whole = running.process(500)
    running.reset()
    assert running.steps == 0
    out = np.full_like(whole, np.nan)
    running.process_into(out)
    assert np.array_equal(out, whole)


def test_step_advances_like_process() -> None:
    stepped, processed = simulation(), simulation()
    stepped.step(99)
    processed.process(99)
    assert stepped.steps == processed.steps == 99
    assert np.array_equal(stepped.process(10), processed.process(10))


def test_arrays_are_contiguous_float64_and_own_their_memory() -> None:
    running = simulation()
    first = running.process(100)
    kept = first.copy()
    running.process(100)
    assert first.dtype == np.float64 and first.flags.c_contiguous and first.flags.writeable
    assert np.array_equal(first, kept)
    del running
    assert np.array_equal(first, kept)


def test_ledger_balances_and_is_closed_by_default() -> None:
    running = simulation()
    assert running.ledger is None
    running.open_ledger()
    running.process(20_000)
    ledger = running.ledger
    assert ledger is not None
    total = ledger.total
    assert total.worst_relative < 1e-12
    assert abs(total.initial + total.supplied - total.stored - total.dissipated) < 1e-9 * total.scale
    scene = percuss.preset("hammer-string")
    assert len(ledger.elements) == len(scene.elements)
    assert len(ledger.interactions) == len(scene.interactions)
    assert ledger.interactions[0].hits >= 1 and ledger.interactions[0].peak_force > 0.0
    running.close_ledger()
    assert running.ledger is None


def test_fields_have_the_shape_of_the_grid() -> None:
    scene = percuss.preset("regional-damping")
    running = scene.compile()
    running.process(200)
    plate = running.displacements(scene.elements["plate"])
    assert plate.ndim == 2 and plate.shape[0] > 4 and plate.shape[1] > 4 and np.any(plate != 0.0)
    assert running.increments(scene.elements["plate"]).shape == plate.shape
    mass = mass_on_spring()
    assert mass.compile(44_100).displacements(mass.elements[0]).shape == (1,)


def test_partials_are_those_of_the_closed_form() -> None:
    scene = percuss.preset("hammer-string")
    partials = scene.compile().partials(scene.elements["string"])
    assert partials is not None and len(partials) > 10
    assert np.all(np.diff(partials) > 0.0)


def test_other_threads_run_while_a_simulation_does() -> None:
    running = simulation("regional-damping")
    finished = threading.Event()

    def run() -> None:
        running.process(20_000)
        finished.set()

    thread = threading.Thread(target=run)
    thread.start()
    looks = 0
    while not finished.is_set():
        looks += 1
        time.sleep(0.001)
    thread.join()
    assert looks > 5


def test_two_threads_cannot_run_one_simulation_at_once() -> None:
    running = simulation("regional-damping")
    thread = threading.Thread(target=running.process, args=(40_000,))
    thread.start()
    with pytest.raises(RuntimeError, match="borrowed"):
        while thread.is_alive():
            running.process(1)
    thread.join()


def test_foreign_ids_are_refused() -> None:
    own, other = percuss.preset("hammer-string"), percuss.preset("string-string")
    running = own.compile()
    element, interaction = next(iter(other.elements.values())), next(iter(other.interactions.values()))
    probe = percuss.preset("hammer-bar").probes[0].pickup
    for use in (
        lambda: running.displacements(element),
        lambda: running.partials(element),
        lambda: running.force(interaction),
        lambda: running.read(probe),
        lambda: running.process(10, [probe]),
    ):
        with pytest.raises(ValueError, match="another model\n  hint: "):
            use()
    assert running.steps == 0


@pytest.mark.parametrize(
    "out, message",
    [
        (np.empty((1, 64), dtype=np.float32), "float32"),
        (np.empty(64), "1 dimension"),
        (np.empty((3, 64)), "3 rows"),
        (np.empty((64, 1)).T[:, ::2], "contiguous"),
        ([[0.0] * 64], "list"),
        (None, "NoneType"),
    ],
)
def test_wrong_arrays_are_refused_with_a_hint(out: object, message: str) -> None:
    running = mass_on_spring().compile(44_100)
    with pytest.raises(ValueError, match=f"(?s){message}.*\n  hint: "):
        running.process_into(out)  # type: ignore[arg-type]
    assert running.steps == 0


def test_read_only_arrays_are_refused() -> None:
    out = np.empty((1, 8))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="cannot be written"):
        mass_on_spring().compile(44_100).process_into(out)


@pytest.mark.parametrize("samples", [2**62, 2**50])
def test_huge_blocks_are_refused(samples: int) -> None:
    with pytest.raises(MemoryError, match="hint: "):
        simulation().process(samples)


def test_negative_and_fractional_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="must be 0 or more"):
        simulation().process(-1)
    with pytest.raises(TypeError):
        simulation().process(1.5)  # type: ignore[arg-type]


def test_scene_errors_have_place_message_and_hint() -> None:
    text = '[scene]\nname = "x"\n\n[[mass]]\nid = "m"\nmass = -1\n'
    with pytest.raises(percuss.SceneError) as raised:
        percuss.parse(text, "bad.toml")
    first = raised.value.diagnostics[0]
    assert (first.severity, first.file, first.line, first.column) == ("error", "bad.toml", 6, 8)
    assert first.hint and "mass" in first.message
    assert str(raised.value).startswith("error: bad.toml:6:8: ")
    assert isinstance(raised.value, percuss.PercussError)


def test_compile_errors_of_scenes_have_their_place() -> None:
    text = '[scene]\nname = "x"\n[[string]]\nid = "s"\nlength = 1\nradius = 5e-4\ntension = 100\ngrid = 9999\n[[pickup]]\nof = "s"\nat = 0.3\n'
    with pytest.raises(percuss.SceneError, match=r"scene.toml:8:8: .*\n  hint: use grid = "):
        percuss.parse(text).compile()


def test_unknown_presets_and_files_are_refused_with_a_hint() -> None:
    with pytest.raises(ValueError, match='did you mean "hammer-string"'):
        percuss.preset("hamer-string")
    with pytest.raises(percuss.SceneError, match="hint: check the path"):
        percuss.load("no-such-file.toml")
