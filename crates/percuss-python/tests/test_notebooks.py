"""The notebooks run from the first to the last cell, and their code has the types of the stubs."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    for library in ("ipykernel", "matplotlib", "scipy"):
        pytest.importorskip(library)
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(path.parent)}}
    nbclient.NotebookClient(notebook, timeout=300, resources=resources).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert outputs and all(output.output_type != "error" for output in outputs)


def test_code_of_notebooks_has_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    nbformat = pytest.importorskip("nbformat")
    files = []
    for path in NOTEBOOKS:
        cells = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        files.append(tmp_path / f"{path.stem}.py")
        files[-1].write_text("\n".join(cells) + "\n")
    # SciPy has no stubs of its own, and torch may be missing.
    flags = ["--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache")]
    checked = subprocess.run([sys.executable, "-m", "mypy", *flags, *map(str, files)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
