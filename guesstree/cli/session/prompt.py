"""A prompt: lines that a user types, commands among them; and a game there, with what is known of it."""

from __future__ import annotations

import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from io import TextIOWrapper
from typing import Any, ClassVar

import click

from guesstree.engine.advice.playing import position_of
from guesstree.engine.advice.position import Position, Step, step_text
from guesstree.engine.advice.turns import guess_typed
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.notation import Look, article, plural
from guesstree.engine.rules import UNKNOWN_TEXT
from guesstree.present.turns import turn_of
from guesstree.trees.export.labels import plain

from ..tools.screen import echo, screen_width, wrapped
from ..tools.signals import heed
from ..tools.text import print_json
from .board import Board

NARROW = 60
"""Columns that commands and what they do need beside each other."""
MOST_CHOICES = 9
"""Answers that a prompt lists."""
MOST_NAMED = 20
"""Guesses that help names."""
MOST_SUSPECTS = 5
"""Explanations of a contradiction that are listed."""


def prepare_terminal() -> None:
    """Turn on line editing where there is a terminal, and let no odd byte in the input be an error."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(ImportError):  # absent on some systems
            import readline

            # Bracketed paste would make one line of several that are pasted.
            readline.parse_and_bind("set enable-bracketed-paste off")


def ask(prompt: str) -> str | None:
    """Return the next line that the user types, stripped; None at the end of the input."""
    *above, last = wrapped(prompt.rstrip(), screen_width())
    for line in above:
        click.echo(line)
    try:
        heed()
        line = input(f"{last} ")
    except EOFError:
        click.echo()
        return None
    except KeyboardInterrupt:
        click.echo()
        raise
    if not sys.stdin.isatty():
        click.echo(plain(line))  # so that the output reads like the session
    return line.strip()


class Prompt(ABC):
    """What a user does at a prompt: lines are read, commands in them obeyed, all others handed on.

    Attributes
    ----------
    done: whether the user has ended it.
    helps: what each command does, shown by ``?``.
    look: how the game looks; texts speak of secrets and guesses, and say what it calls them.
    """

    helps: ClassVar[Mapping[str, str]]
    look = Look()
    done = False

    @property
    @abstractmethod
    def about(self) -> str:
        """What may be typed besides commands, by examples of this game."""

    @property
    @abstractmethod
    def turns(self) -> int:
        """How many guesses have their response."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether the game has come to its end."""

    @abstractmethod
    def begin(self) -> None:
        """Say what is played, and what was before."""

    @abstractmethod
    def prompt(self) -> str:
        """Show what is to be known now, and return the prompt."""

    @abstractmethod
    def enter(self, text: str) -> None:
        """Take a line that is no command; raise GuesstreeError for one that does not fit."""

    @abstractmethod
    def expected(self) -> Sequence[str]:
        """Return the labels that may be typed now; a label beats a command of the same name."""

    @abstractmethod
    def finish(self) -> None:
        """Say how the game ended."""

    @abstractmethod
    def as_data(self) -> dict[str, Any]:
        """Return what came of the game so far as plain data."""

    def run(self, *, as_json: bool) -> None:
        """Play, and print what came of it as JSON if that is wanted; then the talk is on standard error."""
        if not as_json:
            self.play()
            return
        with redirect_stdout(sys.stderr):
            self.play()
        print_json(self.as_data())

    def play(self) -> None:
        """Go on until the game is finished, the user quits, or the input ends."""
        prepare_terminal()
        self.begin()
        while not self.done and not self.finished:
            text = ask(self.prompt())
            if text is None:
                self.quit("")
                return
            try:
                self.obey(text)
            except GuesstreeError as error:
                echo(str(error))
        if not self.done:
            self.end()

    def end(self) -> None:
        """Say how the game ended, whichever way."""
        self.finish()

    def obey(self, text: str) -> None:
        """Do what a line says."""
        line = text.removeprefix("/")
        words = line.lower()
        words = {"help": "?", "giveup": "give up", "exit": "quit"}.get(words, words)
        for name in self.helps:
            command, *shape = re.split(r" (?=[A-Z\[])", name, maxsplit=1)  # capitals stand for arguments
            if words == command or (shape and words.startswith(f"{command} ")):
                if text in self.expected():
                    break
                method: Callable[[str], None] = getattr(self, command.replace("?", "help").replace(" ", "_"))
                method(line[len(command) :].strip() if shape else "")
                return
        self.enter(text)

    def say(self, text: str) -> None:
        """Print a text without labels in the words of the game."""
        echo(self.look.named(text))

    def help(self, _: str) -> None:
        """Show the commands."""
        echo(self.about)
        for name, what in self.helps.items():
            name, what = (re.sub("(?i)response", self.called, text) for text in (name, what))
            if (screen_width() or NARROW) < NARROW:
                self.say(f"  {name}\n      {what}")
            else:
                self.say(f"  {name:<18}  {what}")
        self.say("Ctrl-D quits too. A slash before a command tells it from a guess of the same name.")

    def called(self, found: re.Match[str]) -> str:
        """Return what a response is called here, in capitals where the word is."""
        return self.look.response.upper() if found[0].isupper() else self.look.response

    def quit(self, _: str) -> None:
        """End without a result."""
        self.done = True
        self.say(f"stopped after {plural(self.turns, 'guess')}")

    def turn_number(self, text: str) -> int:
        """Return the number of a turn that was made; raise GuesstreeError for another text."""
        if not re.fullmatch("[0-9]{1,6}", text) or not 1 <= int(text) <= self.turns:
            numbers = f"expected 1 to {self.turns}" if self.turns else "there is none yet"
            noun = article(self.look.response)
            raise GuesstreeError(f"{text[:60]!r} is not the number of {noun}; {numbers}")
        return int(text)


