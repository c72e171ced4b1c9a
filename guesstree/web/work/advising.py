"""Advice on a game that is played elsewhere: all that is known comes with each request, as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote

from guesstree.engine.advice.position import Position, require_new, widened_text
from guesstree.engine.advice.turns import guess_typed, parse_history, response_typed
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.notation import Look, plural
from guesstree.engine.rules import Step
from guesstree.present.ruled_out import ruled_out
from guesstree.present.turns import Turn, turns_of
from guesstree.web.work.boards import (
    MOST_TURNS,
    BestGuess,
    GuessEntry,
    ResponseEntry,
    about,
    answer_labels,
    best_guesses,
    guess_entry,
    headings,
    labelled,
    left_words,
    may_err,
    position_at,
    require_playable,
    response_entry,
)
from guesstree.web.work.noisy_advice import (
    NoisyAdvice,
    advisor_at,
    evidence_at,
    evidence_rows,
    loses,
    noisy_advice,
)
from guesstree.web.work.solve_form import title_of
from guesstree.web.work.uploads import game_at

MOST_LISTED = 200
MOST_DOUBTS = 20
MOST_COMPARED = 100_000
"""Answers, those of all secrets together, that are compared with those given."""
MOST_REMARKS = 3
"""Secrets whose notes and pictures are shown at the end."""
Pair = tuple[str, str]
"""A guess and the response to it, by label."""


@dataclass(frozen=True)
class RealBoard:
    """A game played elsewhere, as a request tells it.

    Attributes
    ----------
    spec, goal, lies: the game, and how many responses may be false.
    history: the turns as text, see `written`.
    guess, response: the next guess and the response to it, as they were typed; empty: not yet.
    edit: the number of the turn whose response is being corrected, or 0.
    drop: the number of the turn that is to be removed, or 0.
    decision: what was decided.
    """

    spec: str
    goal: str = ""
    lies: int = 0
    history: str = ""
    guess: str = ""
    response: str = ""
    edit: int = 0
    drop: int = 0
    decision: str = ""


@dataclass(frozen=True)
class Suspicion:
    """Responses that explain a contradiction if they are wrong, and how many candidates are left then."""

    numbers: tuple[int, ...]
    left: str


@dataclass(frozen=True)
class Advice:
    """What a page shows of a game that is played elsewhere.

    Attributes
    ----------
    board: as it was asked, with its texts as the game has them.
    pairs, steps: the turns by label, and by index.
    changed: whether a turn was taken, changed or removed, so that the address is to be another one.
    fault: what is wrong with what was typed.
    contradiction: from which response on nothing fits; or `widened`, what fits that is not on the list of the
        game; `doubts` explain it.
    left: how many secrets fit; `some`: the first of them.
    best, headings: what to ask, with figures; where tests may err `noisy_advice` says it.
    over: how it ended; `reviewed`: whether its turns say how it was played.
    excluded, excludes: what answers rule out, the first of it, each with these answers; and how many it is.
    wins, lies: whether it can end with a guess that wins, and whether one more response may be false.
    remarks: notes and pictures of what is asked, or is best to ask, or was found: the label, the note, the
        pictures.
    """

    board: RealBoard
    name: str
    look: Look
    about: str
    pairs: tuple[Pair, ...]
    steps: tuple[Step, ...] = ()
    turns: tuple[Turn, ...] = ()
    changed: bool = False
    fault: str = ""
    contradiction: str = ""
    widened: str = ""
    doubts: tuple[Suspicion, ...] = ()
    left: str = ""
    some: tuple[str, ...] = ()
    more: int = 0
    pattern: str = ""
    best: tuple[BestGuess, ...] = ()
    headings: tuple[tuple[str, str], ...] = ()
    noisy_advice: NoisyAdvice | None = None
    decisions: tuple[str, ...] = ()
    guesses: GuessEntry | None = None
    responses: ResponseEntry | None = None
    over: str = ""
    reviewed: bool = False
    wins: bool = False
    lies: bool = False
    excluded: tuple[tuple[str, tuple[str, ...]], ...] = ()
    excludes: int = 0
    false: tuple[str, ...] = field(default=())
    remarks: tuple[tuple[str, str, tuple[str, ...]], ...] = ()


def written(pairs: Sequence[Pair]) -> str:
    """Return turns as text such as ``1122:1,0;1344:0,2``; what parts them is written ``%3A`` in a label."""
    return ";".join(f"{_quoted(guess)}:{_quoted(response)}" for guess, response in pairs)


def _quoted(label: str) -> str:
    return re.sub("[%:;]", lambda found: f"%{ord(found[0]):02X}", label)


def advise(store: Path, board: RealBoard) -> Advice:
    """Return what is known of a game and what to ask next, after what the request changes of it."""
    game = game_at(store, board.spec)
    require_playable(game, board.goal, board.lies)
    steps = _steps(game, board.history)
    fault, changed = "", False
    try:
        board, steps, changed = _change(game, board, steps)
    except GuesstreeError as error:
        fault = str(error)
        found = game.look.find_guess(game.guesses, board.guess.strip()) if board.guess else None
        guess, edit = "" if found is None else game.guesses[found], board.edit * (board.edit <= len(steps))
        board = replace(board, guess=guess, response="", edit=edit, drop=0)
    pairs = labelled(game, steps)
    board = replace(board, history=written(pairs))
    seen = Advice(
        board, title_of(game), game.look, about(game), tuple(pairs), steps, changed=changed, fault=fault
    )
    if changed:
        return seen
    wins, lies = game.facts.winnable, may_err(game, board.goal, board.lies + 1)
    seen = replace(seen, wins=wins, lies=lies)
    seen = _evidence(store, seen, steps) if game.facts.noisy else _position(store, seen, steps)
    return replace(seen, remarks=_remarks(game, seen)) if game.guess_remarks or game.secret_remarks else seen


def _remarks(game: Game, seen: Advice) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return the notes and pictures of what a page is about now."""
    remarks, labels = game.guess_remarks, [""]
    if seen.responses:
        labels = [seen.responses.guess]
    elif seen.over:
        remarks = game.secret_remarks
        causes = [label for label, _, _ in seen.noisy_advice.causes] if seen.noisy_advice else seen.some
        owner = dict(zip(game.secrets, game.kinds or game.secrets, strict=True))
        labels = list(dict.fromkeys(owner.get(label, label) for label in causes[:MOST_REMARKS]))
    elif seen.best:
        labels = [seen.best[0].label]
    elif seen.noisy_advice and seen.noisy_advice.rows:
        labels = [seen.noisy_advice.rows[0][0]]
    found = [(label, remarks.notes.get(label, ""), tuple(remarks.images.get(label, ()))) for label in labels]
    return tuple(one for one in found if one[1] or one[2])


