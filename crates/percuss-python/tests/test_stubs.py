"""The stubs have what the module has."""

import ast
from pathlib import Path

from percuss import _percuss

STUB = Path(_percuss.__file__).with_name("_percuss.pyi")


def names(body: list[ast.stmt]) -> set[str]:
    found = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def test_every_name_of_the_module_has_a_stub() -> None:
    tree = ast.parse(STUB.read_text())
    public = {name for name in vars(_percuss) if not name.startswith("_")} | {"__version__"}
    assert public <= names(tree.body), public - names(tree.body)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            members = {name for name in vars(getattr(_percuss, node.name)) if not name.startswith("_")}
            assert members <= names(node.body), (node.name, members - names(node.body))


def test_every_name_and_function_is_documented() -> None:
    for name, value in vars(_percuss).items():
        if name.startswith("_") or not callable(value):
            continue
        assert value.__doc__, name
