"""Codes of Mastermind of any size, and games played against them."""

from collections.abc import Generator

import numpy as np

from guesstree.engine.constructive.size import Code, Response, Size, counts


def questions(talk: Generator[Code, Response, Code], size: Size, secret: Code) -> int:
    """Play a strategy, see that it concludes the secret, and return how many questions it asked."""
    asked, held = 0, counts(secret, size.colours)
    try:
        guess = next(talk)
        while True:
            asked += 1
            black = int((guess == secret).sum())
            common = int(np.minimum(counts(guess, size.colours), held).sum())
            guess = talk.send((black, common - black) if size.whites else (black,))
    except StopIteration as end:
        assert np.array_equal(end.value, secret), f"{size.spec}: concluded {end.value}, not {secret}"
        return asked
