"""Advice where tests may get several answers: beside plain fractions, and beside the oracle."""

import random
from collections import Counter
from fractions import Fraction
from math import prod

import pytest
from models import ModelGame
from random_models import model_of, noisy_game, random_model, random_rows

from guesstree.engine.advice.evidence import UNKNOWN, Evidence
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.noisy import oracle
from guesstree.engine.tables.noisy import NoisyTable

SHRUBS = ["test,holly,oak,beech", "thorns,y/n,n,n", "lobed,n,y,n", "evergreen,y,n,n"]


def some_game(dice: random.Random) -> NoisyTable:
    return noisy_game(random_rows(dice), "clique")


def some_evidence(dice: random.Random, game: NoisyTable) -> Evidence:
    """Return answers that some cause gives, some of them not known."""
    found = Evidence(game)
    for test in dice.sample(range(len(game.guesses)), dice.randint(0, len(game.guesses) - 1)):
        cause = dice.choice(found.possible)
        unknown = dice.random() < 0.3
        answer = UNKNOWN if unknown else dice.choice(list(found.model.chances[test][cause]))
        found = found.after(test, answer)
    return found


def test_posteriors_are_those_of_bayes() -> None:
    for seed in range(100):
        dice = random.Random(seed)
        game = some_game(dice)
        evidence = some_evidence(dice, game)
        model, chances = evidence.model, evidence.model.chances
        known = [(test, answer) for test, answer in evidence.history if answer != UNKNOWN]
        joint = [
            weight * prod((chances[test][cause].get(answer, 0) for test, answer in known), start=Fraction(1))
            for cause, weight in enumerate(model.weights)
        ]
        assert evidence.posterior == tuple(Fraction(p) / sum(joint) for p in joint), seed
        assert evidence.probability == Fraction(sum(joint)) / sum(model.weights)
        assert sum(evidence.posterior) == 1
        for test in evidence.askable:
            outlook = evidence.outlook(test)
            after = {a: evidence.after(test, a) for a in outlook.answers}
            assert sum(outlook.answers.values()) == 1
            assert all(
                evidence.probability * share == after[a].probability for a, share in outlook.answers.items()
            )


def below(evidence: Evidence, test: int) -> Fraction:
    """Return what it takes to ask a test, by the oracle for each answer: what is left is one model."""
    outlook = evidence.outlook(test)
    total = Fraction(outlook.price)
    for answer, share in outlook.answers.items():
        after = evidence.after(test, answer)
        total += share * (0 if after.over else oracle.expected(after.left[0]) or 0)
    return total


def test_advice_reaches_the_value_of_the_oracle() -> None:
    met = Counter[str]()
    for seed in (1403, *range(70)):  # 1403: a test that tells nothing and costs nothing is asked
        dice = random.Random(seed)
        evidence = Evidence(ModelGame(random_model(dice)))
        value = oracle.worst if evidence.model.failures else oracle.expected
        while not evidence.finished:
            expected = value(evidence.left[0])
            if expected is None:
                with pytest.raises(GuesstreeError):
                    evidence.advise()
                met["nothing"] += 1
                break
            advice = evidence.advise()
            assert advice.lower == advice.upper == expected, seed
            if advice.decision >= 0:
                met["decision"] += 1
                break
            tests = [outlook.test for outlook in evidence.outlooks()]
            assert advice.test in tests
            assert evidence.advise(first=advice.test).upper == expected
            assert evidence.model.failures or below(evidence, advice.test) == expected, seed
            test = dice.choice([advice.test, *tests])
            found = evidence.advise(first=test).upper
            assert found == below(evidence, test) if not evidence.model.failures else found >= expected, seed
            answer = dice.choice([UNKNOWN, *evidence.outlook(test).answers])
            met["not known" if answer == UNKNOWN else "answer"] += 1
            evidence = evidence.after(test, answer)
        else:
            met["over" if evidence.over else "named"] += 1
    assert min(met.values()) > 2 and len(met) == 6, met


def test_a_test_whose_answer_is_not_known_is_left_out() -> None:
    for seed in range(40):
        dice = random.Random(seed)
        rows = random_rows(dice)
        test = dice.randrange(len(noisy_game(rows).guesses))
        without = model_of([row for row in rows if not row.startswith(f"t{test},")], "clique")
        evidence = Evidence(noisy_game(rows, "clique"), f"t{test}:?")
        assert evidence.advise().upper == oracle.expected(without), seed


def test_causes_that_nothing_tells_apart_any_more_are_named_together() -> None:
    evidence = Evidence(noisy_game(SHRUBS), "lobed:?")
    advice = evidence.advise()
    assert evidence.together
    assert evidence.game.guesses[advice.test] == "evergreen"
    assert advice.upper == oracle.expected(model_of([SHRUBS[0], SHRUBS[1], SHRUBS[3]], "clique"))
    done = evidence.after(2, evidence.game.response_index("n"))
    assert done.finished
    assert [done.game.secrets[cause] for cause in done.possible] == ["oak", "beech"]


def test_answers_that_no_cause_gives_together_are_named() -> None:
    game = noisy_game(SHRUBS)
    with pytest.raises(Contradiction, match=r": no cause gives lobed y and evergreen y together") as error:
        Evidence(game, "thorns:? lobed:y evergreen:y")
    assert error.value.step == 3
    two_of_three = noisy_game(["test,A,B,C", "t0,y,y,n", "t1,y,n,y", "t2,n,y,y", "t3,x,y,z"])
    with pytest.raises(Contradiction, match=r": no cause gives t0 y, t1 y and t2 y together"):
        Evidence(two_of_three, "t3:?; t0:y; t1:y; t2:y")


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ("lobed:y lobed:n", r"'lobed' was asked already \(lobed y\); it would get the same answer"),
        ("lobed:? lobed:n", r"'lobed' was asked already \(lobed not known\)"),
        ("lobed:maybe", r"'maybe' is not an answer to 'lobed'; expected 'y', 'n', or \? where it is not"),
        ("lobed", r"history 'lobed'; expected GUESS:RESPONSE"),
        ("wings:y", r"'wings' is not a test of"),
    ],
)
def test_bad_evidence_is_one_line(history: str, message: str) -> None:
    with pytest.raises(GuesstreeError, match=message):
        Evidence(noisy_game(SHRUBS), history)


def test_exceptions_are_answers_that_even_the_best_cause_rarely_gives() -> None:
    rows = [f"t{i},y:0.95/n:0.05,n:0.95/y:0.05" for i in range(4)]
    game = noisy_game(["test,ill,well", *rows])
    assert Evidence(game, "t0:y t1:y t2:n").exceptions() is None
    found = Evidence(game, "t0:y t1:y t2:n t3:n").exceptions()
    assert found is not None
    assert (game.secrets[found[0]], found[1]) == ("ill", ((2, 1), (3, 1)))
    assert Evidence(noisy_game(["test,a,b", "t0,x/y,x/y", "t1,x/y,y"]), "t0:y t1:x").exceptions() is None


def test_answers_belong_to_their_test() -> None:
    game = noisy_game(["test,a,b", "t0,x,y", "t1,?,y/?"])
    assert [game.responses[r] for r in game.answers(1)] == ["y", "?"]
    assert Evidence(game, "t1:?").history == ((1, game.response_index("?")),)
    assert Evidence(game, "t0:?").history == ((0, UNKNOWN),)