class Session(Prompt):
    """A game at a prompt, with what is known of it.

    Attributes
    ----------
    positions: the position after each number of turns.
    """

    def __init__(self, game: Game, goal: str | None, history: Sequence[Step] = (), *, lies: int = 0) -> None:
        self.look = game.look
        self.positions = [position_of(game, goal=goal, lies=lies)]
        for step in history:
            self.positions.append(self.position.after(*step))
        self.board = Board(game)

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def game(self) -> Game:
        """The game, where a secret that its list leaves out may be meant `Game.wider`."""
        return self.position.game

    @property
    def turns(self) -> int:
        """How many guesses have their response."""
        return len(self.positions) - 1

    @property
    def finished(self) -> bool:
        """Whether the secret is won, or known where that is the goal, or no more may be paid."""
        return self.position.finished or self.lost

    @property
    def lost(self) -> bool:
        """Whether no more may be paid."""
        return self.position.lost

    def as_data(self) -> dict[str, Any]:
        """Return the game, what it is for, and the guesses so far with how many secrets they left."""
        steps = [turn_of(position).as_json() for position in self.positions[1:]]
        lies = {"lies": self.position.lies} if self.position.lies else {}
        return {"game": self.game.spec, "goal": self.position.problem.goal, **lies, "steps": steps}

    def end(self) -> None:
        """Say how the game ended."""
        if self.lost:
            self.lose()
        else:
            self.finish()

    def lose(self) -> None:
        """Say that more was paid than the game allows."""
        echo(f"lost: {self.position.paid} paid, {self.game.budget} allowed")
        echo(self.board.candidates(self.position))

    def upcoming(self) -> str:
        """Return for a prompt which guess comes, after what is shown of the secret; and what may be paid."""
        shown = self.board.pattern(self.position.pattern())
        game, paid = self.game, self.position.paid
        left = "" if game.budget is None else f" ({game.cost_text(game.budget - paid)} left)"
        return f"{shown}{'  ' if shown else ''}{self.look.guess} {self.turns + 1}{left}"

    def begin(self) -> None:
        """Say which game it is, and show the guesses so far."""
        goal = self.position.problem.goal
        echo(
            f"{self.game.spec}: {plural(len(self.game.secrets), self.look.secret)}, goal {goal} (? for help)"
        )
        for position in self.positions[1:]:
            echo(self.board.turn(turn_of(position)))
        self.show_cells()

    def show_cells(self) -> None:
        """Show the board of a game that has one, once something was asked."""
        if self.turns and (cells := self.board.cells(self.position)):
            echo(cells)

    def help(self, _: str) -> None:
        """Show the commands."""
        super().help(_)
        marks = ["* may be the secret"] * bool((self.position.problem.own >= 0).any())
        if not self.game.facts.weighted and not self.game.facts.priced:
            marks.append("class counts the guesses that symmetry makes equal")
        if marks:
            self.say(f"In lists, {', and '.join(marks)}.")

    def candidates(self, _: str) -> None:
        """Show how many candidates remain, and some."""
        echo(self.board.candidates(self.position))

    def history(self, _: str) -> None:
        """Show the guesses and responses so far."""
        for position in self.positions[1:]:
            echo(self.board.turn(turn_of(position), plural(len(position.candidates), "candidate")))
        self.show_cells()
        if not self.turns:
            self.say("no guess yet")

    def back_to(self, number: str) -> list[Step]:
        """Forget turn `number` (empty: the last) and what followed; say and return what was forgotten."""
        if not self.turns:
            raise GuesstreeError(self.look.named("no guess yet: nothing to undo"))
        first = self.turn_number(number) if number else self.turns
        forgotten = list(self.position.history[first - 1 :])
        del self.positions[first:]
        say_taken_back(self.game, forgotten)
        return forgotten

    def replace(self, number: int, response: int) -> None:
        """Change the response of turn `number` and keep the others; raise Contradiction if none fits."""
        positions = self.positions[:number]
        guess = self.position.history[number - 1][0]
        for step in ((guess, response), *self.position.history[number:]):
            positions.append(positions[-1].after(*step))
        self.positions = positions


