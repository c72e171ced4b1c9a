"""The one direction of imports: a package imports only from those below it, and no file from one above."""

import ast
import sys
from functools import cache
from pathlib import Path

import networkx as nx
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


@cache
def names_imported(path: Path) -> set[str]:
    """Return the dotted names that a file imports anywhere in it; from ``guesstree`` on for our own."""
    home = path.relative_to(ROOT).parts
    package = home if home[0] == "guesstree" else ("guesstree", *home)
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level] if node.level else ()
            module = [*base, *filter(None, (node.module or "").split("."))]
            found |= {".".join([*module, alias.name]) for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def names_in(folder: str) -> set[str]:
    """Return what the files of a folder import."""
    return set().union(*map(names_imported, (ROOT / folder).rglob("*.py")))


def imported(path: Path) -> set[str]:
    """Return the packages of the project that a file imports."""
    parts = [name.split(".") for name in names_imported(path) if name.split(".")[0] == "guesstree"]
    return {part[1] if len(part) > 1 and part[1] in BELOW else "guesstree" for part in parts}


def rooms_of(paths: list[Path]) -> dict[Path, str]:
    """Return the folder of each file; a file that stands above folders is a room of its own."""
    above = {folder for path in paths for folder in path.parent.parents}
    alone = {path for path in paths if path.parent in above and path.name != "__init__.py"}
    return {path: str((path if path in alone else path.parent).relative_to(ROOT)) for path in paths}


def circles(paths: list[Path], *, rooms: bool = False) -> list[set[str]]:
    """Return the files, by dotted name, or the rooms, that import each other round about."""
    module = {}
    for path in paths:
        parts = path.relative_to(ROOT).with_suffix("").parts
        parts = parts if parts[0] == "guesstree" else ("guesstree", *parts)
        module[".".join(parts).removesuffix(".__init__")] = path
    graph: nx.DiGraph[str] = nx.DiGraph()
    room = rooms_of(paths)
    for own, path in module.items():
        for name in names_imported(path):
            file = name if name in module else name.rpartition(".")[0]  # or what is imported from the file
            if file in module and file != own:
                graph.add_edge(*((room[path], room[module[file]]) if rooms else (own, file)))
    return [set(files) for files in nx.strongly_connected_components(graph) if len(files) > 1]


def test_a_package_imports_only_from_those_below() -> None:
    assert [path for path in FILES if not imported(path) <= BELOW[path.relative_to(ROOT).parts[0]]] == []


@pytest.mark.parametrize("folder", ["engine/games", "engine/onestep", "engine/tables", "engine/constructive"])
def test_only_the_search_knows_the_search(folder: str) -> None:
    found = names_in(folder)
    assert any(name.startswith("guesstree.engine.") for name in found)
    assert not [name for name in found if f"{name}.".startswith("guesstree.engine.search.")]


def test_kernels_and_their_twins_import_numpy_alone() -> None:
    found = {name.split(".")[0] for name in names_in("cext") if not name.startswith("guesstree.cext")}
    assert found - sys.stdlib_module_names == {"numpy"}


def test_no_files_import_each_other_round_about() -> None:
    assert circles(FILES) == []


def test_no_folders_import_each_other_round_about() -> None:
    assert circles(FILES, rooms=True) == []


def test_the_checker_knows_the_contract_and_the_tree_only() -> None:
    files = ("check", "claims", "dead", "replay", "replay_noisy")
    nodes = [node for name in files for node in ast.walk(ast.parse((ROOT / f"trees/{name}.py").read_text()))]
    found = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    assert {node.module for node in found if node.level} == {
        "dead",
        "figures",
        "replay",
        "replay_noisy",
        "noisy",
        "tree",
    }
    own = {node.module for node in found if (node.module or "").startswith("guesstree")}
    contract = {f"guesstree.engine.{name}" for name in ("game", "objective")}
    contract.add("guesstree.engine.exact")  # fractions as they are stored and printed
    assert own == contract | {f"guesstree.trees.{name}" for name in ("claims", "figures", "tree")}


def test_the_test_would_see_a_wrong_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "engine").mkdir()
    wrong = tmp_path / "engine" / "wrong.py"
    wrong.write_text("from guesstree.trees.tree import build\nfrom ..cext import kernels\n")
    assert imported(wrong) == {"trees", "cext"}


def test_the_test_would_see_a_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "trees").mkdir()
    paths = [tmp_path / "trees" / name for name in ("a.py", "b.py", "c.py")]
    paths[0].write_text("from .b import some\n")
    paths[1].write_text("def some():\n    from guesstree.trees import c\n")
    paths[2].write_text("import guesstree.trees.a\n")
    assert circles(paths) == [{"guesstree.trees.a", "guesstree.trees.b", "guesstree.trees.c"}]


def test_the_test_would_see_a_circle_of_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / "trees" / name for name in ("one/a.py", "one/b.py", "two/c.py", "top.py")]
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    for path, text in zip(
        paths, ("from ..two import c\n", "", "from ..one import b\n", "from .one import a\n"), strict=True
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert circles(paths) == []
    assert circles(paths, rooms=True) == [{"trees/one", "trees/two"}]
