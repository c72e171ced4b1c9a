"""A codemaker who mixes: both mixtures reach the value, against every strategy of tiny games."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from tables import games, priced_games

from guesstree.api import mixture as mixtures
from guesstree.api.certificate import prove
from guesstree.api.mixed import solve_mixed
from guesstree.api.mixture import Drawn, Following, Mixture
from guesstree.api.strategy import Strategy
from guesstree.engine.advice.playing import play_against
from guesstree.engine.errors import GameError, GuesstreeError, Infeasible
from guesstree.engine.game import Game
from guesstree.engine.mixed import nearby as mixed_nearby
from guesstree.engine.mixed import rounds as mixed_rounds
from guesstree.engine.mixed.oracle import paid_on_average, vectors
from guesstree.engine.mixed.simplex import MatrixGame
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.symmetry.drawing import Chain
from guesstree.engine.tables.table import TableGame
from guesstree.trees.tree import TreeError

KNOWN = {
    "mastermind:2x3": Fraction(29, 12),
    "mastermind:3x3": Fraction(73, 27),
    "mastermind:4x4": Fraction(1629, 460),
    "bulls:3x5": Fraction(49, 15),
}


def judge(game: Game, **options: object) -> None:
    """Compare a value with what every strategy pays; by duality, equal ends leave no other value."""
    only = bool(options.get("candidates_only", False))
    try:
        found = solve_mixed(game, **options)  # type: ignore[arg-type]
    except (GameError, Infeasible):
        goal = str(options.get("goal") or ("identify" if game.winning is None else "win"))
        assert not vectors(game, goal=goal, candidates_only=only)
        return
    every = vectors(game, goal=found.goal, candidates_only=only)
    assert found.optimal and not found.stopped
    assert sum(found.probabilities) == 1 and min(found.probabilities) > 0
    assert found.lower == min(paid_on_average(found.weights, vector) for vector in every)
    assert found.upper == max(found.each)
    assert all(tuple(plan.paid.tolist()) in every for plan in found.plans)
    assert found.uniform[0] <= found.lower
    assert found.checked() == []


@given(game=games(most_secrets=4, most_extra=3))
@tries(0.3)
def test_the_value_of_a_tiny_game_is_that_over_all_strategies(game: Game) -> None:
    judge(game)


@given(game=priced_games(most_secrets=4, most_extra=3))
@tries(0.3)
def test_the_value_with_costs_is_that_over_all_strategies_whatever_the_weights(game: Game) -> None:
    judge(game)


@pytest.mark.parametrize("spec", ["mastermind:2x2", "mastermind:2x3", "questions:4", "coins:3"])
@pytest.mark.parametrize("symmetry", [True, False])
def test_orbits_of_secrets_do_not_change_the_value(spec: str, *, symmetry: bool) -> None:
    judge(parse(spec), symmetry=symmetry)


@pytest.mark.parametrize(("spec", "value"), KNOWN.items())
def test_known_values(spec: str, value: Fraction) -> None:
    found = solve_mixed(spec)
    assert (found.lower, found.upper) == (value, value)
    assert found.checked() == []


def test_where_all_codes_are_alike_the_value_is_the_average_of_the_best_strategy() -> None:
    found = solve_mixed("bulls:3x5")
    assert len(set(found.orbit.tolist())) == 1 and len(found.plans) == 1
    assert found.value == Fraction(int(solve("bulls:3x5").upper[0]), 60)


def test_secrets_that_are_never_drawn_are_still_found_and_pay_at_most_the_value() -> None:
    found = solve_mixed("mastermind:4x4")
    never = [s for s, weight in enumerate(found.weights) if not weight]
    assert [found.game.secrets[s] for s in never] == ["1111", "2222", "3333", "4444"]
    assert all(found.each[s] <= found.upper for s in never)


def test_to_identify_secrets_that_are_never_drawn_are_told_apart_from_the_others() -> None:
    random = Random(5)
    with_zero = 0
    for _ in range(12):
        cells = [[random.choice("ab") for _ in range(5)] for _ in range(5)]
        if len({tuple(column) for column in zip(*cells, strict=True)}) < 5:
            continue
        game = TableGame("table:random", list("vwxyz"), list("ABCDE"), cells, None)
        judge(game)
        with_zero += min(solve_mixed(game).weights) == 0
    assert with_zero


def test_to_identify_renamings_need_not_keep_who_wins() -> None:
    """The game goes on after a guess that would win, so that response may be called another."""
    cells = ["Wxy", "xWx", "yxW"]
    game = TableGame("table:three", list("cde"), list("cde"), cells, "W")
    assert solve_mixed(game, goal="identify").renamed
    judge(game, goal="identify")


def test_the_program_solves_matrix_games_exactly() -> None:
    random = Random(3)
    for _ in range(40):
        rows, columns = random.randint(1, 6), random.randint(1, 8)
        sizes = [random.randint(1, 3) for _ in range(rows)]
        program = MatrixGame(sizes)
        entries = [[random.randint(1, 9) for _ in range(rows)] for _ in range(columns)]
        for column in entries:
            program.add(column)
        maker, breaker = program.maker(), program.breaker()
        assert sum(breaker) == 1 and min(breaker) >= 0 and min(maker) >= 0
        assert sum(share * size for share, size in zip(maker, sizes, strict=True)) == 1
        table = np.array(entries, dtype=object)
        assert min(table @ np.array(maker, dtype=object)) == program.value
        paid = np.array(breaker, dtype=object) @ table
        assert max(Fraction(p) / size for p, size in zip(paid, sizes, strict=True)) == program.value


@pytest.mark.parametrize("spec", ["mastermind:2x3", "mastermind:3x3", "bulls:3x5"])
def test_strategies_that_are_looked_for_nearby_lead_to_the_same_value(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixed_rounds, "LARGE", 0)
    monkeypatch.setattr(mixed_nearby, "SMALL", 6)
    found = solve_mixed(spec)
    assert (found.lower, found.upper) == (KNOWN[spec], KNOWN[spec])
    assert found.checked() == []


@pytest.mark.long
def test_against_mastermind_a_codemaker_who_mixes_leaves_out_codes_of_one_colour() -> None:
    found = solve_mixed("mastermind:4x6")
    assert found.value == Fraction(5600, 1290)  # Wiener 1995
    assert [row["weight"] for row in found.rows()] == [0, 1, 1, 1, 1]
    assert found.checked() == []


def closed(generators: list[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return all elements of a small group."""
    found = {tuple(range(len(generators[0])))}
    waiting = list(found)
    for one in waiting:
        for other in generators:
            product = tuple(other[i] for i in one)
            if product not in found:
                found.add(product)
                waiting.append(product)
    return found


