"""The fast checker of certificates: it accepts what is true, and nothing that is false."""

import random
import re
from hashlib import sha256
from math import inf
from pathlib import Path

import pytest
import slow_checker
from certificates import FOREVER, Tiny, body, certificate, some_game
from effort import seeds
from fast_checker import SANITIZED, built, judged

import guesstree


@pytest.fixture(scope="module", params=[[], ["-DLARGE=1"]], ids=["", "large"])
def checker(request: pytest.FixtureRequest) -> str:
    """Build the checker so that it ends at the first wrong read or write; once, few secrets are many."""
    return built(*SANITIZED, *request.param)


def questions(game: Tiny, chance: random.Random) -> list[tuple[float, str, int]]:
    """Return true costs, of all strategies and of those with one first guess, without and with a limit."""
    everything, found = game.everything(), []
    for within in (FOREVER, chance.randint(0, 4)):
        found.append((game.cost(everything, within), "-", within))
        if within > 0 and len(everything) > 1 and game.allowed(everything):
            first = chance.choice(game.allowed(everything))
            found.append((game.asking(everything, first, within), game.guesses[first], within))
    return found


def shown(game: Tiny, first: str, within: int, chance: random.Random, lies: float = 0) -> str:
    """Return the lemmas of a claim: where a first guess is given, those of its parts, be one of them all."""
    everything, proved, items = game.everything(), set[tuple[tuple[int, ...], int]](), ""
    if first == "-":
        return body(game, everything, within, chance, proved, lies)
    for part in game.parts(everything, game.guesses.index(first)):
        if len(part) > 1:
            bound = game.cost(part, within - 1) + (chance.random() < lies)
            below = body(game, part, within - 1, chance, proved, lies)
            items += f"{first} {game.secrets[chance.choice(part)]} {bound} {below}\n"
    return f"( {items})" if items else "."


@pytest.mark.parametrize("seed", seeds(6, 48))
def test_random_games_true_and_false(checker: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    true, false = [], []
    for _ in range(4):
        game = some_game(tmp_path, chance)
        for cost, first, within in questions(game, chance):
            proof = shown(game, first, within, chance)
            true.append(certificate(game, cost, proof, first, within))
            if cost < inf:
                false += [certificate(game, cost + more, proof, first, within) for more in (1, inf)]
                proof = shown(game, first, within, chance, lies=0.1)
                false.append(certificate(game, cost + 1, proof, first, within))
    for why in judged(checker, tmp_path, *true):
        assert why == ""
    assert all(judged(checker, tmp_path, *false))
    for text in true:
        assert slow_checker.judged(tmp_path, text) == ""
    assert all(slow_checker.judged(tmp_path, text) for text in false)


@pytest.mark.parametrize("seed", seeds(4, 24))
def test_counting_shows_the_same_in_both(checker: str, tmp_path: Path, seed: int) -> None:
    """Where what wins tells less than a test does, the slow one had counted fewer parts for what wins."""
    chance = random.Random(seed)
    secrets = [f"s{i}" for i in range(chance.randint(4, 10))]
    answers = "abcde"[: chance.randint(2, 5)]
    rows = [[name, *("win" if s == name else "no" for s in secrets)] for name in secrets]
    rows += [[f"t{i}", *(chance.choice(answers) for _ in secrets)] for i in range(chance.randint(2, 5))]
    table = "\n".join(map(",".join, [["", *secrets], *rows])) + "\n"
    (tmp_path / "t.csv").write_text(table)
    head = f"guesstree-proof/1 table {sha256(table.encode()).hexdigest()} t.csv win - -"
    texts = [f"{head} {bound} ." for bound in range(len(secrets), len(secrets) ** 2)]
    fast = [why == "" for why in judged(checker, tmp_path, *texts)]
    assert fast == [slow_checker.judged(tmp_path, text) == "" for text in texts]
    assert fast == sorted(fast, reverse=True) and any(fast) and not all(fast)


@pytest.mark.parametrize("planes", [8, 0])
@pytest.mark.parametrize(
    ("game", "goal"),
    [("mastermind:4x5", "win"), ("mastermind:4x5", "identify"), ("bulls:3x7", "win"), ("rare", "identify")],
)
def test_a_look_at_gathered_responses_sees_the_same(
    tmp_path: Path, game: str, goal: str, planes: int
) -> None:
    """Refusals name what a guess is shown to cost, so raised bounds tell looks apart.

    Without masks the parts of many guesses are not counted.
    """
    chance, proof = random.Random(game), tmp_path / "some.proof"
    if game == "rare":  # tests that tell one or two of many causes: what is left is nearly all there was
        causes = [[str(i), *(chance.choice("0000000012345") for _ in range(20))] for i in range(90)]
        lines = [",".join(row) for row in [["cause", *(f"t{i}" for i in range(20))], *causes]]
        (tmp_path / "rare.csv").write_text("\n".join(lines) + "\n")
        game = f"table:{tmp_path / 'rare.csv'}"
    guesstree.prove(game, goal=goal).write(proof)
    text = proof.read_text()
    ends = [found.end(1) for found in re.finditer(r"^\S+ \S+ (\d+) [(.]", text, re.MULTILINE)]
    raised = [f"{text[: end - 1]}{int(text[end - 1]) + 1}{text[end:]}" for end in ends]
    raised = [wrong for end, wrong in zip(ends, raised, strict=True) if text[end - 1] != "9"]
    how = (["-DGATHERED=2", f"-DMAX_PLANES={planes}"], [f"-DGATHERED={1 << 20}"])
    always, never = (built(*SANITIZED, *those) for those in how)
    answers = judged(always, tmp_path, text, *raised)
    assert answers == judged(never, tmp_path, text, *raised)
    refused = sum("is shown to cost" in answer for answer in answers)
    assert answers[0] == "" and refused >= len(raised) // 3, (refused, len(raised))


@pytest.mark.parametrize("game", ["mastermind:4x4", "mastermind:2x9", "blackpeg:6x2", "bulls:3x6"])
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_large_parts_show_the_same(tmp_path: Path, game: str, goal: str) -> None:
    """Counting the parts too large first, or all parts, shows the same; and so does the slow checker."""
    guesstree.prove(game, "worst", goal=goal).write(tmp_path / "some.proof")
    text = (tmp_path / "some.proof").read_text()
    head, rest = text.split(f" {goal} - ")
    within, claim = rest.split(" ", 1)
    lines = text.split("\n")
    texts = [f"{head} {goal} - {int(within) + more} {claim}" for more in (-1, 0, 1)]
    texts += ["\n".join([*lines[:i], *lines[i + 1 :]]) for i in range(1, len(lines) - 1)][:40]
    how = [["-DLARGE=1"], ["-DLARGE=1", "-DMAX_PLANES=0"], [f"-DLARGE={1 << 20}"]]
    answers = [judged(built(*SANITIZED, *those), tmp_path, *texts) for those in how]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][:2] == ["", ""] and answers[0][2]
    slow = [slow_checker.judged(tmp_path, text) for text in texts[:12]]
    assert [why == "" for why in slow] == [why == "" for why in answers[0][:12]]


@pytest.mark.parametrize("family", ["mastermind", "blackpeg", "bulls"])
def test_one_secret_is_won_where_nothing_is_left(checker: str, tmp_path: Path, family: str) -> None:
    for body_of in ("( )", "."):
        (why,) = judged(checker, tmp_path, f"guesstree-proof/1 {family} 1 1 win - 1 inf {body_of}\n")
        assert "guess 0 is shown to cost 1 at least; inf is not shown" in why
