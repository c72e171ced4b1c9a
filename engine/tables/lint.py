"""What looks wrong in a table: each in a line that says where, what, and what may be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import filterfalse
from operator import or_

from ..errors import shown
from ..exact import NoNumber, read_numbers
from ..notation import plurals
from .bins import numbers_of
from .cells import answers_of
from .headings import read_heading
from .notes import Note
from .table import Content, same_answers

MOST_NAMED = 3
"""Lines of one kind, and labels in a line; the rest is counted."""
LEAST_LENGTH = 5
"""Shorter labels differ in a letter on purpose."""
OFTEN = 3
"""Times that an answer is written in a table until a short one like it looks like a slip."""
MOST_CLASSES = 8
"""So many different numbers are counts; more are measured."""
_LOOK_ALIKE = str.maketrans(
    "\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420\u0405\u0422\u0425\u0423"
    "\u0430\u0441\u0435\u0456\u0458\u043e\u0440\u0455\u0445\u0443"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u03bf\u03bd",
    "ABCEHIJKMOPSTXYaceijopsxyABEZHIKMNOPTYXov",
)
"""Letters of Cyrillic and Greek, and those of Latin that they look like."""
LAST_LATIN = 0x24F
"""Code of the last letter of Latin with a sign on it."""
MOST_ANSWERS = 200
"""Labels among which pairs are looked for that are hard to tell apart."""
MOST_COMPARED = 100_000
"""Letters of labels that are compared, as their number times their length."""


def twins_of(table: Content) -> list[list[int]]:
    """Return the groups of causes that no test tells apart."""
    return [group for group in same_answers(table.cells) if len(group) > 1]


def doubtful_pair(table: Content) -> tuple[str, str] | None:
    """Return two causes that may get the same answer to every test, as cells have several; None: none may."""
    count = len(table.secrets)
    together = [(1 << count) - 1] * count
    for row in table.cells:
        held = {cell: (list(answers_of(cell)) if table.sets else [cell]) if cell else [] for cell in set(row)}
        causes = dict.fromkeys((answer for cell in held for answer in held[cell]), 0)
        unknown = 0
        for cause, cell in enumerate(row):
            unknown |= 0 if cell else 1 << cause
            for answer in held[cell]:
                causes[answer] |= 1 << cause
        alike = {cell: reduce(or_, (causes[answer] for answer in held[cell]), unknown) for cell in held}
        together = [known & alike[cell] if cell else known for known, cell in zip(together, row, strict=True)]
    for cause, known in enumerate(together):
        others = known & ~(1 << cause)
        if others:
            return table.secrets[cause], table.secrets[others.bit_length() - 1]
    return None


def warnings_of(table: Content) -> list[Note]:
    """Return what looks wrong in a table, the worst first."""
    return [
        *([] if table.decisions else _twins(table)),
        *_unanswered(table),
        *_same_but_for_case(table),
        *_all_alike(table),
        *_nearly_equal(table),
        *_measured(table),
    ]


def _counted(found: Sequence[Note | str], what: str) -> list[Note]:
    """Return some notes, and how many more there are."""
    rest = len(found) - MOST_NAMED
    some = [*found[:MOST_NAMED], *([f"{rest} more {what}"] if rest > 0 else [])]
    return [Note(one) if isinstance(one, str) else one for one in some]


def _named(labels: Iterable[str]) -> str:
    listed = list(labels)
    return ", ".join(map(shown, listed[:MOST_NAMED])) + (
        f", ... ({len(listed)} in all)" if len(listed) > MOST_NAMED else ""
    )


def _twins(table: Content) -> list[Note]:
    """Return that some causes have the same answers, and what merging them would do."""
    groups = twins_of(table)
    if not groups:
        return []
    some = "; ".join(_named(table.secrets[s] for s in group) for group in groups[:MOST_NAMED])
    more = f" and {len(groups) - MOST_NAMED} more such sets" if len(groups) > MOST_NAMED else ""
    left = len(table.secrets) - sum(map(len, groups)) + len(groups)
    does = f"makes one of each set, which leaves {left}"
    text = f"no {table.look.guess} tells these {plurals(table.look.secret)} apart: {some}{more}"
    return [Note(text, f",merge {does}", (("merge", f"make one of each set, which leaves {left}"),))]


def _unanswered(table: Content) -> list[Note]:
    """Return that a test has no answer at all."""
    empty = [test for test, row in zip(table.guesses, table.cells, strict=True) if not any(row)]
    return [Note(f"no answer is known to {_named(empty)}", "leave the line out")] if empty else []


def _same_but_for_case(table: Content) -> list[Note]:
    found = []
    everywhere = _answers(table)
    for test, row in zip(table.guesses, table.cells, strict=True):
        times = Counter(answer for cell in row for answer in _answers_in(cell, table))
        for pair, says in _same(times):
            text = f"{' and '.join(map(shown, pair))} {says} (answers to {shown(test)})"
            found.append(_slip(text, test, pair, times, everywhere))
    for labels, what in ((table.secrets, table.look.secret), (table.guesses, table.look.guess)):
        for pair, says in _same(labels):
            text = f"{' and '.join(map(shown, pair))} {says} ({plurals(what)})"
            found.append(Note(text, at=tuple(("", label) for label in pair)))
    return _counted(found, "pairs are the same but for how they are written")


def _answers(table: Content) -> Counter[str]:
    """Return how often each answer is written."""
    return Counter(answer for row in table.cells for cell in row for answer in _answers_in(cell, table))


def _answers_in(cell: str, table: Content) -> Iterable[str]:
    """Return the answers in a cell: what it says, or the states of a set."""
    return answers_of(cell) if table.sets and cell else (cell,)


def _slip(text: str, test: str, pair: Sequence[str], times: Counter[str], everywhere: Counter[str]) -> Note:
    """Return that answers to a test may be one, with what is likely meant: what is written more often.

    Where both are as often, either may be.
    """
    if len(pair) == 1:
        return Note(text, at=((test, pair[0]),))
    often = [(times[answer], everywhere[answer]) for answer in pair]
    mends = [(test, pair[1 - i], pair[i]) for i in (0, 1) if often[i] >= often[1 - i]]
    return Note(text, at=tuple(mend[:2] for mend in mends), mends=tuple(mends))


def _same(labels: Iterable[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield which labels differ only in case, spaces, alphabets, or how a number is written, and in which.

    A label with letters of two alphabets stands alone.
    """
    known = list(labels)
    folds = [(_folded, "differ only in case or spaces")]
    if len(known) <= MOST_ANSWERS:
        folds += [
            (_in_latin, "look alike, with letters of two alphabets"),
            (_as_number, "are the same number"),
        ]
    for fold, says in folds:
        seen: dict[str, str] = {}
        for label in known:
            first = seen.setdefault(fold(label), label)
            if first != label and (fold is _folded or _folded(first) != _folded(label)):
                yield (first, label), says
    for label in filterfalse(str.isascii, known):
        if any(_is_mixed(word) for word in label.split()) and _in_latin(label) not in map(_folded, known):
            yield (label,), "has letters of two alphabets that look alike"