def test_elements_of_a_group_are_drawn_all_alike() -> None:
    random = Random(2)
    for _ in range(30):
        size = random.randint(2, 6)
        generators = [tuple(random.sample(range(size), size)) for _ in range(random.randint(1, 3))]
        chain, group = Chain([np.array(one) for one in generators], size), closed(generators)
        assert chain.order == len(group)
        drawn = Counter(tuple(chain.draw(random).tolist()) for _ in range(20))
        assert set(drawn) <= group
    symmetric = Chain([np.array([1, 0, 2, 3]), np.array([1, 2, 3, 0])], 4)
    drawn = Counter(tuple(symmetric.draw(random).tolist()) for _ in range(2400))
    assert len(drawn) == 24 and all(60 <= many <= 150 for many in drawn.values())


@pytest.mark.parametrize("spec", ["mastermind:2x3", "mastermind:2x4", "coins:3"])
def test_strategies_that_are_renamed_and_played_pay_what_is_said(spec: str) -> None:
    found = solve_mixed(spec)
    mixture, game, count = found.mixture, found.game, len(found.game.secrets)
    both = [(*secrets.tolist(), *(count + guesses).tolist()) for guesses, secrets in mixture.generators]
    group = closed(both)
    paid = [Fraction(0)] * count
    for number, p in enumerate(mixture.probabilities):
        for element in group:
            moved = np.array(element)
            drawn = Drawn(mixture, number, 0, moved[count:] - count, moved[:count])
            advisor = Following(drawn)
            for secret in range(count):
                steps = play_against(game, game.secrets[secret], advisor.best, goal=found.goal)
                paid[secret] += p * len(steps) / len(group)
    assert tuple(paid) == found.each


