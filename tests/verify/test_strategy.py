"""The checkers that replay a strategy: they count what it takes, and refuse what it does not keep."""

import random
from hashlib import sha256
from pathlib import Path

import pytest
from certificates import Secrets, Tiny, certificate, some_game
from effort import seeds
from fast_checker import SANITIZED, built
from hard_words import START, Hard, History, some_hard
from slow_checker import both


@pytest.fixture(scope="module")
def checker() -> str:
    """Build the checker so that it ends at the first wrong read or write."""
    return built(*SANITIZED, name="strategy")


Played = tuple[list[str], int, int]
"""The guesses of a strategy, what it takes in all, and at most."""


def played(game: Tiny, members: Secrets, chance: random.Random, most: int = 12) -> Played | None:
    """Return a random strategy, played in the plainest way; None: it has no end within so many guesses."""
    if len(members) == 1 and not game.win:
        return [], 0, 0
    own = [g for g in game.allowed(members) if game.win and game.wins(g, members[0])]
    if len(members) == 1:
        return ([], 1, 1) if own else None
    if not most:
        return None
    allowed = game.allowed(members)
    if not allowed:  # what is left cannot be told apart
        return None
    guess = chance.choice(allowed)
    words, total, worst = [game.guesses[guess]], len(members), 1
    for part in game.parts(members, guess):
        below = played(game, part, chance, most - 1)
        if below is None:
            return None
        words, total, worst = words + below[0], total + below[1], max(worst, 1 + below[2])
    return words, total, worst


def text_of(game: Tiny, words: list[str], cost: int, within: int, first: str = "-") -> str:
    """Return the text of a strategy."""
    text = certificate(game, cost, f"( {' '.join(words)} )", first, within)
    return text.replace("guesstree-proof/1 ", "guesstree-proof/1 strategy ", 1)


@pytest.mark.parametrize("seed", seeds(12, 120))
def test_random_strategies_take_what_they_take(checker: str, tmp_path: Path, seed: int) -> None:
    chance, found = random.Random(seed), 0
    while found < 3:
        game = some_game(tmp_path, chance)
        strategy = played(game, game.everything(), chance)
        if strategy is None or len(game.secrets) < 2:
            continue
        words, total, worst = strategy
        found += 1
        assert both(checker, tmp_path, text_of(game, words, total, worst), "strategy", alike=True) == ""
        assert both(checker, tmp_path, text_of(game, words, total, worst, words[0]), "strategy") == ""
        assert total >= game.cost(game.everything())
        for cost, within, why in ((total - 1, worst, " in all, not "), (total, worst - 1, "it takes up to ")):
            assert why in both(checker, tmp_path, text_of(game, words, cost, within), "strategy", alike=True)
        others = [word for word in game.guesses if word != words[0]]
        for more in ([*words, words[0]], words[:-1]):
            assert both(checker, tmp_path, text_of(game, more, total, worst), "strategy", alike=True)
        if others:
            claim = text_of(game, words, total, worst, chance.choice(others))
            assert "first" in both(checker, tmp_path, claim, "strategy", alike=True)


@pytest.mark.parametrize("seed", seeds(12, 120))
def test_a_change_of_a_guess_is_a_better_strategy_or_is_refused(
    checker: str, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    game = some_game(tmp_path, chance)
    strategy = played(game, game.everything(), chance)
    while strategy is None or len(game.secrets) < 2:
        game = some_game(tmp_path, chance)
        strategy = played(game, game.everything(), chance)
    words, total, worst = strategy
    for _ in range(10):
        changed = list(words)
        changed[chance.randrange(len(words))] = chance.choice([*game.guesses, "no-guess", "(", ")", "99999"])
        why = both(checker, tmp_path, text_of(game, changed, total, worst), "strategy", alike=True)
        if not why:
            cost, most = replayed(game, changed)
            assert cost <= total and most <= worst


def replayed(game: Tiny, words: list[str]) -> tuple[int, int]:
    """Return what a list of guesses takes, in all and at most; an error for one that is no strategy."""
    left, taken = list(words), dict[int, int]()

    def play(members: Secrets, depth: int) -> None:
        if len(members) == 1:
            taken[members[0]] = depth - (not game.win)
            return
        guess = game.guesses.index(left.pop(0))
        assert guess in game.allowed(members)
        parts = game.parts(members, guess)
        taken.update(dict.fromkeys(set(members) - {s for part in parts for s in part}, depth))
        for part in parts:
            play(part, depth + 1)

    play(game.everything(), 1)
    assert not left and set(taken) == set(game.everything())
    return sum(taken.values()), max(taken.values())


@pytest.mark.parametrize("goal", ["win", "identify"])
def test_both_take_a_thousand_guesses_one_after_the_other(checker: str, tmp_path: Path, goal: str) -> None:
    table = b",a,b\nnothing,x,x\na,win,y\nb,x,win\n"
    digest = sha256(table).hexdigest()
    (tmp_path / f"{digest}.csv").write_bytes(table)
    last = goal == "win"  # b, which is not asked in the file
    for most in (1000, 1001):
        words, total = "1 " * (most - 1 - last), 2 * (most - last) + last
        text = f"guesstree-proof/1 strategy table {digest} {digest}.csv {goal} - {most} {total} ( {words}2 )"
        why = both(checker, tmp_path, text, "strategy", alike=True)
        assert ("guesses one after the other" in why) == (most > 1000), why


@pytest.mark.parametrize("seed", seeds(12, 120))
def test_hard_mode_refuses_a_guess_that_the_responses_forbid(checker: str, tmp_path: Path, seed: int) -> None:
    chance, met = random.Random(seed), set[bool]()
    while met != {True, False}:
        hard = some_hard(tmp_path, chance)
        asked = freely(hard, hard.everything, START, chance)
        if asked is None or len(hard.everything) < 2:
            continue
        words, total, worst, legal = asked
        met.add(legal)
        why = both(checker, tmp_path, text_of(hard.game, words, total, worst), "strategy", alike=True)
        assert (why == "") == legal, why


def freely(
    hard: Hard, members: Secrets, history: History, chance: random.Random, most: int = 12
) -> tuple[list[str], int, int, bool] | None:
    """Return a random strategy, what it takes, and whether the mode allows all of it; None: it has no end."""
    game = hard.game
    if len(members) == 1:
        return [], game.win, game.win, True
    allowed = hard.allowed(members, history)
    guess = chance.choice(allowed if allowed and chance.random() < 0.9 else game.allowed(members))
    words, total, worst, legal = [game.guesses[guess]], len(members), 1, guess in allowed
    for part, after in hard.parts(members, history, guess):
        below = freely(hard, part, after, chance, most - 1) if most else None
        if below is None:
            return None
        words, total, worst = words + below[0], total + below[1], max(worst, 1 + below[2])
        legal &= below[3]
    return words, total, worst, legal
