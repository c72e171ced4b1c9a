"""`guesstree assist`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import click

from guesstree.counsel import require_exact
from guesstree.engine.advice import Step, parse_history
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.evidence import read_steps
from guesstree.engine.game import Game
from guesstree.engine.look import plural

from .session.advisor import hire, method_option
from .session.doubtful import AssistDoubtful
from .session.many import CONSTRUCTIVE, AssistMany
from .session.prompt import Prompt, Session
from .tools.group import Command
from .tools.options import (
    advice_time_option,
    game_argument,
    goal_option,
    history_option,
    json_option,
    lies_option,
    make_game,
)
from .tools.text import print_json
from .tools.valued import valued_data

MOST_ADVISED = 5


class Assist(Session):
    """The user plays elsewhere and types the responses, up to `lies` of them false; each turn is advised."""

    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help",
        "candidates": "how many secrets are still possible, and some of them",
        "history": "the guesses and responses so far",
        "undo": "take back the guess just typed, or else the last guess and response",
        "undo N": "take back response N and what followed",
        "change N RESPONSE": "correct response N and keep the others",
        "quit": "stop",
    }

    def __init__(
        self, game: Game, goal: str | None, history: Sequence[Step], method: str | None, lies: int
    ) -> None:
        super().__init__(game, goal, history, lies=lies)
        typed = f" ({self.look.typed})" if self.look.typed else ""
        self.about = (
            f"Type the guess that you asked (Enter: the one in brackets), then its response{typed}. Or:"
        )
        self.advisor = hire(game, method, goal=goal, lies=lies)
        self.asked: int | None = None
        self.default = -1
        self.again: int | None = None
        self.advised_at: tuple[Step, ...] | None = None

    def prompt(self) -> str:
        """Show advice when there is something new to say, and return the prompt."""
        if self.asked is not None:
            says = self.look.says
            return f"response to {self.game.guesses[self.asked]}{f' ({says})' if says else ''}: "
        if self.advised_at != self.position.history:
            self.advise()
            self.advised_at = self.position.history
        return f"{self.upcoming()} [{self.game.guesses[self.default]}]: "

    def advise(self) -> None:
        """Show what remains, which responses may be false, and the best guesses."""
        if self.position.lies and self.turns:
            self.show_doubts()
        top = self.advisor.top(self.position, MOST_ADVISED)
        self.default = top[0].guess if self.again is None else self.again
        count = len(self.position.candidates)
        if count == 1:
            click.echo(
                f"1 candidate: it must be {self.board.guess(self.game.secrets[self.position.candidates[0]])}"
            )
            return
        by = self.advisor.method
        if by == "exact" and not self.advisor.follows(self.position):
            by = f"{self.advisor.usual} (not a position of the exact strategy)"
        many = plural(count, "candidate")
        if self.position.lies:
            many += f", at least {plural(self.position.least, 'more guess')}"
        self.say(f"{many}; best guesses by {by} (* may be the secret):")
        click.echo("\n".join(self.board.valuations(top)))

    def show_doubts(self) -> None:
        """Say which responses may be false."""
        count = len(self.position.candidates)
        doubts = [(number, many) for number, many in enumerate(self.position.doubts(), 1) if many]
        texts = [f"{n} (surely)" if many == count else f"{n} (for {many} of {count})" for n, many in doubts]
        click.echo(f"may be false: response {', '.join(texts)}" if texts else "no response is false")

    def expected(self) -> Sequence[str]:
        """Return what is asked for now: guesses or responses."""
        return self.game.guesses if self.asked is None else self.game.responses

    def enter(self, text: str) -> None:
        """Take a guess, or the response to it."""
        if self.asked is not None:
            self.respond(self.game.read_response(text, self.asked))
            return
        guess = self.game.read_guess(text) if text else self.default
        self.position.require_allowed(guess)
        self.asked = guess
        self.again = None

    def respond(self, response: int) -> None:
        """Take the response to the guess asked, unless no secret fits."""
        assert self.asked is not None
        step = (self.asked, response)
        try:
            self.positions.append(self.position.after(*step))
        except Contradiction as error:
            self.explain(error, step)
            return
        self.asked = None
        click.echo(self.board.turn(self.position))

    def explain(self, error: Contradiction, step: Step) -> None:
        """Say from which response on no secret fits, and what can be done."""
        click.echo(str(error))
        for number, count in self.position.suspects(step):
            click.echo(f"  if response {number} alone is wrong: {plural(count, 'candidate')}")
        others = "; undo N takes back an earlier one, change N RESPONSE corrects it" if self.turns else ""
        click.echo(f"type response {error.step} again, or undo to ask something else{others}")

    def undo(self, number: str = "") -> None:
        """Take back the guess just typed, or turns."""
        if self.asked is not None and number in ("", str(self.turns + 1)):
            self.asked, self.advised_at = None, None
            return
        self.again = self.back_to(number)[0][0]  # most likely it was the response that was mistyped
        self.asked, self.advised_at = None, None

    def change(self, words: str) -> None:
        """Correct an earlier response."""
        number, _, label = words.partition(" ")
        turn = self.turn_number(number)
        if not label:
            raise GuesstreeError("change: expected change N RESPONSE, such as change 1 0,2")
        guess = self.position.history[turn - 1][0]
        self.replace(turn, self.game.read_response(label.strip(), guess))
        self.history("")

    def finish(self) -> None:
        """Name the secret, the number of guesses, and the responses that were false."""
        won = "won" if self.position.problem.goal == "win" else "known"
        secret = self.board.guess(self.game.secrets[self.position.candidates[0]])
        click.echo(f"{won}: the {self.look.secret} is {secret}, {plural(self.turns, self.look.guess)}")
        false = [str(number) for number, many in enumerate(self.position.doubts(), 1) if many]
        if false:
            click.echo(f"false: response {', '.join(false)}")

    def as_data(self) -> dict[str, Any]:
        """Return the responses so far, the secrets that are still possible, and the best guesses."""
        position = self.position
        data = super().as_data() | {"method": self.advisor.method}
        data |= {"finished": position.finished, "candidates": len(position.candidates)}
        data["secrets"] = [self.game.secrets[int(secret)] for secret in position.candidates]
        if position.lies:
            data["doubts"] = position.doubts()
        best = [] if self.finished else self.advisor.top(position, MOST_ADVISED)
        return data | {"best": [valued_data(self.game, valued) for valued in best]}


@click.command("assist", cls=Command, epilog='Example: guesstree assist mastermind:4x6 --history "1122:1,0"')
@game_argument
@method_option(
    "--method",
    "How guesses are ordered",
    more="; then --history holds responses alone",
    usual=". With --lies: volume (the default) or exact",
)
@lies_option
@history_option
@goal_option
@advice_time_option
@json_option
def command(
    spec: str,
    method: str | None,
    lies: int,
    history: str,
    goal: str | None,
    time_limit: float,
    as_json: bool,
) -> None:
    """Advise on a game of GAME that you play elsewhere: you type the responses.

    Each turn shows how many secrets are still possible and the best guesses. A response that contradicts
    the others (with --lies: that would make too many of them false) is noticed at once, and any can be taken
    back. With --json nothing is asked: the advice after the --history is printed.
    Where tests may get several answers, the advice is that of an exact search of what is left, with the
    probabilities of the causes; an answer of ? is not known.
    """
    if method == CONSTRUCTIVE:
        session: Prompt = AssistMany(spec, goal, history)
    elif (game := make_game(spec)).model is not None:
        require_exact(game, method=method, goal=goal or "", lies=lies, time_limit=time_limit)
        session = AssistDoubtful(game, read_steps(game, history), time_limit)
    else:
        session = Assist(game, goal, parse_history(game, history), method, lies)
    if as_json:
        print_json(session.as_data())
    else:
        session.play()
