"""What an argument with costs says of guesses and parts, beside the true costs of tiny tables."""

import random
from functools import cache
from itertools import product
from math import inf

import numpy as np
import pytest
from effort import seeds
from explaining import words_of

from guesstree.api.explained import PricedExplanation
from guesstree.api.explanation import explained_game
from guesstree.engine.errors import GuesstreeError, Infeasible
from guesstree.engine.game import costs_of, response_table
from guesstree.engine.objective import WIN_PROBABILITY
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.priced_argument import (
    INFINITE,
    NO_GUESS,
    PricedArgument,
    PricedGuess,
    PricedLemma,
    least_depths,
    letters,
)
from guesstree.engine.tables.table import TableGame


def some_game(chance: random.Random, *, win: bool, n: int = 0) -> TableGame:
    """Return a random table with costs, some of them by response, and sometimes weights."""
    n, many = n or chance.randint(2, 6), chance.randint(3, 6)
    secrets, answers = [f"s{i}" for i in range(n)], "abc"[: chance.randint(2, 3)]
    guesses = [f"g{i}" for i in range(many)] + secrets * win
    cells = [[chance.choice(answers) for _ in secrets] for _ in range(many)]
    if win:
        cells += [["win" if s == t else "no" for t in secrets] for s in secrets]
    weights = [chance.randint(1, 5) for _ in secrets] if chance.random() < 0.6 else None
    game = TableGame("table", guesses, secrets, cells, "win" if win else None, weights)
    least = chance.choice((0, 1, 1, 2))
    costs = [[chance.randint(least, 4)] * len(game.responses) for _ in guesses]
    if chance.random() < 0.4:
        costs = [[chance.randint(least, 4) for _ in game.responses] for _ in guesses]
    game.costs = np.array(costs, dtype=np.int64)
    return game


def some_game_of_candidates(chance: random.Random) -> TableGame:
    """Return a random table in which guesses win on secrets, some on the same, and tell others apart."""
    answers = "abc"[: chance.randint(1, 3)]
    n = chance.randint(2, 9 if len(answers) > 1 else 7)  # with one answer, every set is left by some guesses
    owners = [*range(n), *(chance.randrange(n) for _ in range(chance.randint(0, 2)))]
    cells = [["win" if s == own else chance.choice(answers) for s in range(n)] for own in owners]
    cells += [[chance.choice("abc") for _ in range(n)] for _ in range(chance.randint(0, 2))]
    guesses = [f"g{i}" for i in range(len(cells))]
    weights = [chance.randint(1, 5) for _ in range(n)] if chance.random() < 0.5 else None
    game = TableGame("table", guesses, [f"s{i}" for i in range(n)], cells, weights=weights)
    game.winning, prices = game.responses.index("win"), chance.choice(((0, 0, 1), (0, 2, 5), (1, 2, 3)))
    costs = [[chance.choice(prices)] * len(game.responses) for _ in guesses]
    if chance.random() < 0.4:  # one answer to each guess costs something
        dear = chance.choice(range(len(game.responses)))
        costs = [[price[0] * (r == dear) for r in range(len(game.responses))] for price in costs]
    game.costs = np.array(costs, dtype=np.int64)
    return game


def some_game_of_twins(chance: random.Random) -> TableGame:
    """Return a random table in which each guess is there twice, for less and for more."""
    n, many = chance.randint(5, 7), chance.randint(4, 6)
    secrets, costs = [f"s{i}" for i in range(n)], [chance.randint(1, 2) for _ in range(many)]
    rows = [[chance.choice("aab") for _ in secrets] for _ in range(many)]
    game = TableGame("table", [f"g{i}" for i in range(2 * many)], secrets, rows * 2)
    every = [*costs, *(cost + chance.randint(1, 2) for cost in costs)]
    game.costs = np.array([[cost] * len(game.responses) for cost in every], dtype=np.int64)
    return game


