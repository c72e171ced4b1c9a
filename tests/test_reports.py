"""What is reported of a solution: which bound is which, in words and as plain data."""

from dataclasses import replace

import pytest

from guesstree.api.solution import solve
from guesstree.present.reports import proof_text, report_of, solution_as_json, solution_lines
from guesstree.present.turns import help_text


@pytest.mark.parametrize(
    ("method", "stopped", "upper", "said"),
    [
        ("exact", "", 10, "proven optimal"),
        ("exact", "time", 12, "NOT proven (time): optimum at least 10, at most 12, gap 20.000%"),
        ("beam", "", 12, "beam of width 3, optimum at least 10, at most 12, gap 20.000%"),
        (
            "beam",
            "time",
            12,
            "beam of width 3, optimum at least 10, at most 12, gap 20.000%, cut short (time)",
        ),
        ("parts", "", 12, "method parts, optimum at least 10, gap 20.000%"),
        (
            "parts",
            "time",
            12,
            "method parts, optimum at least 10, gap 20.000%, cut short (time): the rest asks any candidate",
        ),
    ],
)
def test_a_lower_bound_is_said_to_be_one(method: str, stopped: str, upper: int, said: str) -> None:
    found = replace(
        solve("mastermind:2x2"),
        method=method,
        stopped=stopped,
        lower=(10,),
        upper=(upper,),
        parameters={"width": 3} if method == "beam" else {},
    )
    report = report_of(found.strategy)
    assert proof_text(found) == said
    assert (
        next(iter(solution_lines(found, report))) == f"mastermind:2x2: goal win, objective expected: {said}"
    )
    data = solution_as_json(found, report, rows=[])
    assert (data["lower"], data["upper"], data["rows"]) == (10, upper, [])


@pytest.mark.parametrize(
    ("hints", "taken_back", "said"),
    [(0, 0, ""), (1, 0, " (1 hint)"), (0, 2, " (2 taken back)"), (2, 1, " (2 hints, 1 taken back)")],
)
def test_the_help_that_a_player_had(hints: int, taken_back: int, said: str) -> None:
    assert help_text(hints, taken_back) == said
