"""Models that are built in Python."""

import copy
import math

import numpy as np
import pytest

import percuss
from percuss import Collision, Control, Mass, Model, Path, Plate, Quantity, StiffString

RATE = 44_100.0


def hammer_and_string() -> Model:
    model = Model()
    string = model.add(StiffString(length=1.0, radius=0.5e-3, tension=100.0))
    hammer = model.add(Mass(mass=0.01, position=-1e-3, velocity=2.0))
    strike = model.collide(hammer.point(), string.at(0.33), Collision(stiffness=1e8, exponent=1.5))
    model.pickup(string.at(0.1), Quantity.Velocity)
    model.force_pickup(strike)
    return model


def test_a_model_equals_the_scene_that_describes_it() -> None:
    text = """
[scene]
name = "x"
[[string]]
id = "s"
length = 1.0
radius = 0.5e-3
tension = 100
youngs_modulus = 2e11
density = 7850
sigma0 = 1.0
sigma1 = 0.005
[[mass]]
id = "h"
mass = 0.01
position = -1e-3
velocity = 2.0
[[collision]]
below = { of = "h" }
above = { of = "s", at = 0.33 }
stiffness = 1e8
exponent = 1.5
[[pickup]]
of = "s"
at = 0.1
"""
    scene = percuss.parse(text).compile(RATE).process(4_000)
    built = hammer_and_string().compile(RATE).process(4_000)
    assert np.array_equal(scene[0], built[0])
    assert np.any(built[1] > 0.0)


def test_an_impact_has_the_force_of_the_closed_form() -> None:
    """A lossless impact on a wall: the largest compression stores all energy, and the speed comes back."""
    mass, speed, stiffness, exponent = 0.01, 1.0, 1e7, 1.3
    model = Model()
    wall, ball = model.add(percuss.Barrier()), model.add(Mass(mass=mass, position=1e-4, velocity=-speed))
    force = model.force_pickup(model.collide(wall.point(), ball.point(), Collision(stiffness=stiffness, exponent=exponent)))
    velocity = model.pickup(ball.point(), Quantity.Velocity)
    forces, velocities = model.compile(RATE).process(200, [force, velocity])
    compression = (0.5 * mass * speed**2 * (exponent + 1.0) / stiffness) ** (1.0 / (exponent + 1.0))
    # The samples miss the peak by up to half a sample of a contact of 19.
    assert stiffness * compression**exponent == pytest.approx(forces.max(), rel=0.02)
    assert velocities[-1] == pytest.approx(speed, rel=1e-9)


def test_controls_are_arrays_of_any_order_and_type() -> None:
    time = np.arange(12, dtype=np.float32)[::3]
    control = Control(time, [1, 2, 3, 4])
    assert control.at(1.5) == 1.5 and control.at(-1.0) == 1.0 and control.at(99.0) == 4.0
    assert np.array_equal(control.time, [0.0, 3.0, 6.0, 9.0]) and control.time.dtype == np.float64
    for bad_time, bad_value in (([0.0], [1.0, 2.0]), ([1.0, 0.0], [1.0, 2.0]), ([0.0], [math.nan]), ([], [])):
        with pytest.raises(ValueError, match="hint: "):
            Control(bad_time, bad_value)
    with pytest.raises(ValueError, match="one dimension"):
        Control(np.zeros((2, 2)), [1.0, 2.0])  # the wrong shape


def test_a_bow_that_moves_plays_a_string() -> None:
    model = Model()
    string = model.add(StiffString())
    path = string.along(Control([0.0, 0.5], [0.1, 0.2]))
    assert isinstance(path, Path)
    bow = model.bow(path, percuss.Bow(force=Control([0.0, 0.05], [0.0, 0.5]), velocity=0.1))
    model.pickup(string.at(0.7), Quantity.Velocity)
    running = model.compile(RATE)
    running.open_ledger()
    sound = running.process(8_000)
    assert np.abs(sound).max() > 1e-3
    ledger = running.ledger
    assert ledger is not None and ledger.interactions[bow.index].supplied > 0.0 and ledger.total.worst_relative < 1e-12


