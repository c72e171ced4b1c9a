"""One-step strategies: known figures, exact ties, options, a user's own valuation."""

import json
import signal
import subprocess
import sys
import time
from fractions import Fraction
from itertools import permutations, product
from math import log, log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import games

from guesstree.api.strategy import strategy_of
from guesstree.engine.advice.optimum import with_optima
from guesstree.engine.advice.playing import play_against
from guesstree.engine.advice.position import Position
from guesstree.engine.advice.turns import parse_history
from guesstree.engine.errors import Contradiction, GuesstreeError, Infeasible
from guesstree.engine.game import Game
from guesstree.engine.objective import EXPECTED
from guesstree.engine.onestep.greedy import OneStep, run_ahead
from guesstree.engine.onestep.ranking import Method
from guesstree.engine.onestep.valuations import VALUATIONS, compare_entropy, entropy, entropy_scores
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.state import everything, split
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check
from guesstree.trees.figures import summarise

DATA = json.loads((Path(__file__).parent.parent / "data" / "onestep.json").read_text())
partitions = st.lists(st.integers(1, 60), min_size=1, max_size=14)


LARGE = "mastermind:5x8"


@pytest.mark.parametrize(
    "entry",
    [pytest.param(e, marks=[pytest.mark.long] * (e["game"] == LARGE)) for e in DATA["strategies"]],
    ids=lambda e: "-".join(str(v) for k, v in e.items() if k != "source"),
)
def test_known_strategies(entry: dict[str, Any]) -> None:
    game = parse(entry["game"])
    method = Method(entry["method"], prefer=not entry.get("no_preference", False))
    solution = solve(game, method=method, candidates_only=entry.get("candidates_only", False))
    strategy = strategy_of(solution)
    summary = summarise(strategy.guesses_needed())
    assert summary.total == entry["total"] == solution.upper[0]
    assert summary.worst == entry.get("worst", summary.worst)
    if "histogram" in entry:
        assert list(summary.histogram.values()) == entry["histogram"]
    if "first" in entry:
        assert game.guesses[int(strategy.guess[0])] == entry["first"]
    if summary.secrets < 2000:
        assert check(game, strategy).valid


def test_first_guesses_of_mastermind() -> None:
    game = parse("mastermind:4x6")
    found = {game.guesses[v.guess]: v for v in Position(game).valuations()}
    assert list(found) == ["1234", "1123", "1122", "1112", "1111"], "best by entropy first"
    for entry in DATA["first_guesses"]:
        valued = found[entry["guess"]]
        assert (valued.max_part, valued.parts) == (entry["max_part"], entry["parts"])
        assert round(float(valued.expected_size), 1) == entry["expected_size"]
        assert round(valued.entropy, 2) == entry["entropy"]
    assert sum(v.equivalents for v in found.values()) == 1296


def test_guesses_are_counted_in_the_order_given() -> None:
    """As many as there are need not be all of them: one may be there twice."""
    problem = Problem(parse("mastermind:2x3"), EXPECTED)
    some = everything(9)
    counts = problem.sizes(some, some)
    for guesses in (some[::-1], np.full(9, 4, dtype=np.int32), some):
        assert (problem.sizes(guesses, some) == counts[guesses]).all()
    assert problem.table.shape == (9, 9)
    assert (problem.sizes(some[::-1], some[:4]) == problem.sizes(some, some[:4])[::-1]).all()


