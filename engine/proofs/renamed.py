"""Sets of codes that renamings take to each other: what is proved of one of them holds of all (L8)."""

from __future__ import annotations

from guesstree.cext import kernels

from ..state import Ints
from .items import RENAMED
from .renaming import CodeRenamings, Renaming, after, inverse, item_of

Form = tuple[bytes, Renaming]
"""An image that sets have in common, and a renaming that takes one of them to it."""


class RenamedSets:
    """The sets of codes of which something is proved, by an image that many have in common."""

    def __init__(self, codes: CodeRenamings) -> None:
        self.codes = codes
        self.proved: dict[bytes, list[tuple[int, int, Renaming]]] = {}

    def remember(self, form: Form, depth: int, bound: int) -> None:
        """Note that a set costs at least so much with so many guesses left."""
        image, renaming = form
        self.proved.setdefault(image, []).append((depth, bound, renaming))

    def body(self, form: Form, depth: int, bound: int) -> str:
        """Return the body of a lemma that is one proved before but for a renaming, or ``""``."""
        image, renaming = form
        for left, least, known in self.proved.get(image, ()):
            if left >= depth and least >= bound:
                _, *words = item_of(after(renaming, inverse(known))).split()
                return " ".join((RENAMED, *words))
        return ""

    def form(self, members: Ints) -> Form:
        """Return the form of a set."""
        codes = self.codes
        image, position, colours = kernels.code_form(codes.digits, members, codes.colours, codes.separate)
        return image.tobytes(), (tuple(position.tolist()), tuple(map(tuple, colours.tolist())))
