"""NumPy twin of every kernel: same names, arguments, dtypes and results; slow and plainly right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations, product

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Colours = NDArray[np.uint64]


def code_responses(guesses: Bytes, secrets: Bytes, colours: int, lookup: Bytes) -> Bytes:
    """Return the response of every guess on every secret, shape (guesses, secrets), uint8.

    Parameters
    ----------
    guesses, secrets: codes as numbers 0..colours-1, uint8, shapes (guesses, pegs) and (secrets, pegs).
    lookup: the response for (equal positions, common symbols in all), uint8, shape (pegs + 1, pegs + 1).
    """
    out = np.empty((len(guesses), len(secrets)), dtype=np.uint8)
    counts = np.stack([(secrets == c).sum(axis=1) for c in range(colours)])
    for g, guess in enumerate(guesses):
        black = (secrets == guess).sum(axis=1)
        own = np.bincount(guess, minlength=colours)
        common = np.minimum(counts, own[:, None]).sum(axis=0)
        out[g] = lookup[black, common]
    return out


def histograms(table: Bytes | NDArray[np.uint16], candidates: Ints, responses: int) -> Ints:
    """Return for each guess how many candidates give each response, int32, shape (guesses, responses).

    Parameters
    ----------
    table: responses 0..responses-1, uint8 or uint16, shape (guesses, secrets).
    candidates: secrets, int32, shape (candidates,).
    """
    out = np.zeros((len(table), responses), dtype=np.int32)
    for g in range(len(table)):
        out[g] = np.bincount(table[g, candidates], minlength=responses)
    return out


def enough(size: int, generators: Sequence[Longs], members: Longs) -> list[int]:
    """Return which generators have the orbits of members that all have; the last are left out first.

    Parameters
    ----------
    size, generators, members: see `orbits`.
    """
    kept, least = list(range(len(generators))), orbits(size, generators, members)
    for k in reversed(range(len(generators))):
        fewer = [one for one in kept if one != k]
        if np.array_equal(orbits(size, [generators[one] for one in fewer], members), least):
            kept = fewer
    return kept


OWN = np.uint64(0x9E3779B97F4A7C15)
"""What makes a label another one."""


def code_form(digits: Bytes, members: Ints, colours: int, separate: bool) -> tuple[Longs, Longs, Longs]:
    """Return an image that many sets of codes have in common, and a renaming that takes this one to it.

    Positions and colours split each other by labels until none changes (Weisfeiler and Leman 1968); where
    several have one label, one of them gets its own, until each is alone (McKay 1981). The renaming puts them
    in the order of their labels. So sets of one image are renamings of each other, whatever the labels are:
    how good these are decides only how often that is seen.

    Parameters
    ----------
    digits: the colours of all codes, shape (codes, pegs).
    members: the set.
    separate: whether each position has colours of its own.

    Returns
    -------
    The image: numbers of codes, as if with the first position last, rising; where each position goes, shape
    (pegs,); where each colour goes, shape (1, colours), or (pegs, colours) if separate.
    """
    pegs = digits.shape[1]
    of_peg = colours * np.arange(pegs) * separate  # the label of its colour 0
    cells = digits[members].astype(np.int64) + of_peg
    of_position = np.zeros(pegs, dtype=np.uint64)
    of_colour = np.zeros(colours * (pegs if separate else 1), dtype=np.uint64)
    there, known, now = np.unique(cells), 0, -1
    while True:
        of_position, of_colour = relabelled(cells, of_position, of_colour)
        some = of_colour[there] ^ (of_position[there // colours] if separate else np.uint64(0))
        now = len(np.unique(of_position)) + len(np.unique(some))
        if now == pegs + len(there):
            break
        if now > known:
            known = now
        elif len(np.unique(some)) < len(some):
            of_colour[there[tied(some)]] ^= OWN
        else:
            of_position[tied(of_position)] ^= OWN
    position = ranks(of_position)
    each = np.stack([ranks(labels) for labels in of_colour.reshape(-1, colours)])
    row = np.arange(pegs) if separate else np.zeros(pegs, dtype=np.int64)
    image = (each[row, digits[members]] * colours**position).sum(axis=1)
    return np.sort(image), position, each


def relabelled(cells: Longs, of_position: Colours, of_colour: Colours) -> tuple[Colours, Colours]:
    """Return labels of positions and colours that also say which codes they are in.

    `cells`: the label of the colour of each peg.
    """
    pegs = spread(of_position + of_colour[cells])
    pegs = spread(pegs + spread(pegs.sum(axis=1, dtype=np.uint64))[:, None])
    met = np.zeros_like(of_colour)
    np.add.at(met, cells.ravel(), pegs.ravel())
    return spread(of_position + pegs.sum(axis=0, dtype=np.uint64)), spread(of_colour + met)


def tied(labels: Colours) -> int:
    """Return the first of the smallest class of equal labels."""
    _, first, counts = np.unique(labels, return_index=True, return_counts=True)
    return int(first[np.where(counts == 1, len(labels) + 1, counts).argmin()])


def ranks(labels: Colours) -> Longs:
    """Return the place of each label in their order."""
    return np.argsort(np.argsort(labels, kind="stable"), kind="stable")


def most_told(table: Bytes | NDArray[np.uint16], own: Ints, secrets: Ints, starts: Ints) -> tuple[Ints, Ints]:
    """Return for each set how many parts a guess leaves at most, one more if it may win, and the guess.

    The part that is won counts as a part; of several guesses the first is returned. Of an empty set: 0, -1.
    int32, shapes (sets,).

    Parameters
    ----------
    table: responses 0..responses-1, uint8 or uint16, shape (guesses, secrets).
    own: the secret that each guess wins on, or -1, int32, shape (guesses,).
    secrets, starts: the sets one after another, which share no secret, and where each begins, with the end of
        the last; int32, shapes (secrets in all,) and (sets + 1,).
    """
    sets = [secrets[start:stop] for start, stop in pairwise(starts.tolist())]
    most, guesses = np.zeros(len(sets), dtype=np.int32), np.full(len(sets), -1, dtype=np.int32)
    for k, some in enumerate(sets):
        told = [len(np.unique(row[some])) + int(mine in some) for row, mine in zip(table, own, strict=True)]
        if max(told, default=0):
            most[k], guesses[k] = max(told), int(np.argmax(told))
    return most, guesses


def orbits(size: int, generators: Sequence[Longs], members: Longs) -> Longs:
    """Return for each member the least member that it can be taken to, int64, shape (members,).

    Parameters
    ----------
    generators: each where the numbers below `size` go, or numbers equal to them; int64, shape (size,).
    members: some of the numbers, rising, int64.
    """
    least = np.arange(size)
    while True:
        before = least.copy()
        for to in generators:
            np.minimum.at(least, to, least)
            least = np.minimum(least, least[to])
        if np.array_equal(before, least):
            break
    _, first, number = np.unique(least[members], return_index=True, return_inverse=True)
    return members[first][number]


def equivalents(digits: Bytes, colours: int, separate: bool, history: Ints) -> Bytes:
    """Return for each code whether an equivalent one is smaller after the history, uint8, shape (codes,).

    Equivalent: permuting positions and renaming colours fixes the history and takes one to the other.

    Parameters
    ----------
    digits: codes as numbers 0..colours-1, uint8, shape (codes, positions).
    separate: colours are renamed at each position on its own, not in the same way at all positions.
    history: codes guessed, int32, shape (guesses,).
    """
    positions = digits.shape[1]
    weights = colours ** np.arange(positions - 1, -1, -1, dtype=np.int64)
    columns = np.arange(positions)
    out = np.zeros(len(digits), dtype=np.uint8)
    names = list(permutations(range(colours)))
    renamings = product(names, repeat=positions) if separate else ((n,) * positions for n in names)
    for renaming in np.array(list(renamings), dtype=np.uint8):
        for order in permutations(range(positions)):
            image = renaming[columns, digits[:, order]]
            if np.array_equal(image[history], digits[history]):
                out |= image @ weights < digits @ weights
    return out


def mark_responses(
    guesses: NDArray[np.uint8], secrets: NDArray[np.uint8]
) -> Bytes | NDArray[np.uint16] | NDArray[np.uint32]:
    """Return how the letters of words are marked: 2 in place, 1 elsewhere, 0 absent, as a number to base 3.

    guesses, secrets: words as numbers of letters, shape (words, letters); at most 20 letters. Letters in
    place come first, then the others from the left, each against a letter of the secret not yet used. Shape
    (guesses, secrets); uint8 for at most 5 letters, uint16 for at most 10, else uint32.
    """
    letters = guesses.shape[1]
    kind = np.uint8 if letters <= 5 else np.uint16 if letters <= 10 else np.uint32
    out = np.zeros((len(guesses), len(secrets)), dtype=kind)
    for g, guess in enumerate(guesses.tolist()):
        for s, secret in enumerate(secrets.tolist()):
            left = [h for a, h in zip(guess, secret, strict=True) if a != h]
            answer = 0
            for a, h in zip(guess, secret, strict=True):
                mark = 2 if a == h else int(a in left)
                if mark == 1:
                    left.remove(a)
                answer = 3 * answer + mark
            out[g, s] = answer
    return out


def occurring(table: Bytes | NDArray[np.uint16] | NDArray[np.uint32], responses: int) -> NDArray[np.bool_]:
    """Return which of so many responses are in a table, shape (responses,).

    table: responses 0..responses-1, uint8, uint16 or uint32, shape (guesses, secrets).
    """
    found = np.zeros(responses, dtype=bool)
    found[table] = True
    return found


def spread(numbers: Colours) -> Colours:
    """Return numbers spread over 64 bits (SplitMix64; Steele, Lea and Flood 2014)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def refined(
    table: Bytes | NDArray[np.uint16], kinds: Colours, guesses: Colours, secrets: Colours
) -> tuple[Colours, Colours]:
    """Return colours of secrets and of guesses that also say what each meets (Weisfeiler and Leman 1968).

    A guess is coloured by the kinds of its responses and the colours of the secrets that give each; a secret
    by the guesses, and the parts of them that it is in. Whatever a response is called, colours stay the same.

    Parameters
    ----------
    table: responses 0..responses-1, uint8 or uint16, shape (guesses, secrets).
    kinds: what an image of a response has to be like, shape (guesses, responses).
    guesses, secrets: colours so far, shapes (guesses,) and (secrets,).
    """
    colours, met = np.empty_like(guesses), np.zeros_like(secrets)
    for g, row in enumerate(table):
        sums = np.zeros(kinds.shape[1], dtype=np.uint64)
        np.add.at(sums, row, spread(secrets))
        parts = np.where(sums, spread(sums + kinds[g]), sums)  # what no secret gives says nothing
        colours[g : g + 1] = spread(guesses[g : g + 1] + parts.sum(dtype=np.uint64))
        met += spread(parts + colours[g])[row]
    return spread(secrets + spread(met)), colours


def replayed(
    table: Bytes | NDArray[np.uint16], responses: int, guesses: NDArray[np.int64], secrets: NDArray[np.int64]
) -> Ints | None:
    """Return what each response becomes when guesses and secrets are renamed, or None: there is no such.

    Different responses of a guess become different ones; those that no secret gives take the places that are
    left, in order. int32, shape (guesses, responses).

    Parameters
    ----------
    table: responses 0..responses-1, uint8 or uint16, shape (guesses, secrets).
    guesses, secrets: where each goes, shapes (guesses,) and (secrets,).
    """
    out = np.empty((len(table), responses), dtype=np.int32)
    for g, row in enumerate(table.tolist()):
        image = table[guesses[g]][secrets].tolist()
        pairs = set(zip(row, image, strict=True))
        if not len(pairs) == len({mine for mine, _ in pairs}) == len({theirs for _, theirs in pairs}):
            return None
        there = dict(pairs)
        left = iter(sorted(set(range(responses)) - set(there.values())))
        out[g] = [there[r] if r in there else next(left) for r in range(responses)]
    return out
