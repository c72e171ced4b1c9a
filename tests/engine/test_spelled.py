"""Jotto, Nerdle and Primel: the rules, published counts and figures, and small lists against the oracle."""

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from effort import seeds

from guesstree.api.strategy import strategy_of
from guesstree.engine.advice.position import Position
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError
from guesstree.engine.games.jotto import JottoGame
from guesstree.engine.games.marks import MarkGame, mark
from guesstree.engine.games.nerdle import NerdleGame, equations
from guesstree.engine.games.primel import PrimelGame, primes
from guesstree.engine.notation import Look
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import best, front
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.trees import check as checker

# -- Jotto -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("guess", "secret", "answer"),
    [
        ("crane", "brick", "2"),
        ("geese", "eerie", "3"),
        ("eerie", "geese", "3"),
        ("slate", "least", "5"),  # an anagram does not win
        ("slate", "slate", "yes"),
        ("llama", "level", "2"),
        ("fight", "words", "0"),
    ],
)
def test_letters_in_common(guess: str, secret: str, answer: str) -> None:
    game = JottoGame("jotto:test", [secret], [guess])
    g, s = game.guess_index(guess), game.secret_index(secret)
    assert game.responses[game.respond(g, s)] == answer
    assert game.table()[g, s] == game.respond(g, s)


def some_words(seed: int, many: int, letters: int, kinds: int) -> list[str]:
    """Return different words at random."""
    dice = random.Random(seed)
    found = {"".join(dice.choices("abcdefghijklmnopqrstuvwxyz"[:kinds], k=letters)) for _ in range(many)}
    return sorted(found)


