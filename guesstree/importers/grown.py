"""Trees of yes/no questions, as programs grow them that learn from examples, as strategies for a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from guesstree.engine.errors import shown
from guesstree.engine.game import Game
from guesstree.engine.tables.cells import BAR
from guesstree.trees.noisy import build_noisy
from guesstree.trees.tree import Claims, Ints, Tree, TreeError, build

from .questions import ColumnQuestion, Questions

MOST_STATES = 1_000_000
"""So many states are built: where tests err, each answer may have a copy of what follows."""
NAMES_SHOWN = 4
Labels = Sequence[str] | Mapping[Any, str] | None
"""What a tree calls its classes by number, in order, or by what it says; None: by their labels."""
_BY_NUMBER = "; labels (--labels A,B,...) say what each number stands for, from 0"


@dataclass(frozen=True)
class Knot:
    """A node of such a tree.

    Attributes
    ----------
    place: what it is called in messages, such as ``node 3``.
    question: None: it is a leaf.
    yes, no: where it goes on.
    says: the class that a leaf says.
    """

    place: str
    question: ColumnQuestion | None = None
    yes: int = -1
    no: int = -1
    says: str = ""


@dataclass(frozen=True)
class Grown:
    """Such a tree; node 0 is the root, and each other node has one parent.

    Attributes
    ----------
    by: what made it.
    columns, single: see `Questions`.
    """

    by: str
    knots: Sequence[Knot]
    columns: int | None = None
    single: bool = False


def require_tests(game: Game) -> None:
    """Raise TreeError for a game that no tree of yes/no questions about columns is for."""
    if game.look.codes != "text":
        raise TreeError(f"is a tree of tests, not for {game.spec}; expected a table, such as table:lamp.csv")
    if game.facts.by_kind or game.facts.failing:
        raise TreeError(
            f"{game.spec} has answers that nobody knows (,missing=any or ,failures=K), of which such a tree "
            "says nothing; expected a table without"
        )


def as_strategy(game: Game, grown: Grown, labels: Labels = None) -> tuple[Tree, str]:
    """Return a tree of yes/no questions as a strategy for a game, and what is to be said of its numbers.

    A question is asked as the whole test that it is about, with a branch for each answer; a further one whose
    answer follows from the answers so far is not asked. A leaf names the one secret that gets there, which
    must be what it says; where something is to be decided, it decides what it says. `labels`: what its
    numbers stand for, in order, or by what it says. Raises TreeError, with the node, for what is not a tree
    for this game. `require_tests` is to be asked first.
    """
    walk = _Walk(game, grown if labels is None else _named(game, grown, labels))
    claims = Claims(method=grown.by)
    if game.facts.noisy:
        return build_noisy(game, walk.after, claims), walk.questions.note()
    walk.require_names()
    return build(game, "identify", walk.among, claims), walk.questions.note()


def _named(game: Game, grown: Grown, labels: Sequence[str] | Mapping[Any, str]) -> Grown:
    """Return a tree with other names for its classes; raise TreeError for one that stands for nothing."""
    pairs = labels.items() if isinstance(labels, Mapping) else enumerate(labels)
    names = {str(says): str(label) for says, label in pairs}
    known = game.decisions or game.secrets
    odd = next((label for label in names.values() if label not in known), None)
    if odd is not None:
        what = "decision" if game.decisions else game.look.secret
        some = ", ".join(map(shown, known[:NAMES_SHOWN])) + ", ..." * (len(known) > NAMES_SHOWN)
        raise TreeError(f"labels: {shown(odd)} is no {what} of {game.spec}; expected {some}")
    knots = []
    for knot in grown.knots:
        if knot.question is None and knot.says not in names:
            some = ", ".join(list(names)[:NAMES_SHOWN])
            raise TreeError(f"{knot.place} says {shown(knot.says)}; labels are given for {some}")
        knots.append(knot if knot.question else replace(knot, says=names[knot.says]))
    return replace(grown, knots=knots)


class _Walk:
    """Follows a tree of yes/no questions by the answers of a game."""

    def __init__(self, game: Game, grown: Grown) -> None:
        self.game, self.knots = game, grown.knots
        self.questions = Questions(game, grown.columns, single=grown.single)
        self.asks = [self.asked(knot) for knot in self.knots]
        self.says = self._read_classes()
        self.states = 0

    def asked(self, knot: Knot) -> tuple[int, frozenset[int]]:
        """Return the test that a node asks and the responses that say yes; of a leaf, none."""
        if knot.question is None:
            return -1, frozenset()
        try:
            return self.questions.asked(knot.question)
        except TreeError as error:
            raise TreeError(f"{knot.place} {error}") from None

    def _read_classes(self) -> list[int]:
        """Return for each leaf which secret it names, or what it decides; -1 at other nodes."""
        game, decides = self.game, bool(self.game.decisions)
        labels = game.decisions if decides else game.secrets
        parts = {part: i for i, label in enumerate(labels) for part in label.split(BAR)}  # of ,merge
        number = parts | {label: i for i, label in enumerate(labels)}
        # Numbers count causes as the table has them. That they are the right ones shows; of decisions not.
        if not decides and not any(knot.says in number for knot in self.knots):
            number = {str(i): i for i in range(len(labels))}
        found = []
        for knot in self.knots:
            found.append(number.get(knot.says, -1) if knot.question is None else -1)
            if knot.question is None and found[-1] < 0:
                what = "decision" if decides else game.look.secret
                some = ", ".join(map(shown, labels[:NAMES_SHOWN])) + ", ..." * (len(labels) > NAMES_SHOWN)
                hint = _BY_NUMBER if decides and knot.says.isdigit() else ""
                hint = (
                    hint if decides else "; what is to be told of causes stands in a row action of the table"
                )
                raise TreeError(
                    f"{knot.place} says {shown(knot.says)}, which is no {what} of {game.spec}; "
                    f"expected {some}{hint}"
                )
        return found

    def follow(self, answer: Callable[[int], int | None]) -> int:
        """Return the first node whose test has no known answer, or the leaf."""
        node = 0
        while self.knots[node].question is not None:
            test, yes = self.asks[node]
            known = answer(test)
            if known is None:
                return node
            node = self.knots[node].yes if known in yes else self.knots[node].no
        return node

    def require_names(self) -> None:
        """Raise TreeError unless each secret gets to a leaf of its own, which names it."""
        game = self.game
        first = dict[int, int]()
        for secret, label in enumerate(game.secrets):
            leaf = self.follow(partial(game.respond, secret=secret))
            place, says = self.knots[leaf].place, game.secrets[self.says[leaf]]
            other = first.setdefault(leaf, secret)
            if other != secret:
                raise TreeError(
                    f"{place} says {shown(says)}, where {shown(game.secrets[other])} and {shown(label)} get; "
                    f"expected a leaf for each {game.look.secret}, or a table that says what a wrong "
                    "decision loses (,wrong=N)"
                )
            if self.says[leaf] != secret:
                raise TreeError(
                    f"{place} says {shown(says)}, where {shown(label)} gets; expected a tree that was made "
                    f"for {game.spec}"
                )

    def among(self, candidates: Ints) -> int:
        """Return the test that tells candidates apart."""

        def answer(test: int) -> int | None:
            asked = np.full(len(candidates), test, dtype=np.int32)
            answers = self.game.respond_each(asked, candidates)
            return int(answers[0]) if (answers == answers[0]).all() else None

        return self.asks[self.follow(answer)][0]

    def after(self, history: Sequence[tuple[int, int]]) -> int:
        """Return the next test after tests and answers, or a decision, as `build_noisy` takes them."""
        self.states += 1
        if self.states > MOST_STATES:
            raise TreeError(f"takes more than {MOST_STATES} states; expected a smaller tree")
        node = self.follow(dict(history).get)
        if self.knots[node].question is not None:
            return self.asks[node][0]
        if self.game.decisions:
            return len(self.game.guesses) + self.says[node]
        raise TreeError(
            f"{self.knots[node].place} says {shown(self.knots[node].says)}, where other causes are still "
            "possible; expected a table that says what a wrong decision loses (,wrong=N)"
        )