def _folded(label: str) -> str:
    return "".join(label.casefold().split())


def _in_latin(label: str) -> str:
    """Return a label with Latin letters in place of those of Cyrillic and Greek that look like them."""
    return _folded(label.translate(_LOOK_ALIKE))


def _is_mixed(word: str) -> bool:
    """Return whether a word has Latin letters beside others that look like such."""
    latin = any(sign.isascii() and sign.isalpha() for sign in word)
    others = [sign for sign in word if sign.isalpha() and not sign.isascii() and ord(sign) > LAST_LATIN]
    return latin and bool(others) and all(ord(sign) in _LOOK_ALIKE for sign in others)


def _as_number(label: str) -> str:
    """Return the number that a label is, as text; else the label."""
    if not label[-1:].isdigit() and not label.endswith("%"):
        return label
    try:
        numbers, _ = read_numbers([label], plain=True)
    except NoNumber:
        return label
    return str(numbers[0])


def _all_alike(table: Content) -> list[Note]:
    found = [
        Note(f"{shown(test)} tells nothing: all answer {shown(row[0])}", at=(("", test),))
        for test, row in zip(table.guesses, table.cells, strict=True)
        if row[0] and len(row) > 1 and len(set(row)) == 1
    ]
    return _counted(found, f"{plurals(table.look.guess)} tell nothing")


def _nearly_equal(table: Content) -> list[Note]:
    """Return labels that differ in one letter, of answers those of which one is rare: these may be typos."""
    found = []
    for labels, what in ((table.secrets, table.look.secret), (table.guesses, table.look.guess)):
        found += [
            Note(
                f"{shown(first)} and {shown(second)} are nearly equal ({plurals(what)})",
                at=(("", first), ("", second)),
            )
            for first, second in near_pairs(labels)
        ]
    everywhere = _answers(table)
    for test, row in zip(table.guesses, table.cells, strict=True):
        times = Counter(row)
        if len(times) < 2 or len(times) > MOST_ANSWERS:
            continue
        for first, second in near_pairs(times) + _short_slips(times, everywhere):
            if min(times[first], times[second]) == 1:
                text = f"{shown(first)} and {shown(second)} are nearly equal (answers to {shown(test)})"
                found.append(_slip(text, test, (first, second), times, everywhere))
    return _counted(found, "pairs are nearly equal")


