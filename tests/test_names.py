"""Two public functions or classes do not share a name."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("engine", "trees", "guesstree")
ASKED = {"command", "make", "draw"}
"""What every file of a kind has: a command of the command line, the maker of a family of games, the writer of
a format."""


def named(root: Path) -> dict[str, list[Path]]:
    """Return the files that define each public function or class at their top level."""
    found: dict[str, list[Path]] = defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            parts = path.relative_to(root).parts
            if parts[0] == "guesstree" and parts[1] in ("cext", *FOLDERS):  # links to folders at the top
                continue
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(path.relative_to(root))
    return found


def test_no_name_is_used_twice() -> None:
    shared = {name: paths for name, paths in named(ROOT).items() if len(paths) > 1}
    assert set(shared) - ASKED == set(), shared


def test_the_test_would_see_a_name_used_twice(tmp_path: Path) -> None:
    for folder in ("engine", "trees"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "some.py").write_text("def solve() -> None: ...\n\n\nclass _Own: ...\n")
    assert named(tmp_path) == {"solve": [Path("engine/some.py"), Path("trees/some.py")]}
