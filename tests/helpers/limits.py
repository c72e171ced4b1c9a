"""Fewer responses than kernels take, so that small games are numbered guess by guess as large ones are."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from guesstree.engine import game, numbering
from guesstree.engine.onestep import greedy


@contextmanager
def most_responses(many: int) -> Iterator[None]:
    """Take games with more responses as those with more than 255 are taken."""
    with pytest.MonkeyPatch.context() as patch:
        by_guess = property(lambda self: self.model is None and len(self.responses) > many)
        patch.setattr(game.Game, "by_guess", by_guess)
        for module in (game, numbering, greedy):
            patch.setattr(module, "MAX_RESPONSES", many)
        yield
