"""What a worker is asked to settle, and what it tells: plain data that goes to any process or machine.

A *path* leads to what a claim is about: GUESS, RESPONSE, GUESS, RESPONSE, ..., numbers of the game. A path of
even length is a state, what is left after these responses; one of odd length is a *branch*, the guess that it
ends with being asked in the state before. The empty path is the game itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from guesstree.cext import claims as kernel

INFINITE = kernel.INFINITE
"""More than any total; as a lower bound of a state: its guesses do not suffice."""
Steps = tuple[int, ...]


@dataclass(frozen=True)
class NodeId:
    """What a claim is about; equal places are one claim.

    Attributes
    ----------
    path: see above; that of a state is canonical where the game has a symmetry (`paths.Paths.canonical`).
    figure: ``total``, or ``worst``: whether the guesses left suffice.
    depth: guesses left in the state, for a branch with the one that is asked.
    """

    path: Steps
    figure: str
    depth: int

    @property
    def branch(self) -> bool:
        """Whether a guess is asked."""
        return len(self.path) % 2 == 1


@dataclass(frozen=True)
class Task:
    """A claim for a worker: that a node costs at least so much.

    Attributes
    ----------
    bound: what is to be shown; `INFINITE` of worst cases.
    budget: evaluations that may be spent on it; 0: any number.
    seconds: processor seconds that a proof may take behind the search; 0: any number.
    proof: whether to write a proof of what is shown; else the search alone says so.
    width: above 0, what is wanted is a strategy of a state that costs less than `bound`: a beam looks for one
        among so many guesses of each state.
    """

    node: NodeId
    bound: int
    budget: int = 0
    seconds: float = 0.0
    proof: bool = False
    width: int = 0


@dataclass(frozen=True)
class Report:
    """What a worker found out about a node: true whoever says so, at whatever time, if it made no mistake.

    Attributes
    ----------
    lower, upper: bounds of the place; `INFINITE` where no strategy is known, or none is within the depth.
    children: of a branch, what was found of the states that it leaves: response, lower, upper.
    choices: where `upper` was found: the guess of each state of a strategy, as `paths.packed` makes it.
    proved, proof: the bound that the proof shows, and its text: the body of a lemma for a state, lemmas for a
        branch; 0 and empty: none was asked for, or it took too long.
    evaluations, seconds: what it took, seconds of the processor.
    worker: who says so.
    """

    node: NodeId
    lower: int
    upper: int = INFINITE
    children: tuple[tuple[int, int, int], ...] = ()
    choices: bytes = b""
    proved: int = 0
    proof: str = ""
    evaluations: int = 0
    seconds: float = 0.0
    worker: str = ""
