"""Tests that need not be asked, because they agree with the one that is: they confirm an answer.

A test agrees with a couplet by this rule. At each lead some causes are left, with their weights, and each
answer to the test has a share of that weight. An answer speaks for the lead at which its share is largest,
and for none if two have as much. Of the answers that speak for a lead the most frequent count, `MOST_STATES`
at most. The share that they have there together is how sure the lead is to show one of them. The test agrees
if every lead has such answers, and the least sure is sure enough. As no answer speaks for two leads, those
of one lead have at any other at most the share that is left there by its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.game import MOST_RESPONSES, Game, weights_of
from guesstree.engine.game_source import table_content

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
    responses: the answers, of which one is shown; ascending.
    always, causes: how many causes show nothing else, of so many that are left.
    share: how sure it is: the share of the weight that is left.
    """

    responses: tuple[int, ...]
    always: int
    causes: int
    share: Fraction


@dataclass(frozen=True)
class Agreeing:
    """A further test that agrees with a couplet: its number, and what it shows at each lead."""

    guess: int
    leads: tuple[Shown, ...]

    @property
    def sure(self) -> Fraction:
        """How sure the least sure lead is."""
        return min(lead.share for lead in self.leads)


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
    content = table_content(game)
    tests = range(len(content.guesses if content else game.guesses))
    known = {label: response for response, label in enumerate(game.responses)}
    weights = game.model.weights if game.model else weights_of(game).tolist()
    left: dict[int, Masses] = {0: {secret: Fraction(weight) for secret, weight in enumerate(weights)}}
    found = {}
    for at in seen.depth_first():
        step, masses = seen.steps[at], left.pop(at)
        if not step.question:
            continue
        guess = int(strategy.guess[step.node])
        # One above would tell these apart only where it failed to answer.
        asked = {guess, *(int(strategy.guess[seen.steps[above].node]) for above, _ in seen.path(at))}
        own = [frozenset(known[answer] for answer in branch.answers) for branch in step.branches]
        parts = _parts(game, guess, own, masses)
        left |= {branch.step: part for branch, part in zip(step.branches, parts, strict=True)}
        limit = _dearest(game, guess, frozenset[int]().union(*own))
        agree = []
        apart = _apart(game, asked)
        for other in apart if game.topics else tests if content else _certain(game, parts):
            if other not in asked and (test := agreement(game, other, parts)) and test.sure >= least:
                price = _dearest(game, other, {r for lead in test.leads for r in lead.responses})
                if price <= limit:
                    agree.append((-test.sure, price, other, test))
        found[at] = [test for *_, test in sorted(agree, key=lambda one: one[:3])[:most]]
    return found


def _apart(game: Game, asked: set[int]) -> list[int]:
    """Return the questions of two answers about characters of which nothing was asked, see `noisy.splits`."""
    if game.model is None or game.model.characters is None:
        return []
    splits, possible = game.model.splits, game.model.characters.possible
    seen = {splits[guess].character for guess in asked}
    return [
        guess
        for guess, split in enumerate(splits)
        if split.character not in seen and split.within == possible[split.character]
    ]


def agreement(game: Game, guess: int, parts: Sequence[Masses]) -> Agreeing | None:
    """Return what a test shows at leads where so much is left; None where one of them has no answer."""
    cells = {secret: _chances(game, guess, secret) for part in parts for secret in part}
    shares = []
    for part in parts:
        whole, each = sum(part.values(), Fraction()), dict[int, Fraction]()
        for secret, mass in part.items():
            for response, chance in cells[secret].items():
                each[response] = each.get(response, Fraction()) + mass * chance / whole
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
            kind = secret if game.kinds is None else game.kinds[secret]
            kinds[kind] = kinds.get(kind, True) and cells[secret].keys() <= set(spoken)
        share = sum((each[r] for r in spoken), Fraction())
        leads.append(Shown(tuple(sorted(spoken)), sum(kinds.values()), len(kinds), share))
    return Agreeing(guess, tuple(leads))


def _chances(game: Game, guess: int, secret: int) -> Mapping[int, Fraction]:
    """Return the answers that a secret may give, each with its probability."""
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


def _dearest(game: Game, guess: int, responses: frozenset[int] | set[int]) -> int:
    return 1 if game.costs is None else int(game.costs[guess, sorted(responses)].max())