def changed(data: dict[str, Any], what: str) -> None:
    """Make a lie of what a file of mixtures says."""
    strategies, orbits = data["strategies"], data["orbits"]
    if what == "probabilities":
        strategies[0]["probability"], strategies[1]["probability"] = "1/5", "4/5"
    elif what == "sum":
        strategies[0]["probability"] = "1"
    elif what == "upper":
        data["upper"] = "2"
    elif what == "pays":
        orbits[0]["pays"] = "2"
    elif what == "orbits":
        orbits[0]["secrets"], orbits[1]["secrets"] = orbits[1]["secrets"], orbits[0]["secrets"]
    elif what == "strategies":
        strategies[0]["file"], strategies[1]["file"] = strategies[1]["file"], strategies[0]["file"]
    elif what == "lower":
        data["lower"], data["upper"] = "5", "6"
    elif what == "weights":
        orbits[0]["weight"] += 1
    elif what == "no weights":
        orbits[0]["weight"] = orbits[1]["weight"] = 0
    elif what == "an orbit twice":
        orbits.insert(0, orbits[0] | {"secrets": 0, "weight": 99})
    elif what == "table":
        data["table"] = data["game"]
    elif what == "candidates only":
        data["candidates_only"] = True
    else:
        data["renamed"] = False


@pytest.mark.parametrize(
    "what",
    [
        "probabilities", "sum", "upper", "pays", "orbits", "strategies", "not renamed", "lower", "weights",
        "no weights", "an orbit twice", "table", "candidates only",
    ],
)  # fmt: skip
def test_a_folder_that_says_what_is_not_true_is_found_out(what: str, tmp_path: Path) -> None:
    folder = tmp_path / "mix"
    solve_mixed("mastermind:2x3").write(folder)
    assert Mixture.read(folder).check() == []
    data = json.loads((folder / "mixture.json").read_text())
    changed(data, what)
    (folder / "mixture.json").write_text(json.dumps(data))
    wrong = Mixture.read(folder).check()
    assert wrong and not any("\n" in line for line in wrong)


def test_the_weighted_game_of_a_folder_is_that_of_its_weights(tmp_path: Path) -> None:
    """Who proves another one would take its bound for that of the codemaker."""
    folder = tmp_path / "mix"
    solve_mixed("mastermind:2x3").write(folder)
    text = (folder / "maker.csv").read_text()
    (folder / "maker.csv").write_text(text.replace("weight,2", "weight,3"))
    assert text != (folder / "maker.csv").read_text()
    (wrong,) = Mixture.read(folder).check()
    assert "is not the game with the weights of mixture.json" in wrong
    (folder / "maker.csv").unlink()
    assert Mixture.read(folder).check() == [
        f"{str(folder / 'maker.csv')!r}: cannot be read: No such file or directory"
    ]


def test_a_file_of_mixtures_that_cannot_be_read_is_said_to_be_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mixture.json").write_text("{}")
    monkeypatch.setattr(mixtures, "MOST_BYTES", 1)
    with pytest.raises(TreeError, match="the file is too large"):
        Mixture.read(tmp_path)


@pytest.mark.parametrize("number", ["Infinity", "0.5", '"1e999999999"', '"1/0"', '"x"'])
def test_what_is_no_number_in_a_file_of_mixtures_is_refused_in_a_line(number: str, tmp_path: Path) -> None:
    solve_mixed("mastermind:2x2").write(tmp_path / "mix")
    data = json.loads((tmp_path / "mix" / "mixture.json").read_text())
    data["orbits"][0]["weight"] = data["upper"] = json.loads(number)
    (tmp_path / "mix" / "mixture.json").write_text(json.dumps(data))
    with pytest.raises(TreeError, match="as solve --maker mixed writes it"):
        Mixture.read(tmp_path / "mix")


@pytest.mark.parametrize(
    "text", ["", "[]", '{"game": 1}', '{"strategies": [{"file": "../1.json"}]}', "x" * 9]
)
def test_a_folder_without_mixtures_is_refused_in_a_line(text: str, tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="expected a folder"):
        Mixture.read(tmp_path)
    (tmp_path / "mixture.json").write_text(text)
    with pytest.raises(TreeError, match="as solve --maker mixed writes it"):
        Mixture.read(tmp_path)


def test_secrets_and_strategies_that_are_drawn_follow_from_the_seed(tmp_path: Path) -> None:
    solve_mixed("mastermind:4x3").write(tmp_path / "mix")
    mixture = Mixture.read(tmp_path / "mix")
    drawn = [mixture.secret(seed) for seed in range(60)]
    assert drawn == [mixture.secret(seed) for seed in range(60)]
    assert min(mixture.weights[secret] for secret in drawn) > 0 and len(set(drawn)) > 20
    numbers = {mixture.draw(seed).number for seed in range(60)}
    assert numbers == set(range(len(mixture.names)))
    one, again = mixture.draw(7), mixture.draw(7)
    assert one.words == again.words and np.array_equal(one.secrets, again.secrets)


