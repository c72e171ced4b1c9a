"""Verify the contract of `Game` from a game alone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Set
from itertools import product
from numbers import Rational

import numpy as np
from numpy.typing import NDArray

from .errors import GameError, shown
from .game import Game, Responses, costs_of, require_labels, response_table, rules_of, weights_of, whole
from .notation import Look
from .rules import Step

PARTS = {
    "spec": "a text that names the game, such as 'scale:9'",
    "secrets": "a list of texts, what may be hidden",
    "guesses": "a list of texts, what may be asked",
    "responses": "a list of texts, what may be answered",
    "winning": "None, or the number of the response that ends the game",
}
"""What every game has, and what it is."""
MOST_CALLS = 1 << 18
"""How often `check_rules` calls `refused` at most, about."""


def require_parts(game: Game) -> None:
    """Raise GameError for a game of a user's own that lacks something, or has it of another kind."""
    for name, accepted in PARTS.items():
        if not hasattr(game, name):
            raise GameError(f"{type(game).__name__} has no {name}; expected {accepted}")
    if not isinstance(game.spec, str) or not game.spec:
        raise GameError(f"{type(game).__name__}: spec={shown(game.spec)}; expected {PARTS['spec']}")
    for name in ("secrets", "guesses", "responses"):
        value = getattr(game, name)
        if isinstance(value, str | bytes | Mapping | Set) or not hasattr(value, "__getitem__"):
            raise GameError(f"{game.spec}: {name}={shown(value)}; expected {PARTS[name]}")
    if not len(game.responses):
        raise GameError(f"{game.spec}: no response; expected one at least")
    many, winning = len(game.responses), game.winning
    if winning is not None and (whole(winning) is None or not 0 <= winning < many):
        accepted = f"None, or a number from 0 to {many - 1}"
        raise GameError(f"{game.spec}: winning={shown(winning)}; expected {accepted}")
    if game.weights is not None and not hasattr(game.weights, "__len__"):
        raise GameError(f"{game.spec}: weights={shown(game.weights)}; expected an integer for each secret")
    if not isinstance(game.look, Look):
        raise GameError(f"{game.spec}: look={shown(game.look)}; expected a guesstree.Look")
    if game.budget is not None and (whole(game.budget) is None or game.budget < 0):
        raise GameError(f"{game.spec}: budget={shown(game.budget)}; expected None, or an integer from 0")
    for name in ("cost_unit", "weight_unit"):
        unit = getattr(game, name)
        if not isinstance(unit, Rational) or isinstance(unit, bool) or unit <= 0:
            raise GameError(f"{game.spec}: {name}={shown(unit)}; expected a Fraction above 0")


def check_game(game: Game) -> None:
    """Verify the contract from the game alone; raise GameError with the first place where it breaks.

    Checked: distinct labels, of symbols that the look has; at most 65,535 responses; `table`, `block` and
    `respond_each` equal to `respond`; the winning response given to at most one secret per guess, and to
    every secret by some guess; weights and costs; `rules` equal to `refused`, and no guess refused that may
    win; generators of the symmetry are permutations that leave every response as it is. Takes guesses x
    secrets calls of `respond`, several times where these others are not written.
    """
    for what, labels in (("secret", game.secrets), ("guess", game.guesses), ("response", game.responses)):
        if not len(labels):
            raise GameError(f"{game.spec}: no {what}")
    require_labels(game)
    if game.look.codes != "text":
        odd = set().union(*game.secrets, *game.guesses).difference(game.look.symbols)
        if odd:
            raise GameError(f"{game.spec}: the look has no symbol {min(odd)!r}, only {game.look.symbols}")
    if game.winning is not None and not 0 <= game.winning < len(game.responses):
        raise GameError(f"{game.spec}: the winning response {game.winning} is out of range")
    weights_of(game)
    costs_of(game)
    table = response_table(game)
    _check_responses(game, table)
    if game.winning is not None:
        wins = table == game.winning
        if (wins.sum(axis=1) > 1).any():
            g = int((wins.sum(axis=1) > 1).argmax())
            raise GameError(f"{game.spec}: guess {game.guesses[g]!r} wins on several secrets")
        if not wins.any(axis=0).all():
            s = int((~wins.any(axis=0)).argmax())
            raise GameError(f"{game.spec}: no guess wins on secret {game.secrets[s]!r}")
    check_rules(game, table)
    for number, (guesses, secrets) in enumerate(game.symmetry.generators()):
        for perm, size in ((guesses, table.shape[0]), (secrets, table.shape[1])):
            if not np.array_equal(np.sort(perm), np.arange(size)):
                raise GameError(f"{game.spec}: generator {number} is not a permutation")
        if not np.array_equal(table[np.ix_(guesses, secrets)], table):
            raise GameError(f"{game.spec}: generator {number} changes a response")


