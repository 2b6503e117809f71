"""Physical-modelling sound: bodies that collide, with every joule accounted for.

    import percuss

    scene = percuss.preset("hammer-string")
    simulation = scene.compile()
    sound = simulation.process(44_100)   # an array of float64, one row per pickup

Everything is in SI units. See https://github.com/percuss/percuss/blob/main/docs/python.md.
"""

from ._percuss import (
    Account,
    ContactAccount,
    Diagnostic,
    ElementId,
    ExciterId,
    InteractionId,
    Ledger,
    Output,
    ParamId,
    PercussError,
    PickupId,
    Point,
    Probe,
    Scene,
    SceneError,
    Simulation,
    Total,
    __version__,
    load,
    parse,
    preset,
    presets,
)

__all__ = [
    "Account",
    "ContactAccount",
    "Diagnostic",
    "ElementId",
    "ExciterId",
    "InteractionId",
    "Ledger",
    "Output",
    "ParamId",
    "PercussError",
    "PickupId",
    "Point",
    "Probe",
    "Scene",
    "SceneError",
    "Simulation",
    "Total",
    "__version__",
    "load",
    "parse",
    "preset",
    "presets",
]