def test_the_thesis_example() -> None:
    """[2,2]: all first guesses have largest part 2; Knuth plays 11, then 12 in {12, 21}; worst 3."""
    game = parse("mastermind:2x2")
    assert list(game.guesses) == ["11", "12", "21", "22"]
    assert set(game.responses) == {"0,0", "0,2", "1,0", "2,0"}
    assert {v.max_part for v in Position(game).valuations("max-part")} == {2}
    position = Position(game, parse_history(game, "11:1,0"))
    assert [game.secrets[s] for s in position.candidates] == ["12", "21"]
    sizes = {v.guess: v.max_part for v in position.valuations("max-part")}
    for guess, largest in (("11", 2), ("22", 2), ("12", 1), ("21", 1)):
        assert sizes[int(position.classes[game.guess_index(guess)])] == largest
    assert game.guesses[position.best_guess("max-part")] == "12"
    assert play_against(game, "21", lambda p: p.best_guess("max-part")) == [
        ("11", "1,0"),
        ("12", "0,2"),
        ("21", "2,0"),
    ]
    assert solve(game, "worst", method="max-part").upper == (3,)


def test_kooi_cards() -> None:
    """52 cards, one yes/no question, one guess: 2/52 whatever the split; only the number of parts matters."""
    for yes in range(1, 52):
        won = 1 + 1  # a guess within each part wins once
        assert Fraction(won, 52) == VALUATIONS["parts"].figure([yes, 52 - yes]) / Fraction(52)
    seven = Fraction(1, 52) * 1  # "is it the seven of spades?": yes, or one of 51 cards, not of 52 as printed
    assert seven + Fraction(51, 52) * Fraction(1, 51) == Fraction(2, 52)
    assert seven + Fraction(51, 52) * Fraction(1, 52) != Fraction(2, 52)


@given(partitions, partitions, st.floats(1.5, 20))
def test_most_entropy_is_least_expected_log_size(a: list[int], b: list[int], base: float) -> None:
    """For partitions of as many secrets: both valuations order alike, in any base."""
    b = [*b, sum(a) - sum(b)] if sum(b) < sum(a) else b
    if sum(a) != sum(b):
        return

    def expected_log(sizes: list[int]) -> float:
        return sum(n / sum(sizes) * log(n, base) for n in sizes)

    exact = compare_entropy(a, b)
    if abs(expected_log(a) - expected_log(b)) > 1e-9:
        assert (expected_log(a) > expected_log(b)) == (exact > 0) == (entropy(a) < entropy(b))
    else:
        assert abs(entropy(a) - entropy(b)) < 1e-8


@given(partitions)
def test_equal_partitions_tie_whatever_the_order(sizes: list[int]) -> None:
    assert compare_entropy(sizes, sizes[::-1]) == 0


def test_different_partitions_can_tie_exactly() -> None:
    """{4,1,1,1,1} and {2,2,2,2}: 4^4 = (2^2)^4. Rounded logarithms may not decide this; products do."""
    assert compare_entropy([4, 1, 1, 1, 1], [2, 2, 2, 2]) == 0
    assert compare_entropy([3, 3, 2], [4, 2, 2]) < 0
    assert compare_entropy([6, 2, 2], [3, 3, 4]) > 0


def test_rounded_entropies_tie_where_exact_ones_do_not() -> None:
    """Rounding to 7 decimals makes sums in any order tie, and also partitions that are not as good."""

    def bits(sizes: list[int]) -> float:
        whole, total = sum(sizes), 0.0
        for n in sizes:
            total += n / whole * log2(whole / n)
        return total

    orders = [list(order) for order in permutations([5, 3, 2, 1, 1])]
    assert len({bits(order) for order in orders}) > 1 == len({round(bits(order), 7) for order in orders})
    one, other = [17, 17, 4, 3, 1], [15, 13, 12, 2]
    assert sum(one) == sum(other)
    assert round(bits(one), 7) == round(bits(other), 7)
    assert compare_entropy(one, other) != 0
    assert (compare_entropy(one, other) > 0) == (bits(one) < bits(other))


