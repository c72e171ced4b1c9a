"""Certificates of random small games that the engine writes: true, accepted, and never above the optimum."""

import random
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from certificates import FOREVER, Tiny, certificate, some_game, word_game
from slow_checker import judged

from guesstree.engine.objective import EXPECTED, parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.counted import CountedWriter
from guesstree.engine.proofs.prover import Aim, Prover
from guesstree.engine.proofs.statement import Goal
from guesstree.engine.proofs.writer import ProofError
from guesstree.engine.registry import parse
from guesstree.engine.search.deadline import Deadline
from guesstree.engine.search.solve import solve
from guesstree.engine.search.space import Resources


def writer(
    game: Tiny,
    folder: Path,
    first: str,
    within: int,
) -> CountedWriter:
    """Return a writer for the same game, made by the engine."""
    kind, a, b = game.head.split()
    if kind == "table":
        spec = f"table:{folder / b}" + ",win=win" * game.win
        first = first if first == "-" else parse(spec).guesses[int(first) - 1]
    elif kind == "wordle":
        spec = f"wordle:{folder / a},{folder / b}"
    else:
        spec = f"{kind}:{a}x{b}"
        first = first if first == "-" else "".join(str(int(symbol) + (kind != "bulls")) for symbol in first)
    problem = Problem(
        parse(spec),
        parse_objective("expected"),
        goal=game.goal.removesuffix("-candidates"),
        candidates_only=game.only,
        max_depth=None if within == FOREVER else within,
        first=None if first == "-" else first,
    )
    room = Resources.of(problem, 1, None)
    return CountedWriter(problem, room)


def questions(game: Tiny, chance: random.Random) -> list[tuple[str, int, float]]:
    """Return first guesses, limits and true costs of the whole game."""
    everything = game.everything()
    found: list[tuple[str, int, float]] = []
    for within in (FOREVER, chance.randint(1, 3)):
        found.append(("-", within, game.cost(everything, within)))
        guess = chance.choice(game.allowed(everything) or [0])
        if game.allowed(everything) and game.parts(everything, guess) != [everything] and len(everything) > 1:
            found.append((game.guesses[guess], within, game.asking(everything, guess, within)))
    return found


def bound_of(cost: float) -> Goal:
    return None if cost == inf else int(cost)


def limit_of(game: Tiny, within: int) -> int:
    return len(game.secrets) if within == FOREVER else within


@pytest.mark.parametrize("seed", range(20))
def test_proofs_of_random_games(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(6):
        game = some_game(tmp_path, chance)
        for first, within, true in questions(game, chance):
            limit = limit_of(game, within)
            proof = writer(game, tmp_path, first, within).root(limit, bound_of(true))
            assert proof.bound == bound_of(true)
            assert judged(tmp_path, certificate(game, true, proof.body, first, within)) == ""
            if true < inf:
                with pytest.raises(ProofError, match="is enough"):
                    writer(game, tmp_path, first, within).root(limit, int(true) + 1)


def test_small_sets_refute_guesses(tmp_path: Path) -> None:
    words = [first + "atch" for first in "bchlmpw"] + [first + "ight" for first in "flmnrstw"]
    game = word_game(tmp_path, words, ["stomp", "clown", "grown"])
    assert game.cost(game.everything(), 4) == inf
    proof = writer(game, tmp_path, "-", 4).root(4, None)
    assert "! " in proof.body
    assert judged(tmp_path, certificate(game, inf, proof.body, within=4)) == ""
    assert game.cost(game.everything(), 5) < inf
    with pytest.raises(ProofError, match="enough"):
        writer(game, tmp_path, "-", 5).root(5, None)


@pytest.mark.long
def test_small_sets_are_not_used_with_candidates_only(tmp_path: Path) -> None:
    """There a set may cost less than a part of it, and the checkers refuse them."""
    words = (Path(__file__).parents[1] / "data" / "words.txt").read_text().split()
    game = replace(word_game(tmp_path, words, words), only=True)
    (worst,) = solve(f"wordle:{tmp_path / game.head.split()[1]}", "worst", candidates_only=True).lower
    proof = writer(game, tmp_path, "-", worst - 1).root(worst - 1, None)
    assert "! " not in proof.body
    assert judged(tmp_path, certificate(game, inf, proof.body, within=worst - 1)) == ""


@pytest.mark.parametrize(("spec", "least"), [("blackpeg:4x5", 3742), ("mastermind:4x5", 2463)])
def test_a_proof_names_what_the_search_found(spec: str, least: int) -> None:
    """It hardly searches. When it asked for the largest parts first, it took half as much again."""
    prover = Prover(Problem(parse(spec), EXPECTED))
    solved = prover.solve(Deadline(None), None)
    searcher = prover.searchers["total"]
    before = searcher.evaluations
    proven = prover.prove(Aim(None, least), Deadline(None))
    assert solved.upper == (least,) == (proven.proof.bound,)
    assert before <= searcher.evaluations < 1.2 * before
