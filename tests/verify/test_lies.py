"""The checker of certificates of games with lies, and their writer."""

import random
from pathlib import Path

import fast_checker
import pytest
from certificates import Tiny, code_game, mutated, renamings, table_game
from fast_checker import SANITIZED, built
from priced_checkers import SLOW_LIES, refusal

from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.certificate import named_game
from guesstree.engine.proofs.lying import LyingWriter
from guesstree.engine.proofs.proof import ProofError
from guesstree.engine.registry import parse
from guesstree.engine.search.kind import Room

State = frozenset[tuple[int, int]]


class Liar:
    """A tiny game with lies: what so many guesses settle, by trying all."""

    def __init__(self, game: Tiny) -> None:
        self.game, self.found = game, dict[tuple[State, int], bool]()

    def wins(self, guess: int, secret: int) -> bool:
        """Return whether the guess is the secret."""
        return self.game.win and self.game.secrets[secret] == self.game.guesses[guess]

    def after(self, state: State, guess: int, response: str) -> State:
        """Return what is left after a response."""
        row = self.game.answers[guess]
        kept = {(s, left - (row[s] != response)) for s, left in state if not self.wins(guess, s)}
        return frozenset((s, left) for s, left in kept if left >= 0)

    def responses(self, guess: int) -> set[str]:
        """Return what a guess may be answered: what it gets from some secret on which it does not win."""
        row = self.game.answers[guess]
        return {row[s] for s in range(len(row)) if not self.wins(guess, s)}

    def settles(self, state: State, depth: int) -> bool:
        """Return whether so many guesses settle a state."""
        if len(state) <= (not self.game.win):
            return True
        key = state, depth
        if key not in self.found:
            self.found[key] = depth > 0 and any(
                all(self.settles(self.after(state, g, r), depth - 1) for r in self.responses(g))
                for g in range(len(self.game.guesses))
            )
        return self.found[key]

    def body(self, state: State, depth: int, chance: random.Random, told: set[tuple[State, int]]) -> str:
        """Return lemmas about all that is not settled."""
        members = tuple(sorted(s for s, _ in state))
        same = len({left for _, left in state}) == 1
        items = renamings(self.game, members, chance) if same and chance.random() < 0.5 else []
        for g in range(len(self.game.guesses) * (depth > 0)):
            for s in members:
                child = self.after(state, g, self.game.answers[g][s])
                if self.wins(g, s) or (child, depth) in told or self.settles(child, depth - 1):
                    continue
                told.add((child, depth))
                below = self.body(child, depth - 1, chance, told)
                items.append(f"{self.game.guesses[g]} {self.game.secrets[s]} {below}\n")
        return f"( {''.join(items)})" if items else "."


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the checker so that it ends at the first wrong read or write."""
    return built(tmp_path_factory.mktemp("checker"), *SANITIZED, name="lies")


def judged(checker: str, folder: Path, text: str) -> str:
    """Return nothing if the checkers accept the certificate, otherwise why they refuse."""
    (why,), said = fast_checker.judged(checker, folder, text), refusal(SLOW_LIES, folder, text)
    assert (why == "") == (said == ""), (why, said)
    return why


def some_game(folder: Path, chance: random.Random) -> Tiny:
    """Return a tiny game."""
    if chance.random() < 0.5:
        codes = [("mastermind", 2, 2), ("bulls", 2, 3), ("blackpeg", 2, 2), ("mastermind", 1, 4)]
        return code_game(*chance.choice(codes), chance.random() < 0.5)
    secrets, guesses = chance.randint(2, 5), chance.randint(1, 4)
    rows = [[chance.choice("abc"[: chance.randint(2, 3)]) for _ in range(secrets)] for _ in range(guesses)]
    return table_game(folder, rows)


@pytest.mark.parametrize("seed", range(6))
def test_random_games_true_and_false(checker: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(6):
        game, lies = some_game(tmp_path, chance), chance.randint(0, 2)
        liar, start = Liar(game), frozenset((s, lies) for s in game.everything())
        settled = next((d for d in range(6) if liar.settles(start, d)), 6)
        for depth in range(6):
            head = f"guesstree-proof/1 lies {lies} {game.head} {game.goal} - {depth} inf"
            proof = liar.body(start, depth, chance, set())
            assert (judged(checker, tmp_path, f"{head} {proof}") == "") == (depth < settled)
            if depth >= settled:
                for _ in range(4):
                    odd = ["inf", "(", ")", ".", "=", "-1", "9" * 5000, "\0"]
                    longer = liar.body(start, max(settled - 1, 0), chance, set())
                    text = f"{head} {' '.join(mutated(longer, chance, odd))}"
                    assert judged(checker, tmp_path, text)


@pytest.mark.parametrize(
    ("spec", "lies", "goal", "worst"),
    [
        ("mastermind:3x3", 1, "win", 5),
        ("mastermind:3x4", 1, "win", 6),
        ("mastermind:3x4", 1, "identify", 5),
        ("bulls:3x5", 1, "win", 6),
        ("blackpeg:3x3", 1, "win", 7),
    ],
)
def test_certificates_that_the_engine_writes(
    checker: str, tmp_path: Path, spec: str, lies: int, goal: str, worst: int
) -> None:
    problem = Problem(parse(spec), parse_objective("worst"), goal=goal)
    writer = LyingWriter(problem, lies, Room.of(problem, 1, 1 << 28))
    head = f"guesstree-proof/1 lies {lies} {named_game(problem).words} {goal} -"
    text = f"{head} {worst - 1} inf {writer.root(worst - 1).body}"
    assert judged(checker, tmp_path, text) == ""
    assert judged(checker, tmp_path, text.replace(f"- {worst - 1} inf", f"- {worst} inf"))
    with pytest.raises(ProofError, match="will do with 1 lie"):
        writer.root(worst)
    assert text.endswith(f" {writer.root(worst - 1).body}"), "it rests on nothing of another certificate"
