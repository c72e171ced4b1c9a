"""Proofs as texts: what stands in them, one item after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from guesstree.cext import claims as kernel

from ..errors import GuesstreeError

EMPTY = "."
"""The body of a claim that needs no item."""
RENAMED = "~"
"""With positions and colours behind it, the body of a lemma that renames one proved before."""
ENDS = frozenset("=!.();~")
"""What stands in no renaming, but at the end of one."""


@dataclass(frozen=True)
class ProofItem:
    """What stands in a proof.

    Attributes
    ----------
    words: ``=`` with a renaming, ``!`` with a small set, or a lemma: GUESS SECRET BOUND, or without a bound.
    body: of a lemma or a small set, or ``""``: ``.``, ``~`` with a renaming, or ``(``, and what follows is in
        it until ``)``, an item of its own.
    """

    words: tuple[str, ...]
    body: str = ""

    @property
    def way(self) -> tuple[str, ...]:
        """Positions and colours of a body that renames; none: it does not."""
        return tuple(self.body.split()[1:])

    @property
    def bound(self) -> int:
        """What a lemma says."""
        return bound_of(self.words[2])


def items_of(text: str, *, bounded: bool = True) -> Iterator[ProofItem]:
    """Yield what stands in a text; raise GuesstreeError, sooner or later, for one that is no proof.

    `bounded`: whether lemmas have bounds; those of games with lies have none.
    """
    nested, every = 0, text.split()
    tokens, renamings = iter(every), renaming_lengths(every)
    try:
        for token in tokens:
            if token == "=":
                length = next(renamings)
                words = token, *islice(tokens, length)
                if len(words) <= length:
                    break
                yield ProofItem(words)
            elif token == "!":
                size, depth = next(tokens), next(tokens)
                item = ProofItem((token, size, depth, *islice(tokens, int(size))), _body(tokens))
                nested += item.body == "("
                yield item
            elif token == ")":
                nested -= 1
                if nested < 0:
                    break
                yield ProofItem((token,))
            else:
                words = token, next(tokens), *islice(tokens, int(bounded))
                item = ProofItem(words, _body(tokens))
                if bounded and not (item.words[2] == "inf" or item.words[2].isdecimal()):
                    break
                nested += item.body == "("
                yield item
        else:
            if not nested:
                return
    except (StopIteration, ValueError):
        pass
    raise GuesstreeError(f"{text[:40]!r} ... is no proof; expected items of guesstree-proof/1")


def _body(tokens: Iterator[str]) -> str:
    """Return what a body begins with, or all of one that renames; raise ValueError for what is none."""
    word = next(tokens)
    if word == RENAMED:
        return " ".join((word, next(tokens), next(tokens)))
    if word not in (EMPTY, "("):
        raise ValueError(word)
    return word


def renaming_lengths(words: Sequence[str]) -> Iterator[int]:
    """Yield how many words each renaming has: cycles of secrets end with ``;``, codes have two."""
    for at, word in enumerate(words):
        if word == "=":
            others = (i for i in range(at + 1, len(words)) if words[i] in ENDS)
            end = next(others, len(words))
            yield end - at if words[end : end + 1] == [";"] else 2


def items_apart(text: str) -> tuple[list[str], list[list[ProofItem]]]:
    """Return the small sets of a text, and its other items, each with all that is in its body.

    Raises GuesstreeError for small sets with items of their own, which no writer makes.
    """
    small: list[str] = []
    others: list[list[ProofItem]] = []
    nested = 0
    for item in items_of(text):
        if item.words[0] == "!" and item.body != EMPTY:
            raise GuesstreeError(f"{' '.join(item.words)[:40]!r} ... has items; expected a small set without")
        if item.words[0] == "!":
            small.append(" ".join([*item.words, item.body]))
        elif nested:
            others[-1].append(item)
        else:
            others.append([item])
        nested += (item.body == "(") - (item.words[0] == ")")
    return small, others


def body_of(items: Sequence[str]) -> str:
    """Return items as a body."""
    return "(\n" + "\n".join(items) + " )" if items else EMPTY


def inside(body: str) -> str:
    """Return the items of a body; raise GuesstreeError for what is none."""
    if body == EMPTY:
        return ""
    if not (body.startswith("(") and body.endswith(")")):
        raise GuesstreeError(f"{body[:40]!r} ... is no body; expected . or ( items )")
    return body[1:-1].strip()


def lemmas_in(body: str) -> int:
    """Return how many lemmas a body has: each has a body, as the whole and small sets have."""
    tokens = body.split()
    return sum(map(tokens.count, ("(", EMPTY, RENAMED))) - tokens.count("!") - 1


def text_of(bound: int) -> str:
    """Return a bound as a file has it."""
    return "inf" if bound >= kernel.INFINITE else str(bound)


def bound_of(text: str) -> int:
    """Return a bound that a file has."""
    return kernel.INFINITE if text == "inf" else int(text)


def text_of_items(items: Sequence[ProofItem]) -> str:
    """Return items as a text, one a line."""
    text = "\n".join(" ".join((*item.words, item.body)).rstrip() for item in items)
    return text.replace("\n)", " )")
