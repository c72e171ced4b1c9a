"""What each move of a game gave away, beside values worked out by trying everything."""

import json
from fractions import Fraction
from functools import cache
from math import inf
from pathlib import Path

from ruled import ruled_game

import guesstree
from guesstree.api.codemaker import Hidden
from guesstree.cli.session.reviewed import reviewed
from guesstree.engine.game import Game
from guesstree.present.review import Move, Review, review
from guesstree.web.work.review import gave_away

GAME = guesstree.parse("mastermind:2x3")
WIN = GAME.winning


@cache
def needed(candidates: frozenset[int]) -> Fraction:
    """Return how many more guesses the best strategy is expected to need to win."""
    return min(needed_by(candidates, guess) for guess in range(9))


@cache
def needed_by(candidates: frozenset[int], guess: int) -> Fraction:
    """Return the same when it begins with a guess; one that tells nothing is out of the question."""
    parts = {response: left(candidates, guess, response) for response in range(len(GAME.responses))}
    parts = {response: part for response, part in parts.items() if part}
    if len(parts) == 1 and WIN not in parts:
        return Fraction(99)
    later = [needed(part) * len(part) for response, part in parts.items() if response != WIN]
    return 1 + sum(later, Fraction(0)) / len(candidates)


def left(candidates: frozenset[int], guess: int, response: int) -> frozenset[int]:
    return frozenset(s for s in candidates if GAME.respond(guess, s) == response)


def test_moves_are_worth_what_trying_everything_says() -> None:
    for seed in range(8):
        hidden, history = Hidden(GAME, seed), list[tuple[int, int]]()
        for guess in (0, 0, seed, 4, hidden.secret):
            if not history or history[-1][1] != WIN:
                history.append((guess, hidden.answer(history, guess)))
        found, candidates = review(hidden, history, seconds=60), frozenset(range(9))
        assert len(found.moves) == len(history)
        for (guess, response), move in zip(history, found.moves, strict=True):
            value = needed_by(candidates, guess)
            tells = value < 99
            assert move.best == needed(candidates)
            assert move.worth == (value if tells else 1 + move.best)
            assert move.lost == move.worth - move.best
            if move.better:
                assert needed_by(candidates, GAME.guess_index(move.better)) == move.best < move.worth
            else:
                assert move.lost == 0
            after = left(candidates, guess, response)
            assert (move.before, move.after, move.by) == (len(candidates), len(after), "exact")
            candidates = after
        optimum, one_step = found.rivals
        assert (optimum.method, optimum.average) == ("exact", needed(frozenset(range(9))))
        assert one_step.average is not None and optimum.average is not None
        assert one_step.average >= optimum.average
        assert 1 <= optimum.guesses == optimum.paid <= 4


def play(game: Game, labels: str, seed: int = 1, lies: int = 0) -> tuple[Hidden, list[tuple[int, int]]]:
    hidden, history = Hidden(game, seed, lies=lies), list[tuple[int, int]]()
    for label in labels.split():
        guess = game.guess_index(label)
        history.append((guess, hidden.answer(history, guess)))
    return hidden, history


def test_without_time_or_with_lies_moves_are_weighed_one_step_ahead(tmp_path: Path) -> None:
    found = review(*play(GAME, "11 12"), seconds=0)
    assert [move.by for move in found.moves] == ["entropy"] * 2
    assert found.moves[0].better == "12"
    assert [(rival.method, rival.average) for rival in found.rivals] == [("entropy", None)]
    found = review(*play(GAME, "11 12", lies=1))
    assert [move.by for move in found.moves] == ["volume"] * 2
    assert found.moves[0].worth >= found.moves[0].best
    assert found.rivals == ()
    words = tmp_path / "words.txt"
    words.write_text("fight\nlight\nmight\nnight\ntight")
    found = review(*play(guesstree.parse(f"wordle:{words},hard"), "fight light"), seconds=60)
    assert [float(move.best) for move in found.moves] == [3, 2.5]  # nothing is better than one by one


def test_what_tells_nothing_costs_what_it_forbids_and_causes_may_be_alike() -> None:
    game = ruled_game(336)
    hidden = Hidden(game, 0, goal="identify")
    guess = game.guess_index("g0")
    found = review(hidden, [(guess, hidden.answer([], guess))], seconds=60)
    assert (found.moves[0].best, found.moves[0].worth, found.moves[0].by) == (2, Fraction(13, 4), "exact")
    alike = guesstree.table({"t": ["x", "y", "y"]}, secrets=["a", "b", "c"])
    found = review(Hidden(alike, next(s for s in range(9) if Hidden(alike, s).secret)), [(0, 1)])
    assert [(move.after, move.by) for move in found.moves] == [(2, "entropy")]
    assert found.rivals == ()


def test_where_answers_have_chances_losses_count(tmp_path: Path) -> None:
    (tmp_path / "doctor.csv").write_text(
        "test,flu,cold,well,cost,group,setup\n"
        "fever,yes:9/no:1,no:9/yes:1,no:9/yes:1,1,,\n"
        "cough,yes/no,yes:9/no:1,no:9/yes:1,1,,\n"
        "swab,pos:19/neg:1,neg:19/pos:1,neg:19/pos:1,2,lab,4\n"
        "blood,high:4/low:1,low:7/high:3,low:9/high:1,1,lab,4\n"
        "weight,5,3,2,,,\ndecide antiviral,0,15,30,,,\ndecide rest,40,0,5,,,\n"
    )
    hidden, history = play(guesstree.parse(f"table:{tmp_path}/doctor.csv,cells=sets"), "cough")
    cough, decided = review(hidden, history, decision=0, seconds=60).moves
    assert (cough.worth, cough.best, cough.better) == (Fraction("5.95"), Fraction("4.95"), "fever")
    assert (decided.guess, decided.response) == ("decide antiviral", None)
    assert decided.lost == decided.worth - decided.best > 0
    found = review(hidden, history, decision=0, seconds=60)
    assert (found.rivals[0].method, found.rivals[0].average) == ("exact", Fraction("4.95"))
    lost = {"flu": 0, "cold": 15, "well": 30}, {"flu": 40, "cold": 0, "well": 5}
    secret = hidden.game.secrets[hidden.secret]
    assert found.rivals[0].paid - found.rivals[0].guesses in {each[secret] for each in lost}
    assert found.as_data()["moves"][0]["lost"] == 1
    assert hidden.loss(1) == lost[1][secret]


def test_what_costs_nothing_is_called_free_and_has_no_number_in_json() -> None:
    """A letter that every word has costs nothing: for its cost it tells infinitely much."""
    cost, free = (
        Move(guess, "miss", 9, 5, "information-per-cost", worth, inf, "e" if worth < inf else "")
        for guess, worth in (("x", 1.5), ("e", inf))
    )
    game = guesstree.parse("mastermind:2x2")
    found = Review((cost, free), ())
    _, rows, *_ = reviewed(game, found)
    lines = rows.splitlines()
    assert lines[1].split() == ["1", "x", "5", "a", "free", "guess", "e", "1.5", "free"]
    assert lines[2].split() == ["2", "e", "5", "-", "-", "free", "free"]
    assert gave_away(game, cost) == "might have cost something, which e did not"
    assert gave_away(game, free) == "gave nothing away: as good as any"
    moves = json.loads(json.dumps(found.as_data(), allow_nan=False))["moves"]
    assert [(move["worth"], move["best"], move["lost"]) for move in moves] == [
        (1.5, None, None),
        (None, None, 0),
    ]
