"""Secrets followed from the root of a tree by the game's own `respond`: where they end, how they fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from guesstree.engine.game import Game

from .tree import Tree

MAX_DETAILS = 100
"""How many failures a report shows; paths may be long."""
MAX_STEPS = 12
"""How many guesses of a path a message shows; `Failure.path` has them all."""

MALFORMED = "malformed tree"
MISSING = "missing branch"
NO_WIN = "no win"
WRONG_SECRET = "wrong secret"
NO_LEAF = "no leaf"
REFUSED = "not allowed"
NO_CLIQUE = "told apart"
STRAY = "does not get there"

Path = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Failure:
    """One thing that is wrong with a tree.

    Attributes
    ----------
    kind: ``missing branch`` (a response has none), ``no win`` (the tree ends before the winning response),
        ``wrong secret`` (the leaf names another), ``no leaf`` (the tree ends at a guess, goal identify, or
        where something is to be decided), ``not allowed`` (a guess that may not be asked after what came
        before, or a decision), ``told apart`` (the leaf names several secrets that may not be named
        together), ``does not get there`` (a leaf names a secret that does not end there) or ``malformed
        tree`` (the arrays are not those of a tree for this game).
    secret: the secret that fails; empty for a malformed tree.
    path: guess and response of every step, by label.
    response: the response that has no branch, the last one of the path; None for the other kinds.
    message: the failure in one line.
    """

    kind: str
    secret: str
    path: Path
    response: str | None
    message: str

    def as_json(self) -> dict[str, Any]:
        """Return the failure as plain data."""
        return {
            "kind": self.kind,
            "secret": self.secret,
            "path": [list(step) for step in self.path],
            "response": self.response,
            "message": self.message,
        }


class Replay:
    """Secrets followed from the root of a well-formed tree, one by one."""

    def __init__(self, game: Game, strategy: Tree) -> None:
        self.game, self.strategy = game, strategy
        self.winning = game.winning if strategy.goal == "win" else None
        self.guess = strategy.guess.tolist()
        self.prices = None if game.costs is None else game.costs.tolist()
        # Under goal win the tree's own secrets are what is to be checked, so they are not looked at.
        self.named = strategy.secret.tolist() if strategy.goal == "identify" else []
        response, first = strategy.response.tolist(), strategy.first_child.tolist()
        self.below = [
            {response[child]: child for child in range(first[node], first[node + 1])}
            for node in range(len(strategy))
        ]
        self.visited = bytearray(len(strategy))
        self.visited[0] = 1
        self.refused: dict[int, str] = {}

    def price(self, node: int, answer: int) -> int:
        """Return what a response to the guess of a node costs."""
        return 1 if self.prices is None else int(self.prices[self.guess[node]][answer])

    def outcome(self, secret: int) -> tuple[str, int, int]:
        """Return how a secret fails, or an empty text, and the guesses it needs and what they cost."""
        guess, below, visited, respond = self.guess, self.below, self.visited, self.game.respond
        node = asked = cost = 0
        history: list[tuple[int, int]] = []
        while guess[node] >= 0:
            if node not in self.refused:
                self.refused[node] = self.game.refused(history, guess[node])
            if self.refused[node]:
                return REFUSED, asked, cost
            answer = respond(guess[node], secret)
            asked += 1
            history.append((guess[node], answer))
            cost += self.price(node, answer)
            # A game whose goal is to identify has no winning response here: None equals no answer.
            if answer == self.winning:
                return "", asked, cost
            branches = below[node]
            if answer not in branches:
                ended = NO_WIN if self.winning is not None else NO_LEAF
                return MISSING if branches else ended, asked, cost
            node = branches[answer]
            visited[node] = 1
        return "" if self.named[node] == secret else WRONG_SECRET, asked, cost

    def path(self, secret: int) -> list[int]:
        """Return the nodes that a secret which does not fail gets to, where it is to be named at the last."""
        nodes = [0]
        while self.guess[nodes[-1]] >= 0:
            nodes.append(self.below[nodes[-1]][self.game.respond(self.guess[nodes[-1]], secret)])
        return nodes

    def failure(self, secret: int, kind: str) -> Failure:
        """Return what there is to say of a secret that fails."""
        game, node = self.game, 0
        path: list[tuple[str, str]] = []
        while self.guess[node] >= 0:
            answer = game.respond(self.guess[node], secret)
            path.append((game.guesses[self.guess[node]], label_of(game.responses, answer)))
            if answer not in self.below[node] or (kind == REFUSED and self.refused[node]):
                break
            node = self.below[node][answer]
        name, last = game.secrets[secret], path[-1] if path else ("", "")
        if kind == REFUSED:
            what = f"guess number {len(path)}, {last[0]!r}, is not allowed: {self.refused[node]}"
        else:
            what = self.what(kind, last, game.secrets[self.named[node]] if self.named else "")
        message = f"{self.game.look.secret} {name!r}: {what} (path: {path_text(path)})"
        return Failure(kind, name, tuple(path), last[1] if kind == MISSING else None, message)

    def what(self, kind: str, last: tuple[str, str], named: str) -> str:
        """Return in words how a secret fails after a guess and response, or at a leaf that names `named`."""
        look = self.game.look
        return {
            MISSING: f"response {last[1]!r} to {look.guess} {last[0]!r} has no branch",
            NO_WIN: f"the tree ends with {look.guess} {last[0]!r}, which gets {last[1]!r} and does not win",
            NO_LEAF: f"the tree ends with {look.guess} {last[0]!r} and names no {look.secret}",
            WRONG_SECRET: f"the leaf names {named!r}",
        }[kind]

    def dead(self) -> list[int]:
        """Return where the branches begin that no secret takes, below nodes that some secret reaches."""
        return [
            node
            for node, parent in enumerate(self.strategy.parent.tolist())
            if not self.visited[node] and self.visited[parent] and not self.refused.get(parent)
        ]


class LyingReplay(Replay):
    """Secrets followed along every path on which no more than so many responses are false."""

    def __init__(self, game: Game, strategy: Tree) -> None:
        super().__init__(game, strategy)
        self.ends: dict[int, tuple[int, int | None]] = {}  # where a secret fails, and at which response
        self.sayable = cache(game.sayable)

    def outcome(self, secret: int) -> tuple[str, int, int]:
        """Return how a secret fails on some path, or an empty text; the most guesses, and the most it pays.

        The two may be those of different paths.
        """
        guess, below, strategy, most, dearest = self.guess, self.below, self.strategy, 0, 0
        waiting = [(0, strategy.lies, 0)]
        while waiting:
            node, left, paid = waiting.pop()
            self.visited[node] = 1
            asked = int(strategy.depth[node])
            if guess[node] < 0:
                most, dearest = max(most, asked), max(dearest, paid)
                if self.named[node] != secret:
                    self.ends[secret] = node, None
                    return WRONG_SECRET, asked, paid
                continue
            truth = self.game.respond(guess[node], secret)
            if truth == self.winning:  # the game is over whatever is said
                most, dearest = max(most, asked + 1), max(dearest, paid + self.price(node, truth))
                continue
            answers = [truth]
            if left:
                answers += [r for r in self.sayable(guess[node]) if r not in (truth, self.winning)]
            for answer in answers:
                if answer not in below[node]:
                    self.ends[secret] = node, answer
                    ended = NO_WIN if self.winning is not None else NO_LEAF
                    return MISSING if below[node] else ended, asked + 1, paid
                price = self.price(node, answer)
                waiting.append((below[node][answer], left - (answer != truth), paid + price))
        return "", most, dearest

    def failure(self, secret: int, kind: str) -> Failure:
        """Return what there is to say of a secret that fails, the false responses of the path marked."""
        game = self.game
        end, last = self.ends[secret]
        nodes = self.strategy.path(end)
        answers = [int(self.strategy.response[node]) for node in nodes[1:]] + ([] if last is None else [last])
        path: list[tuple[str, str]] = []
        steps: list[tuple[str, str]] = []
        for node, answer in zip(nodes, answers, strict=False):
            truth = game.respond(self.guess[node], secret)
            path.append((game.guesses[self.guess[node]], label_of(game.responses, answer)))
            steps.append((path[-1][0], path[-1][1] + (" (false)" if answer != truth else "")))
        named = "" if last is not None else game.secrets[self.named[end]]
        what = self.what(kind, path[-1] if path else ("", ""), named)
        message = f"{game.look.secret} {game.secrets[secret]!r}: {what} (path: {path_text(steps)})"
        return Failure(
            kind, game.secrets[secret], tuple(path), path[-1][1] if kind == MISSING else None, message
        )


def label_of(labels: Sequence[str], index: int) -> str:
    """Return a label by its index, or the index where there is none."""
    # A game that breaks its contract may answer what is no response.
    return labels[index] if 0 <= index < len(labels) else f"#{index}"


def path_text(path: Sequence[tuple[str, str]]) -> str:
    """Return guesses and responses on one line, of a long path the ends."""
    steps = [f"{guess!r} {answer!r}" for guess, answer in path]
    if len(steps) > MAX_STEPS:
        half = MAX_STEPS // 2
        steps = [*steps[:half], f"... {len(steps) - 2 * half} more ...", *steps[-half:]]
    return ", ".join(steps) or "no guess"
