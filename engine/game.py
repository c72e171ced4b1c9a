"""`Game`, the contract between a game and everything else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import GameError, SpaceError, shown
from .exact import Number, exact_text, short_text
from .labels import find_label, quoted
from .memory import require_memory
from .noisy.model import Model
from .notation import Look, article, plural, plurals
from .objective import FIGURES, GOALS, parse_objective
from .remarks import Remarks
from .rules import UNKNOWN, UNKNOWN_TEXT, UNKNOWN_TEXTS, Rules, Step, says_unknown
from .stopping import heed
from .symmetry.groups import Symmetry, Trivial

MAX_RESPONSES = 255
"""Up to so many responses are stored as bytes; the last value is kept free. Kernels count them per guess."""
MOST_LABELS = 1 << 18
"""So many labels a game may have whose guesses get fewer than `MOST_RESPONSES` each."""
MOST_RESPONSES = 65_535
"""So many are accepted, two bytes each; the search over costs alone takes over 255 of a guess."""


MOST_LISTED = 1 << 22
"""A strategy for so many secrets is listed at most."""

Responses = NDArray[np.unsignedinteger[Any]]
"""Responses by index, of the type `response_type`."""


@dataclass(frozen=True)
class GameFacts:
    """What kind of game a game is, in a few facts; searches, commands and pages ask for these alone.

    Attributes
    ----------
    goals: what a strategy may be for, the usual goal first: to win, if a response ends the game, to identify.
    weighted: whether some secrets count more than others.
    priced: whether guesses cost something of their own; else each costs 1.
    noisy: whether a guess may get several responses, or a path may end otherwise than with a response.
    failing: whether guesses may fail to answer, so that only the worst case counts.
    decides: whether a strategy ends with a decision, which may lose something, and not with a secret.
    by_kind: whether several secrets stand for one kind, which is to be found; then costs have a meaning that
        budgets and one-step methods would get wrong.
    large: whether a guess gets so many responses that kernels number them in two bytes.
    listed: whether a strategy for all secrets is small enough to be listed.
    product: whether the secrets are phrases that are only counted, word by word, see `PhraseGame`.
    boards: on how many boards each guess is answered, see `boards.BoardsGame`.
    """

    goals: tuple[str, ...]
    weighted: bool
    priced: bool
    noisy: bool
    failing: bool
    decides: bool
    by_kind: bool
    large: bool
    listed: bool
    product: bool = False
    boards: int = 1

    @property
    def winnable(self) -> bool:
        """Whether a response ends the game."""
        return self.goals[0] == "win"


class Game(ABC):
    """Describe the secrets, the guesses, and the response of each secret to each guess.

    A game is immutable. Secrets, guesses and responses have labels; methods refer to them by their index
    (0-based). A subclass sets the attributes and writes `respond`; all other methods have slow, plain
    defaults, which a family of games may replace by fast ones.

    Attributes
    ----------
    spec: the text that `parse` turns back into this game, such as ``mastermind:4x6``.
    secrets, guesses: labels, each distinct, in lexicographic order where there is one.
    responses: labels of at most 65,535 responses; where one guess gets more than 255 of them, a search takes
        longer (see `search.priced`).
    winning: index of the response that ends the game, or None: the game ends when one secret is left.
    weights: how likely each secret is, integers of at least 1 in any proportion; None: all equally likely.
    costs: what each response to each guess costs, integers of at least 0, shape (guesses, responses); lists
        are made an array; None: every guess costs 1.
    kinds: for each secret the kind that a strategy has to find, if several secrets may share one; None: a
        strategy has to find the secret itself.
    cost_unit, weight_unit: what the integer 1 of costs and of weights stands for.
    model: how guesses split the weights of secrets, if a guess may get several responses; None: each guess
        gets the response that `respond` returns.
    decisions: the decisions that may end a path, in the order of `Model.losses`; empty: it names a secret.
    classes: the class of each secret: lists of what is possible name classes; empty: they name secrets.
    budget: the most that a secret may cost to count as won, if the game sets it; None: it does not.
    tries: how many guesses a player has; None: as many as the player needs. No search uses it.
    look: how to draw, write and read guesses, secrets and responses; plain text by default.
    beyond: the command to use if the game is too large for a search; empty: none.
    lists: where lists of words are from, which `wider` goes beyond; empty: nothing is said.
    notes: lines about how the game was read, and what looks wrong.
    guess_remarks, secret_remarks: notes and pictures of guesses and of secrets (or kinds), by label.
    topics: what each guess asks about where its responses stand beside it; empty: its label says that.
    """

    spec: str
    secrets: Sequence[str]
    guesses: Sequence[str]
    responses: Sequence[str]
    winning: int | None
    weights: Sequence[int] | None = None
    costs: NDArray[np.int64] | None = None
    kinds: Sequence[str] | None = None
    cost_unit: Fraction = Fraction(1)
    weight_unit: Fraction = Fraction(1)
    model: Model | None = None
    decisions: Sequence[str] = ()
    classes: Sequence[str] = ()
    budget: int | None = None
    tries: int | None = None
    look: Look = Look()
    beyond: str = ""
    lists: str = ""
    notes: Sequence[str] = ()
    guess_remarks: Remarks = Remarks()
    secret_remarks: Remarks = Remarks()
    topics: Sequence[str] = ()

    def __repr__(self) -> str:
        try:
            look = self.look
            counts = f"{plural(len(self.secrets), look.secret)}, {plural(len(self.guesses), look.guess)}"
        except SpaceError:
            counts = "more codes than can be listed"
        except (AttributeError, TypeError):  # a class that is not finished, see `contract.require_parts`
            return f"{type(self).__name__}()"
        return f"{type(self).__name__}({getattr(self, 'spec', '')}, {counts})"

    @property
    def facts(self) -> GameFacts:
        """What kind of game it is, by its attributes."""
        try:
            listed = len(self.secrets) <= MOST_LISTED
        except SpaceError:
            listed = False
        return GameFacts(
            goals=GOALS if self.winning is not None else GOALS[1:],
            weighted=self.weights is not None,
            priced=self.costs is not None,
            noisy=self.model is not None,
            failing=self.model is not None and self.model.failures > 0,
            decides=self.model is not None and self.model.losses is not None,
            by_kind=self.kinds is not None,
            large=self.most_answers > MAX_RESPONSES,
            listed=listed,
        )

    def cost_text(self, value: int | Fraction) -> str:
        """Return a cost, counted in `cost_unit`, as readers see it."""
        return exact_text(value * self.cost_unit)

    def cost_units(self, cost: Fraction) -> int:
        """Return how many times `cost_unit` a cost as readers see it is, rounded down."""
        return cost // self.cost_unit

    def figure_unit(self, name: str) -> Fraction:
        """Return what the integer 1 of a figure stands for, by its name in `solution.Figures`."""
        return FIGURES[name].unit(self.cost_unit, self.weight_unit)

    def figure_text(self, name: str, value: int | Fraction) -> str:
        """Return a figure as readers see it, by its name in `solution.Figures`."""
        return short_text(value * self.figure_unit(name))

    def value_texts(self, objective: str, value: Sequence[Number]) -> tuple[str, ...]:
        """Return the parts of a value of an objective as readers see them."""
        names = parse_objective(objective).figures
        return tuple(self.figure_text(*figure) for figure in zip(names, value, strict=False))

    @abstractmethod
    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response that `guess` gets when `secret` is hidden."""

    @property
    def most_answers(self) -> int:
        """At most how many responses one guess gets, whatever others get."""
        many = len(self.responses)
        return many if many <= MAX_RESPONSES else min(many, len(self.secrets) + (self.winning is not None))

    @property
    def by_guess(self) -> bool:
        """Whether responses are numbered guess by guess: there are many, and each guess gets few of them."""
        return self.model is None and MAX_RESPONSES < len(self.responses) > self.most_answers

    def sayable(self, guess: int) -> Sequence[int]:
        """Return what may be said to a guess, also falsely: any response; if `by_guess`, the guess's own.

        No other would make a strategy cost more, see `numbering`.
        """
        return self.answers(guess) if self.by_guess else range(len(self.responses))

    @property
    def symmetry(self) -> Symmetry:
        """Return the group of renamings that leave every response as it is (default: none).

        It is not used where a renaming changes weights or costs, or what may be asked depends on the history.
        """
        return Trivial(len(self.guesses))

    @property
    def wider(self) -> Game | None:
        """Return the same game where every guess may be the secret, listed or not; None: it is this one.

        Guesses and responses are the same, with the same numbers.
        """
        return None

    def refused(self, history: Sequence[Step], guess: int) -> str:  # noqa: ARG002 - for subclasses
        """Return why a guess may not be asked after a history, in a few words; empty: it may (default).

        What is refused stays so. With a winning response, a guess that may still win is never refused.
        """
        return ""

    def rules(self) -> Rules | None:
        """Return what `refused` says as bits, for kernels; None: every guess is always allowed (default)."""
        return None

    def table(self) -> Responses:
        """Return every response, shape (guesses, secrets), of the type `response_type`."""
        everyone = np.arange(len(self.secrets), dtype=np.int32)
        return self.block(np.arange(len(self.guesses), dtype=np.int32), everyone)

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the responses of some guesses on some secrets, shape (guesses, secrets)."""
        found = np.empty((len(guesses), len(secrets)), dtype=response_type(self))
        for row, guess in zip(found, guesses.tolist(), strict=True):
            heed()
            row[:] = _stored(self, [(guess, secret) for secret in secrets.tolist()])
        return found

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the response of each guess on the secret beside it, shape (pairs,)."""
        return _stored(self, list(zip(guesses.tolist(), secrets.tolist(), strict=True)))

    def with_model(self, model: Model, secrets: Sequence[str], guesses: Sequence[str]) -> Game:
        """Return a copy with another model, of these secrets and guesses; its weights and prices count."""
        game = copy(self)
        game.model, game.secrets, game.guesses = model, secrets, guesses
        game.weights = game.costs = None
        return game

    def code_form(self) -> CodeForm | None:
        """Return the codes behind the game, for kernels that work them out; None: there are none."""
        return None

    def own(self) -> NDArray[np.int32]:
        """Return for each guess the secret that it names, or -1; shape (guesses,).

        With a winning response that is the secret on which the guess wins, otherwise the secret with
        the same label.
        """
        own = np.full(len(self.guesses), -1, dtype=np.int32)
        if self.winning is None:
            index = {label: i for i, label in enumerate(self.secrets)}
            for g, label in enumerate(self.guesses):
                own[g] = index.get(label, -1)
        else:
            table = response_table(self)
            wins = table == self.winning
            found = wins.any(axis=1)
            own[found] = wins.argmax(axis=1)[found]
        return own

    def guess_index(self, label: str) -> int:
        """Return the index of the guess with this label; raise GameError when there is none."""
        return find_label(self.guesses, label, f"{self.look.guess} of {self.spec}")

    def secret_index(self, label: str) -> int:
        """Return the index of the secret with this label; raise GameError when there is none."""
        return find_label(self.secrets, label, f"{self.look.secret} of {self.spec}")

    def response_index(self, label: str) -> int:
        """Return the index of the response with this label; raise GameError when there is none."""
        try:
            return list(self.responses).index(label)
        except ValueError:
            some = ", ".join(map(repr, self.responses[:20])) + (", ..." if len(self.responses) > 20 else "")
            raise GameError(f"{shown(label)} is not a response of {self.spec}; expected {some}") from None

    def guess_at(self, guess: int | str) -> int:
        """Return the index of a guess, which is given as it or as it may be typed; raise GameError else."""
        if isinstance(guess, str):
            return self.read_guess(guess)
        return index_of(self.guesses, guess, f"{self.look.guess} of {self.spec}")

    def response_at(self, response: int | str, guess: int) -> int:
        """Return the index of a response, which is given as it or as it may be typed; raise GameError else.

        What says that the response to this guess is not known is `UNKNOWN`.
        """
        if isinstance(response, str):
            return UNKNOWN if self.skips(response, guess) else self.read_response(response, guess)
        if whole(response) == UNKNOWN:
            return UNKNOWN
        return index_of(self.responses, response, f"response of {self.spec}")

    def answers(self, guess: int | str) -> list[int]:
        """Return the responses that a guess gets on some secret, ascending."""
        guess = self.guess_at(guess)
        if self.model is not None:
            return sorted({response for cell in self.model.chances[guess] for response in cell})
        everyone = np.arange(len(self.secrets), dtype=np.int32)
        return [int(r) for r in np.unique(self.block(np.array([guess], dtype=np.int32), everyone))]

    def skips(self, text: str, guess: int) -> bool:
        """Return whether a text such as ``?`` says that the response to a guess is not known, and is none."""
        own = [self.responses[r].casefold() for r in self.answers(guess)] if says_unknown(text) else []
        return says_unknown(text) and text.casefold() not in own

    def unknown_text(self, guess: int) -> str:
        """Return what says that the response to a guess is not known: ``?``, unless that is a response to it.

        Empty where everything that would say so is.
        """
        return next((text for text in UNKNOWN_TEXTS if self.skips(text, guess)), "")

    def not_known(self, guess: int) -> str:
        """Return what is typed where there is no answer: ``?`` where it tells nothing, or `unknown_text`."""
        own = [r for r in self.answers(guess) if self.responses[r] == UNKNOWN_TEXT]
        if own and self.model is not None and len({c.get(own[0]) for c in self.model.chances[guess]}) == 1:
            return UNKNOWN_TEXT
        return self.unknown_text(guess)

    def read_guess(self, text: str) -> int:
        """Return the index of the guess typed, see `Look.find_guess`; raise GameError else."""
        if not isinstance(text, str):
            raise GameError(f"{shown(text)} is no text; expected {article(self.look.guess)} as it is typed")
        found = self.look.find_guess(self.guesses, text)
        if found is not None:
            return found
        several = self.look.beginning(self.guesses, text)
        if several:
            some = quoted([self.guesses[guess] for guess in several], 3)
            raise GameError(f"{shown(text)} begins {some}; type more of it")
        accepted = self.look.accepted(self.guesses)
        if not text:
            some = accepted or quoted(self.guesses, 20 if len(self.guesses) <= 20 else 3)
            raise GameError(f"type {article(self.look.guess)}: {some}")
        if not accepted:
            return self.guess_index(text)  # says what there is
        raise GameError(f"{shown(text)} is not a {self.look.guess} of {self.spec}; expected {accepted}")

    def read_response(
        self, text: str, guess: int | None = None, secrets: NDArray[np.int32] | None = None
    ) -> int:
        """Return the index of the response typed, see `Look.find_response`; raise GameError else.

        Where responses are plain text or places, it must be one that the guess gets; plain text may be
        ``?``, which is `UNKNOWN`. An error has examples that some of these `secrets` give.
        """
        if not isinstance(text, str):
            raise GameError(f"{shown(text)} is no text; expected a response as it is typed")
        if guess is None:
            found = self.look.find_response(self.responses, text)
            return self.response_index(text) if found is None else found  # says what there is
        if self.look.plain and self.skips(text, guess):
            return UNKNOWN
        own = self.answers(guess) if self.look.own_answers else range(len(self.responses))
        found = self.look.find_response([self.responses[r] for r in own], text, self.guesses[guess])
        if found is not None:
            return own[found]
        what = f"{self.look.response} to {self.guesses[guess]!r}"
        if not self.look.plain:
            *others, last = self.examples(guess, secrets)
            such = f"such as {', '.join(others)}{' or ' * bool(others)}{last}"
            said = f"{shown(text)} is not {article(what)}; type one {such}"
            raise GameError(said if text else f"type the {what}, {such}")
        unknown = self.not_known(guess)
        some = quoted([self.responses[r] for r in own if self.responses[r] != unknown])
        accepted = f"{some}, or {unknown} where it is not known"
        said = f"{shown(text)} is not {article(what)}; expected {accepted}"
        raise GameError(said if text else f"type the {what}: {accepted}")

    def sized(self, sizes: list[int], secrets: Sequence[int] | NDArray[np.int32] | None = None) -> bool:
        """Return whether a secret, of these if any are given, has words of these lengths."""
        some = range(len(self.secrets)) if secrets is None else secrets
        return any(list(map(len, self.secrets[int(s)].split(" "))) == sizes for s in some)

    def examples(self, guess: int | str, secrets: NDArray[np.int32] | None = None) -> list[str]:
        """Return three responses that a guess may get, each in another of the ways to type it.

        `secrets`: those that are possible; None: all.
        """
        if secrets is None:
            secrets = np.arange(len(self.secrets), dtype=np.int32)
        guess = self.guess_at(guess)
        found, counts = np.unique(self.block(np.array([guess], dtype=np.int32), secrets), return_counts=True)
        likely = [int(r) for r in found[np.argsort(-counts, kind="stable")] if r != self.winning]
        some = [self.responses[r] for r in likely or found]
        return self.look.examples(some, self.guesses[guess], [self.secrets[int(s)] for s in secrets])


