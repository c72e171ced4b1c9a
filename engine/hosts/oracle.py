"""Judge of the search against a host who keeps the largest part: every way to play a tiny game, one by one.

It knows a game only by `respond`, `refused`, `own`, costs and labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from ..game import Game
from ..oracle import cost_of
from ..rules import Step

Worth = tuple[int, int]
"""What is paid, and how many guesses are asked."""


def host_answers(game: Game, guess: int, candidates: Sequence[int], winning: int | None) -> int:
    """Return the response of the host."""
    parts: dict[int, int] = {}
    for secret in candidates:
        response = game.respond(guess, secret)
        parts[response] = parts.get(response, 0) + 1
    shown = game.look.gives_away
    return min(parts, key=lambda r: (r == winning, -parts[r], shown(game.responses[r]), r))


def best_wins(
    game: Game, *, goal: str, candidates_only: bool = False, first: int | None = None
) -> tuple[Worth, list[tuple[int, ...]]] | None:
    """Return the least that is paid, then the fewest guesses, and all ways to win so; None: there is none.

    No guess is asked that tells nothing: without it, the same would be won with fewer guesses.
    """
    own = game.own()
    winning = game.winning if goal == "win" else None
    best: Worth | None = None
    found: list[tuple[int, ...]] = []
    waiting: list[tuple[Worth, tuple[Step, ...], bool, tuple[int, ...]]] = [
        ((0, 0), (), False, tuple(range(len(game.secrets))))
    ]
    while waiting:
        paid, history, over, candidates = heappop(waiting)
        if best is not None and paid > best:
            break
        if over or (goal == "identify" and len(candidates) == 1):
            best = paid
            found.append(tuple(guess for guess, _ in history))
            continue
        for guess in range(len(game.guesses)) if first is None or history else [first]:
            if candidates_only and int(own[guess]) not in candidates:
                continue
            if game.refused(history, guess):
                continue
            answer = host_answers(game, guess, candidates, winning)
            left = tuple(s for s in candidates if game.respond(guess, s) == answer)
            if answer == winning or len(left) < len(candidates):
                now = paid[0] + cost_of(game, guess, answer), paid[1] + 1
                heappush(waiting, (now, (*history, (guess, answer)), answer == winning, left))
    return None if best is None else (best, sorted(found))
