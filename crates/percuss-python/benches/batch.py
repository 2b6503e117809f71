"""Compares `percuss.batch` with the batch of the engine in Rust: python batch.py PATH/TO/release/examples/batch

Both run the same copies of a preset; they take turns, and the least time of each counts, so that other load on the machine does not.
"""

import subprocess
import sys
import time

import percuss

PRESET, COPIES, SAMPLES, TURNS = "regional-damping", 16, 11_025, 6


def main() -> None:
    scenes = [percuss.preset(PRESET)] * COPIES
    python = rust = float("inf")
    for _ in range(TURNS):
        run = subprocess.run([sys.argv[1], PRESET, str(COPIES), str(SAMPLES)], check=True, capture_output=True, text=True)
        rust = min(rust, *map(float, run.stdout.split()))
        for _ in range(5):
            start = time.perf_counter()
            percuss.batch(scenes, SAMPLES)
            python = min(python, time.perf_counter() - start)
    print(f"{COPIES} x {PRESET}: Rust {rust:.3f} s, Python {python:.3f} s, {100 * (python / rust - 1):+.1f} %")


main()
