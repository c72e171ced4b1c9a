"""Tables as people bring them: each is read as it comes, or with the one option that is told."""

from pathlib import Path

import pytest

from guesstree.engine.errors import GameError
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.reading import read_file

ROOT = Path(__file__).parent.parent.parent
PEOPLE = ROOT / "tests" / "data" / "people"
BROUGHT = {
    "technician.csv": (
        "",
        16,
        15,
        "8.1125",
        ["semicolons", "costs from 'Minuten'", "weights in percent from"],
    ),
    "biologist.xlsx": (",merge", 30, 11, "59", ["causes in rows (corner 'Species')"]),
    "doctor.txt": ("", 17, 12, "0.975825", ["UTF-16", "causes in rows", "costs from 'Cost (EUR)'"]),
    "teacher.csv": ("", 18, 9, "77", ["long form", "causes in rows"]),
}


def shown(name: str) -> str:
    """Return a table that the page about diagnosis shows."""
    page = (ROOT / "docs" / "diagnosis.md").read_text()
    return page.split(f"```csv file={name}\n")[1].split("```")[0]


@pytest.mark.parametrize("name", BROUGHT)
def test_each_is_read_as_it_comes(name: str) -> None:
    options, causes, tests, total, said = BROUGHT[name]
    game = parse(f"table:{PEOPLE / name}{options}")
    assert (len(game.secrets), len(game.guesses)) == (causes, tests)
    assert all(words in game.notes[0] for words in said), game.notes
    found = solve(game)
    assert found.optimal and game.figure_text("total", found.upper[0]) == total


def test_the_biologist_is_told_what_to_add() -> None:
    with pytest.raises(GameError, match=r"'Sessile oak', 'English oak'.*\(table:FILE.csv,merge"):
        solve(parse(f"table:{PEOPLE / 'biologist.xlsx'}"))


@pytest.mark.parametrize(
    ("name", "causes", "tests", "said"),
    [
        (
            "throat.csv",
            4,
            6,
            ["set-ups: blood 6 (mono test, CRP)", "wait, antibiotic, refer; losses 0 to 2500"],
        ),
        ("boiler.csv,cells=sets,ends=fixed", 6, 9, ["casing 10", "a path ends with the answer 'fixed'"]),
        ("sedges.csv,cells=sets,missing=any,wrong=4", 7, 8, ["7 in all; losses 0 to 4"]),
    ],
)
def test_tables_of_tests_that_err_are_read(
    name: str, causes: int, tests: int, said: list[str], tmp_path: Path
) -> None:
    file = name.partition(",")[0]
    (tmp_path / file).write_text(shown(file))
    found = read_file(f"{tmp_path / name}")
    assert (len(found.content.secrets), len(found.content.guesses)) == (causes, tests)
    assert all(any(words in line for line in found.model.lines) for words in said), found.model.lines
