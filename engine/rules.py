"""Rules by which earlier guesses and their responses limit what may be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .errors import GameError, GuesstreeError, shown

Words = NDArray[np.uint64]
Step = tuple[int, int]
"""A guess and the response to it, by index."""
Given: TypeAlias = tuple[int | str, int | str]
"""The same, each by index or label."""
UNKNOWN = -1
"""The response of somebody who does not know: the guess is not asked again."""
UNKNOWN_TEXT = "?"
UNKNOWN_TEXTS = UNKNOWN_TEXT, "don't know", "dont know", "unknown", "not known"
"""What says so; where one is a response, another does."""


def says_unknown(text: str) -> bool:
    """Return whether a text says that a response is not known."""
    return text.casefold().replace("\u2019", "'") in UNKNOWN_TEXTS


def given_steps(history: object) -> list[Given]:
    """Return a history that is no text as a list of pairs; raise GuesstreeError for what is none."""
    accepted = "expected pairs of a guess and its response, such as [('1122', '1,0')], or a text"
    if isinstance(history, Mapping | bytes) or not isinstance(history, Iterable):
        raise GuesstreeError(f"history={shown(history)}; {accepted}")
    steps = list(history)
    for step in steps:
        if not isinstance(step, tuple | list) or len(step) != 2:
            raise GuesstreeError(f"{shown(step)} in a history; {accepted}")
    return [(guess, response) for guess, response in steps]


def turns_in(text: str) -> list[str]:
    """Return the turns of a text such as ``1122:1,0 1344:0,2``; raise GuesstreeError for what is none.

    Semicolons stand between them. Where there is none, spaces do, unless it is one turn alone; then guesses
    and responses hold no spaces.
    """
    if ";" in text or text.count(":") == 1:
        turns = [turn.strip() for turn in text.split(";") if turn.strip()]
    else:
        turns = text.split()
    for turn in turns:
        if ":" in turn and (";" in text or not (turn.startswith(":") or turn.endswith(":"))):
            continue
        spaced = "; where one of these holds spaces, a semicolon stands between turns: 1122:1 0; 1344:0 2"
        many = ";" not in text and len(turns) > 1
        raise GuesstreeError(
            f"history {shown(turn)}; expected GUESS:RESPONSE, such as 1122:1,0{spaced if many else ''}"
        )
    return turns


def steps_in(text: str) -> list[tuple[str, str]]:
    """Return guesses and responses as text, from turns as in `turns_in`; raise GuesstreeError as it does."""
    parts = [turn.rpartition(":") for turn in turns_in(text)]
    return [(guess.strip(), response.strip()) for guess, _, response in parts]


Demands: TypeAlias = Callable[[NDArray[np.intp], NDArray[np.intp]], Words]
"""Return what some guesses, shape (n,), with responses beside each, shape (n, k), demand: (n, k, words)."""


class Rules:
    """What guesses have and what responses demand, as bits, so that kernels can follow a history.

    A guess may be asked if it has every bit that some step of the history demands. What is demanded is never
    forgotten, so the more was asked, the fewer guesses are allowed.

    Parameters
    ----------
    features: the bits that each guess has, uint64, shape (guesses, words).
    needs: the bits that a guess with a response demands of all that follow, uint64, shape (guesses,
        responses, words); those of a response that no secret gives are not looked at. Where these would be
        too many, a function that returns them for some guesses and responses.
    checked: how certificates name them, one of `cext.claims.RULES`; empty: no checker knows them.
    responses: how many responses there are, beside such a function.
    """

    def __init__(
        self, features: Words, needs: Words | Demands, checked: str = "", *, responses: int = 0
    ) -> None:
        self.features, self.checked = features, checked
        self._needs, self._responses = needs, responses

    def fitting(self, spec: str, guesses: int, responses: int) -> Rules:
        """Return these rules as contiguous arrays; raise GameError for arrays that do not fit a game."""
        words = max(self.features.shape[-1] if self.features.ndim else 0, 1)
        shapes = (guesses, words), (guesses, responses, words)
        arrays = (self.features,) if callable(self._needs) else (self.features, self._needs)
        for what, array, shape in zip(("features", "needs"), arrays, shapes, strict=False):
            if array.shape != shape or array.dtype != np.uint64:
                raise GameError(
                    f"{spec}: {what} of the rules are {array.dtype} of shape {array.shape}; "
                    f"expected uint64, {shape}"
                )
        if callable(self._needs):
            return self
        return Rules(np.ascontiguousarray(self.features), np.ascontiguousarray(self._needs), self.checked)

    @cached_property
    def needs(self) -> Words:
        """The bits that every response to every guess demands, shape (guesses, responses, words)."""
        if not callable(self._needs):
            return self._needs
        shape = len(self.features), self._responses
        return self._needs(np.arange(shape[0]), np.broadcast_to(np.arange(shape[1]), shape))

    def demanded(self, guesses: NDArray[np.intp], responses: NDArray[np.integer[Any]]) -> Words:
        """Return what some guesses, each with the response beside it, demand, shape (pairs, words)."""
        if callable(self._needs):
            return self._needs(guesses, responses[:, None].astype(np.intp))[:, 0]
        return self._needs[guesses, responses]

    def of(self, guesses: NDArray[np.integer[Any]]) -> Rules:
        """Return the rules for some of the guesses, which are numbered anew."""
        needs = self._needs
        if not callable(needs):
            return Rules(self.features[guesses], needs[guesses])
        return Rules(
            self.features[guesses],
            lambda some, each: needs(guesses[some].astype(np.intp), each),
            responses=self._responses,
        )

    def numbered(self, told: NDArray[np.integer[Any]]) -> Rules:
        """Return the rules with responses that are numbered guess by guess.

        told: the number here of each response to each guess, shape (guesses, responses); below 0 for one that
        the guess lacks, which demands nothing.
        """
        met = np.maximum(told, 0).astype(np.intp)
        if callable(self._needs):
            needs = self._needs(np.arange(len(met)), met)
        else:
            needs = np.take_along_axis(self._needs, met[:, :, None], axis=1)
        needs[told < 0] = 0
        return Rules(self.features, needs)

    @property
    def start(self) -> Words:
        """What is demanded before the first guess: nothing."""
        return np.zeros(self.features.shape[1], dtype=np.uint64)

    def after(self, needs: Words, guess: int, response: int) -> Words:
        """Return what is demanded after one more step."""
        return needs | self.demanded(np.array([guess]), np.array([response]))[0]

    def follow(self, history: Sequence[Step]) -> Words:
        """Return what a whole history demands."""
        needs = self.start
        for step in history:
            needs = self.after(needs, *step)
        return needs

    def allowed(self, needs: Words) -> NDArray[np.bool_]:
        """Return which guesses have all that is demanded, shape (guesses,)."""
        may = np.ones(len(self.features), dtype=np.bool_)
        for word in np.flatnonzero(needs):
            may &= self.features[:, word] & needs[word] == needs[word]
        return may
