"""Several boards at a prompt, side by side: the machine hides their secrets, or advises."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import click

from guesstree.engine.advice.boards import BoardsPosition, Turn, answers, draw, played
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.notation import article, plural, plurals
from guesstree.present.boards import (
    MOST_SECONDS,
    BoardsAdvice,
    advice_data,
    boards_advice,
    boards_data,
    boards_of,
    boards_seen,
    ended,
)
from guesstree.present.turns import help_text
from guesstree.trees.export.labels import plain

from ..tools.screen import aligned, columns_of, echo, pad, screen_width
from .board import Board
from .prompt import Prompt, some_guesses

USUAL_WIDTH = 100
"""Columns where there is no terminal."""
GAP = "  "


class Boards(Prompt):
    """Several boards at a prompt.

    Attributes
    ----------
    positions: the position after each number of turns.
    """

    def __init__(self, game: Game, seconds: float | None, history: str = "") -> None:
        self.game = boards_of(game)
        self.look = self.game.board.look
        self.seconds = MOST_SECONDS if seconds is None else min(seconds, MOST_SECONDS)
        self.board = Board(self.game.board)
        self.positions = [BoardsPosition(self.game)]
        for turn in self.position.read_turns(history):
            self.positions.append(self.position.after(*turn))
        self.advised: tuple[int, BoardsAdvice] | None = None

    @property
    def position(self) -> BoardsPosition:
        """The position now."""
        return self.positions[-1]

    @property
    def turns(self) -> int:
        """How many guesses have their responses."""
        return len(self.positions) - 1

    @property
    def finished(self) -> bool:
        """Whether all boards are solved."""
        return self.position.finished

    @property
    def advice(self) -> BoardsAdvice:
        """What to ask now."""
        if self.advised is None or self.advised[0] != self.turns:
            self.advised = (self.turns, boards_advice(self.position, self.seconds))
        return self.advised[1]

    def begin(self) -> None:
        """Say what is played, and show the boards."""
        secrets = plural(self.game.problem.secrets, self.look.secret)
        echo(f"{self.game.spec}: {len(self.position.boards)} boards, {secrets}, all different (? for help)")
        if self.turns:
            self.show()

    def expected(self) -> Sequence[str]:
        """Return the guesses."""
        return self.game.guesses

    def show(self) -> None:
        """Show the boards side by side, as many as fit, and the others below them."""
        position, boards = self.position, boards_seen(self.position)
        tiled = self.look.answers == "marks"  # then each board shows the guess
        labels = [self.game.guesses[guess] for guess, _ in position.history]
        names = [plain(label) if tiled else self.board.guess(label) for label in labels]
        margin = max([5, *map(columns_of, names)]) + 6
        columns: list[tuple[int, list[str]]] = []
        for seen in boards:
            cells = [f"board {seen.number}"]
            for (guess, _), said in zip(position.history, seen.responses, strict=True):
                cells.append(self._cell(self.game.guesses[guess], said))
            cells.append(seen.left)
            columns.append((max(map(columns_of, cells)), cells))
        margins = ["", *(f"{number:>3} {name}" for number, name in enumerate(names, 1)), ""]
        room = (screen_width() or USUAL_WIDTH) - margin
        while columns:
            many, taken = 1, columns[0][0]
            while many < len(columns) and taken + len(GAP) + columns[many][0] <= room:
                taken += len(GAP) + columns[many][0]
                many += 1
            for row, label in enumerate(margins):
                shown = (pad(cells[row], width) for width, cells in columns[:many])
                click.echo(f"{pad(label, margin)}{GAP.join(shown)}".rstrip())
            columns = columns[many:]

    def _cell(self, guess: str, response: str) -> str:
        """Return what a board shows of a guess: its tiles in the colours of the response, or the response."""
        if not response:
            return ""
        if self.board.colour and self.look.answers == "marks":
            return self.board.guess(guess, response)
        return self.board.response(response)

    def show_advice(self, most: int) -> None:
        """Show the best guesses."""
        advice, boards = self.advice, self.position.unsolved
        echo(advice.to_come)
        rows = [(f"   {self.look.guess}", "bits", "solves", *(f"board {i + 1}" for i in boards[:8]))]
        for number, one in enumerate(advice.best[:most], 1):
            label = f"{number}  {self.board.guess(one.label)}"
            parts = (plural(many, "part") for many in one.parts[:8])
            rows.append((label, f"{one.bits:.2f}", f"{100 * one.hits:.2f} %", *parts))
        click.echo(aligned(rows))

    def candidates(self, number: str) -> None:
        """Show which secrets fit a board, or each."""
        seen = boards_seen(self.position)
        if number and not (number.isdecimal() and len(number) < 4 and 0 < int(number) <= len(seen)):
            raise GuesstreeError(f"{number[:60]!r} is no board; expected 1 to {len(seen)}")
        for one in seen if not number else [seen[int(number) - 1]]:
            some = " ".join(map(plain, one.some)) + " ..." * (one.more > 0)
            echo(f"board {one.number}, {one.left}: {some}")

    def history(self, _: str) -> None:
        """Show the boards."""
        if self.turns:
            self.show()
        else:
            self.say("no guess yet")

    def take_back(self, number: str) -> list[Turn]:
        """Forget a turn and what followed; say and return what was forgotten."""
        if not self.turns:
            raise GuesstreeError(self.look.named("no guess yet: nothing to undo"))
        first = self.turn_number(number) if number else self.turns
        gone = list(self.position.history[first - 1 :])
        del self.positions[first:]
        echo(f"took back {', '.join(plain(self.game.guesses[guess]) for guess, _ in gone)}")
        return gone


class PlayBoards(Boards):
    """The machine hides a secret on each board."""

    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help",
        "hint": "the best guesses, and what they would tell",
        "candidates [N]": "which secrets still fit each board, or board N",
        "history": "the boards",
        "undo": "take back the last guess",
        "undo N": "take back guess N and what followed",
        "give up": "show the secrets",
        "quit": "stop",
    }

    def __init__(self, game: Game, seconds: float | None, seed: int | None) -> None:
        super().__init__(game, seconds)
        self.seed = random.SystemRandom().randrange(1 << 32) if seed is None else seed
        self.secrets = draw(self.game, random.Random(self.seed))
        self.hints = self.undone = 0
        self.given_up = False

    @property
    def about(self) -> str:
        """What may be typed."""
        says = f" The {self.look.response} of each board says: {self.look.says}." if self.look.says else ""
        return f"Type {article(self.look.guess)}, {some_guesses(self.game.board)}.{says} Or:"

    @property
    def finished(self) -> bool:
        """Whether all boards are solved, or all guesses used."""
        return self.position.finished or self.position.lost

    def prompt(self) -> str:
        """Return the prompt for the next guess."""
        of = "" if self.game.tries is None else f" of {self.game.tries}"
        return f"{self.look.guess} {self.turns + 1}{of}: "

    def enter(self, text: str) -> None:
        """Answer a guess on every board."""
        guess = self.position.read_guess(text)
        said = answers(self.game, self.position, self.secrets, guess)
        self.positions.append(self.position.after(guess, said))
        self.show()

    def hint(self, _: str) -> None:
        """Show the best guesses."""
        self.hints += 1
        self.show_advice(1)

    def undo(self, number: str = "") -> None:
        """Take guesses back."""
        self.undone += len(self.take_back(number))

    def give_up(self, _: str) -> None:
        """Show the secrets and end."""
        self.done = self.given_up = True
        self.reveal()

    def reveal(self) -> None:
        """Show the secrets."""
        some = ", ".join(self.board.guess(self.game.board.secrets[secret]) for secret in self.secrets)
        self.say(f"the secrets were {some}")

    def finish(self) -> None:
        """Say how it ended, and what the hints alone would have needed."""
        if self.position.lost:
            solved = len(self.secrets) - len(self.position.unsolved)
            echo(f"lost: {solved} of {len(self.secrets)} boards in {plural(self.turns, self.look.guess)}")
            self.reveal()
        else:
            echo(f"won: {ended(self.position)}{help_text(self.hints, self.undone)}")
        alone = len(played(self.game, self.secrets, self.positions[0]).history)
        echo(f"the hints alone would have needed {plural(alone, self.look.guess)}")

    def as_data(self) -> dict[str, Any]:
        """Return the guesses, the secrets, and how it ended."""
        outcome = "won" if self.position.finished else "lost" if self.position.lost else "stopped"
        data = boards_data(self.position) | {"hints": self.hints, "taken_back": self.undone}
        data["secrets"] = [self.game.board.secrets[secret] for secret in self.secrets]
        return data | {"outcome": "given up" if self.given_up else outcome, "guesses": self.turns}


class AssistBoards(Boards):
    """The user plays elsewhere and types the responses of all boards."""

    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help",
        "candidates [N]": "which secrets still fit each board, or board N",
        "history": "the boards",
        "undo": "take back the guess just typed, or else the last guess and its responses",
        "undo N": "take back guess N and what followed",
        "quit": "stop",
    }

    def __init__(self, game: Game, seconds: float | None, history: str) -> None:
        super().__init__(game, seconds, history)
        self.asked: int | None = None
        self.given: list[int] = []
        self.shown = -1

    @property
    def about(self) -> str:
        """What may be typed, by examples."""
        guess = self.advice.best[0].guess
        some = " ".join(self.game.board.examples(guess)[:1] * min(len(self.position.unsolved), 2))
        label = plain(self.game.guesses[guess])
        first = self.look.named("Type the guess that you asked")
        return (
            f"{first}, such as {label}, or its number (Enter: the one in brackets), then the "
            f"{plurals(self.look.response)} of the boards that are not solved, from the first on, such as "
            f"{some}, with blanks or | between them, or one after the other. Or:"
        )

    def expected(self) -> Sequence[str]:
        """Return what is asked for now: guesses or responses."""
        return self.game.guesses if self.asked is None else self.game.board.responses

    def missing(self) -> list[int]:
        """Return the boards that the guess has no response of yet."""
        return self.position.unsolved[len(self.given) :]

    def prompt(self) -> str:
        """Show advice when there is something new to say, and return the prompt."""
        if self.asked is not None:
            label, boards = plain(self.game.guesses[self.asked]), self.missing()
            which = f"board {boards[0] + 1}" + (f" to {boards[-1] + 1}" if len(boards) > 1 else "")
            says = f" ({self.look.says})" if self.look.says and not self.given else ""
            return f"{self.look.response} to {label}, {which}{says}: "
        if self.shown != self.turns:
            self.show_advice(len(self.advice.best))
            self.shown = self.turns
        return f"{self.look.guess} {self.turns + 1} [{plain(self.advice.best[0].label)}]: "

    def enter(self, text: str) -> None:
        """Take a guess, or responses to it."""
        if self.asked is None:
            listed = [one.guess for one in self.advice.best]
            self.asked = self.position.read_guess(text, listed) if text else listed[0]
            return
        self.given += self.position.read_responses(text, self.asked, self.missing())
        if self.missing():
            return
        told: list[int | None] = [None] * len(self.position.boards)
        for board, response in zip(self.position.unsolved, self.given, strict=True):
            told[board] = response
        self.given = []
        try:
            self.positions.append(self.position.after(self.asked, told))
        except Contradiction as error:
            raise GuesstreeError(
                f"{error}; type the {plurals(self.look.response)} again, or undo to correct what was before"
            ) from None
        self.asked = None
        self.show()

    def undo(self, number: str = "") -> None:
        """Take back the guess just typed, or turns."""
        if self.asked is not None and number in ("", str(self.turns + 1)):
            echo(f"took back {plain(self.game.guesses[self.asked])}")
        else:
            self.take_back(number)
        self.asked, self.given, self.shown = None, [], -1

    def finish(self) -> None:
        """Name the secrets and the number of guesses."""
        echo(f"won: {ended(self.position)}")

    def as_data(self) -> dict[str, Any]:
        """Return the boards so far and the best guesses."""
        data = boards_data(self.position)
        return data | ({"best": []} if self.finished else advice_data(self.position, self.advice))
