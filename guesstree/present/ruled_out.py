"""Why a secret is not possible, or how likely it is: the answers that it would not have given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from guesstree.engine.advice.evidence import Evidence
from guesstree.engine.errors import GuesstreeError, shown
from guesstree.engine.game import Game
from guesstree.engine.rules import UNKNOWN, Step
from guesstree.present.noisy_advice import chance_text
from guesstree.trees.export.labels import plain


@dataclass(frozen=True)
class Objection:
    """An answer that speaks against a secret.

    Attributes
    ----------
    number: which answer it is, from 1.
    words: what it was, and what it would be, such as ``edge: lobed; there it is smooth or toothed``.
    """

    number: int
    words: str


def objections(game: Game, steps: Sequence[Step], secrets: Sequence[int]) -> list[Objection]:
    """Return the answers that exclude all of some secrets, those of one name; none where it is possible.

    With false responses it is excluded by more of these than may be false.
    """
    found = []
    for number, (guess, response) in enumerate(steps, 1):
        own = _answers(game, guess, secrets)
        if response == UNKNOWN or response in own:
            continue
        if game.model is not None and response == game.model.silent:
            continue
        there = " or ".join(plain(game.responses[r]) for r in own)
        said = f"{_asks(game, guess)} {plain(game.responses[response])}; there it is {there}"
        found.append(Objection(number, said))
    return found


def names_of(game: Game) -> Mapping[str, Sequence[int]]:
    """Return what is to be known by label: the secrets, or their kinds, each with its secrets."""
    found: dict[str, list[int]] = {}
    for secret, label in enumerate(game.secrets if game.kinds is None else game.kinds):
        found.setdefault(label, []).append(secret)
    return found


def name_typed(game: Game, text: str) -> str:
    """Return the name that was typed, or of which this is the beginning; raise GuesstreeError for another."""
    names = list(names_of(game))
    found = game.look.find_guess(names, text.strip())
    if found is None:
        raise GuesstreeError(f"{shown(text)} is not a {game.look.secret}; expected such as {names[0]!r}")
    return names[found]


def ruled_out(game: Game, steps: Sequence[Step], most: int) -> tuple[list[tuple[str, list[Objection]]], int]:
    """Return what answers exclude, by label with these answers, the first of them; and how many there are."""

    def each() -> Iterator[tuple[str, list[Objection]]]:
        for name, secrets in names_of(game).items():
            if against := objections(game, steps, secrets):
                yield name, against

    found = each()
    some = list(islice(found, most))
    return some, len(some) + sum(1 for _ in found)


def why_lines(game: Game, steps: Sequence[Step], label: str) -> list[str]:
    """Return why what is to be known is not possible, or what speaks against it, in lines."""
    secrets = names_of(game)[label]
    against = objections(game, steps, secrets)
    if against:
        return [f"{plain(label)} is ruled out:", *(f"  {one.number}  {one.words}" for one in against)]
    if game.model is None:
        return [f"{plain(label)} is possible"]
    evidence, (cause,) = Evidence(game, steps), secrets
    weights = game.model.weights
    before = Fraction(weights[cause]) / sum(map(Fraction, weights))
    now = chance_text(evidence.posterior[cause])
    lines = [f"{plain(label)}: {now} now, {chance_text(before)} before the first answer"]
    for number, (test, answer) in enumerate(steps, 1):
        share = Fraction(1) if answer == UNKNOWN else game.model.chances[test][cause].get(answer, Fraction(1))
        if share < 1:
            said = f"{_asks(game, test)} {plain(game.responses[answer])}"
            lines.append(f"  {number}  {said} in {chance_text(share)} of its cases")
    return lines


def _asks(game: Game, guess: int) -> str:
    """Return a guess as it stands before a response: a question needs no colon."""
    label = plain(game.guesses[guess])
    return label if label.endswith("?") else f"{label}:"


def _answers(game: Game, guess: int, secrets: Sequence[int]) -> list[int]:
    """Return the responses that some of these secrets may give to a guess."""
    if game.model is not None:
        return sorted({r for secret in secrets for r in game.model.chances[guess][secret]})
    return sorted({game.respond(guess, secret) for secret in secrets})