class Truth:
    """What sets of a table cost, by trying all; each guess that tells something may be asked.

    `only`: each guess that wins on some secret of the set may.
    """

    def __init__(self, game: TableGame, *, win: bool, only: bool = False) -> None:
        self.table, self.winning = response_table(game), game.winning if win else None
        self.costs, self.weights = costs_of(game), game.weights or [1] * len(game.secrets)
        self.win, self.only = win, only
        self.value = cache(self._value)

    def _value(self, members: tuple[int, ...], left: float) -> float:
        if not members or (len(members) == 1 and not self.win):
            return 0
        return min((self.asked(members, left, g) for g in range(len(self.table))), default=inf)

    def asked(self, members: tuple[int, ...], left: float, guess: int) -> float:
        """Return what a set costs if a guess is asked first, infinite if that tells nothing."""
        parts: dict[int, list[int]] = {}
        for s in members:
            parts.setdefault(int(self.table[guess, s]), []).append(s)
        if (len(parts) == 1 or self.only) and self.winning not in parts:
            return inf
        total: float = 0
        for response, part in parts.items():
            paid = int(self.costs[guess][response])
            if paid > left:
                return inf
            total += paid * sum(self.weights[s] for s in part)
            total += 0 if response == self.winning else self.value(tuple(part), left - paid)
        return total


class Losses:
    """What is lost of sets of a table within a budget, and what the others pay, by trying all.

    Both are counted from the beginning; what is lost is the least, and then what is paid.
    """

    def __init__(self, game: TableGame, budget: int, *, win: bool, only: bool) -> None:
        self.truth, self.budget = Truth(game, win=win, only=only), budget
        self.value = cache(self._value)

    def ended(self, secret: int, paid: int) -> tuple[int, int]:
        """Return what is lost, and paid, of a secret that has paid so much in all."""
        weight = self.truth.weights[secret]
        return (weight, 0) if paid > self.budget else (0, weight * paid)

    def _value(self, members: tuple[int, ...], paid: int) -> tuple[float, float]:
        if len(members) == 1 and not self.truth.win:
            return self.ended(members[0], paid)
        return min((self.asked(members, paid, g) for g in range(len(self.truth.table))), default=(inf, inf))

    def asked(self, members: tuple[int, ...], paid: int, guess: int) -> tuple[float, float]:
        """Return the same if a guess is asked first, infinite if that tells nothing, or may not be asked."""
        truth, parts = self.truth, dict[int, list[int]]()
        for s in members:
            parts.setdefault(int(truth.table[guess, s]), []).append(s)
        if (len(parts) == 1 or truth.only) and truth.winning not in parts:
            return inf, inf
        lost: float = 0
        others: float = 0
        for response, part in parts.items():
            more = paid + int(truth.costs[guess][response])
            done = more > self.budget or response == truth.winning  # the lost are told apart somehow
            ends = [self.ended(s, more) for s in part] if done else [self.value(tuple(part), more)]
            lost, others = lost + sum(a for a, _ in ends), others + sum(b for _, b in ends)
        return lost, others

    def counted(self, members: tuple[int, ...], left: int, value: tuple[float, float], digits: int) -> float:
        """Return a value of a set as one number, counted from where it may still pay so much."""
        weight, before = sum(self.truth.weights[s] for s in members), self.budget - left
        if digits == 1:
            return value[0]
        return value[0] * (sum(self.truth.weights) * self.budget + 1) + value[1] - weight * before


def require_true(truth: Truth, lemma: PricedLemma, guess: PricedGuess) -> None:
    """Fail unless what is shown of a guess and of its parts is true."""
    members, left = tuple(lemma.members.tolist()), inf if lemma.left >= INFINITE else lemma.left
    free = guess.guess == NO_GUESS
    asked = truth.value(members, left) if free else truth.asked(members, left, guess.guess)
    assert guess.known <= asked or asked == inf
    assert not (free and truth.only)
    for part in guess.parts:
        true = truth.value(tuple(part.members.tolist()), inf if part.left >= INFINITE else part.left)
        assert part.counted <= part.ahead <= part.known
        assert part.known <= true or (true == inf and part.known <= INFINITE)
        if part.look is not None and part.ahead < INFINITE:
            assert part.look.paid + sum(part.look.parts) == part.ahead


