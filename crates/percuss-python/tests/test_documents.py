"""Code in the documents runs as it is printed there."""

import re
from pathlib import Path

import pytest
from conftest import ROOT

DOCUMENTS = ["README.md", "docs/python.md", "docs/datasets.md", "crates/percuss-python/README.md"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_code_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks: list[str] = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), re.DOTALL)
    assert blocks
    scope: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, name, "exec"), scope)
