"""Strategy files written as text: the checkers count in them what the search says."""

from itertools import product
from pathlib import Path

import pytest
from fast_checker import SANITIZED, built, judged
from slow_checker import both
from strategy_text import main, text_of

import guesstree
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.statement import statement_of

SPECS = ["mastermind:3x4", "blackpeg:5x2", "bulls:3x5", "WORDS", "WORDS,hard"]


@pytest.fixture(scope="module")
def checker() -> str:
    """Build the checker so that it ends at the first wrong read or write."""
    return built(*SANITIZED, name="strategy")


@pytest.mark.parametrize("objective", ["expected", "worst"])
@pytest.mark.parametrize(("spec", "goal"), [*product(SPECS, ("win", "identify")), ("coins:4", "identify")])
def test_strategies_take_what_the_search_says(
    checker: str, tmp_path: Path, spec: str, goal: str, objective: str
) -> None:
    (tmp_path / "words.txt").write_text(
        "abbey\nabide\nbabes\neerie\ngeese\nkeels\nsteel\nsweet\nspeed\ncrepe\nerase\n"
    )
    solution = guesstree.solve(
        spec.replace("WORDS", f"wordle:{tmp_path / 'words.txt'}"), objective, goal=goal
    )
    strategy = solution.strategy
    problem = Problem(strategy.game, parse_objective(objective), goal=goal)
    for name, data in statement_of(problem).game.files.items():
        (tmp_path / name).write_bytes(data)
    text, report = text_of(strategy), strategy.check()
    assert report.worst is not None and report.total is not None
    assert both(checker, tmp_path, text, "strategy", alike=True) == ""
    assert text.split()[-1] == ")" and f" - {report.worst} {report.total} (\n" in text
    for false in (f" - {report.worst} {report.total - 1} (", f" - {report.worst - 1} {report.total} ("):
        claim = text.replace(f" - {report.worst} {report.total} (", false)
        assert "it takes" in both(checker, tmp_path, claim, "strategy", alike=True)


def test_the_command_prints_it_and_says_what_it_cannot(
    checker: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.json"
    guesstree.solve("mastermind:2x3").strategy.write(path)
    assert main([str(path)]) == 0
    assert judged(checker, tmp_path, capsys.readouterr().out) == [""]
    guesstree.solve("mastermind:2x3", first="11").strategy.write(path)
    assert main([str(path)]) == 0
    text = capsys.readouterr().out
    assert " win 00 " in text and judged(checker, tmp_path, text) == [""]
    guesstree.solve("mastermind:2x2", "worst", lies=1).strategy.write(path)
    assert main([str(path)]) == 2
    assert capsys.readouterr().err.startswith("ERROR: mastermind:2x2: strategies are replayed where each ")