def test_parameters_and_strikers() -> None:
    model = Model()
    string = model.add(StiffString())
    finger = model.finger(string.at(0.5), percuss.Finger(pressure=0.0))
    pressure = model.expose(percuss.ParamPath.Pressure(finger), [0.0, 1.0], glide=0.01)
    striker = model.striker(string.at(0.2), percuss.Pulse(peak=2.0))
    model.pickup(string.at(0.3), Quantity.Velocity)
    running = model.compile(RATE)
    assert not np.any(running.process(100))
    running.strike(striker, 0.5)
    assert np.any(running.process(1_000))
    running.set(pressure, 1.0)
    running.process(1_000)
    assert running.force(finger) != 0.0
    with pytest.raises(ValueError, match="finite"):
        running.set(pressure, math.nan)
    with pytest.raises(ValueError, match="no value"):
        model.expose(percuss.ParamPath.Force(finger), [0.0, 1.0])


def test_every_kind_of_element_and_law_runs() -> None:
    model = Model()
    plate = model.add(
        Plate.steel(
            [0.2, 0.15],
            1e-3,
            edges=[percuss.Edge.Free] * 4,
            touches=[percuss.Touch(region=percuss.Region.Circle([0.3, 0.5], 0.03), damping=100.0)],
        )
    )
    assert model.touch(plate, percuss.Touch(region=percuss.Region.HalfPlane([0.0, 1.0], 0.2), mass=0.1)) == 1
    skin = model.add(Plate.membrane([0.3, 0.3], 0.26, 2_000.0, outline=percuss.Outline.Disc))
    undercut = percuss.Undercut(width=0.5, depth=0.4)
    bar = model.add(percuss.Bar(profile=percuss.Profile.Undercuts([undercut])))
    modal = model.add(percuss.Modal(modes=[percuss.Mode(frequency=440.0, decay=1.0, mass=0.1)], points=[[1.0], [0.5]]))
    mass = model.add(Mass(mass=0.02, position=-1e-3, velocity=1.0))
    string = model.add(StiffString(displacement=percuss.Shape.Triangle(0.3, 2e-3), ends=[percuss.End.Clamped] * 2))
    model.interact(mass.point(), plate.on([0.4, 0.4]), percuss.Felt())
    model.connect(string.at(0.9), modal.point_at(0), percuss.Connection(play=1e-5))
    model.spring(bar.at(0.2), modal.point_at(1), percuss.Spring())
    model.damper(bar.at(0.7), skin.on([0.5, 0.5]), percuss.Damper(resistance=0.1))
    model.drive(skin.on([0.4, 0.5]), percuss.Drive.Samples(8_000.0, np.sin(np.arange(800))))
    model.pulse(skin.on([0.4, 0.6]), percuss.Pulse())
    for point in (plate.on([0.7, 0.7]), skin.on([0.3, 0.5]), bar.at(0.0), modal.point_at(1), string.at(0.2)):
        model.pickup(point, Quantity.Velocity)
    running = model.compile(RATE)
    running.open_ledger()
    sound = running.process(3_000)
    assert np.all(np.isfinite(sound)) and np.all(np.abs(sound).max(axis=1) > 0.0)
    ledger = running.ledger
    assert ledger is not None and ledger.total.worst_relative < 1e-11


