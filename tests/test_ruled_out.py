"""Why a cause is ruled out, in the terminal and on pages, beside what is left by the engine."""

import random
from dataclasses import replace

import pytest
from models import ModelGame
from strategies import random_model

import guesstree
from guesstree.api.advisor import Advisor
from guesstree.cli.assist import Assist
from guesstree.cli.session.noisy import NoisyAssist
from guesstree.engine.advice.evidence import UNKNOWN, Evidence
from guesstree.engine.advice.position import Position
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.present.ruled_out import name_typed, names_of, objections, ruled_out, why_lines

HOLLY = {
    "leaf": {"beech": "simple", "rowan": "compound", "holly": "simple"},
    "edge": {"beech": "smooth", "rowan": "toothed", "holly": None},
    "fruit": {"beech": "nut", "rowan": "berry", "holly": "berry"},
}


def test_what_is_ruled_out_is_what_is_not_a_candidate() -> None:
    game = guesstree.table(HOLLY, missing="any")
    names = names_of(game)
    assert list(names) == ["beech", "rowan", "holly"] and len(names["holly"]) == 2
    for secret in range(len(game.secrets)):
        steps = [(test, game.respond(test, secret)) for test in range(3)]
        for many in range(4):
            left = set(Position(game, steps[:many]).candidates.tolist())
            found, count = ruled_out(game, steps[:many], 10)
            possible = {name for name, own in names.items() if left & set(own)}
            assert {name for name, _ in found} == set(names) - possible and count == len(found)
    compound = [(0, game.response_at("compound", 0)), (2, UNKNOWN)]
    assert why_lines(game, compound, "holly") == [
        "holly is ruled out:",
        "  1  leaf: compound; there it is simple",
    ]
    assert why_lines(game, compound, "rowan") == ["rowan is possible"]
    assert ruled_out(game, compound, 1) == ([("beech", objections(game, compound, names["beech"]))], 2)
    assert name_typed(game, "Row") == "rowan"
    with pytest.raises(GuesstreeError, match="'oak' is not a cause; expected such as 'beech'"):
        name_typed(game, "oak")


def test_with_tests_that_err_it_is_what_has_no_mass() -> None:
    dice, tried = random.Random(5), 0
    while tried < 150:
        game = ModelGame(replace(random_model(dice), failures=0, silent=-1))
        evidence = Evidence(game)
        for _ in range(3):
            if evidence.over or not evidence.askable:
                break
            test = dice.choice(evidence.askable)
            try:
                evidence = evidence.after(test, dice.choice([*evidence.splits(test), UNKNOWN]))
            except Contradiction:
                continue
        steps = evidence.history
        found, _ = ruled_out(game, steps, 10)
        assert {name for name, _ in found} == {
            game.secrets[i] for i, mass in enumerate(evidence.masses) if not mass
        }
        for name, (cause,) in names_of(game).items():
            lines = why_lines(game, steps, name)
            assert lines[0].endswith("ruled out:") == (not evidence.masses[cause])
        tried += 1


def test_assist_answers_why_not(capsys: pytest.CaptureFixture[str]) -> None:
    game = guesstree.table(HOLLY, missing="any")
    session = Assist(game, None, [(0, game.response_at("compound", 0))], None, 0)
    session.obey("why holly")
    assert "1  leaf: compound; there it is simple" in capsys.readouterr().out
    ill = guesstree.table(
        {"fever": {"flu": {"yes": 9, "no": 1}, "cold": {"yes": 1, "no": 9}}},
        losses={"rest": {"flu": 5, "cold": 0}, "pills": {"flu": 0, "cold": 5}},
        name="ill",
    )
    noisy = NoisyAssist(ill, [(0, ill.response_at("yes", 0))], 5)
    noisy.obey("why cold")
    assert capsys.readouterr().out.splitlines() == [
        "cold: 10 % now, 50 % before the first answer",
        "  1  fever: yes in 10 % of its cases",
    ]


def test_what_is_proven_after_an_answer_that_is_not_known_leaves_out_its_test() -> None:
    table = {
        "swap": {"bulb": "works", "fuse": "dark", "mains": "dark"},
        "measure": {"bulb": "live", "fuse": "dead", "mains": "dead"},
        "next": {"bulb": "on", "fuse": "on", "mains": "off"},
    }
    game = guesstree.table(table)
    advisor = Advisor(game, method="exact")
    assert advisor.note(Position(game)).endswith("; no strategy needs fewer")
    note = advisor.note(Position(game, [(0, UNKNOWN)]))
    assert note.endswith("; no strategy without 'swap' needs fewer"), note