def _steps(game: Game, text: str) -> tuple[Step, ...]:
    steps = parse_history(game, text, unquote)
    if len(steps) > MOST_TURNS:
        raise GuesstreeError(f"{len(steps)} turns; expected at most {MOST_TURNS}")
    return tuple(steps)


def _change(
    game: Game, board: RealBoard, steps: tuple[Step, ...]
) -> tuple[RealBoard, tuple[Step, ...], bool]:
    """Return the board and its turns after what the request changes, and whether it does."""
    if board.drop:
        _require_turn(board.drop, steps)
        kept = steps[: board.drop - 1] + steps[board.drop :]
        return replace(board, drop=0, edit=0, guess="", response=""), kept, True
    if board.edit:
        _require_turn(board.edit, steps)
        if not board.response:
            return board, steps, False
        guess = steps[board.edit - 1][0]
        step = guess, response_typed(game, board.response.strip(), guess, steps)
        other = (*steps[: board.edit - 1], step, *steps[board.edit :])
        return replace(board, edit=0, guess="", response=""), other, True
    if board.guess and board.response:
        guess = guess_typed(game, board.guess.strip())
        step = guess, response_typed(game, board.response.strip(), guess, steps)
        return replace(board, guess="", response=""), (*steps, step), True
    if board.guess:
        return replace(board, guess=game.guesses[guess_typed(game, board.guess.strip())]), steps, False
    return board, steps, False