def jotto(seed: int, many: int, letters: int) -> JottoGame:
    """Return a game of some words, a third of which may only be guessed."""
    words = some_words(seed, many, letters, 3 + seed % 8)
    random.Random(seed).shuffle(words)
    cut = max(2 * len(words) // 3, 1)
    return JottoGame("jotto:test", words[:cut], words[cut:])


def check_against_the_oracle(game: JottoGame | MarkGame, objective: str, goal: str) -> None:
    solution = solve(game, objective, goal=goal)
    assert solution.optimal
    assert solution.upper == best(front(game, goal), OBJECTIVES[objective].figures)
    assert checker.check(game, strategy_of(solution)).valid


@pytest.mark.parametrize("seed", seeds(20, 700))
def test_words_in_common_equal_the_oracle(seed: int) -> None:
    game = jotto(seed, 5 + seed % 8, 6 if seed % 2 else 2 + seed % 5)
    check_game(game)
    for objective in ("expected", "worst"):
        check_against_the_oracle(game, objective, "win")


def test_anagrams_are_told_apart_by_asking_them() -> None:
    game = JottoGame("jotto:test", ["slate", "stale", "least"], [])
    assert game.responses == ["5", "yes"]
    assert solve(game).upper == (6,)


def test_lists_of_jotto_are_those_of_wordle(tmp_path: Path) -> None:
    for name, words in (("a", "crane brick"), ("b", "slate"), ("c", "brick")):
        (tmp_path / f"{name}.txt").write_text("\n".join(words.split()))
    a, b, c = (tmp_path / f"{name}.txt" for name in "abc")
    assert parse(f"jotto:{a},{b}").guesses == ("brick", "crane", "slate")
    assert parse(f"jotto:{a},{b},without={c}").secrets == ("crane",)
    assert parse(f"jotto:{a},{b},without={c},any").secrets == ("crane", "slate")
    wider = parse(f"jotto:{a},{b},without={c}").wider
    assert wider is not None and wider.spec == f"jotto:{a},{b},any" and wider.secrets == wider.guesses
    assert parse(wider.spec).wider is None
    for text, line in (
        ("", "expected a file of words"),
        ("official,x.txt", "'x.txt' after official; expected used=USED.txt, any, in this order"),
        (f"{c},without={c}", "every word is in"),
        (f"{a},{tmp_path / 'no.txt'}", "no.txt"),
    ):
        with pytest.raises(GameError, match=re.escape(line)):
            parse(f"jotto:{text}")
    with pytest.raises(GameError, match="'ab' has 2 letters; expected words of the same length"):
        JottoGame("jotto:test", ["ab", "abc", "abd"], [])


# -- Nerdle ------------------------------------------------------------------------------------------------

EQUATION = re.compile(r"(?:[1-9][0-9]*[-+*/])+[1-9][0-9]*=(?:0|[1-9][0-9]*)")


def is_equation(text: str) -> bool:
    """Return whether a text is an equation, from the rules alone."""
    if not EQUATION.fullmatch(text):
        return False
    left, _, right = text.partition("=")
    exact = re.sub("([0-9]+)", r"Fraction(\1)", left)
    return bool(eval(exact, {"Fraction": Fraction}) == int(right))


def test_short_equations_are_those_of_the_rules() -> None:
    """All texts of five symbols are tried."""
    texts = map("".join, product("0123456789+-*/", repeat=3))
    assert list(equations(5)) == sorted(
        f"{t}={d}" for t in texts for d in "0123456789" if is_equation(f"{t}={d}")
    )


@pytest.mark.parametrize(("size", "many"), [(5, 127), (6, 206), (7, 6661), (8, 17723)])
def test_there_are_as_many_equations_as_published(size: int, many: int) -> None:
    """Of 6 and 8 symbols, as mini-Nerdle and Nerdle have them; the others are counted here."""
    found = equations(size)
    assert len(found) == len(set(found)) == many
    assert all(len(one) == size for one in found)
    assert all(map(is_equation, found[:: 1 + many // 2000]))


@pytest.mark.parametrize("text", ["3/2*4=6", "1-1=0", "7-10/5=5", "10+20=30"])
def test_fractions_in_between_and_zero_as_a_result_are_allowed(text: str) -> None:
    assert text in equations(len(text))


@pytest.mark.parametrize("text", ["0+5=5", "1+-1=0", "01+2=3", "5/2=2.5", "12345=12345", "1+2=1+2", "1-2=-1"])
def test_what_the_rules_forbid_is_no_equation(text: str) -> None:
    assert text not in set().union(*map(equations, range(5, 9)))


def test_mini_nerdle_takes_544_guesses_and_three_at_worst() -> None:
    game = parse("nerdle:6")
    assert len(game.responses) == len(np.unique(game.table())) == 295
    total = solve(game)
    assert total.optimal and total.upper == (544,)
    worst = solve(game, "worst")
    assert worst.optimal and worst.upper == (3,)
    for solution in (total, worst):
        assert checker.check(game, strategy_of(solution)).valid


@pytest.mark.parametrize(
    ("spec", "total", "worst"), [("nerdle:5", 374, 4), ("primel:2", 63, 5), ("primel:3", 475, 4)]
)
def test_small_ones_are_proven(spec: str, total: int, worst: int) -> None:
    game = parse(spec)
    for objective, value in (("expected", total), ("worst", worst)):
        solution = solve(game, objective)
        assert solution.optimal and solution.upper == (value,)
        assert checker.check(game, strategy_of(solution)).valid


# -- marks -------------------------------------------------------------------------------------------------


class Some(MarkGame):
    """Some of the equations or primes."""

    def __init__(self, kind: type[MarkGame], whole: tuple[str, ...], seed: int, many: int) -> None:
        dice = random.Random(seed)
        self.spec, self.look = f"{many} of {kind.__name__}", kind.look
        self.guesses = tuple(sorted(dice.sample(whole, many)))
        self.secrets = tuple(sorted(dice.sample(self.guesses, 1 + dice.randrange(many))))
        self.number_responses()


@pytest.mark.parametrize("seed", seeds(20, 700))
def test_samples_equal_the_oracle(seed: int) -> None:
    kind = (NerdleGame, PrimelGame)[seed % 2]
    whole = (equations(6), primes(4), equations(7), primes(5))[seed % 4]
    game = Some(kind, whole, seed, 3 + seed % 9)
    check_game(game)
    for goal in ("win", "identify"):
        check_against_the_oracle(game, ("expected", "worst")[seed // 4 % 2], goal)


def test_only_marks_that_occur_are_numbered() -> None:
    game = NerdleGame(7)
    dice = random.Random(1)
    met = {mark(*dice.sample(game.guesses, 2)) for _ in range(2000)}
    assert met <= set(game.responses)
    assert len(game.responses) == 1756
    assert all("=" in label or "+" in label for label in game.responses)  # the sign is somewhere
    assert len(parse("primel:6").responses) == 3**6 - 6  # all but one elsewhere and the others in place


def test_too_many_symbols_are_refused() -> None:
    class Long(MarkGame):
        def __init__(self) -> None:
            self.spec, self.guesses = "long", ("a" * 30, "b" * 30)
            self.secrets, self.look = self.guesses, Look("tiles", "marks", symbols="ab")
            self.number_responses()

    with pytest.raises(GameError, match="long: 30 symbols in a guess; expected at most 14"):
        Long()


# -- Primel ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("digits", "many"), [(1, 4), (2, 21), (3, 143), (4, 1061), (5, 8363), (6, 68906)])
def test_there_are_as_many_primes_as_known(digits: int, many: int) -> None:
    """OEIS A006879."""
    assert len(primes(digits)) == many


def test_numbers_without_a_divisor_are_prime() -> None:
    plain = [str(n) for n in range(100, 1000) if all(n % d for d in range(2, n))]
    assert list(primes(3)) == plain


# -- what is typed -----------------------------------------------------------------------------------------


def bad_specs() -> Iterator[tuple[str, str]]:
    """Yield specs that are refused, with what is accepted."""
    for text in ("", "4", "9", "08", "8x8", "8,hard", "eight", "-8", "8.0"):
        yield f"nerdle:{text}", "5 to 8"
    for text in ("", "1", "7", "05", "5x10", "five"):
        yield f"primel:{text}", "2 to 6"


@pytest.mark.parametrize(("spec", "words"), list(bad_specs()))
def test_sizes_that_there_are_not_are_refused(spec: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        parse(spec)
    assert words in str(error.value) and spec in str(error.value)


def test_equations_are_typed_as_they_are() -> None:
    game = parse("nerdle:8")
    assert game.guesses[game.read_guess("12+35=47")] == "12+35=47"
    assert game.guesses[game.read_guess(" 12 + 35 = 47 ")] == "12+35=47"
    for typed in ("--=-+=-=", "bbgbygbg", "00201202"):
        assert game.responses[game.read_response(typed, game.read_guess("12+35=47"))] == "--=-+=-="
    with pytest.raises(GameError, match="'12\\+35=48' is not a guess of nerdle:8"):
        game.read_guess("12+35=48")


def test_a_position_of_equations_follows_its_history() -> None:
    game = parse("nerdle:6")
    marks = mark("5+8=13", "9*7=63")
    left = Position(game, f"5+8=13:{marks}").candidates.tolist()
    assert game.secret_index("9*7=63") in left
    assert left == [s for s, one in enumerate(game.secrets) if mark("5+8=13", one) == marks]


def test_a_position_of_primes_follows_its_history() -> None:
    game = parse("primel:5")
    assert isinstance(game, PrimelGame)
    hidden = game.secret_index("48619")
    history = [("12953", game.responses[game.respond(game.guess_index("12953"), hidden)])]
    left = Position(game, history).candidates.tolist()
    assert hidden in left
    assert left == [s for s, word in enumerate(game.secrets) if mark("12953", word) == history[0][1]]


@pytest.mark.parametrize("ending", [",used=", ",", ",,hard", ",hard,used=w.txt"])
def test_what_is_empty_or_out_of_order_in_a_spec_is_refused(ending: str, tmp_path: Path) -> None:
    words = tmp_path / "w.txt"
    words.write_text("abc\nabd\n")
    with pytest.raises(GameError, match=r"expected one, used=USED.txt|in this order|cannot read"):
        parse(f"wordle:{words}{ending}")
