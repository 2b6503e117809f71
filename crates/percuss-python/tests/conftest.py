"""Options of the tests."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rust-examples",
        default=str(ROOT / "target/debug/examples"),
        help="folder of the Rust examples that results are compared with",
    )
    parser.addoption(
        "--program",
        default=str(ROOT / "target/release/percuss"),
        help="the program percuss, for what it and Python must do alike",
    )