def test_mallets_plucks_waves_and_shaped_barriers() -> None:
    model = Model()
    string = model.add(StiffString(tension=60.0))
    blows = [percuss.Blow(time=0.02, speed=1.0), percuss.Blow(time=0.1, speed=2.0)]
    mallet = model.add(percuss.Mallet(mass=0.005, blows=blows))
    strike = model.collide(mallet.point(), string.at(0.2), Collision(stiffness=1e6))
    skin = model.add(Plate.membrane([0.3, 0.3], 0.26, 2_000.0))
    model.drive(skin.on([0.4, 0.4]), percuss.Drive.Control(Control.Wave(percuss.Waveform.Sine(200.0), 0.5)))
    plucked = model.add(StiffString())
    model.pluck(plucked.at(0.3), percuss.Pluck(force=2.0))
    model.modulate_tension(plucked)
    model.share_tension(model.add(StiffString()), model.add(StiffString()))
    model.modulate_tension(model.add(Plate.membrane([0.3, 0.2], 0.35, 1_000.0, stretching_modulus=4.9e9)))
    frets = percuss.BarrierShape.Frets([0.5, 0.7], [0.0, 0.0], 1e-3)
    board = model.add(percuss.Barrier(position=-1e-3, shape=frets, span=[0.1, 0.9]))
    model.collide_along(board, plucked, Collision(stiffness=1e8, exponent=1.5))
    wire = model.add(StiffString(length=0.2, radius=0.3e-3, displacement=percuss.Shape.Triangle(0.5, 1e-3)))
    model.collide_on_line(wire, skin, [[0.2, 0.5], [0.8, 0.5]], Collision(stiffness=1e6, gap=1e-4))
    for point in (string.at(0.4), skin.on([0.5, 0.5]), plucked.at(0.8), wire.at(0.4)):
        model.pickup(point, Quantity.Velocity)
    running = model.compile(RATE)
    running.open_ledger()
    assert not running.is_present(mallet)
    running.process(int(0.0205 * RATE))
    assert running.is_present(mallet)
    sound = running.process(8_000)
    ledger = running.ledger
    assert ledger is not None and ledger.interactions[strike.index].hits >= 2 and ledger.total.worst_relative < 1e-11
    assert np.all(np.abs(sound).max(axis=1) > 0.0)
    assert Control.Wave(percuss.Waveform.Sine(1.0), 2.0, offset=1.0).at(0.25) == pytest.approx(3.0)
    with pytest.raises(ValueError, match="cannot oscillate"):
        Control.Wave(percuss.Waveform.Sine(math.nan), 1.0)


def test_fields_have_defaults_can_be_set_and_are_checked() -> None:
    string = StiffString.steel(0.3e-3, tension=80.0)
    assert (string.radius, string.tension, string.length) == (0.3e-3, 80.0, 1.0)
    string.length = 0.65
    assert string.length == 0.65 and StiffString.steel(0.3e-3, tension=80.0, length=0.65) == string
    assert {"length", "tension"} <= set(dir(string))
    with pytest.raises(AttributeError, match="did you mean tension"):
        StiffString(tention=3.0)  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match="did you mean radius"):
        string.radiu = 1.0  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="StiffString.length"):
        StiffString(length="1 m")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="found 3 values, must be 2"):
        StiffString(ends=[percuss.End.Free] * 3)
    with pytest.raises(TypeError, match="Plate has no thickness"):
        Plate(size=[1.0, 1.0])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="must be an element\n  hint: use one of Mass"):
        Model().add(Collision())  # type: ignore[arg-type]


def test_compile_errors_say_which_part_and_what_to_do() -> None:
    model = hammer_and_string()
    bad = model.add(Mass(mass=-1.0))
    with pytest.raises(percuss.CompileError, match=r"element 2: mass is -1, must be above 0\n  hint: ") as raised:
        model.compile(RATE)
    assert (raised.value.part, raised.value.index) == ("element", bad.index)
    assert raised.value.hint and isinstance(raised.value, percuss.PercussError)
    with pytest.raises(percuss.CompileError, match="no element that can move"):
        Model().compile(RATE)


def test_ids_of_other_models_are_refused() -> None:
    own, other = hammer_and_string(), hammer_and_string()
    own.collide(other.elements[1].point(), own.elements[0].at(0.5), Collision())
    with pytest.raises(percuss.CompileError, match="another model"):
        own.compile(RATE)
    running = hammer_and_string().compile(RATE)
    with pytest.raises(ValueError, match="another model"):
        running.process(1, other.pickups)


def test_a_copy_is_another_model_with_the_same_ids() -> None:
    model = hammer_and_string()
    twin = copy.copy(model)
    twin.add(Mass())
    assert len(model.elements) == 2 and len(twin.elements) == 3
    assert np.array_equal(twin.compile(RATE).process(100, model.pickups), model.compile(RATE).process(100))