@pytest.mark.parametrize(("name", "better"), [("max-part", min), ("entropy", max), ("parts", max)])
@given(games())
def test_one_pass_through_all_guesses_finds_the_best(name: str, better: Any, game: TableGame) -> None:
    """To keep the first of the best is enough, if a candidate may take the place of another guess."""
    position = Position(game)
    if len(position.candidates) < 2:
        return
    valued = {guess: position.value(guess) for guess in range(len(game.guesses))}
    figure = {"max-part": "max_part", "entropy": "entropy", "parts": "parts"}[name]
    kept, score, named = -1, None, False
    for guess, value in valued.items():
        found = round(getattr(value, figure), 7)
        if value.tells and (
            score is None
            or (found != score and better(found, score) == found)
            or (found == score and value.candidate and not named)
        ):
            kept, score, named = guess, found, value.candidate
    assert position.best_guess(name) == kept


@given(
    st.lists(st.integers(1, 400), min_size=2, max_size=40),
    st.lists(st.integers(1, 400), min_size=2, max_size=40),
)
def test_the_tolerance_covers_the_rounding(a: list[int], b: list[int]) -> None:
    scores, valuation = entropy_scores(400), VALUATIONS["entropy"]
    difference = int(scores[a].sum() - scores[b].sum())
    if abs(difference) > valuation.tolerance(max(len(a), len(b))):
        assert (difference > 0) == (compare_entropy(a, b) > 0)


def test_an_exact_entropy_tie_goes_to_the_candidate() -> None:
    """Parts {4,1,1,1,1,1} of a guess that comes first, {1,2,2,2,2} of a candidate: the products are equal."""
    secrets = [f"s{i}" for i in range(9)]
    cells = [list("aaaabcdef"), list("Waabbccdd")]
    cells += [["W" if i == j else "a" for j in range(9)] for i in range(1, 9)]
    game = TableGame("table:tie", ["a0", *secrets], secrets, cells, "W")
    assert compare_entropy([4, 1, 1, 1, 1, 1], [1, 2, 2, 2, 2]) == 0
    assert Position(game).best_guess("entropy") == 1
    everyone = np.arange(9, dtype=np.int32)
    assert solve(game, method="entropy").choose(everyone) == 1
    assert solve(game, method=Method("entropy", prefer=False)).choose(everyone) == 0


@given(games(), st.data())
def test_parts_are_disjoint_and_cover_the_candidates(game: Game, data: st.DataObject) -> None:
    position = Position(game)
    guess = data.draw(st.integers(0, len(game.guesses) - 1))
    parts = position.partition(guess)
    members = [secret for part in parts for secret in part.secrets]
    assert sorted(members) == sorted(game.secrets)
    assert all(part.secrets for part in parts)
    assert len({part.response for part in parts}) == len(parts)


@given(games(win=True), st.sampled_from(list(VALUATIONS)), st.booleans())
def test_one_state_and_the_whole_game_ask_the_same(game: TableGame, name: str, prefer: bool) -> None:
    """`choose` in one state, compared exactly, against the compiled player."""
    method = Method(name, prefer=prefer)
    solution = solve(game, method=method)
    position = Position(game)
    if len(game.secrets) > 1:
        assert solution.choose(position.candidates) == position.best_guess(method)


