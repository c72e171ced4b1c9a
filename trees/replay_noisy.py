"""Secrets followed down every answer that they may give, with the chances of each (`Game.model`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from guesstree.engine.exact import Number
from guesstree.engine.game import Game

from .replay import (
    MISSING,
    NO_CLIQUE,
    NO_LEAF,
    REFUSED,
    STRAY,
    WRONG_SECRET,
    Failure,
    Replay,
    label_of,
    path_text,
)
from .tree import Tree


@dataclass(frozen=True)
class Way:
    """A way of a secret through the tree: what was asked and answered, what it cost, how likely it is.

    Attributes
    ----------
    node: where it has got to.
    history: guesses and responses.
    paid: for the guesses, in units of the game's costs.
    chance: the probability of the responses; 0 where a guess failed to respond.
    failures_left: how many guesses may still fail to respond.
    loss: by what is decided at the end.
    """

    node: int
    history: tuple[tuple[int, int], ...]
    paid: Number
    chance: Fraction
    failures_left: int
    loss: Number = 0


class NoisyReplay(Replay):
    """Secrets followed along every path that they may take in a game with a model.

    Each guess is asked at most once on a path and costs less once another of its group was asked; where a
    response ends the path, nothing is asked or decided after it.
    """

    def __init__(self, game: Game, strategy: Tree) -> None:
        super().__init__(game, strategy)
        assert game.model is not None
        self.model = game.model
        self.ways: dict[int, list[Way]] = {}
        self.ends: dict[int, tuple[Way, str]] = {}  # where a secret fails, and why
        self.stray: dict[int, set[int]] = {}  # leaves that name a secret
        for leaf in range(len(strategy)):
            for secret in strategy.named(leaf):
                self.stray.setdefault(secret, set()).add(leaf)

    def outcome(self, secret: int) -> tuple[str, int, int]:
        """Return how a secret fails on some path, or an empty text; the guesses that it needs at most."""
        ways: list[Way] = []
        waiting = [Way(0, (), 0, Fraction(1), self.model.failures)]
        while waiting:
            way = waiting.pop()
            self.visited[way.node] = 1
            leaf = self.guess[way.node] < 0
            kind, why = self.fault_of_leaf(secret, way) if leaf else self.fault_of_guess(secret, way)
            if kind:
                return self.fails(secret, kind, way, why)
            if leaf:
                ways.append(self.ended(secret, way))
                continue
            for further in self.asked(secret, way):
                if further.node < 0:
                    return self.fails(secret, MISSING if self.below[way.node] else NO_LEAF, further, "")
                waiting.append(further)
        stray = self.stray.get(secret, set()) - {way.node for way in ways}
        if stray:
            leaf = min(stray)
            why = f"node {leaf} names it, which it does not get to"
            return self.fails(secret, STRAY, Way(leaf, (), 0, Fraction(), 0), why)
        assert sum(way.chance for way in ways) == 1, f"the answers of secret {secret} do not add up to 1"
        self.ways[secret] = ways
        return "", max(len(way.history) for way in ways), 0

    def fails(self, secret: int, kind: str, way: Way, why: str) -> tuple[str, int, int]:
        """Record how a secret fails."""
        self.ends[secret] = way, why
        return kind, len(way.history), 0

    def asked(self, secret: int, way: Way) -> Iterator[Way]:
        """Yield how a way goes on below a guess, to node -1 where a response has no branch."""
        model, below, guess = self.model, self.below[way.node], self.guess[way.node]
        group = model.groups[guess] if model.groups else None
        opened = group is not None and any(model.groups[known] == group for known, _ in way.history)
        paid = way.paid + (model.later if opened else model.prices)[guess]
        for answer, share in self.shares(secret, way):
            history = (*way.history, (guess, answer))
            yield Way(below.get(answer, -1), history, paid, way.chance * share, way.failures_left)
        if way.failures_left:
            history = (*way.history, (guess, model.silent))
            yield Way(below.get(model.silent, -1), history, paid, Fraction(0), way.failures_left - 1)

    def shares(self, secret: int, way: Way) -> Iterator[tuple[int, Fraction]]:
        """Yield the answers to a guess that a secret may give, with their probabilities after what was asked.

        Of a question about a character: the states that the secret may show are followed from the first
        question about it on.
        """
        guess = self.guess[way.node]
        if self.model.characters is None:
            yield from self.model.chances[guess][secret].items()
            return
        left = self.left(secret, way)
        whole = sum(left.values())
        for answer, part in self.model.splits[guess].parts.items():
            share = sum((p for state, p in left.items() if part >> state & 1), Fraction(0))
            if share:
                yield answer, share / whole

    def left(self, secret: int, way: Way) -> dict[int, Fraction]:
        """Return the states of the character in question that are left of a secret; as likely as at first."""
        assert self.model.characters is not None
        character = self.model.splits[self.guess[way.node]].character
        left = dict(self.model.characters.shown[character][secret])
        for guess, answer in way.history:
            split = self.model.splits[guess]
            if split.character == character:
                left = {state: p for state, p in left.items() if split.parts[answer] >> state & 1}
        return left

    def ended(self, secret: int, way: Way) -> Way:
        """Return a way that ends with what is lost by the decision there."""
        decision, losses = self.strategy.decided.get(way.node, -1), self.model.losses
        if decision < 0 or losses is None:
            return way
        loss = losses[decision][secret]
        assert loss is not None, "the leaf was looked at"
        return Way(way.node, way.history, way.paid, way.chance, way.failures_left, loss)

    def over(self, way: Way) -> bool:
        """Return whether the last response of a way ends the path."""
        if not way.history or not self.model.ends:
            return False
        guess, answer = way.history[-1]
        return answer in self.model.ends[guess]

    def fault_of_guess(self, secret: int, way: Way) -> tuple[str, str]:
        """Return what is wrong with a guess after what was asked, and why; or empty texts."""
        guess, labels = self.guess[way.node], self.game.guesses
        known = {one for one, _ in way.history}
        needed = sorted(self.model.after[guess] - known) if self.model.after else []
        why = self.game.refused(way.history, guess)
        if self.over(way):
            why = f"{label_of(self.game.responses, way.history[-1][1])!r} ended the path before"
        elif guess in known:
            why = "it was asked before"
        elif needed:
            why = f"{labels[needed[0]]!r} must be asked before"
        elif self.model.characters is not None:
            split = self.model.splits[guess]
            if any(not split.within >> state & 1 for state in self.left(secret, way)):
                why = f"it leaves out what {self.game.look.secret} {self.game.secrets[secret]!r} may show"
        if not why:
            return "", ""
        self.refused[way.node] = why
        return REFUSED, f"guess number {len(way.history) + 1}, {labels[guess]!r}, is not allowed: {why}"

    def fault_of_leaf(self, secret: int, way: Way) -> tuple[str, str]:
        """Return what is wrong with a leaf that a secret gets to, and why; or empty texts."""
        strategy, look = self.strategy, self.game.look
        named, decision = strategy.named(way.node), strategy.decided.get(way.node, -1)
        label = self.game.decisions[decision] if decision >= 0 else ""
        if self.over(way):
            if decision >= 0:
                return REFUSED, f"the leaf decides {label!r} where the path has ended"
        elif self.model.losses is None:
            apart = self.told_apart(named)
            if secret in named and apart:
                return NO_CLIQUE, f"the leaf names {apart}"
        elif decision < 0:
            return NO_LEAF, "the leaf decides nothing"
        elif self.model.losses[decision][secret] is None:
            return REFUSED, f"the leaf decides {label!r}, which is not allowed for this {look.secret}"
        if secret in named:
            return "", ""
        if decision >= 0 or self.over(way):
            return WRONG_SECRET, "it is not among those that are possible at the leaf"
        return WRONG_SECRET, f"the leaf names {strategy.label(way.node)!r}"

    def told_apart(self, named: Sequence[int]) -> str:
        """Return in words which secrets may not be named together, or an empty text."""
        game = self.game
        for one, other in combinations(named, 2):
            pair = f"{game.secrets[one]!r} and {game.secrets[other]!r}"
            if not self.model.cliques:
                return f"{pair}; expected one"
            characters = self.model.characters
            for number, row in enumerate(self.model.chances if characters is None else characters.shown):
                if not set(row[one]) & set(row[other]):
                    label = game.guesses[number] if characters is None else characters.labels[number]
                    return f"{pair}, which {label!r} tells apart"
        return ""

    def failure(self, secret: int, kind: str) -> Failure:
        """Return what there is to say of a secret that fails."""
        game, (way, why) = self.game, self.ends[secret]
        path = tuple((game.guesses[guess], label_of(game.responses, answer)) for guess, answer in way.history)
        what = why or self.what(kind, path[-1] if path else ("", ""), "")
        message = f"{game.look.secret} {game.secrets[secret]!r}: {what} (path: {path_text(path)})"
        return Failure(kind, game.secrets[secret], path, path[-1][1] if kind == MISSING else None, message)
