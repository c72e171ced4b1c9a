"""Keys of questions with two answers: what is printed, what the checker refuses, what the guide may ask."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pages import Show

import guesstree
from guesstree.engine.advice.evidence import Evidence
from guesstree.engine.registry import parse
from guesstree.trees.check import check
from guesstree.trees.export.key.couplets import numbered_key

SHRUBS = """test,hawthorn,blackthorn,dogwood,spindle,privet
leaf edge,lobed/toothed,toothed,smooth,toothed/smooth,smooth
stamens,20,20,4,4,2
hairs,few,some,many,few/some,
"""
OPTIONS = ",cells=sets,ambiguous=clique,dichotomous,order=hairs:few;some;many"


@pytest.fixture
def solved(tmp_path: Path) -> tuple[guesstree.Game, guesstree.Strategy]:
    (tmp_path / "shrubs.csv").write_text(SHRUBS)
    game = parse(f"table:{tmp_path / 'shrubs.csv'}{OPTIONS}")
    return game, guesstree.solve(game).strategy


def test_groups_name_their_states_in_the_order_of_the_format(tmp_path: Path) -> None:
    (tmp_path / "two.nex").write_text(
        "#NEXUS\nBEGIN CHARACTERS; DIMENSIONS NCHAR=1; FORMAT DATATYPE=STANDARD GAP=-;"
        "CHARSTATELABELS 1 fruit / red black blue; MATRIX a - b 2 c 0 d 1; END;"
    )
    responses = parse(f"table:{tmp_path / 'two.nex'},dichotomous").responses
    assert {"red or black", "black or blue", "red or -"} <= set(responses)
    assert "- or red" not in responses and "blue or black" not in responses


def test_leads_are_groups_of_states_in_order(solved: tuple[guesstree.Game, guesstree.Strategy]) -> None:
    game, strategy = solved
    says = [[lead.says for lead in couplet.leads] for couplet in numbered_key(game, strategy).couplets]
    assert all(len(pair) == 2 for pair in says)
    assert says[0] == ["Stamens 4 or fewer", "Stamens 20"]
    assert {game.topics[game.guess_index(label)] for label in game.guesses if label.startswith("hairs")} == {
        "hairs"
    }
    assert "hairs: few / some to many" not in game.guesses and "hairs: few / some or many" in game.guesses


def test_a_question_that_leaves_out_a_state_is_refused(
    solved: tuple[guesstree.Game, guesstree.Strategy],
) -> None:
    """It is about lobed and smooth leaves alone, and some may be toothed."""
    game, strategy = solved
    guess = np.array(strategy.guess)
    guess[0] = game.guess_index("leaf edge: lobed / smooth")
    report = check(game, replace(strategy, guess=guess))
    assert not report.valid
    assert "leaves out what" in report.messages()[0] or "no branch" in report.messages()[0]


@pytest.mark.long
def test_the_guide_asks_about_what_is_still_possible(
    solved: tuple[guesstree.Game, guesstree.Strategy], show: Show
) -> None:
    game, strategy = solved
    page = show(game, strategy)
    for seed in range(20):
        dice, evidence, picks = random.Random(seed), Evidence(game), list[tuple[int, int]]()
        while not evidence.finished:
            asked = page.evaluate("(given) => { [picks, chosen] = [given, -1]; return askable([]); }", picks)
            assert sorted(asked) == sorted(evidence.askable), picks
            left = page.evaluate("() => ranked(still())")
            assert {s: round(p, 9) for s, p in left} == {
                s: round(float(p), 9) for s, p in enumerate(evidence.posterior) if p
            }
            test = dice.choice([one.test for one in evidence.outlooks()])
            answer = dice.choice([*evidence.splits(test), -1])
            picks.append((test, answer))
            evidence = evidence.after(test, answer)
