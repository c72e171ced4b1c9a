"""What an argument says of tests that may get several answers, beside the slow checker and the oracle."""

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from effort import seeds
from explaining import words_of
from noisy_tables import Brute, NoisyTiny, claims, some_noisy
from random_models import noisy_game, random_rows
from slow_checker import SLOW

from guesstree.api.certificate import prove
from guesstree.api.explained import NoisyExplanation
from guesstree.api.explanation import explained, explained_game, explained_strategy
from guesstree.api.first_guesses import other_first_guesses
from guesstree.api.strategy import strategy_of
from guesstree.api.verification import read_certificate
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.noisy import oracle
from guesstree.engine.proofs import noisy_bounds
from guesstree.engine.proofs.noisy_argument import NoisyAccount, NoisyLemma
from guesstree.engine.proofs.noisy_argument import Path as Steps
from guesstree.engine.proofs.noisy_bounds import INFINITE
from guesstree.engine.search.solve import solve

TO_THE_END = 10**5


def told(found: NoisyExplanation, folder: Path, text: str) -> None:
    """Fail unless all that is explained agrees with the slow checker, and reads well."""
    (name,) = {word for word in text.split() if word.endswith(".csv")}
    worst = found.argument.bounds.worst
    judge = SLOW["noisy"].Game((folder / name).read_bytes(), worst=worst)
    for lemma, account in found.accounts:
        require_true(found, judge, lemma, account)
    assert words_of([found])


def after(judge: Any, found: NoisyExplanation, steps: Steps) -> Any:
    """Return the state of the slow checker after some tests and answers."""
    state = judge.root
    for test, answer in steps:
        state = judge.after(state, test)[found.game.responses[answer]]
    return state


def require_true(found: NoisyExplanation, judge: Any, lemma: NoisyLemma, account: NoisyAccount) -> None:
    """Fail unless a claim is true, each number is that of the checker, and all that may be asked is shown."""
    state = after(judge, found, lemma.path)
    first = found.problem.first if lemma is found.argument.root else None
    assert dict(lemma.state.masses) == dict(state.masses)
    assert account.counted.bound == min(judge.bound(state), INFINITE)
    assert account.counted.ending == judge.decided(state)
    assert lemma.bound <= judge.ahead(state, TO_THE_END) or first is not None
    if not account.tests:
        assert (
            account.same
            or first is not None
            or account.counted.bound >= lemma.bound
            or (account.counted.ending >= lemma.bound and not judge.askable(state))
        )
        return
    assert sorted(test.test for test in account.tests) == (judge.askable(state) if first is None else [first])
    if first is None:
        assert account.counted.ending >= lemma.bound
        assert len(judge.useful(state)) == len(account.tests) + account.waiting
        assert account.useless + account.waiting + len(account.tests) == len(judge.tests)
    bounds = {one.number: one.bound for one in [*found.argument.lemmas, *found.argument.own.values()]}
    for test in account.tests:
        states = judge.after(state, test.test)
        assert {found.game.responses[part.answer] for part in test.parts} == set(states)
        assert test.checked or test.known >= lemma.bound
        for part in test.parts:
            here = states[found.game.responses[part.answer]]
            assert part.counted == judge.bound(here)
            assert part.ahead in (part.counted, judge.ahead(here, 1))
            assert part.counted <= part.ahead <= part.known <= judge.ahead(here, TO_THE_END)
            assert not part.lemma or bounds[part.lemma] >= part.known or part.lemma.isalpha()
        low = [judge.bound(states[found.game.responses[part.answer]]) for part in test.parts]
        assert test.paid == judge.joined(state, test.test, [])
        assert test.counted == min(judge.joined(state, test.test, low), INFINITE)


def explained_of(folder: Path, text: str) -> NoisyExplanation:
    """Return what is explained of a certificate, with all its lemmas."""
    path = folder / "some.proof"
    path.write_text(text)
    found = explained(read_certificate(str(path)), 1000)
    assert isinstance(found, NoisyExplanation)
    return found