def require_labels(game: Game) -> None:
    """Raise GameError that names a label which is no text, or which two secrets have, two guesses, ...

    Only plain sequences are looked through: one of a kind of its own, such as all codes, is as it should be.
    Each secret has a kind, a text too, where there are kinds.
    """
    if game.kinds is not None and not (
        len(game.kinds) == len(game.secrets) and all(isinstance(kind, str) for kind in game.kinds)
    ):
        raise GameError(
            f"{game.spec}: kinds={shown(game.kinds)}; expected a text for each {game.look.secret}, or None"
        )
    for what, labels in (("secret", game.secrets), ("guess", game.guesses), ("response", game.responses)):
        if not isinstance(labels, list | tuple | range | np.ndarray):
            continue
        for label in labels:
            if not isinstance(label, str):
                raise GameError(
                    f"{game.spec}: a {game.look.named(what)} is labelled {shown(label)}; expected text"
                )
        if len(set(labels)) < len(labels):
            twice = next(label for label, many in Counter(labels).items() if many > 1)
            raise GameError(
                f"{game.spec}: two {plurals(game.look.named(what))} are labelled {shown(twice)}; "
                "expected each label once"
            )


def index_of(labels: Sequence[str], given: int | str, what: str) -> int:
    """Return the position of a label that is given by it or as its index; raise GameError for another."""
    if isinstance(given, str):
        return find_label(labels, given, what)
    index = whole(given)
    if index is None or not 0 <= index < len(labels):
        raise GameError(f"{shown(given)} is not {article(what)}; expected a label, or 0 to {len(labels) - 1}")
    return index


