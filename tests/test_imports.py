"""The one direction of imports: a package imports only from those below it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BELOW = {
    "cext": {"cext"},
    "engine": {"engine", "cext"},
    "trees": {"trees", "engine"},
    "guesstree": {"guesstree", "trees", "engine"},
}
FILES = [
    path
    for folder in BELOW
    for path in sorted((ROOT / folder).rglob("*.py"))
    if folder != "guesstree" or path.relative_to(ROOT / folder).parts[0] not in BELOW
]


def imported(path: Path) -> set[str]:
    """Return the packages of the project that a file imports."""
    home = path.relative_to(ROOT).parts
    package = home if home[0] == "guesstree" else ("guesstree", *home)
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level] if node.level else ()
            module = (
                [*base, *(node.module or "").split(".")] if node.level else (node.module or "").split(".")
            )
            names = [".".join([*filter(None, module), alias.name]) for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "guesstree":
                found.add(parts[1] if len(parts) > 1 and parts[1] in BELOW else "guesstree")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_package_imports_only_from_those_below(path: Path) -> None:
    assert imported(path) <= BELOW[path.relative_to(ROOT).parts[0]]


def test_the_checker_knows_the_contract_and_the_tree_only() -> None:
    nodes = ast.walk(ast.parse((ROOT / "trees/check.py").read_text()))
    modules = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    own = {module for module in modules if module.startswith("guesstree")}
    assert own == {"guesstree.engine.game", "guesstree.trees.tree", "guesstree.trees.figures"}


def test_the_test_would_see_a_wrong_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "engine").mkdir()
    wrong = tmp_path / "engine" / "wrong.py"
    wrong.write_text("from guesstree.trees.tree import build\nfrom ..cext import kernels\n")
    assert imported(wrong) == {"trees", "cext"}
