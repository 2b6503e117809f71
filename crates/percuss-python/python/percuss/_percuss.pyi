"""Types of the module that is written in Rust."""

import os
from typing import Any, Sequence, final

import numpy as np
from numpy.typing import NDArray

from .display import Sound

__version__: str

class PercussError(Exception):
    """Any error of percuss."""

class SceneError(PercussError):
    """A scene file that cannot be used. Its text is what the program prints."""

    diagnostics: list[Diagnostic]

class CompileError(PercussError):
    """A model that cannot be simulated at a rate."""

    part: str
    """`"model"`, `"element"`, `"interaction"`, `"exciter"` or `"pickup"`."""
    index: int | None
    """Which of them, in the order of adding."""
    hint: str

class DataSetError(PercussError):
    """A data set that cannot be made; the text has a hint."""

@final
class Diagnostic:
    """An error or warning about a scene file."""

    @property
    def severity(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...
    @property
    def message(self) -> str: ...
    @property
    def hint(self) -> str | None: ...
    @property
    def text(self) -> str:
        """All of it, as the program prints it."""

@final
class Point:
    """A place on an element."""

    @property
    def element(self) -> ElementId: ...

@final
class ElementId:
    """An element of a model."""

    @property
    def index(self) -> int: ...
    def point(self) -> Point:
        """The element itself, where it has only one place: a mass or a barrier."""
    def at(self, fraction: float) -> Point:
        """A place on a string or bar, as a fraction of its length."""
    def on(self, fractions: Sequence[float]) -> Point:
        """A place on a plate, as fractions of its sides."""
    def along(self, fraction: ControlLike) -> Path:
        """A place that moves along a string or bar, as a fraction of its length."""
    def over(self, fractions: Sequence[ControlLike]) -> Path:
        """A place that moves over a plate, as fractions of its sides."""
    def point_at(self, index: int) -> Point:
        """The i-th point of a modal resonator."""
    def __hash__(self) -> int: ...

@final
class InteractionId:
    """An interaction of a model."""

    @property
    def index(self) -> int: ...
    def __hash__(self) -> int: ...

@final
class ExciterId:
    """A pulse, drive or striker of a model."""

    @property
    def index(self) -> int: ...
    def __hash__(self) -> int: ...

@final
class PickupId:
    """A pickup of a model."""

    @property
    def index(self) -> int: ...
    def __hash__(self) -> int: ...

@final
class ParamId:
    """A parameter of a model."""

    @property
    def index(self) -> int: ...
    def __hash__(self) -> int: ...

Numbers = Sequence[float] | NDArray[np.floating[Any]] | NDArray[np.integer[Any]]
"""Numbers in one dimension."""
ControlLike = float | Control
"""A number, or breakpoints."""

@final
class Control:
    """A value that changes in time: breakpoints joined by straight lines and held outside, or a wave."""

    def __init__(self, time: Numbers, value: Numbers) -> None: ...
    @staticmethod
    def Wave(
        waveform: Waveform,
        amplitude: float,
        offset: float = 0.0,
        start: float = 0.0,
        duration: float = ...,
        fade: float = 0.0,
    ) -> Control:
        """An oscillation around `offset`: from `start` on, for `duration`, rising and falling within `fade` [s]."""
    def at(self, time: float) -> float:
        """Value at a time [s]."""
    @property
    def time(self) -> NDArray[np.float64]:
        """Times of the breakpoints [s]."""
    @property
    def value(self) -> NDArray[np.float64]:
        """Values of the breakpoints."""

@final
class Path:
    """A place on an element, still or moving."""

@final
class End:
    """How an end of a string or bar is held."""

    SimplySupported: End
    Clamped: End
    Free: End
    def __hash__(self) -> int: ...

@final
class Edge:
    """How an edge of a plate is held."""

    SimplySupported: Edge
    Clamped: Edge
    Free: Edge
    FreeFullCell: Edge
    def __hash__(self) -> int: ...

@final
class Outline:
    """What a plate looks like from above."""

    Rectangle: Outline
    Disc: Outline
    def __hash__(self) -> int: ...

@final
class TouchLaw:
    """How touches take hold of a plate."""

    Passive: TouchLaw
    Absolute: TouchLaw
    def __hash__(self) -> int: ...

@final
class Method:
    """How a body is stepped."""

    Modes: Method
    Grid: Method
    def __hash__(self) -> int: ...

@final
class Scheme:
    """How contacts are solved."""

    Plain: Scheme
    Tracked: Scheme
    Newton: Scheme
    def __hash__(self) -> int: ...

@final
class Quantity:
    """What a pickup reads."""

    Displacement: Quantity
    Velocity: Quantity
    Force: Quantity
    def __hash__(self) -> int: ...

@final
class Shape:
    """A shape along a string or bar, for its displacement or velocity at the start."""

    @staticmethod
    def Flat() -> Shape: ...
    @staticmethod
    def Triangle(at: float, height: float) -> Shape: ...
    @staticmethod
    def RaisedCosine(at: float, width: float, height: float) -> Shape: ...

@final
class BarrierShape:
    """How the height of a barrier changes along a string."""

    @staticmethod
    def Flat() -> BarrierShape: ...
    @staticmethod
    def Parabola(at: float, width: float, depth: float) -> BarrierShape: ...
    @staticmethod
    def Polyline(at: Numbers, height: Numbers) -> BarrierShape: ...
    @staticmethod
    def Frets(at: Numbers, height: Numbers, width: float) -> BarrierShape: ...

@final
class Waveform:
    """How a wave oscillates."""

    @staticmethod
    def Sine(frequency: float, phase: float = 0.0) -> Waveform: ...
    @staticmethod
    def Sweep(frequencies: Sequence[float], exponential: bool = False) -> Waveform: ...
    @staticmethod
    def Noise(bandwidth: float, seed: int = 0) -> Waveform: ...

@final
class Profile:
    """The thickness along a bar, over `Bar.thickness`."""

    @staticmethod
    def Uniform() -> Profile: ...
    @staticmethod
    def Undercuts(undercuts: Sequence[Undercut]) -> Profile: ...
    @staticmethod
    def Lines(at: Numbers, ratio: Numbers) -> Profile: ...

@final
class Friction:
    """A law of dry friction."""

    @staticmethod
    def Exponential(sharpness: float) -> Friction: ...
    @staticmethod
    def Stribeck(sliding: float, sticking: float, velocity: float, creep: float) -> Friction: ...
    @staticmethod
    def Bristle(sliding: float, sticking: float, velocity: float, stiffness: float, damping: float, viscous: float) -> Friction: ...

@final
class Region:
    """A part of a plate. Places are fractions of the sides, lengths are in metres."""

    @staticmethod
    def Everywhere() -> Region: ...
    @staticmethod
    def Circle(centre: Sequence[ControlLike], radius: ControlLike) -> Region: ...
    @staticmethod
    def OutsideCircle(centre: Sequence[ControlLike], radius: ControlLike) -> Region: ...
    @staticmethod
    def Rectangle(centre: Sequence[ControlLike], size: Sequence[ControlLike]) -> Region: ...
    @staticmethod
    def HalfPlane(direction: Sequence[float], level: ControlLike) -> Region: ...
    @staticmethod
    def Image(width: int, values: Numbers) -> Region: ...

@final
class Drive:
    """An arbitrary force at a point [N]."""

    @staticmethod
    def Control(force: ControlLike) -> Drive: ...
    @staticmethod
    def Samples(rate: float, values: Numbers) -> Drive: ...

@final
class TouchParam:
    """A value of a touch."""

    @staticmethod
    def Pressure() -> TouchParam: ...
    @staticmethod
    def Centre(axis: int) -> TouchParam: ...
    @staticmethod
    def Radius() -> TouchParam: ...
    @staticmethod
    def Side(axis: int) -> TouchParam: ...
    @staticmethod
    def Level() -> TouchParam: ...

@final
class ParamPath:
    """A value of a model that may change in time, by where it is."""

    @staticmethod
    def Force(bow: InteractionId) -> ParamPath: ...
    @staticmethod
    def Velocity(bow: InteractionId) -> ParamPath: ...
    @staticmethod
    def Pressure(finger: InteractionId) -> ParamPath: ...
    @staticmethod
    def Place(bow_or_finger: InteractionId, axis: int) -> ParamPath: ...
    @staticmethod
    def Drive(drive: ExciterId) -> ParamPath: ...
    @staticmethod
    def ExciterPlace(exciter: ExciterId, axis: int) -> ParamPath: ...
    @staticmethod
    def Height(barrier: ElementId) -> ParamPath: ...
    @staticmethod
    def Touch(plate: ElementId, touch: int, param: TouchParam) -> ParamPath: ...

@final
class Mass:
    """A point mass, optionally on a spring, damped, under gravity."""

    def __init__(
        self,
        *,
        mass: float = ...,
        position: float = ...,
        velocity: float = ...,
        frequency: float = ...,
        damping: float = ...,
        gravity: float = ...,
        start: float = ...,
    ) -> None: ...
    mass: float
    position: float
    velocity: float
    frequency: float
    damping: float
    gravity: float
    start: float

@final
class Barrier:
    """A rigid obstacle."""

    def __init__(
        self,
        *,
        position: ControlLike = ...,
        profile: Numbers = ...,
        shape: BarrierShape = ...,
        span: Sequence[float] = ...,
    ) -> None: ...
    position: ControlLike
    profile: Numbers
    shape: BarrierShape
    span: Sequence[float]

@final
class Blow:
    """One blow of a mallet: when it arrives [s], and its speed then [m/s]."""

    def __init__(
        self,
        *,
        time: float,
        speed: float,
    ) -> None: ...
    time: float
    speed: float

@final
class Mallet:
    """A free mass that comes at given times, strikes and leaves."""

    def __init__(
        self,
        *,
        mass: float = ...,
        blows: Sequence[Blow] = ...,
        retreat: float = ...,
    ) -> None: ...
    mass: float
    blows: Sequence[Blow]
    retreat: float

@final
class StiffString:
    """A stiff damped string; by default a metre of steel wire of 0.5 mm radius under 100 N."""

    def __init__(
        self,
        *,
        length: float = ...,
        radius: float = ...,
        density: float = ...,
        youngs_modulus: float = ...,
        tension: float = ...,
        sigma0: float = ...,
        sigma1: float = ...,
        ends: Sequence[End] = ...,
        method: Method = ...,
        grid: int | None = ...,
        displacement: Shape = ...,
        velocity: Shape = ...,
    ) -> None: ...
    length: float
    radius: float
    density: float
    youngs_modulus: float
    tension: float
    sigma0: float
    sigma1: float
    ends: Sequence[End]
    method: Method
    grid: int | None
    displacement: Shape
    velocity: Shape
    @staticmethod
    def steel(
        radius: float,
        *,
        length: float = ...,
        density: float = ...,
        youngs_modulus: float = ...,
        tension: float = ...,
        sigma0: float = ...,
        sigma1: float = ...,
        ends: Sequence[End] = ...,
        method: Method = ...,
        grid: int | None = ...,
        displacement: Shape = ...,
        velocity: Shape = ...,
    ) -> StiffString:
        """A metre of steel wire of a radius [m] under 100 N."""

@final
class Bar:
    """A bar of rectangular section; by default of aluminium, free at both ends."""

    def __init__(
        self,
        *,
        length: float = ...,
        width: float = ...,
        thickness: float = ...,
        profile: Profile = ...,
        density: float = ...,
        youngs_modulus: float = ...,
        sigma0: float = ...,
        sigma1: float = ...,
        ends: Sequence[End] = ...,
        method: Method = ...,
        grid: int | None = ...,
        displacement: Shape = ...,
        velocity: Shape = ...,
    ) -> None: ...
    length: float
    width: float
    thickness: float
    profile: Profile
    density: float
    youngs_modulus: float
    sigma0: float
    sigma1: float
    ends: Sequence[End]
    method: Method
    grid: int | None
    displacement: Shape
    velocity: Shape

@final
class Mode:
    """One mode of a modal resonator: frequency [Hz], decay by 60 dB [s], mass [kg]."""

    def __init__(
        self,
        *,
        frequency: float,
        mass: float,
        decay: float = ...,
    ) -> None: ...
    frequency: float
    mass: float
    decay: float

@final
class Modal:
    """A bank of modes, seen through points, each with the gain of every mode."""

    def __init__(
        self,
        *,
        modes: Sequence[Mode],
        points: Sequence[Numbers],
    ) -> None: ...
    modes: Sequence[Mode]
    points: Sequence[Numbers]

@final
class Plate:
    """A plate or membrane."""

    def __init__(
        self,
        *,
        size: Sequence[float],
        thickness: float,
        outline: Outline = ...,
        density: float = ...,
        youngs_modulus: float = ...,
        stretching_modulus: float | None = ...,
        poisson: float = ...,
        tension: float = ...,
        sigma0: float = ...,
        sigma1: float = ...,
        edges: Sequence[Edge] = ...,
        grid: Sequence[int] | None = ...,
        method: Method = ...,
        patches: Sequence[Patch] = ...,
        touches: Sequence[Touch] = ...,
        touch_law: TouchLaw = ...,
        control_interval: int = ...,
    ) -> None: ...
    size: Sequence[float]
    thickness: float
    outline: Outline
    density: float
    youngs_modulus: float
    stretching_modulus: float | None
    poisson: float
    tension: float
    sigma0: float
    sigma1: float
    edges: Sequence[Edge]
    grid: Sequence[int] | None
    method: Method
    patches: Sequence[Patch]
    touches: Sequence[Touch]
    touch_law: TouchLaw
    control_interval: int
    @staticmethod
    def steel(
        size: Sequence[float],
        thickness: float,
        *,
        outline: Outline = ...,
        density: float = ...,
        youngs_modulus: float = ...,
        stretching_modulus: float | None = ...,
        poisson: float = ...,
        tension: float = ...,
        sigma0: float = ...,
        sigma1: float = ...,
        edges: Sequence[Edge] = ...,
        grid: Sequence[int] | None = ...,
        method: Method = ...,
        patches: Sequence[Patch] = ...,
        touches: Sequence[Touch] = ...,
        touch_law: TouchLaw = ...,
        control_interval: int = ...,
    ) -> Plate:
        """A steel plate with free edges, of sides and a thickness [m]."""
    @staticmethod
    def membrane(
        size: Sequence[float],
        surface_density: float,
        tension: float,
        *,
        outline: Outline = ...,
        youngs_modulus: float = ...,
        stretching_modulus: float | None = ...,
        poisson: float = ...,
        sigma0: float = ...,
        sigma1: float = ...,
        edges: Sequence[Edge] = ...,
        grid: Sequence[int] | None = ...,
        method: Method = ...,
        patches: Sequence[Patch] = ...,
        touches: Sequence[Touch] = ...,
        touch_law: TouchLaw = ...,
        control_interval: int = ...,
    ) -> Plate:
        """A membrane held at its edges, of sides [m], surface density [kg/m^2] and tension [N/m]."""

@final
class Patch:
    """A round patch of mass on a plate."""

    def __init__(
        self,
        *,
        radius: float,
        surface_density: float,
        centre: Sequence[float] = ...,
    ) -> None: ...
    radius: float
    surface_density: float
    centre: Sequence[float]

@final
class Touch:
    """Something that lies on a plate with a pressure."""

    def __init__(
        self,
        *,
        region: Region = ...,
        pressure: ControlLike = ...,
        mass: float = ...,
        stiffness: float = ...,
        damping: float = ...,
    ) -> None: ...
    region: Region
    pressure: ControlLike
    mass: float
    stiffness: float
    damping: float

@final
class Undercut:
    """Material removed from a bar: a raised cosine."""

    def __init__(
        self,
        *,
        width: float,
        depth: float,
        at: float = ...,
    ) -> None: ...
    width: float
    depth: float
    at: float

@final
class Collision:
    """A one-sided collision with Hunt-Crossley loss."""

    def __init__(
        self,
        *,
        stiffness: float = ...,
        exponent: float = ...,
        loss: float = ...,
        gap: float = ...,
    ) -> None: ...
    stiffness: float
    exponent: float
    loss: float
    gap: float

@final
class Connection:
    """A two-sided connection, with or without play."""

    def __init__(
        self,
        *,
        stiffness: float = ...,
        exponent: float = ...,
        play: float = ...,
        gap: float = ...,
    ) -> None: ...
    stiffness: float
    exponent: float
    play: float
    gap: float

@final
class Spring:
    """A spring with a cubic part and damping."""

    def __init__(
        self,
        *,
        stiffness: float = ...,
        cubic: float = ...,
        damping: float = ...,
        gap: float = ...,
    ) -> None: ...
    stiffness: float
    cubic: float
    damping: float
    gap: float

@final
class Damper:
    """A viscous damper."""

    def __init__(
        self,
        *,
        resistance: float,
    ) -> None: ...
    resistance: float

@final
class Cavity:
    """Air enclosed between two plates or membranes, or under one; by default at 20 °C."""

    def __init__(
        self,
        *,
        volume: float,
        density: float = ...,
        speed_of_sound: float = ...,
    ) -> None: ...
    volume: float
    density: float
    speed_of_sound: float

@final
class Felt:
    """Felt, as on piano hammers."""

    def __init__(
        self,
        *,
        stiffness: float = ...,
        exponent: float = ...,
        restitution: float = ...,
        gap: float = ...,
    ) -> None: ...
    stiffness: float
    exponent: float
    restitution: float
    gap: float

@final
class Bow:
    """A bow drawn across."""

    def __init__(
        self,
        *,
        force: ControlLike = ...,
        velocity: ControlLike = ...,
        friction: Friction = ...,
    ) -> None: ...
    force: ControlLike
    velocity: ControlLike
    friction: Friction

@final
class Finger:
    """A finger: a spring and a damper that hold the place they touch."""

    def __init__(
        self,
        *,
        pressure: ControlLike = ...,
        stiffness: float = ...,
        damping: float = ...,
    ) -> None: ...
    pressure: ControlLike
    stiffness: float
    damping: float

@final
class Pulse:
    """A force pulse of raised-cosine shape: time and duration [s], peak [N]."""

    def __init__(
        self,
        *,
        time: float = ...,
        duration: float = ...,
        peak: float = ...,
        width: float = ...,
    ) -> None: ...
    time: float
    duration: float
    peak: float
    width: float

@final
class Pluck:
    """A force that pulls aside and lets go: times [s], force [N]."""

    def __init__(
        self,
        *,
        time: float = ...,
        duration: float = ...,
        release: float = ...,
        force: float = ...,
    ) -> None: ...
    time: float
    duration: float
    release: float
    force: float

@final
class Model:
    """A model: elements, interactions, exciters and pickups, in SI units."""

    scheme: Scheme
    """How contacts are solved."""
    portable: bool
    """Whether sums have one order on all processors, so that samples have the same bits."""

    def __init__(self) -> None: ...
    def add(self, element: Mass | Mallet | Barrier | StiffString | Bar | Modal | Plate) -> ElementId:
        """Adds an element."""
    def touch(self, plate: ElementId, touch: Touch) -> int:
        """Adds a touch to a plate and returns its position among the plate's touches."""
    def interact(self, below: Point, above: Point, law: Collision | Connection | Spring | Damper | Felt) -> InteractionId:
        """Lets a law act between two points."""
    def collide(self, below: Point, above: Point, law: Collision) -> InteractionId:
        """Lets two points collide."""
    def collide_along(self, below: ElementId, above: ElementId, law: Collision) -> InteractionId:
        """Lets two strings or bars, or one and a barrier, collide along their whole length."""
    def collide_on_line(
        self, below: ElementId, above: ElementId, ends: Sequence[Sequence[float]], law: Collision
    ) -> InteractionId:
        """Lets a string or bar and a plate collide along a line on the plate, whose ends are fractions of its sides."""
    def collide_over(self, surface: ElementId, below: Point, above: Point, law: Collision) -> InteractionId:
        """Lets two points collide over a surface, which is the height of a barrier."""
    def connect(self, below: Point, above: Point, law: Connection) -> InteractionId:
        """Connects two points, to both sides."""
    def spring(self, below: Point, above: Point, law: Spring) -> InteractionId:
        """Puts a spring between two points."""
    def damper(self, below: Point, above: Point, law: Damper) -> InteractionId:
        """Joins two points by a force proportional to their relative velocity."""
    def enclose(self, below: ElementId, above: ElementId, cavity: Cavity) -> InteractionId:
        """Encloses air between two plates or membranes, or one and a barrier."""
    def modulate_tension(self, element: ElementId) -> InteractionId:
        """Lets the tension of a string or bar rise with its length, or that of a membrane with its area."""
    def share_tension(self, upright: ElementId, sideways: ElementId) -> InteractionId:
        """Lets the tension of two strings rise with the sum of their elongations: they are the polarisations of one."""
    def bow(self, place: Point | Path, bow: Bow) -> InteractionId:
        """Adds a bow at a place, which may move."""
    def finger(self, place: Point | Path, finger: Finger) -> InteractionId:
        """Adds a finger at a place, which may move."""
    def pulse(self, place: Point | Path, pulse: Pulse) -> ExciterId:
        """Strikes a place with a force pulse."""
    def pluck(self, place: Point | Path, pluck: Pluck) -> ExciterId:
        """Plucks a place: pulls it aside and lets go."""
    def drive(self, place: Point | Path, drive: Drive) -> ExciterId:
        """Drives a place with a force."""
    def striker(self, place: Point | Path, strongest: Pulse) -> ExciterId:
        """Adds a striker, which `Simulation.strike` triggers with up to the peak of a pulse."""
    def pickup(self, point: Point, quantity: Quantity) -> PickupId:
        """Adds a pickup at a point."""
    def force_pickup(self, interaction: InteractionId) -> PickupId:
        """Adds a pickup of the force of an interaction."""
    def expose(self, path: ParamPath, range: Sequence[float], glide: float = 0.0) -> ParamId:
        """Makes a value settable by `Simulation.set`, within a range and gliding in so many seconds."""
    @property
    def elements(self) -> list[ElementId]: ...
    @property
    def interactions(self) -> list[InteractionId]: ...
    @property
    def pickups(self) -> list[PickupId]: ...
    def compile(self, rate: float) -> Simulation:
        """Checks the model and makes it ready to run at a sample rate [Hz]."""
    def __copy__(self) -> Model: ...

def batch(models: Sequence[Model | Scene], samples: int, rate: float | None = None) -> list[NDArray[np.float64]]:
    """Runs models and scenes for so many samples over all cores; an array for each, with a row for every pickup.

    Scenes run at their own rate [Hz] unless one is given.
    """

@final
class Account:
    """The account of one element [J]."""

    @property
    def stored(self) -> float: ...
    @property
    def dissipated(self) -> float: ...
    @property
    def supplied(self) -> float: ...
    @property
    def touch_work(self) -> float: ...
    @property
    def touch_stored(self) -> float: ...
    @property
    def touch_dissipated(self) -> float: ...
    @property
    def received(self) -> float: ...
    @property
    def residual(self) -> float: ...
    @property
    def worst_residual(self) -> float: ...

@final
class ContactAccount:
    """The account of one interaction: energies [J], forces [N], impulses [N s]."""

    @property
    def stored(self) -> float: ...
    @property
    def open_energy(self) -> float: ...
    @property
    def dissipated(self) -> float: ...
    @property
    def received(self) -> float: ...
    @property
    def supplied(self) -> float: ...
    @property
    def residual(self) -> float: ...
    @property
    def worst_residual(self) -> float: ...
    @property
    def force(self) -> float: ...
    @property
    def peak_force(self) -> float: ...
    @property
    def impulse(self) -> float: ...
    @property
    def adhesive_impulse(self) -> float: ...
    @property
    def hits(self) -> int: ...
    @property
    def contact_steps(self) -> int: ...
    @property
    def closings(self) -> int: ...
    @property
    def shortest_contact(self) -> float: ...

@final
class Total:
    """The account of the whole model [J]."""

    @property
    def initial(self) -> float: ...
    @property
    def stored(self) -> float: ...
    @property
    def dissipated(self) -> float: ...
    @property
    def supplied(self) -> float: ...
    @property
    def touch_work(self) -> float: ...
    @property
    def touch_stored(self) -> float: ...
    @property
    def touch_dissipated(self) -> float: ...
    @property
    def residual(self) -> float: ...
    @property
    def worst_relative(self) -> float: ...
    @property
    def scale(self) -> float: ...
    @property
    def open_energy(self) -> float: ...
    @property
    def worst_open_relative(self) -> float: ...

@final
class Ledger:
    """All accounts of a simulation."""

    @property
    def elements(self) -> list[Account]: ...
    @property
    def interactions(self) -> list[ContactAccount]: ...
    @property
    def total(self) -> Total: ...

@final
class Output:
    """A pickup that is heard."""

    @property
    def label(self) -> str: ...
    @property
    def gain(self) -> float: ...
    @property
    def pan(self) -> float | None: ...
    @property
    def channel(self) -> int | None: ...

@final
class Probe:
    """A pickup that is written to a table."""

    @property
    def label(self) -> str: ...
    @property
    def pickup(self) -> PickupId: ...

@final
class Scene:
    """A scene: a model, and how it is heard."""

    @property
    def name(self) -> str: ...
    @property
    def sample_rate(self) -> float:
        """Sample rate [Hz]."""
    @property
    def duration(self) -> float:
        """Length [s]."""
    @property
    def channels(self) -> int: ...
    @property
    def elements(self) -> dict[str, ElementId]:
        """Elements by their `id`."""
    @property
    def interactions(self) -> dict[str, InteractionId]:
        """Interactions by their `id`."""
    @property
    def outputs(self) -> list[Output]:
        """The pickups that are heard, in the order of the rows of `Simulation.process`."""
    @property
    def probes(self) -> list[Probe]:
        """The pickups that the program writes to a table."""
    @property
    def warnings(self) -> list[Diagnostic]: ...
    def compile(self, rate: float | None = None) -> Simulation:
        """Checks the model and makes it ready to run at a sample rate [Hz], by default the scene's."""
    def render(self, seconds: float | None = None, rate: float | None = None) -> Sound:
        """The sound: pickups mixed to channels, in their units; by default the scene's length [s] and rate [Hz]."""
    def _repr_html_(self) -> str: ...

@final
class Simulation:
    """A model that runs at a sample rate."""

    def process(self, samples: int, pickups: Sequence[PickupId] | None = None) -> NDArray[np.float64]:
        """Advances by so many samples and returns them, with a row for every pickup.

        Without `pickups` these are the outputs of the scene, or all pickups of the model.
        """
    def process_into(self, out: NDArray[np.float64], pickups: Sequence[PickupId] | None = None) -> None:
        """Fills an array with a row for every pickup, in place, and advances by its columns."""
    def step(self, samples: int = 1) -> None:
        """Advances by so many samples without reading anything."""
    def read(self, pickup: PickupId) -> float:
        """The current value of a pickup."""
    def force(self, interaction: InteractionId) -> float:
        """Force of an interaction in the last step [N]."""
    def is_present(self, element: ElementId) -> bool:
        """Whether an element is there: false for a mass that has not entered yet and for a mallet between blows."""
    def reset(self) -> None:
        """Back to the start."""
    @property
    def sample_rate(self) -> float:
        """Sample rate [Hz]."""
    @property
    def steps(self) -> int:
        """Steps taken since the start."""
    def open_ledger(self) -> None:
        """Opens the energy ledger, which then records every step."""
    def close_ledger(self) -> None:
        """Closes the energy ledger."""
    @property
    def ledger(self) -> Ledger | None:
        """The energy ledger as it is now; `None` unless it is open."""
    def set(self, param: ParamId, value: float) -> None:
        """Sets a parameter from the next step on, within its range."""
    def strike(self, striker: ExciterId, strength: float) -> None:
        """Strikes from the next step on, with -1 to 1 of the striker's strongest pulse."""
    def displacements(self, element: ElementId) -> NDArray[np.float64]:
        """Displacements of an element [m]: of its nodes or modes, or of a plate's grid, row by row."""
    def increments(self, element: ElementId) -> NDArray[np.float64]:
        """Increments of those in the last step [m]."""
    def operators(self, element: ElementId) -> Operators | None:
        """The matrices of an element; `None` for one that does not move."""
    def partials(self, element: ElementId) -> NDArray[np.float64] | None:
        """Frequencies at which an element would sound in continuous time [Hz], where known in closed form."""

@final
class Operators:
    """Mass and stiffness of an element as it is stepped, touches at their present pressure included."""

    @property
    def mass(self) -> NDArray[np.float64]:
        """Mass of every moving node, or of every mode of a body that is stepped in modes [kg]."""
    @property
    def rows(self) -> NDArray[np.uint64]:
        """Rows of the entries of the stiffness."""
    @property
    def columns(self) -> NDArray[np.uint64]:
        """Their columns."""
    @property
    def stiffness(self) -> NDArray[np.float64]:
        """Their values [N/m]."""
    @property
    def places(self) -> NDArray[np.float64]:
        """Places of the nodes: fractions of the length, or, in two columns, of a plate's sides."""
    @property
    def mode_shapes(self) -> NDArray[np.float64]:
        """Of a body in its modes: a row for the displacement of every mode at the places. Empty for all others."""

@final
class Recipe:
    """A recipe for a set of labelled clips."""

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Recipe:
        """Reads a recipe file."""
    @staticmethod
    def parse(text: str, file: str = "recipe.toml") -> Recipe:
        """Reads a recipe from text; its scene is looked for in the folder of `file`."""
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def clips(self) -> int: ...
    @property
    def shards(self) -> int: ...
    @property
    def duration(self) -> float:
        """Length of a clip [s]."""
    @property
    def sample_rate(self) -> int:
        """Sample rate [Hz]."""
    def clips_of(self, shard: int) -> tuple[int, int]:
        """Numbers of the clips of a shard: the first, and the one after the last."""
    def scene(self, clip: int) -> str | None:
        """The scene of a clip, as text; `None` if it is left out."""
    def render(self, clip: int) -> Clip | None:
        """Renders a clip; `None` if it is left out."""
    def missing_shards(self, folder: str | os.PathLike[str]) -> list[int]:
        """Shards of the set in a folder that are not complete; starts the set where there is none."""
    def record(self, folder: str | os.PathLike[str], shard: int) -> ShardRecord | None:
        """The record of a shard of the set in a folder; `None` unless it is complete."""
    def write_shard(self, folder: str | os.PathLike[str], shard: int) -> ShardRecord:
        """Makes a shard of the set in a folder, over all cores."""
    def finish(self, folder: str | os.PathLike[str]) -> list[ShardRecord]:
        """Writes the card and the checksums of a set whose shards are complete."""

@final
class Clip:
    """A clip with its labels."""

    @property
    def index(self) -> int: ...
    @property
    def rejected(self) -> int:
        """Draws before this one that could not be simulated."""
    @property
    def sample_rate(self) -> int:
        """Sample rate [Hz]."""
    @property
    def samples(self) -> NDArray[np.float64]:
        """A row for every channel, in the units of the pickups."""
    @property
    def parameters(self) -> dict[str, Any]:
        """The drawn values."""
    @property
    def labels(self) -> dict[str, Any]:
        """What the recipe keeps besides: numbers and arrays, by the names that the columns of shards have."""
    def _repr_html_(self) -> str: ...

@final
class ShardRecord:
    """What is known of a complete shard."""

    @property
    def file(self) -> str: ...
    @property
    def bytes(self) -> int: ...
    @property
    def sha256(self) -> str: ...
    @property
    def clips(self) -> int: ...
    @property
    def replaced(self) -> int: ...
    @property
    def skipped(self) -> int: ...

def load(path: str | os.PathLike[str]) -> Scene:
    """Reads a scene file, and the WAV and PNG files that it names."""

def parse(text: str, file: str = "scene.toml") -> Scene:
    """Reads a scene from text; files that it names are relative to the folder of `file`."""

def preset(name: str) -> Scene:
    """A preset by its name."""

def presets() -> dict[str, str]:
    """Names of the presets, and a line about each."""