def test_a_time_limit_leaves_bounds_of_both_sides() -> None:
    found = solve_mixed("mastermind:4x5", time_limit=0.2)
    assert 0 < found.lower <= found.upper
    assert found.optimal or found.stopped == "time"
    assert found.checked() == []


def test_ctrl_c_ends_the_rounds_also_where_a_search_was_just_over() -> None:
    seconds, ended = 0.1, 0
    while ended < 3:
        timer = Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            found = solve_mixed("mastermind:4x5")
        except Infeasible:  # a slow machine has found no strategy so soon
            seconds *= 2
            continue
        finally:
            timer.cancel()
        assert found.stopped == "interrupt" and 0 < found.lower < found.upper
        assert found.checked() == []
        seconds, ended = seconds + 0.1, ended + 1


@pytest.mark.parametrize("options", [{"time_limit": 0}, {"jobs": 0}, {"goal": "both"}])
def test_what_cannot_be_is_refused_in_a_line(options: dict[str, Any]) -> None:
    with pytest.raises(GuesstreeError, match=r"expected|use") as error:
        solve_mixed("mastermind:2x2", **options)
    assert "\n" not in str(error.value)


def test_a_folder_has_the_strategies_the_mixtures_and_the_weighted_game(tmp_path: Path) -> None:
    found = solve_mixed("mastermind:2x3")
    names = [Path(name).name for name in found.write(tmp_path / "mix")]
    assert names == ["1.json", "2.json", "maker.csv", "mixture.json"]
    data = json.loads((tmp_path / "mix" / "mixture.json").read_text())
    assert data["value"] == "29/12" and sum(Fraction(s["probability"]) for s in data["strategies"]) == 1
    folder, options = tmp_path / "mix", data["table"].partition(":")[2]
    certificate = prove(f"table:{folder / options}")
    assert certificate.bound == found.lower * sum(found.weights)
    for name in names[:2]:
        assert Strategy.read(folder / name).check().valid
    found.write(folder)  # again, over what is there
    with pytest.raises(TreeError, match="expected a folder"):
        found.write(folder / "1.json")


def test_what_is_written_is_true_as_it_is_read(tmp_path: Path) -> None:
    cells = ["yyn", "yny", "nyy"]
    costs = [1, 2, 3]
    games = [
        parse("mastermind:2x3"),
        TableGame("table:three", ["t1", "t2", "t3"], ["a", "b", "c"], cells, None, [3, 2, 1], costs),
    ]
    for number, game in enumerate(games):
        for only in (False, True) if game.facts.winnable else (False,):
            found = solve_mixed(game, candidates_only=only)
            found.write(folder := tmp_path / f"{number} {only}")
            mixture = Mixture.read(folder)
            assert mixture.check() == []
            assert (mixture.weights, mixture.candidates_only) == (found.weights, only)


@pytest.mark.parametrize(
    ("spec", "table", "total"),
    [
        ("bulls:3x5", "bulls:3x5", 196),
        ("mastermind:2x3", "maker.csv,win=2,0", 29),
        ("mastermind:4x2", "maker.csv,win=4,0", 39),
    ],
)
def test_a_folder_says_what_proves_the_side_of_the_maker(
    spec: str, table: str, total: int, tmp_path: Path
) -> None:
    found = solve_mixed(spec)
    found.write(tmp_path / "mix")
    mixture = Mixture.read(tmp_path / "mix")
    assert mixture.table == (table if table == spec else f"table:{tmp_path / 'mix' / table}")
    line = mixture.lines()[-1]
    assert line == f"a certificate shows it: guesstree prove {mixture.table} --at-least {total}"
    assert prove(mixture.table, at_least=total).bound == total


def test_to_identify_a_renaming_may_take_a_guess_that_wins_to_one_that_does_not() -> None:
    cells = [["w", "c"], ["b", "w"], ["c", "b"], ["a", "a"]]
    game = TableGame("table:two", ["s0", "s1", "g0", "g1"], ["s0", "s1"], cells, "w")
    found = solve_mixed(game, goal="identify")
    assert found.value == 1 and found.renamed and found.checked() == []