def _require_turn(number: int, steps: Sequence[Step]) -> None:
    if number > len(steps):
        raise GuesstreeError(f"turn {number} is not there; expected 1 to {len(steps)}")


def _checked(seen: Advice, check: Callable[[], None]) -> Advice:
    """Return what is seen, without the guess that was typed, and why, where a check of it raises."""
    try:
        check()
    except GuesstreeError as error:
        return replace(seen, fault=str(error), board=replace(seen.board, guess=""))
    return seen


def _doubts(game: Game, found: Sequence[tuple[tuple[int, ...], int]]) -> tuple[Suspicion, ...]:
    """Return the sets of responses that explain a contradiction, the first of them, in words."""
    return tuple(Suspicion(numbers, left_words(game, many)) for numbers, many in found[:MOST_DOUBTS])


# -- tests that get one answer ------------------------------------------------------------------------------


def _position(store: Path, seen: Advice, steps: tuple[Step, ...]) -> Advice:
    board = seen.board
    positions: list[Position] = []
    try:
        for number in range(len(steps) + 1):
            known = position_at(store, board.spec, steps[:number], board.goal, board.lies)
            positions.append(known)  # those before a contradiction stay
    except Contradiction as error:
        seen = replace(seen, contradiction=str(error).partition(": ")[2])
    except GuesstreeError as error:
        if not positions:
            raise
        seen = replace(seen, fault=seen.fault or str(error))
    fine, game = positions[-1], positions[-1].game
    turns = turns_of(game, steps, positions)
    noted = [turn if turn.left is None else replace(turn, note=left_words(game, turn.left)) for turn in turns]
    seen = replace(seen, turns=tuple(noted), pattern=fine.pattern())
    if board.edit:
        known = positions[min(board.edit, len(positions)) - 1]
        with suppress(GuesstreeError):  # better with all others, where they go together
            others = steps[: board.edit - 1] + steps[board.edit :]
            known = position_at(store, board.spec, others, board.goal, board.lies)
        return replace(seen, responses=response_entry(known, steps[board.edit - 1][0]))
    if seen.contradiction:
        return replace(seen, doubts=_doubts(game, fine.suspects(steps[len(positions) - 1])))
    if len(positions) <= len(steps):
        return seen
    listed = [known for known in positions if known.game is positions[0].game]
    if len(listed) < len(positions):
        seen = replace(seen, widened=widened_text(listed[0].game, fine))
        if not fine.finished:
            seen = replace(seen, doubts=_doubts(game, listed[-1].suspects(steps[len(listed) - 1])))
    return _next(store, seen, fine)


def _next(store: Path, seen: Advice, position: Position) -> Advice:
    """Return what is known, and what to ask or what was asked."""
    game, board = position.game, seen.board
    many = len(position.candidates)
    some = tuple(game.secrets[int(s)] for s in position.candidates[:MOST_LISTED])
    seen = replace(seen, left=left_words(game, many), some=some, more=many - len(some))
    told = _excluding(seen, game, position.history)
    seen = replace(seen, false=_false(position)) if board.lies else told
    if position.finished or position.lost:
        return replace(seen, over=_over(position), reviewed=many == 1 and game.look.secret == Look.secret)
    if board.guess:
        guess = game.guess_index(board.guess)
        seen = _checked(seen, lambda: _require_askable(position, guess))
        if seen.board.guess:
            return replace(seen, responses=response_entry(position, guess))
    entry = guess_entry(store, game, seen.pairs, lies=board.lies)
    seen = replace(seen, guesses=entry, headings=tuple(headings(position)))
    try:
        best = best_guesses(store, board.spec, position.history, board.goal, board.lies)
    except GuesstreeError as error:
        return replace(seen, fault=seen.fault or str(error))
    return replace(seen, best=best)


