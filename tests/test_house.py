"""The house: files of a size to read, and one direction of imports inside the engine and the kernels, too."""

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST_LINES = 600
SOURCES = {".py", ".pyx", ".pxd"}


def modules(folder: str) -> set[str]:
    """Return what the files of a folder import, anywhere in them; names from ``guesstree`` on for our own."""
    found = set()
    for path in (ROOT / folder).rglob("*.py"):
        package = ["guesstree", *path.relative_to(ROOT).parts]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level] if node.level else []
                found |= {".".join(filter(None, [*base, node.module, alias.name])) for alias in node.names}
            elif isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
    return found


@pytest.mark.parametrize("folder", ["engine/games", "engine/onestep", "engine/tables", "engine/constructive"])
def test_only_the_search_knows_the_search(folder: str) -> None:
    found = modules(folder)
    assert any(name.startswith("guesstree.engine.") for name in found)
    assert not [name for name in found if f"{name}.".startswith("guesstree.engine.search.")]


def test_kernels_and_their_twins_import_numpy_alone() -> None:
    found = {name.split(".")[0] for name in modules("cext") if not name.startswith("guesstree.cext")}
    assert found - sys.stdlib_module_names == {"numpy"}


def test_every_file_can_be_read_in_one_go() -> None:
    folders = ("cext", "engine", "trees", "guesstree/cli", "scripts", "tests")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.p*") if path.suffix in SOURCES]
    long = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files}
    assert {path: lines for path, lines in long.items() if lines > MOST_LINES} == {}


def test_what_tests_leave_to_another_command_is_run_by_ci() -> None:
    tests = [path.read_text() for path in (ROOT / "tests").rglob("test_*.py")]
    left = {target for text in tests for target in re.findall(r'"make (\w+) (?:runs|builds) it', text)}
    assert left == {"clusters", "coq", "wheel"}
    ci = (ROOT / ".ci" / "run").read_text()
    assert left <= set(re.findall(r"^(?:\S+=\S* )?make (\w+)", ci, re.MULTILINE))