@pytest.mark.parametrize("seed", seeds(12, 120))
def test_what_is_shown_of_random_tables_is_what_the_slow_checker_counts(tmp_path: Path, seed: int) -> None:
    """Groups, tests that wait, answers that end, decisions, odds and weights; with lemmas, and without."""
    dice = random.Random(seed)
    for worst in (False, True):
        table = some_noisy(dice, 4)
        brute, head = Brute(table), table.head(tmp_path)
        cost = brute.cost([], worst=worst)
        if worst and cost == 0:
            continue
        said = claims(head, cost, worst=worst)
        for body in ("99", brute.body([], dice, worst=worst)):
            text = f"{said} {body}"
            try:
                found = explained_of(tmp_path, text)
            except GuesstreeError as error:
                assert "is not shown" in str(error)  # the lemmas do not show it, so the checker refuses it
                continue
            assert found.argument.root.bound == (INFINITE if cost is None else cost)
            told(found, tmp_path, text)
    for test, cost in brute.first_costs():
        text = f"{claims(head, cost, worst=False, first=str(test + 1))} 99"
        told(explained_of(tmp_path, text), tmp_path, text)


@pytest.mark.parametrize("seed", seeds(6, 60))
@pytest.mark.parametrize("objective", ["expected", "worst"])
def test_what_is_explained_of_games_is_the_optimum(tmp_path: Path, seed: int, objective: str) -> None:
    dice = random.Random(seed)
    try:
        game = noisy_game(random_rows(dice), dice.choice(["", "clique"]))
        made = prove(game, objective)
    except GuesstreeError:
        return
    assert game.model is not None
    (found,) = explained_game(game, 1000, objective=objective)
    assert isinstance(found, NoisyExplanation)
    assert found.optimal
    bounds, least = found.argument.bounds, found.argument.root.bound
    if objective == "worst":
        assert Fraction(least, bounds.coin) == oracle.worst(game.model)
    else:
        mean = oracle.expected(game.model)
        assert mean is not None
        assert Fraction(least, bounds.scale) == mean * sum(map(Fraction, game.model.weights))
    made.write(tmp_path / "made.proof")
    own = explained(read_certificate(str(tmp_path / "made.proof")), 1000)
    assert isinstance(own, NoisyExplanation)
    told(own, tmp_path, made.text)
    assert [lemma.bound for lemma, _ in own.accounts] == [lemma.bound for lemma, _ in found.accounts]
    assert words_of([found])


@pytest.mark.parametrize("seed", seeds(8, 60))
@pytest.mark.parametrize("objective", ["expected", "worst"])
def test_strategies_are_followed_and_compared(seed: int, objective: str) -> None:
    dice = random.Random(seed)
    try:
        game = noisy_game(random_rows(dice), dice.choice(["", "clique"]))
        solved = solve(game, objective)
    except GuesstreeError:
        return
    (found,) = explained_strategy(strategy_of(solved), 1000)
    assert isinstance(found, NoisyExplanation)
    assert words_of([found])
    for one in other_first_guesses(found, 60):
        (shown,) = found.proved([one.guess])
        assert shown is None or shown <= one.lower
        (begun,) = explained_game(game, 0, objective=objective, first=game.guesses[one.guess])
        least = (begun.within or 0) + 1 if begun.bound is None else begun.bound
        assert one.lower == one.upper == least


def test_what_is_too_far_is_left_to_the_checker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [f"t{i},x:{2 + i}/y:1,x:1/y:{3 + i},x:1/y:{5 - i},{i + 1}" for i in range(4)]
    table = NoisyTiny((",a,b,c,cost", *rows, "d,0,90,90,-", "e,90,0,90,-", "f,90,90,0,-"))
    text = f"{claims(table.head(tmp_path), Brute(table).cost([]), worst=False)} 99"
    told(explained_of(tmp_path, text), tmp_path, text)
    monkeypatch.setattr(noisy_bounds, "MOST_WORK", 20)
    found = explained_of(tmp_path, text)
    told(found, tmp_path, text)
    assert all(test.checked for test in found.whole.tests)
    assert "further ahead, and finds enough; that is too much to be written down" in words_of([found])
