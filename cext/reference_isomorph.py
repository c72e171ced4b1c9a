"""Plain twin of `isomorph`: a name that sets of candidates have in common where they differ in names alone.

A set, with what guesses make of it, is a structure: secrets, and parts that guesses leave, each of a kind.
Secrets and guesses split each other by colours until none changes (Weisfeiler and Leman 1968); where several
secrets have one colour, one gets its own, until each is alone, which puts all in an order (McKay 1981). The
name is the structure with its secrets named by their places in that order.

Two structures with one name are equal but for a renaming, whatever the order was: places name a renaming of
one set to the other that keeps all kinds and parts. How good the order is decides only how often alike sets
are seen to be so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Part = tuple[int, tuple[int, ...]]
"""What an image of a part has in common with it, and the secrets in it, by their places in the set."""
Named = tuple[Any, list[Any]]


def named(secrets: Sequence[Any], guesses: Sequence[Sequence[Part]]) -> Named:
    """Return what alike sets have in common, and what names each guess in all of them.

    Parameters
    ----------
    secrets: what an image of each secret has in common with it.
    guesses: the parts that each guess leaves.
    """
    colours, before = ranks(secrets), 0
    while len(set(colours)) < len(colours):
        colours = refined(colours, guesses)
        if len(set(colours)) == before:
            chosen = min(
                colours, key=lambda colour: (colours.count(colour) == 1, colours.count(colour), colour)
            )
            first = colours.index(chosen)
            colours = [2 * colour + (i == first) for i, colour in enumerate(colours)]
            before = 0
        else:
            before = len(set(colours))
    place = ranks(colours)
    found = [
        tuple(sorted((kind, tuple(sorted(place[i] for i in part))) for kind, part in guess))
        for guess in guesses
    ]
    attributes = tuple(secret for _, secret in sorted(zip(place, secrets, strict=True)))
    return (attributes, tuple(sorted(found))), found


def refined(colours: list[int], guesses: Sequence[Sequence[Part]]) -> list[int]:
    """Return colours that also say which parts of which guesses a secret is in."""
    met: list[list[Any]] = [[] for _ in colours]
    for guess in guesses:
        parts = [(kind, tuple(sorted(colours[i] for i in part))) for kind, part in guess]
        whole = tuple(sorted(parts))
        for (_, members), mine in zip(guess, parts, strict=True):
            for i in members:
                met[i].append((whole, mine))
    return ranks([(colour, sorted(seen)) for colour, seen in zip(colours, met, strict=True)])


def ranks(values: Sequence[Any]) -> list[int]:
    """Return for each value how many different ones are less."""
    rank = {value: i for i, value in enumerate(sorted(set(map(frozen, values))))}
    return [rank[frozen(value)] for value in values]


def frozen(value: Any) -> Any:
    """Return a value that can be a key."""
    return (value[0], tuple(value[1])) if isinstance(value, tuple) and isinstance(value[1], list) else value