def response_type(game: Game) -> type[np.unsignedinteger[Any]]:
    """Return the type that responses of a game are stored in: one byte, or more where there are many."""
    many = len(game.responses)
    return np.uint8 if many <= MAX_RESPONSES else np.uint16 if many <= MOST_RESPONSES else np.uint32


def _stored(game: Game, pairs: Sequence[tuple[int, int]]) -> Responses:
    """Return the responses to guesses on secrets; raise GameError for one that is no index."""
    answers: list[Any] = [game.respond(guess, secret) for guess, secret in pairs]
    try:
        found = np.array(answers, dtype=None if answers else np.int64)
    except ValueError:  # some are sequences
        found = np.array([None])
    if found.ndim != 1 or found.dtype.kind not in "iu":
        at = next((i for i, one in enumerate(answers) if not _is_index(one, game.responses)), None)
        if at is not None:
            guess, secret = game.guesses[pairs[at][0]], game.secrets[pairs[at][1]]
            labelled = isinstance(answers[at], str) and answers[at] in game.responses
            index = f", which is {list(game.responses).index(answers[at])}" if labelled else ""
            raise GameError(
                f"{game.spec}: respond returned {shown(answers[at])} for {shown(guess)} on {shown(secret)}; "
                f"expected the number of the response{index}, from 0 to {len(game.responses) - 1}"
            )
        found = np.array(list(map(int, answers)), dtype=np.int64)
    check_responses(game, found)
    return found.astype(response_type(game))


