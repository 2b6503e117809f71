"""Kills a worker of a cluster while it writes a shard."""

import os
import signal
import time
from pathlib import Path


def kill_a_worker(folder: Path, killed: list[int]) -> None:
    """Kills a process that is writing a shard, once a few are complete: their names end in its number."""
    while len(list(folder.glob("records/*.json"))) < 3:
        time.sleep(0.001)
    while not killed:
        for part in folder.glob("data/*.part-*"):
            killed.append(int(part.name.rsplit("-", 2)[1]))
            os.kill(killed[0], signal.SIGKILL)
            return
        time.sleep(0.0002)