def _require_askable(position: Position, guess: int) -> None:
    """Raise GuesstreeError where a guess may not be asked, or need not be."""
    position.require_allowed(guess)
    require_new(position.game, position.history, guess, position.lies)


def _false(position: Position) -> tuple[str, ...]:
    """Return which responses may be false, in words."""
    many = len(position.candidates)
    return tuple(
        f"response {number} is surely false" if count == many else f"response {number}, for {count} of {many}"
        for number, count in enumerate(position.doubts(), 1)
        if count
    )


def _excluding(seen: Advice, game: Game, steps: Sequence[Step]) -> Advice:
    """Return what is seen of a table with what its answers rule out, unless that takes long to go through."""
    if not steps or not game.look.plain or len(steps) * len(game.secrets) > MOST_COMPARED:
        return seen
    some, many = ruled_out(game, steps, MOST_LISTED)
    told = tuple((name, tuple(one.words for one in against)) for name, against in some)
    return replace(seen, excluded=told, excludes=many)


def _over(position: Position) -> str:
    game, took = position.game, plural(len(position.history), position.game.look.guess)
    if position.lost:
        assert game.budget is not None
        return f"Lost: {game.cost_text(position.paid)} paid, {game.cost_text(game.budget)} allowed."
    if position.stuck:
        return f"Nothing more can be told apart without the missing answers: the {game.look.secret} is one of"
    word = "Won" if position.problem.goal == "win" else "Known"
    return f"{word} after {took}: the {game.look.secret} is"


# -- tests that may err -------------------------------------------------------------------------------------


def _evidence(store: Path, seen: Advice, steps: tuple[Step, ...]) -> Advice:
    board, good = seen.board, 0
    game = game_at(store, board.spec)
    try:
        for number in range(len(steps) + 1):
            evidence_at(store, board.spec, steps[:number])
            good = number
    except Contradiction as error:
        seen = replace(seen, contradiction=str(error).partition(": ")[2])
    except GuesstreeError as error:
        seen = replace(seen, fault=seen.fault or str(error))
    evidence = evidence_at(store, board.spec, steps[:good])
    turns = [*evidence_rows(store, board.spec, steps[:good]), *turns_of(game, steps)[good:]]
    seen = replace(seen, turns=tuple(turns))
    if board.edit:
        return replace(seen, responses=_answers(game, steps[board.edit - 1][0]))
    if seen.contradiction:
        return replace(seen, doubts=_doubts(game, evidence.suspects(steps[good])))
    if good < len(steps):
        return seen
    known = noisy_advice(store, board.spec, steps)
    seen = _excluding(replace(seen, left=known.left, noisy_advice=known), game, steps)
    advisor = advisor_at(store, board.spec)
    paid = game.look.paid(advisor.cost(evidence.paid))
    if board.decision:
        decision = evidence.read_decision(board.decision)
        loss = evidence.loss(decision)
        assert loss is not None
        lost = f"It {loses(evidence)} {advisor.cost(loss)}; {paid} was paid."
        return replace(seen, over=f"Decided: {game.decisions[decision]}. {lost}")
    if evidence.finished:
        return replace(seen, over=f"Nothing is left to ask; {paid} was paid. The {game.look.secret}:")
    if board.guess:
        test = game.guess_index(board.guess)
        seen = _checked(seen, lambda: evidence.require_askable(test))
        if seen.board.guess:
            return replace(seen, responses=_answers(game, test))
    entry = guess_entry(store, game, seen.pairs)
    return replace(seen, guesses=entry, decisions=tuple(game.decisions))


def _answers(game: Game, test: int) -> ResponseEntry:
    unknown = game.not_known(test)
    labels = tuple((label, "") for label in answer_labels(game, test) if label != unknown)
    return ResponseEntry("buttons", game.guesses[test], labels, unknown)
