"""An objective is known in four files: what it is, what answers it, what a tree shows, and in what words."""

import ast
from pathlib import Path

import pytest

from guesstree.engine.objective import OBJECTIVES, WIN_PROBABILITY

ROOT = Path(__file__).parent.parent.parent
PLACES = {"engine/objective.py", "engine/search/driver.py", "trees/figures.py", "trees/words.py"}
TABLE = "engine/support.py"  # where a row says what an objective does not go with, if anything


def places(name: str) -> set[str]:
    """Return the files whose code spells out the name of an objective, or its constant."""
    found = set()
    for folder in ("cext", "engine", "trees", "guesstree/cli"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                said = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
                known = getattr(node, "id", getattr(node, "attr", None))
                if said == name or known == name.replace("-", "_").upper():
                    found.add(str(path.relative_to(ROOT)))
    return found


def test_an_objective_is_known_in_four_places() -> None:
    found = places(WIN_PROBABILITY.name)
    assert found <= {*PLACES, TABLE}
    assert "engine/objective.py" in found


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_page_of_combinations_knows_every_objective(name: str) -> None:
    page = (ROOT / "docs" / "combinations.md").read_text()
    assert f"**{name}**" in page or ("," in name and "**a pair**" in page)