def test_a_users_own_valuation() -> None:
    game = parse("mastermind:3x3")
    mine = Method("mine", function=max)
    assert solve(game, method=mine).upper == solve(game, method="max-part").upper
    assert solve(game, method="builtins:max").upper == solve(game, method="max-part").upper
    for bad in ("builtins:nothing", "no_such_module:f", "fancy"):
        with pytest.raises(GuesstreeError, match=r"(use|expected) .*module:function"):
            solve(game, method=bad)
    with pytest.raises(GuesstreeError, match="ZeroDivisionError"):
        solve(game, method=Method("broken", function=lambda _: 1 // 0))


def test_scores_must_be_numbers_and_a_slow_method_stops() -> None:
    game = parse("mastermind:3x3")
    for function in (lambda _: None, lambda _: float("nan"), list):
        with pytest.raises(GuesstreeError, match="expected a number"):
            solve(game, method=Method("mine", function=function))

    def slow(sizes: Any) -> int:
        time.sleep(0.01)
        return max(sizes)

    started = time.monotonic()
    solution = solve(parse("mastermind:4x5"), method=Method("slow", function=slow), time_limit=0.3)
    assert time.monotonic() - started < 30
    assert solution.stopped == "time"
    assert check(parse("mastermind:4x5"), strategy_of(solution)).valid


def test_ties_go_to_the_smallest_guess_whatever_the_order_of_secrets() -> None:
    game = TableGame("table:t", ["b", "a"], ["a", "b"], [["0", "1"], ["0", "1"]])
    assert solve(game, method="entropy").choose(np.arange(2, dtype=np.int32)) == 0
    assert Position(game).best_guess("entropy") == 0


def test_random_consistent_is_reproducible() -> None:
    game = parse("mastermind:3x4")
    totals = [solve(game, method=Method("random-consistent", seed=seed)).upper for seed in (1, 1, 2, 3, 4)]
    assert totals[0] == totals[1]
    assert len(set(totals)) > 1


def test_a_fixed_first_guess_and_a_depth_limit() -> None:
    game = parse("mastermind:4x6")
    solution = solve(game, method="max-part", first="1111")
    assert int(strategy_of(solution).guess[0]) == game.guess_index("1111")
    assert solution.parameters == {"first": "1111"}
    with pytest.raises(Infeasible, match="within 4 guesses by method entropy"):
        solve(game, method="entropy", max_depth=4)


def test_a_history_that_no_secret_fits_names_the_step() -> None:
    game = parse("mastermind:4x6")
    with pytest.raises(Contradiction) as error:
        Position(game, parse_history(game, "1122:1,0 1122:1,0 1122:2,0 3456:0,0"))
    assert error.value.step == 3
    assert parse_history(game, "1122:1,0; 3456:0,0;") == parse_history(game, "1122:1,0 3456:0,0")
    for bad in ("1122", "1177:1,0", "1122:5,5"):
        with pytest.raises(GuesstreeError):
            parse_history(game, bad)


def test_every_secret_is_won_by_play_against() -> None:
    game = parse("mastermind:2x3")
    strategy = strategy_of(solve(game, method="parts"))
    needed = strategy.guesses_needed()
    for secret, code in enumerate("".join(c) for c in product("123", repeat=2)):
        assert len(play_against(game, code, lambda p: p.best_guess("parts"))) == needed[secret]


def test_valuations_after_a_history_use_its_symmetry() -> None:
    game = parse("mastermind:4x6")
    position = Position(game, parse_history(game, "1122:1,0"))
    found = position.valuations("parts")
    assert sum(v.equivalents for v in found) == 1296
    assert len(found) == len(np.unique(position.classes)) < 100
    assert all(sum(v.sizes) == len(position.candidates) == 256 for v in found)


@pytest.mark.parametrize("spec", ["mastermind:2x2", "bulls:2x3", "questions:1/8+1/8+1/4+1/2", "questions:5"])
def test_what_is_still_to_come_is_estimated_beside_what_is_proven(spec: str) -> None:
    position = Position(spec)
    game, candidates = position.game, everything(len(position.candidates))
    weights = [1] * len(candidates) if game.weights is None else game.weights
    for valued in with_optima(position, position.valuations()):
        parts = [part for _, part in split(position.problem.row(valued.guess, candidates), candidates)]
        estimate = proven = 0.0
        for part in parts:
            each = [weights[secret] for secret in part.tolist()]
            bits = sum(w * log2(sum(each) / w) for w in each)
            estimate += bits / log2(len(game.responses)) / sum(weights)
            proven += best_total(game, part.tolist(), valued.guess) / sum(weights)
        assert valued.to_come == pytest.approx(estimate)
        assert float(valued.optimum or 0) == pytest.approx(proven)


def best_total(game: Game, part: list[int], guess: int) -> float:
    """Return what a part still needs after a guess: nothing where it is won or known."""
    weights = [1] * len(game.secrets) if game.weights is None else game.weights
    if len(part) == 1 and (game.winning is None or game.respond(guess, part[0]) == game.winning):
        return 0
    return min(
        sum(weights[secret] for secret in part) + sum(best_total(game, cell, asked) for cell in cells)
        for asked in range(len(game.guesses))
        for cells in [parts_of(game, asked, part)]
        if len(cells) > 1 or (len(part) == 1 == len(cells) and game.respond(asked, part[0]) == game.winning)
    )


def parts_of(game: Game, guess: int, some: list[int]) -> list[list[int]]:
    """Return the secrets by their response to a guess."""
    found: dict[int, list[int]] = {}
    for secret in some:
        found.setdefault(game.respond(guess, secret), []).append(secret)
    return list(found.values())


@pytest.mark.parametrize("history", ["", "1122:1,0", "1122:1,0 1344:0,1"])
def test_the_estimate_is_least_where_the_entropy_is_most(history: str) -> None:
    """Their sum is log |K| to the base of the number of responses, whatever the guess."""
    position = Position("mastermind:4x6", history)
    found = position.valuations("entropy")
    sums = [v.entropy / log2(14) + (v.to_come or 0) for v in found]
    assert sums == pytest.approx([log2(len(position.candidates)) / log2(14)] * len(found))
    assert found[0].to_come == min(v.to_come for v in found if v.to_come is not None)


def test_nothing_is_estimated_where_what_is_left_is_not_counted_in_guesses() -> None:
    assert Position("mastermind:3x3", lies=1).valuations()[0].to_come is None
    assert Position("mastermind:2x1").value(0).to_come is None


def ahead(spec: str) -> list[OneStep]:
    """Return players of all compiled methods."""
    problem = Problem(parse(spec), EXPECTED)
    players = [OneStep(problem, Method(name)) for name in VALUATIONS]
    assert all(player.apart for player in players)
    return players


def test_players_that_run_ahead_find_the_same() -> None:
    """Bit for bit, whatever else runs; tables, which each would lay out again, are played one by one."""
    players = ahead("mastermind:4x5")
    run_ahead(players)
    for player, alone in zip(players, ahead("mastermind:4x5"), strict=True):
        found, plain = player.play_out(), alone.play_out()
        assert found is not None and plain is not None
        assert (found.choices, found.worst) == (plain.choices, plain.worst)
    table = TableGame("table:x", ["a", "b"], ["u", "v", "w"], [["x", "y", "y"], ["x", "x", "y"]])
    assert not OneStep(Problem(table, EXPECTED), Method("entropy")).apart


def test_what_fails_ahead_is_raised_by_who_plays_it_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the others stay."""
    first, second, *_ = ahead("mastermind:3x4")

    def fail(history: tuple[int, ...]) -> None:
        raise MemoryError

    monkeypatch.setattr(first, "foremost", fail)
    run_ahead([first, second])
    with pytest.raises(MemoryError):
        first.play_out()
    monkeypatch.setattr(second, "run", fail)
    assert second.play_out() is not None, "it has run"


def test_where_no_thread_can_be_started_nothing_runs_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    players = ahead("mastermind:3x4")

    def none(*_: Any) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("guesstree.engine.stopping.start_new_thread", none)
    run_ahead(players)
    assert all(player.play_out() is not None for player in players)


@pytest.mark.parametrize("seconds", [0.8, 1.2, 1.6])
def test_ctrl_c_ends_players_that_run_at_once(seconds: float) -> None:
    """And no thread has anything to say about it."""
    command = [
        sys.executable,
        "-m",
        "guesstree",
        "solve",
        "mastermind:8x3",
        "--objective",
        "worst",
        "--jobs",
        "4!",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT) and "ignored" not in said
    assert not printed or "NOT proven (interrupt)" in printed