def _is_index(value: object, labels: Sequence[str]) -> bool:
    number = whole(value)
    return number is not None and 0 <= number < len(labels)


def response_table(game: Game) -> Responses:
    """Return `game.table()`, C-contiguous, after making sure that it fits in memory (SpaceError)."""
    guesses, secrets = len(game.guesses), len(game.secrets)
    kind = response_type(game)
    require_memory(game.spec, guesses, secrets, np.dtype(kind).itemsize)
    given = np.asarray(game.table())
    if given.shape != (guesses, secrets) or given.dtype.kind not in "iu":
        raise GameError(
            f"{game.spec}: table() is {given.dtype} of shape {given.shape}; expected integers, "
            f"{(guesses, secrets)}"
        )
    check_responses(game, given)
    return np.ascontiguousarray(given, dtype=kind)


def check_responses(game: Game, found: NDArray[np.integer[Any]]) -> None:
    """Raise GameError when a response is out of range: kernels rely on it."""
    most = MOST_RESPONSES if game.most_answers > MOST_RESPONSES or game.facts.noisy else MOST_LABELS
    if len(game.responses) > most:
        raise GameError(f"{game.spec}: {len(game.responses)} responses; expected at most {most}")
    for odd in (int(found.max(initial=0)), int(found.min(initial=0))):
        if not 0 <= odd < len(game.responses):
            most = len(game.responses) - 1
            raise GameError(f"{game.spec}: a response is {odd}, out of range; expected 0 to {most}")


