"""Types of the module that is written in Rust."""

import os
from typing import Sequence, final

import numpy as np
from numpy.typing import NDArray

__version__: str

class PercussError(Exception):
    """Any error of percuss."""

class SceneError(PercussError):
    """A scene file that cannot be used. Its text is what the program prints."""

    diagnostics: list[Diagnostic]

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
    def partials(self, element: ElementId) -> NDArray[np.float64] | None:
        """Frequencies at which an element would sound in continuous time [Hz], where known in closed form."""

def load(path: str | os.PathLike[str]) -> Scene:
    """Reads a scene file, and the WAV and PNG files that it names."""

def parse(text: str, file: str = "scene.toml") -> Scene:
    """Reads a scene from text; files that it names are relative to the folder of `file`."""

def preset(name: str) -> Scene:
    """A preset by its name."""

def presets() -> dict[str, str]:
    """Names of the presets, and a line about each."""
