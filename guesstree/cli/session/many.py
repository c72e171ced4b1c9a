"""Mastermind of any size at a prompt: the constructive strategy asks, or gives hints."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from guesstree.engine.constructive.adaptive import Played, play
from guesstree.engine.constructive.liars import Doubt, played
from guesstree.engine.constructive.many import strategy
from guesstree.engine.constructive.measure import random_codes
from guesstree.engine.constructive.size import PEGS_LOOK, Code, Response, Size, parse_spec
from guesstree.engine.constructive.votes import Votes, surviving
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.notation import plural
from guesstree.engine.objective import GOALS

from ..tools.screen import echo
from ..tools.text import print_json
from .prompt import Prompt

CONSTRUCTIVE = "constructive"
"""The name of the strategy beside those of one-step strategies."""


def turn(size: Size, number: int, guess: Code, response: Response) -> str:
    """Return one line for a guess and its response."""
    return f"{number:>4}  {size.write_code(guess)}  {size.write_response(response)}"


def steps_data(size: Size, steps: Sequence[tuple[Code, Response]]) -> list[dict[str, str]]:
    """Return guesses and responses as plain data."""
    return [
        {"guess": size.write_code(guess), "response": size.write_response(response)}
        for guess, response in steps
    ]


def show_game(spec: str, text: str, goal: str | None, zeros: str = "free", *, as_json: bool) -> None:
    """Print the game of the constructive strategy against a secret."""
    size = parse_spec(spec)
    secret = size.parse_code(text)
    goal = goal or GOALS[0]
    record: Played[Code, Response, Code] = play(
        strategy(size, goal, zeros), lambda guess: size.respond(guess, secret)
    )
    if as_json:
        steps = steps_data(size, record.steps)
        data = {"game": size.spec, "goal": goal, "secret": size.write_code(secret), "method": CONSTRUCTIVE}
        print_json(data | {"steps": steps, "guesses": len(steps)})
        return
    echo(f"{size.spec}: goal {goal}, method {CONSTRUCTIVE}")
    for number, (guess, response) in enumerate(record.steps, 1):
        echo(turn(size, number, guess, response))
    echo(f"the secret is {size.write_code(record.secret)}")
    echo(plural(record.questions, "guess"))


def false_text(doubt: Doubt) -> str:
    """Return what may be false in words."""
    if doubt.rate is not None:
        return f"each response false with a chance of {doubt.rate:g}"
    return f"up to {plural(doubt.lies, 'false response')}"


def show_doubted(
    spec: str, text: str, goal: str, zeros: str, doubt: Doubt, seed: int, *, as_json: bool
) -> None:
    """Print one game of the constructive strategy in which some responses are false."""
    size = parse_spec(spec)
    steps, false, code = played(size, size.parse_code(text), doubt, goal, zeros, seed)
    told = [number for number, lie in enumerate(false, 1) if lie]
    if as_json:
        data: dict[str, Any] = {"game": size.spec, "goal": goal, "secret": text, "method": CONSTRUCTIVE}
        data |= {"false": told, "found": None if code is None else size.write_code(code)}
        print_json(data | {"steps": steps_data(size, steps), "guesses": len(steps)})
        return
    echo(f"{size.spec}, {false_text(doubt)}: goal {goal}, method {CONSTRUCTIVE}")
    for number, step in enumerate(steps, 1):
        echo(turn(size, number, *step) + ("  (false)" if number in told else ""))
    echo("no code is found" if code is None else f"the secret is {size.write_code(code)}")
    echo(f"{plural(len(steps), 'guess')}, {len(told)} of the responses false")


class Talk:
    """The constructive strategy in a game that goes on: what it asks now, or what it has concluded."""

    def __init__(self, size: Size, goal: str, responses: Sequence[Response] = (), *, lies: int = 0) -> None:
        self.size, self.goal, self.lies = size, goal, lies
        self.steps: list[tuple[Code, Response]] = []
        self.known: Code | None = None
        self._talk: Generator[Code, Response, Code] = (
            surviving(size, Votes(lies), goal) if lies else strategy(size, goal)
        )
        self.guess = next(self._talk)
        for response in responses:
            if self.known is not None:
                raise GuesstreeError(
                    f"{plural(len(responses), 'response')}, but the game is over after {len(self.steps)}"
                )
            self.take(response)

    def take(self, response: Response) -> None:
        """Go on after a response; raise Contradiction when no code fits, and then be as before."""
        step = (self.guess, response)
        try:
            self.guess = self._talk.send(response)
        except StopIteration as end:
            self.known = end.value
        except Contradiction:
            before = Talk(self.size, self.goal, [response for _, response in self.steps], lies=self.lies)
            self._talk, self.guess = before._talk, before.guess
            raise
        self.steps.append(step)


class AssistMany(Prompt):
    """The user plays elsewhere, asks what the strategy says and types the responses."""

    look = PEGS_LOOK
    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help",
        "history": "the guesses and responses so far",
        "undo": "take back the last response",
        "undo N": "take back response N and what followed",
        "change N RESPONSE": "correct response N; what followed is asked anew where it changes",
        "quit": "stop",
    }

    def __init__(self, spec: str, goal: str | None, history: str, lies: int = 0) -> None:
        self.size = parse_spec(spec)
        self.goal, self.lies = goal or GOALS[0], lies
        words = history.split(";" if ";" in history else None)
        self.talk = self._talk([self.size.parse_response(word.strip()) for word in words])

    def _talk(self, responses: Sequence[Response]) -> Talk:
        return Talk(self.size, self.goal, responses, lies=self.lies)

    @property
    def about(self) -> str:
        """What may be typed."""
        form = "black,white such as 1,0" if self.size.whites else "the number of black pegs"
        return f"Ask the guess that is shown, and type its response ({form}). Or:"

    @property
    def turns(self) -> int:
        """How many guesses have their response."""
        return len(self.talk.steps)

    @property
    def finished(self) -> bool:
        """Whether the strategy has concluded."""
        return self.talk.known is not None

    def as_data(self) -> dict[str, Any]:
        """Return the responses so far, and what to ask now or the secret."""
        talk, known = self.talk, self.talk.known
        return {
            "game": self.size.spec,
            "goal": self.goal,
            **({"lies": self.lies} if self.lies else {}),
            "steps": steps_data(self.size, talk.steps),
            "method": CONSTRUCTIVE,
            "finished": self.finished,
            "guess": None if self.finished else self.size.write_code(talk.guess),
            "secret": None if known is None else self.size.write_code(known),
        }

    def begin(self) -> None:
        """Say which game it is, and show the guesses so far."""
        false = f", {false_text(Doubt(self.lies))}" if self.lies else ""
        echo(f"{self.size.spec}{false}: goal {self.goal}, method {CONSTRUCTIVE} (? for help)")
        if self.turns:
            self.history("")

    def prompt(self) -> str:
        """Show the guess to ask, and return the prompt."""
        echo(f"guess {self.turns + 1}: {self.size.write_code(self.talk.guess)}")
        return f"response {self.turns + 1}: "

    def expected(self) -> Sequence[str]:
        """Return nothing: no response looks like a command."""
        return ()

    def enter(self, text: str) -> None:
        """Take a response, unless no code fits."""
        response = self.size.parse_response(text)
        try:
            self.talk.take(response)
        except Contradiction as error:
            raise GuesstreeError(
                f"{error}; type it again, or correct an earlier one: undo N, change N RESPONSE"
            ) from None

    def finish(self) -> None:
        """Name the secret and the number of guesses."""
        assert self.talk.known is not None
        how = "won" if self.goal == "win" else "known"
        echo(f"{how}: the secret is {self.size.write_code(self.talk.known)}, {plural(self.turns, 'guess')}")

    def history(self, _: str) -> None:
        """Show the guesses and responses so far."""
        for number, step in enumerate(self.talk.steps, 1):
            echo(turn(self.size, number, *step))
        if not self.turns:
            echo("no guess yet")

    def undo(self, number: str = "") -> None:
        """Take back responses."""
        if not self.turns:
            raise GuesstreeError("no guess yet: nothing to undo")
        first = self.turn_number(number) if number else self.turns
        for guess, response in self.talk.steps[first - 1 :]:
            echo(f"took back {self.size.write_code(guess)}: {self.size.write_response(response)}")
        self.talk = self._talk([response for _, response in self.talk.steps[: first - 1]])

    def change(self, words: str) -> None:
        """Correct a response; keep what followed as long as the strategy asks the same."""
        number, _, label = words.partition(" ")
        first = self.turn_number(number)
        if not label:
            raise GuesstreeError("change: expected change N RESPONSE, such as change 1 0,2")
        response, old = self.size.parse_response(label), self.talk.steps
        talk = self._talk([*(response for _, response in old[: first - 1]), response])
        with suppress(Contradiction):
            for guess, answer in old[first:]:
                if talk.known is not None or (guess != talk.guess).any():
                    break
                talk.take(answer)
        self.talk = talk
        self.history("")


class PlayMany(Prompt):
    """The machine hides a secret, the user guesses; the strategy gives hints to who follows it."""

    look = PEGS_LOOK
    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help",
        "hint": "what the constructive strategy asks next; Enter asks it",
        "history": "the guesses so far",
        "give up": "show the secret",
        "quit": "stop",
    }

    def __init__(self, spec: str, goal: str | None, seed: int | None) -> None:
        self.size = parse_spec(spec)
        if goal == "identify":
            raise GuesstreeError(
                "goal 'identify' does not go with constructive hints; use hints by entropy, or the goal win"
            )
        self.secret = random_codes(self.size, 1, seed)[0]
        self.steps: list[tuple[Code, Response]] = []
        self.talk = Talk(self.size, GOALS[0])
        self.hints = 0
        self.hinted = self.given_up = False
        self.alone: int | None = None

    @property
    def about(self) -> str:
        """What may be typed."""
        example = self.size.write_code(random_codes(self.size, 1, 0)[0])
        return f"Type a guess, numbers separated by spaces, such as {example}, or:"

    @property
    def turns(self) -> int:
        """How many guesses have their response."""
        return len(self.steps)

    @property
    def finished(self) -> bool:
        """Whether the last guess was the secret."""
        return bool(self.steps) and bool((self.steps[-1][0] == self.secret).all())

    def as_data(self) -> dict[str, Any]:
        """Return the guesses, the secret, how it ended, and what the hints alone would have needed."""
        outcome = "won" if self.finished else "given up" if self.given_up else "stopped"
        return {
            "game": self.size.spec,
            "goal": GOALS[0],
            "steps": steps_data(self.size, self.steps),
            "secret": self.size.write_code(self.secret),
            "outcome": outcome,
            "guesses": self.turns,
            "hints": self.hints,
            "method": CONSTRUCTIVE,
            "hints_alone": self.alone,
        }

    def begin(self) -> None:
        """Say which game it is."""
        echo(f"{self.size.spec}: {self.size.accepted} (? for help)")

    def prompt(self) -> str:
        """Return the prompt for the next guess."""
        return f"guess {self.turns + 1}{' [as hinted]' if self.hinted else ''}: "

    def expected(self) -> Sequence[str]:
        """Return nothing: no guess looks like a command."""
        return ()

    def enter(self, text: str) -> None:
        """Answer a guess."""
        guess = self.talk.guess if self.hinted and not text else self.size.parse_code(text)
        response = self.size.respond(guess, self.secret)
        self.steps.append((guess, response))
        if self.talk.known is None and (guess == self.talk.guess).all():
            self.talk.take(response)
        self.hinted = False
        echo(turn(self.size, self.turns, guess, response))

    def hint(self, _: str) -> None:
        """Show what the strategy asks."""
        self.hints, self.hinted = self.hints + 1, True
        echo(f"  {self.size.write_code(self.talk.guess)}")

    def history(self, _: str) -> None:
        """Show the guesses so far."""
        for number, step in enumerate(self.steps, 1):
            echo(turn(self.size, number, *step))
        if not self.turns:
            echo("no guess yet")

    def give_up(self, _: str) -> None:
        """Show the secret and end."""
        self.done = self.given_up = True
        echo(f"the secret was {self.size.write_code(self.secret)}")

    def finish(self) -> None:
        """Say how many guesses it took, beside those of the strategy."""
        helped = f" ({plural(self.hints, 'hint')})" if self.hints else ""
        echo(f"won: {plural(self.turns, 'guess')}{helped}")
        alone: Played[Code, Response, Code] = play(
            strategy(self.size), lambda guess: self.size.respond(guess, self.secret)
        )
        self.alone = alone.questions
        echo(f"the hints alone would have needed {plural(alone.questions, 'guess')}")