@pytest.mark.parametrize("seed", seeds(40, 200))
@pytest.mark.parametrize("only", [False, True])
@pytest.mark.parametrize("objective", ["expected", "worst", "worst,expected"])
def test_what_is_shown_is_true_of_tiny_tables(seed: int, objective: str, *, only: bool) -> None:
    chance = random.Random(seed)
    win = only or chance.random() < 0.3
    game = some_game_of_candidates(chance) if only else some_game(chance, win=win)
    goal = "win" if win else "identify"
    try:
        found = explained_game(game, 1000, objective=objective, goal=goal, candidates_only=only)
    except (Infeasible, GuesstreeError) as error:
        assert not only
        assert "apart" in str(error) or "no strategy" in str(error), error
        return
    truth = Truth(game, win=win, only=only)
    everything = tuple(range(len(game.secrets)))
    for one in found:
        assert isinstance(one, PricedExplanation)
        assert one.optimal
        limit = inf if one.within is None else one.within
        true = truth.value(everything, limit)
        assert true == (inf if one.bound is None else one.bound) or objective == "worst"
        sets = {lemma.number: lemma.members for lemma, _ in one.accounts}
        for lemma, account in one.accounts:
            members = tuple(lemma.members.tolist())
            true = truth.value(members, inf if lemma.left >= INFINITE else lemma.left)
            assert lemma.bound <= true or true == inf
            assert account.counted <= true or true == inf
            if account.counted >= lemma.bound:
                assert not account.guesses
                continue
            assert all(guess.known >= lemma.bound for guess in account.guesses)
            if [guess.guess for guess in account.guesses] != [-1]:
                assert account.useless + sum(guess.equal for guess in account.guesses) == len(game.guesses)
            for guess in account.guesses:
                require_true(truth, lemma, guess)
                for part in guess.parts if only else ():  # a part is not its subsets (P7)
                    assert not part.lemma or np.array_equal(sets[part.lemma], part.members)


@pytest.mark.parametrize("seed", seeds(30, 300))
@pytest.mark.parametrize("kind", ["", "only", "twins"])
@pytest.mark.parametrize("digits", [1, 2])
def test_what_is_lost_within_a_budget_is_true_of_tiny_tables(seed: int, digits: int, kind: str) -> None:
    require_true_losses(seed, digits, kind)


@pytest.mark.parametrize(("digits", "seed"), [(1, 50), (1, 77), (2, 211), (2, 243)])
def test_a_lemma_for_another_limit_says_nothing_of_what_is_lost(digits: int, seed: int) -> None:
    require_true_losses(seed, digits, "twins")  # there such a lemma would say too much (P8)