def _check_responses(game: Game, table: Responses) -> None:
    """Raise GameError where `table`, `block` or `respond_each` differs from `respond`."""
    for g in range(len(game.guesses)):
        for s in range(len(game.secrets)):
            response = game.respond(g, s)
            if not 0 <= response < len(game.responses):
                raise GameError(f"{game.spec}: respond({g}, {s}) is {response}, out of range")
            if table[g, s] != response:
                raise GameError(f"{game.spec}: table()[{g}, {s}] is {table[g, s]}, respond says {response}")
    guesses, secrets = np.arange(len(table), dtype=np.int32), np.arange(table.shape[1], dtype=np.int32)
    pairs = np.repeat(guesses, len(secrets)), np.tile(secrets, len(guesses))
    for name, found in (
        ("block", game.block(guesses, secrets)),
        ("respond_each", game.respond_each(*pairs).reshape(table.shape)),
    ):
        if not np.array_equal(found, table):
            g, s = np.argwhere(found != table)[0].tolist()
            what = f"{name}() at [{g}, {s}] is {found[g, s]}"
            raise GameError(f"{game.spec}: {what}, respond says {table[g, s]}")


def check_rules(game: Game, table: NDArray[np.uint8]) -> None:
    """Raise GameError where the rules break the contract, or `rules` and `refused` differ.

    A guess that wins on a secret must have what each response that this secret gives demands. Rules and
    `refused` are compared for all guesses after all histories of two guesses, or after some of them, always
    the same, where there are more than about 2^18 cases.
    """
    rules = rules_of(game)
    if rules is not None and game.winning is not None:
        for winner, secret in np.argwhere(table == game.winning).tolist():
            demanded = rules.demanded(np.arange(len(table)), table[:, secret])
            bad = (demanded & ~rules.features[winner]).any(axis=1)
            if bad.any():
                asked = int(bad.argmax())
                raise GameError(
                    f"{game.spec}: guess {game.guesses[winner]!r} is refused after {game.guesses[asked]!r} "
                    f"{game.responses[int(table[asked, secret])]!r}, though it may win"
                )
    for history in _histories(game, table):
        allowed = None if rules is None else rules.allowed(rules.follow(history))
        for guess in range(len(game.guesses)):
            plain = not game.refused(history, guess)
            if plain != (allowed is None or bool(allowed[guess])):
                steps = ", ".join(f"{game.guesses[g]!r} {game.responses[r]!r}" for g, r in history)
                raise GameError(
                    f"{game.spec}: after {steps or 'nothing'} refused() {'allows' if plain else 'refuses'} "
                    f"{game.guesses[guess]!r}, rules() does not"
                )


def _histories(game: Game, table: NDArray[np.uint8]) -> Iterator[tuple[Step, ...]]:
    """Yield the histories that are compared; each of their guesses was allowed when it was asked."""
    guesses, secrets = table.shape
    yield ()
    cases = guesses * guesses * secrets
    most = max(MOST_CALLS // guesses, 1)
    drawn: Iterator[tuple[int, ...]] = product(range(guesses), range(guesses), range(secrets))
    if cases > most:
        dice = random.Random(0)
        drawn = (
            (dice.randrange(guesses), dice.randrange(guesses), dice.randrange(secrets)) for _ in range(most)
        )
    met: set[tuple[Step, ...]] = set()
    for first, second, secret in drawn:
        one = (first, int(table[first, secret]))
        two = (second, int(table[second, secret]))
        legal = not game.refused((one,), second)
        for history in ((one,), (one, two)) if legal else ((one,),):
            if history not in met:
                met.add(history)
                yield history
