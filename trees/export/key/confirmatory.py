"""Tests that need not be asked, because they agree with the one that is: they confirm an answer.

A test agrees with a couplet by this rule. At each lead some causes are left, with their weights, and each
answer to the test has a share of that weight; an unknown one is no answer. An answer speaks for the lead at
which its share is largest, and for none if two have as much. Of the answers that speak for a lead the most
frequent count, `MOST_STATES` at most. The share that they have there together is how sure the lead is to show
one of them. The test agrees if every lead has such answers, and the least sure is sure enough. As no answer
speaks for two leads, those of one lead have at any other at most the share that is left there by its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.game import MOST_RESPONSES, Game, weights_of
from guesstree.engine.tables.cells import chances_in
from guesstree.engine.tables.table import table_content

from ...outline import Outline

MOST_STATES = 3
"""So many answers to a further test are named at a lead at most."""
SEVERAL = -1
"""Stands for a response where more than one is possible."""
Masses = Mapping[int, Fraction]
"""What is left, by secret."""


@dataclass(frozen=True)
class Shown:
    """What a further test shows at a lead.

    Attributes
    ----------
    answers: of which one is shown.
    always, causes: how many causes show nothing else, of so many that are left.
    share: how sure it is: the share of the weight that is left.
    """

    answers: tuple[str, ...]
    always: int
    causes: int
    share: Fraction


@dataclass(frozen=True)
class Agreeing:
    """A further test that agrees with a couplet: its label, and what it shows at each lead."""

    test: str
    leads: tuple[Shown, ...]

    @property
    def sure(self) -> Fraction:
        """How sure the least sure lead is."""
        return min(lead.share for lead in self.leads)


class _Tests:
    """The tests of a game: what may be asked, or where that are groups of answers, what it is asked about."""

    def __init__(self, game: Game) -> None:
        self.game, self.content = game, table_content(game)
        self.labels: Sequence[str] = self.content.guesses if self.content else game.guesses
        self._columns = {label: i for i, label in enumerate(self.content.secrets if self.content else ())}
        self._rows: dict[int, list[dict[str, Fraction]]] = {}
        self.topic = dict(zip(game.guesses, game.topics or game.guesses, strict=True))

    def shown(self, test: int, secret: int) -> Mapping[str, Fraction]:
        """Return the answers that a secret may give, each with its probability; none where it is unknown."""
        game = self.game
        if self.content and not self.content.cells[test][self._column(secret)]:
            return {}
        if game.topics and self.content:
            if test not in self._rows:
                self._rows[test] = chances_in(self.content.cells[test], sets=self.content.sets)
            return self._rows[test][secret]
        return {game.responses[r]: chance for r, chance in _chances(game, test, secret).items()}

    def _column(self, secret: int) -> int:
        """Return the column of a secret in the table."""
        label = self.game.secrets[secret] if self.game.kinds is None else self.game.kinds[secret]
        return self._columns[label]

    def price(self, test: int) -> int:
        """Return the most that a test costs."""
        if self.content:
            return self.content.costs[test] if self.content.costs else 1
        return 1 if self.game.costs is None else int(self.game.costs[test].max())


def agreeing_questions(seen: Outline, most: int, least: Fraction) -> Mapping[int, Sequence[Agreeing]]:
    """Return for each step up to so many further tests that agree with it, see above.

    The surest comes first, then the cheapest; each costs no more than the one that is asked. `least`: how
    sure each lead must be. There are none in a game to be won, where a question is a turn, and where
    responses may be false or fail to come. In a game that is no table only such count as agree for certain,
    with one answer at each lead.
    """
    game, strategy = seen.game, seen.strategy
    if strategy.goal == "win" or strategy.lies or game.facts.failing:
        return {}
    tests = _Tests(game)
    number = {label: test for test, label in enumerate(tests.labels)}
    known = {label: response for response, label in enumerate(game.responses)}
    weights = game.model.weights if game.model else weights_of(game).tolist()
    left: dict[int, Masses] = {0: {secret: Fraction(weight) for secret, weight in enumerate(weights)}}
    found = {}
    for at in seen.depth_first():
        step, masses = seen.steps[at], left.pop(at)
        if not step.question:
            continue
        # One above would tell these apart only where it failed to answer, or of the states that it left.
        asked = {number.get(tests.topic[seen.steps[above].question]) for above, _ in seen.path(at)}
        now = number.get(tests.topic[step.question])
        own = [frozenset(known[answer] for answer in branch.answers) for branch in step.branches]
        parts = _parts(game, int(strategy.guess[step.node]), own, masses)
        left |= {branch.step: part for branch, part in zip(step.branches, parts, strict=True)}
        if now is None:  # it tells apart ways to fill the cells of one cause
            continue
        agree = []
        for other in range(len(tests.labels)) if tests.content else _certain(game, parts):
            if other in asked or other == now or tests.price(other) > tests.price(now):
                continue
            test = agreement(tests, other, parts)
            if test and test.sure >= least:
                agree.append((-test.sure, tests.price(other), other, test))
        found[at] = [test for *_, test in sorted(agree, key=lambda one: one[:3])[:most]]
    return found


def agreement(tests: _Tests, test: int, parts: Sequence[Masses]) -> Agreeing | None:
    """Return what a test shows at leads where so much is left; None where one of them has no answer."""
    cells = {secret: tests.shown(test, secret) for part in parts for secret in part}
    shares = []
    for part in parts:
        whole, each = sum(part.values(), Fraction()), dict[str, Fraction]()
        for secret, mass in part.items():
            for answer, chance in cells[secret].items():
                each[answer] = each.get(answer, Fraction()) + mass * chance / whole
        shares.append(each)
    leads = []
    for lead, each in enumerate(shares):
        others = shares[:lead] + shares[lead + 1 :]
        spoken = [r for r, share in each.items() if all(other.get(r, 0) < share for other in others)]
        spoken = sorted(spoken, key=lambda r: (-each[r], r))[:MOST_STATES]
        if not spoken:
            return None
        kinds = dict[object, bool]()
        for secret in parts[lead]:
            kind = secret if tests.game.kinds is None else tests.game.kinds[secret]
            kinds[kind] = kinds.get(kind, True) and set() < cells[secret].keys() <= set(spoken)
        share = sum((each[r] for r in spoken), Fraction())
        leads.append(Shown(tuple(spoken), sum(kinds.values()), len(kinds), share))
    return Agreeing(tests.labels[test], tuple(leads))


def _chances(game: Game, guess: int, secret: int) -> Mapping[int, Fraction]:
    """Return the responses that a secret may give to a guess, each with its probability."""
    if game.model is None:
        return {game.respond(guess, secret): Fraction(1)}
    return {response: Fraction(chance) for response, chance in game.model.chances[guess][secret].items()}


def _parts(game: Game, guess: int, own: Sequence[frozenset[int]], masses: Masses) -> list[Masses]:
    """Return what is left at each branch, which has these responses."""
    cells = {secret: _chances(game, guess, secret) for secret in masses}
    parts: list[Masses] = []
    for some in own:
        each = {
            secret: mass * sum((cells[secret].get(r, Fraction()) for r in some), Fraction())
            for secret, mass in masses.items()
        }
        parts.append({secret: mass for secret, mass in each.items() if mass})
    return parts


def _certain(game: Game, parts: Sequence[Masses]) -> list[int]:
    """Return the guesses that get one response from all that is left at a lead, another at every lead."""
    every = np.arange(len(game.guesses), dtype=np.int32)
    shared = np.stack(
        [_shared(game.block(every, np.array(list(part), dtype=np.int32)).astype(np.int64)) for part in parts],
        axis=1,
    )
    sure = np.flatnonzero((shared != SEVERAL).all(axis=1)).tolist()
    return [guess for guess in sure if len(set(shared[guess].tolist())) == len(parts)]


def _shared(answers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what all columns say, or `SEVERAL`, as for none; shape (guesses,)."""
    least, most = answers.min(axis=1, initial=MOST_RESPONSES), answers.max(axis=1, initial=SEVERAL)
    return np.where(least == most, least, SEVERAL)
