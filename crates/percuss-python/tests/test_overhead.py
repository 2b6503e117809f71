"""What a call from Python costs over the engine's own time."""

import time

from conftest import mass_on_spring

CALLS = 2_000
BLOCK = 64


def test_process_costs_at_most_a_microsecond_per_call() -> None:
    """The least of many runs, taken in turns, so that other load on the machine does not count."""
    simulation = mass_on_spring().compile(44_100)
    in_blocks = whole = float("inf")
    for _ in range(60):
        start = time.perf_counter()
        for _ in range(CALLS):
            simulation.process(BLOCK)
        middle = time.perf_counter()
        simulation.process(BLOCK * CALLS)
        end = time.perf_counter()
        in_blocks, whole = min(in_blocks, middle - start), min(whole, end - middle)
    overhead = (in_blocks - whole) / CALLS
    print(f"process({BLOCK}): {1e6 * in_blocks / CALLS:.2f} us a call, {1e6 * overhead:.2f} us of it Python")
    assert overhead < 1e-6