MOST_COST = 1 << 61
"""No strategy may cost so much: what bounds add up stays within 63 bits."""


def whole(value: object) -> int | None:
    """Return an integer of Python or NumPy as an int; None for anything else, True and 1.0 included."""
    return int(value) if isinstance(value, int | np.integer) and not isinstance(value, bool) else None


def weights_of(game: Game) -> NDArray[np.int64]:
    """Return the weight of every secret, shape (secrets,); raise GameError for what is no weight."""
    if game.weights is None:
        return np.ones(len(game.secrets), dtype=np.int64)
    if len(game.weights) != len(game.secrets):
        raise GameError(f"{game.spec}: {len(game.weights)} weights; expected one for each {game.look.secret}")
    numbers = []
    for secret, weight in zip(game.secrets, game.weights, strict=True):
        number = whole(weight)
        if number is None or number < 1:
            raise GameError(
                f"{game.spec}: {game.look.secret} {secret!r} has weight {shown(weight)}; "
                "expected integers from 1"
            )
        numbers.append(number)
    if sum(numbers) >= MOST_COST:
        raise GameError(
            f"{game.spec}: the weights add up to {sum(numbers)}{_counted_in(game)}; expected less than 2^61"
        )
    return np.array(numbers, dtype=np.int64)


def costs_of(game: Game) -> NDArray[np.int64]:
    """Return what each response to each guess costs, shape (guesses, responses); raise GameError."""
    shape = (len(game.guesses), len(game.responses))
    if game.costs is None:
        return np.ones(shape, dtype=np.int64)
    accepted = "a row for each guess with a number for each response; cost_unit says what 1 stands for"
    try:
        costs = np.asarray(game.costs)
    except ValueError:  # rows of different lengths
        raise GameError(f"{game.spec}: costs={shown(game.costs)}; expected {accepted}") from None
    if costs.shape != shape or costs.dtype.kind not in "iu":
        raise GameError(
            f"{game.spec}: costs are {costs.dtype} of shape {costs.shape}; "
            f"expected integers, {shape}: {accepted}"
        )
    if costs.size and int(costs.min()) < 0:
        guess = int(np.argwhere(costs < 0)[0, 0])
        raise GameError(
            f"{game.spec}: {game.look.guess} {game.guesses[guess]!r} costs {int(costs.min())}; "
            "expected 0 or more"
        )
    most = int(costs.max(initial=0)) * len(game.secrets) * int(weights_of(game).sum())
    if most >= MOST_COST:
        raise GameError(
            f"{game.spec}: weights x costs x {plurals(game.look.secret)} come to {most}{_counted_in(game)}; "
            "expected less than 2^61"
        )
    return np.ascontiguousarray(costs, dtype=np.int64)


def _counted_in(game: Game) -> str:
    """Return in words what costs and weights are counted in, where that makes them large."""
    if game.cost_unit.denominator == game.weight_unit.denominator == 1:
        return ""
    return f" in units of {game.cost_unit} and {game.weight_unit} (fewer decimals will do)"


@dataclass(frozen=True)
class CodeForm:
    """Codes, and how kernels answer one with another.

    Attributes
    ----------
    digits: the codes as numbers, uint8, shape (codes, pegs); guesses and secrets alike.
    symbols: how many symbols there are, or 0: only equal positions count.
    response_of: the response for b equal positions and t common symbols in all (0 when only equal positions
        count), at b(2 pegs + 1 - b)/2 + t; uint8.
    """

    digits: NDArray[np.uint8]
    symbols: int
    response_of: NDArray[np.uint8]


def rules_of(game: Game) -> Rules | None:
    """Return the rules of a game as contiguous arrays; raise GameError for arrays that cannot be."""
    rules = game.rules()
    return None if rules is None else rules.fitting(game.spec, len(game.guesses), len(game.responses))