def near_pairs(labels: Iterable[str]) -> list[tuple[str, str]]:
    """Return pairs of labels that one letter left out, put in or exchanged makes equal, or two that swap.

    Digits, first letters and letters on their own do not count: ``type A`` and ``type B`` differ on purpose.
    Labels that differ only in case or spaces are left out.
    """
    words = [label for label in labels if len(label) >= LEAST_LENGTH and not label.isdigit()]
    if sum(len(word) ** 2 for word in words) > 40 * MOST_COMPARED:
        return []
    buckets: dict[str, list[str]] = {}
    pairs: dict[tuple[str, str], None] = {}
    for word in words:
        keys = {word, *(word[:i] + word[i + 1 :] for i in range(len(word)) if word[i].isalpha())}
        for key in keys:
            for other in buckets.setdefault(key, []):
                if _one_slip(other, word):
                    pairs[other, word] = None
            buckets[key].append(word)
    return list(pairs)


def _short_slips(labels: Iterable[str], times: Counter[str]) -> list[tuple[str, str]]:
    """Return pairs of short answers, ``yes`` and ``yess``: one is written once in the table, the other often.

    A letter is left out, put in or two are swapped; another letter makes another word.
    """
    short = [label for label in labels if 1 < len(label) <= LEAST_LENGTH and label.isalpha()]
    return [
        (common, rare)
        for common in short
        for rare in short
        if len(common) > 2
        and times[rare] == 1
        and times[common] >= OFTEN
        and _slipped(common.casefold(), rare.casefold())
    ]


def _slipped(word: str, written: str) -> bool:
    """Return whether a word is written with two letters swapped, one left out or one put in."""
    if len(word) == len(written):
        return any(
            written == word[:i] + word[i + 1] + word[i] + word[i + 2 :] != word for i in range(len(word) - 1)
        )
    long, short = sorted((word, written), key=len, reverse=True)
    return short in {long[:i] + long[i + 1 :] for i in range(1, len(long))}


def _one_slip(first: str, second: str) -> bool:
    """Return whether one slip of the hand turns a label into another."""
    if "".join(first.casefold().split()) == "".join(second.casefold().split()):
        return False
    least = min(len(first), len(second))
    i = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), least)
    j = next((j for j, (a, b) in enumerate(zip(first[::-1], second[::-1], strict=False)) if a != b), least)
    j = min(j, len(first) - i, len(second) - i)
    odd = first[i : len(first) - j], second[i : len(second) - j]
    if not all(part.isalpha() or not part for part in odd):
        return False
    if any(len(_word_at(word, i)) < LEAST_LENGTH - 1 or not _inside(word, i) for word in (first, second)):
        return False
    return max(map(len, odd)) <= 1 or odd[0] == odd[1][::-1]


def _inside(text: str, i: int) -> bool:
    """Return whether a letter is not the first of its word, which people hardly mistake."""
    return i > 0 and text[i - 1] != " "


def _word_at(text: str, i: int) -> str:
    """Return the word that a letter stands in."""
    return text[text.rfind(" ", 0, i) + 1 :].split(" ", 1)[0]


def _measured(table: Content) -> list[Note]:
    """Return tests whose answers look like measurements."""
    found = []
    for test, cells in zip(table.guesses, table.cells, strict=True):
        row = [answer for cell in cells if cell for answer in answers_of(cell)] if table.sets else cells
        kinds = set(row)
        if len(kinds) <= MOST_CLASSES // 2:
            continue
        numbers = numbers_of(row, named=read_heading(test).named)
        if numbers is None:
            continue
        broken = any(number.denominator > 1 for number in numbers.values())
        if len(numbers) > (MOST_CLASSES // 2 if broken else MOST_CLASSES):
            found.append(
                Note(
                    f"{shown(test)} has {len(numbers)} different numbers, as if measured",
                    f",bins=3 makes classes of them, ,cuts={test}:A;B cuts at A and B",
                    (("bins=3", "put measured numbers into 3 classes"),),
                )
            )
    return _counted(found, f"{plurals(table.look.guess)} have many different numbers")