def say_taken_back(game: Game, steps: Sequence[Step]) -> None:
    """Say which guesses and responses were taken back."""
    echo(f"took back {'; '.join(plain(step_text(game, step, ': ')) for step in steps)}")


def some_guesses(game: Game) -> str:
    """Return the guesses of a game where they are few names, else one for an example."""
    labels = game.guesses
    if game.look.codes != "text" or len(labels) > MOST_NAMED:
        return f"such as {plain(labels[len(labels) // 2])}"
    if not game.look.plain:
        return f"or the beginning of its name: {', '.join(map(plain, labels))}"
    some = ", ".join(f"{number} {plain(label)}" for number, label in enumerate(labels, 1))
    return f"by its number or the beginning of its name: {some}"


def guess_entered(game: Game, text: str) -> int:
    """Return the guess that was typed where none are listed; of few that have names, nothing lists them."""
    if not text and game.look.codes == "text" and game.look.plain and len(game.guesses) <= MOST_NAMED:
        raise GuesstreeError(f"type {article(game.look.guess)}, {some_guesses(game)}")
    return guess_typed(game, text)


def choices(game: Game, guess: int) -> str:
    """Return the answers to a guess, to choose from at a prompt."""
    look, unknown = game.look, game.not_known(guess)
    own = [game.responses[answer] for answer in game.answers(guess)]
    labels = [plain(label) for label in own if label != UNKNOWN_TEXT]
    shown = labels[:MOST_CHOICES]
    if look.numbered(labels):
        some = ", ".join(f"{i} {label}" for i, label in enumerate(shown, 1))
    else:
        some = f"{', '.join(shown)}, or #1 to #{len(labels)}"
    more = f", ... {len(labels)} in all, Enter lists them" if len(labels) > len(shown) else ""
    itself = f", {UNKNOWN_TEXT}" if UNKNOWN_TEXT in own and unknown != UNKNOWN_TEXT else ""
    ending = {UNKNOWN_TEXT: f"; {UNKNOWN_TEXT} not known", "": ""}.get(unknown, f"; or {unknown}")
    return f"{some}{itself}{more}{ending}"


def suspected(found: Sequence[tuple[tuple[int, ...], int]], noun: str, left: str) -> list[str]:
    """Return which responses are to be doubted after a contradiction, as lines.

    `found`: sets that explain it, and how many are possible without them; `left`: what these are.
    """
    lines = []
    for numbers, many in found[:MOST_SUSPECTS]:
        *others, last = map(str, numbers)
        which = f"{noun}s {', '.join(others)} and {last} are" if others else f"{noun} {last} alone is"
        lines.append(f"  if {which} wrong: {plural(many, left)}")
    if len(found) > MOST_SUSPECTS:
        lines.append(f"  ... and {len(found) - MOST_SUSPECTS} more ways")
    return lines
