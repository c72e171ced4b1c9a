"""What pages say of strategies, in sentences, and what they offer for a game."""

import re
from pathlib import Path
from typing import Any

import pytest
from served import Server

from guesstree.api.solution import solve
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.present.reports import report_of
from guesstree.web.store import Store
from guesstree.web.work.solve_form import solve_choices
from guesstree.web.work.summary import about_strategy, strategy_result

ODDS = """test,ill,well,cost (EUR),error
swab,yes,no,5.5,10 %
probability,12.5 %,87.5 %,,
decide treat,0,15,,
decide wait,100,0,,
"""
PRICES = "cause,a,b\nprice,3,1\nx,1,1\ny,1,0\nz,0,0\n"


def about(game: Game | str, **wishes: Any) -> dict[str, Any]:
    found = solve(game, **wishes)
    return about_strategy(found.game, found.strategy)


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    (tmp_path / "odds.csv").write_text(ODDS)
    (tmp_path / "prices.csv").write_text(PRICES)
    return tmp_path


@pytest.mark.parametrize(
    ("spec", "wishes", "said"),
    [
        (
            "mastermind:3x3",
            {},
            "It finds each of the 27 secrets after at most 4 guesses, and after 2.7 on average.",
        ),
        (
            "mastermind:3x3",
            {"objective": "worst", "lies": 1},
            "It finds each of the 27 secrets after at most 5 guesses, even if 1 answer is wrong.",
        ),
        (  # the first guess, and one for each of the 7 other responses
            "mastermind:3x3",
            {"objective": "win-probability", "budget": 2},
            "It finds 29.63\u00a0% of the 27 secrets within a budget of 2 guesses.",
        ),
        (
            "mastermind:2x2",
            {"goal": "identify"},
            "It tells which of the 4 secrets it is after at most 2 guesses",
        ),
        (
            "table:{folder}/prices.csv",
            {},
            "It tells which of the 3 causes it is after at most 2 tests, at a price of 3 on average and at",
        ),
        (
            "table:{folder}/odds.csv",
            {},
            "It comes to a decision after at most 1 test, for 8.06 EUR on average and at most 105.5 EUR.",
        ),
    ],
)
def test_the_guarantee_in_a_sentence(tables: Path, spec: str, wishes: dict[str, Any], said: str) -> None:
    assert about(spec.format(folder=tables), **wishes)["guarantee"].startswith(said)


def test_decisions_are_told_and_what_is_only_a_most(tables: Path) -> None:
    told = about(f"table:{tables}/odds.csv")
    rows, more = told["decisions"]
    printed = [row.split() for row in report_of(solve(f"table:{tables}/odds.csv").strategy).lines()]
    first = printed.index(["decision", "share", "wrong", "loss"]) + 1
    assert [" ".join(row).split() for row in rows] == printed[first : first + 2]
    assert rows == [("wait", "80.00 %", "1.25 %", "1.2500"), ("treat", "20.00 %", "8.75 %", "1.3125")]
    assert (more, told["split"]) == (0, True)
    plain = about(f"table:{tables}/prices.csv")
    assert (plain["decisions"], plain["split"]) == (([], 0), False)


def test_tests_are_averaged_by_how_likely_causes_are(tmp_path: Path) -> None:
    (tmp_path / "birds.csv").write_text("test,a,b,c\nx,1,1,0\ny,1,0,0\nweight,1,2,5\n")
    figures = about(f"table:{tmp_path}/birds.csv")["figures"]
    assert figures == [["Causes", "3"], ["Tests on average", "1.3750"], ["Tests at most", "2"]]


def test_the_page_lists_them(server: Server, tables: Path) -> None:
    found = solve(f"table:{tables}/odds.csv")
    page = server.get(
        f"/strategy/{server.store.add_result(**strategy_result(found.game, found.strategy))}"
    ).text
    assert "Causes by tests needed at most" in page
    assert re.search(r'<th scope="row">treat</th><td class="number">20.00 %</td>', page)
    found = solve(f"table:{tables}/prices.csv")
    page = server.get(
        f"/strategy/{server.store.add_result(**strategy_result(found.game, found.strategy))}"
    ).text
    assert "Causes by tests needed<" in page
    assert "Decisions" not in page


def test_how_far_from_the_best() -> None:
    # At least 206 in all of 64, and this method takes 216: (216 - 206) / 216 = 4.63 %, rounded up.
    told = about("mastermind:3x4", method="max-part")
    assert told["verdict"].endswith("a better one could save at most 4.7\u00a0%.")
    assert told["bounds"] == "at least 3.2187 on average, at most 3.375 on average"
    assert told["method"] == "what leaves the fewest secrets at worst (Knuth 1977)"
    limited = about("mastermind:3x3", max_depth=5, first="111")
    assert limited["verdict"] == "Proven: no strategy within these limits needs fewer guesses on average."
    assert about("mastermind:3x3", objective="worst")["verdict"].endswith(
        "needs fewer guesses in the worst case."
    )
    assert about("mastermind:3x3", objective="worst,expected")["verdict"].endswith(
        "needs fewer guesses in the worst case, nor fewer on average with the same worst case."
    )
    assert limited["limits"] == ["first guess: 111", "guesses at most: 5"]


def test_only_what_goes_with_the_game_is_offered(tables: Path) -> None:
    store = Store(tables / "pages.sqlite")
    store.add_file("odds.csv", ODDS.encode())
    odds, code = (solve_choices(store.path, spec) for spec in ("table:odds.csv", "mastermind:3x3"))
    assert [name for name, *_ in odds["objectives"]] == [
        "expected",
        "worst",
        "worst,expected",
        "expected,worst",
    ]
    assert (odds["lies"], odds["depth"], odds["candidates_only"], odds["goals"]) == (0, True, False, [])
    assert (code["lies"], code["depth"], code["candidates_only"], len(code["goals"])) == (7, True, True, 2)
    assert parse("mastermind:3x3").guesses[0] == code["example"]


@pytest.mark.long
def test_the_guide_speaks_as_the_browser_or_the_server_likes(server: Server, tables: Path) -> None:
    found = solve(f"table:{tables}/odds.csv")
    own = server.store.add_result(**strategy_result(found.game, found.strategy))

    def language(query: str = "", **headers: str) -> str:
        page = server.client.get(f"/strategy/{own}/explore{query}", headers=headers).text
        assert ("Zurück zum Ergebnis" in page) == (">Anleitung<" in page) == ('<html lang="de">' in page)
        return page.partition('<html lang="')[2][:2]

    german = {"accept-language": "de-DE,de;q=0.9,en;q=0.8"}
    assert language() == "en"
    assert language(**german) == "de"
    assert language("?language=en", **german) == "en", "what was chosen on the page of the result"
    server.app.state.language = "de"
    try:
        assert language() == "de" and language(**{"accept-language": "fr"}) == "de"
        assert "Im Mittel" in server.client.get(f"/strategy/{own}/download/key.txt").text
    finally:
        server.app.state.language = None