def require_true_losses(seed: int, digits: int, kind: str) -> None:
    """Fail unless what is shown of a random table with a budget is true."""
    chance = random.Random(seed)
    only, twins = kind == "only", kind == "twins"
    win = only or (not twins and chance.random() < 0.4)
    game = some_game_of_candidates(chance) if only else some_game(chance, win=win)
    game = some_game_of_twins(chance) if twins else game
    budget = chance.randint(0, 7)
    truth = Losses(game, budget, win=win, only=only)
    everything = tuple(range(len(game.secrets)))
    if len(np.unique(response_table(game), axis=1).T) < len(everything):
        return  # two secrets are not told apart
    best = truth.value(everything, 0)
    goal = "win" if win else "identify"
    problem = Problem(game, WIN_PROBABILITY, goal=goal, candidates_only=only, budget=budget)
    claim = tuple(map(int, best[:digits]))
    argument = PricedArgument(problem, budget, claim, ".")
    assert argument.root.bound == truth.counted(everything, budget, best, digits)
    body = []  # what a certificate may say of parts, too
    for asked in range(len(game.guesses)) if twins else chance.sample(range(len(game.guesses)), 2):
        for open_part, left in argument.asked(argument.root.members, budget, asked)[1]:
            some = tuple(open_part.tolist())
            least = truth.counted(some, left, truth.value(some, budget - left), digits)
            body.append(f"{asked + 1} {some[0] + 1} {int(least)} .")
    if chance.random() < 0.7:
        argument = PricedArgument(problem, budget, claim, f"( {' '.join(body)} )")
    for lemma, account in argument.accounts(argument.lemmas):
        members = tuple(lemma.members.tolist())
        value = truth.value(members, budget - lemma.left)
        true = truth.counted(members, lemma.left, value, digits)
        assert max(lemma.bound, account.counted) <= true if lemma.number else lemma.bound == true
        assert account.counted <= true
        assert bool(account.guesses) == (account.counted < lemma.bound)
        for guess in account.guesses:
            assert guess.known >= lemma.bound
            if guess.guess != NO_GUESS:
                value = truth.asked(members, budget - lemma.left, guess.guess)
            assert guess.known <= truth.counted(members, lemma.left, value, digits)
            for part in guess.parts:
                some = tuple(part.members.tolist())
                least = truth.counted(some, part.left, truth.value(some, budget - part.left), digits)
                assert part.counted <= part.ahead <= part.known <= least
                if part.look is not None:
                    assert part.look.paid + sum(part.look.parts) == part.ahead


@pytest.mark.parametrize("seed", seeds(30, 200))
@pytest.mark.parametrize("only", [False, True])
def test_the_words_say_what_is_claimed_and_add_up(seed: int, *, only: bool) -> None:
    chance = random.Random(seed)
    game = some_game_of_candidates(chance) if only else some_game(chance, win=True)
    budget = chance.randint(0, 7)
    (found,) = explained_game(
        game, objective="win-probability", goal="win", candidates_only=only, budget=budget
    )
    assert isinstance(found, PricedExplanation)
    lost, paid = Losses(game, budget, win=True, only=only).value(tuple(range(len(game.secrets))), 0)
    text = words_of([found])
    assert found.lost == (lost, paid)
    each = sum(game.weights or [1] * len(game.secrets)) * budget + 1
    assert f"{lost} lost and {paid} paid count {lost} \u00d7 {each} + {paid} = {lost * each + paid}." in text
    assert ("Here it may ask only" in text) == only
    assert "so this is the least" in text


def test_every_lemma_that_is_named_is_shown() -> None:
    named = 0
    for seed in range(40):
        game = some_game(random.Random(seed), win=False, n=8)
        try:
            (found,) = explained_game(game, 1000, goal="identify")
        except GuesstreeError:
            continue
        assert isinstance(found, PricedExplanation)
        before = dict[str, int]()
        for lemma, account in found.accounts:  # in the order in which they rest on each other
            for part in (part for guess in account.guesses for part in guess.parts if part.lemma):
                assert before[part.lemma] == part.known
                named += 1
            before[lemma.number] = lemma.bound
    assert named > 20


def test_depths_are_those_of_the_cheapest_tree() -> None:
    for seed in range(30):
        chance = random.Random(seed)
        branches = chance.randint(2, 3)
        weights = [chance.randint(1, 9) for _ in range(chance.randint(2, 5))]
        found = least_depths(weights, branches)
        assert sum(branches**-depth for depth in found) <= 1
        all_depths = product(range(1, 5), repeat=len(weights))
        fitting = (some for some in all_depths if sum(branches**-depth for depth in some) <= 1)
        best = min(sum(w * d for w, d in zip(weights, some, strict=True)) for some in fitting)
        assert sum(w * d for w, d in zip(weights, found, strict=True)) == best


def test_letters_count() -> None:
    assert [letters(n) for n in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA",
    ]  # fmt: skip
