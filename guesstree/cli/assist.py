"""`guesstree assist`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import click

from guesstree.api.advisor import Advisor
from guesstree.engine.advice.position import Position, Step, require_new, widened_text
from guesstree.engine.advice.turns import guess_typed, parse_history
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.notation import plural
from guesstree.present.advice import advice_of
from guesstree.present.boards import require_plain
from guesstree.present.noisy_advice import TOGETHER, require_exact
from guesstree.present.review import Review, review_elsewhere
from guesstree.present.ruled_out import name_typed, why_lines
from guesstree.present.turns import turn_of
from guesstree.trees.export.labels import plain

from .session.advisor import draw_option, follow, hire, method_option, require_followed, strategy_option
from .session.many import CONSTRUCTIVE, AssistMany
from .session.noisy import NoisyAssist
from .session.prompt import Prompt, Session, choices, suspected
from .session.reviewed import show_review
from .session.several import AssistBoards
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
from .tools.screen import echo, screen_width, wrapped
from .tools.text import print_json

if TYPE_CHECKING:
    from guesstree.api.mixture import Following

MOST_ADVISED = 5


class Assist(Session):
    """The user plays elsewhere and types the responses, up to `lies` of them false; each turn is advised."""

    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help",
        "candidates": "how many secrets are still possible, and some of them",
        "why NAME": "which responses rule out this secret",
        "history": "the guesses and responses so far",
        "undo": "take back the guess just typed, or else the last guess and response",
        "undo N": "take back response N and what followed",
        "change N RESPONSE": "correct response N and keep the others",
        "quit": "stop",
    }

    def __init__(
        self,
        game: Game,
        goal: str | None,
        history: Sequence[Step],
        method: str | None,
        lies: int,
        time_limit: float | None = None,
        follower: Following | None = None,
    ) -> None:
        super().__init__(game, goal, history, lies=lies)
        self.hired = partial(hire, method=method, goal=goal, lies=lies, time_limit=time_limit)
        self.advisors: dict[str, Advisor] = {game.spec: follower or self.hired(game)}
        self.follower = follower
        self.asked: int | None = None
        self.default = -1
        self.again: int | None = None
        self.top: list[int] = []
        self.advised_at: tuple[Step, ...] | None = None

    @property
    def advisor(self) -> Advisor:
        """Who advises on the game as it is."""
        if self.game.spec not in self.advisors:
            self.advisors[self.game.spec] = self.hired(self.game)
        return self.advisors[self.game.spec]

    def begin(self) -> None:
        """Say which game it is, and what fits where no secret of its list does."""
        super().begin()
        if self.follower is not None and self.follower.drawn.mixture.drawn:
            echo(self.follower.drawn.words)
        self.say_widened(self.positions[0])

    def say_widened(self, before: Position) -> None:
        """Say that no secret on the list fits any more, where that is so since a position."""
        if before.game is not self.game:
            echo("\n".join(wrapped(widened_text(before.game, self.position), screen_width())))

    def prompt(self) -> str:
        """Show advice when there is something new to say, and return the prompt."""
        if self.asked is not None:
            says = choices(self.game, self.asked) if self.look.plain else self.look.says
            label = plain(self.game.guesses[self.asked])
            return f"{self.look.response} to {label}{f' ({says})' if says else ''}: "
        if self.advised_at != self.position.history:
            self.advise()
            self.advised_at = self.position.history
        return f"{self.upcoming()} [{plain(self.game.guesses[self.default])}]: "

    @property
    def about(self) -> str:
        """What may be typed, by examples that fit."""
        label = plain(self.game.guesses[self.default])
        first = self.look.named("Type the guess that you asked")
        number = "its number or the beginning of its name" if self.look.plain else "or its number"
        which = f"such as {label}, {number} (Enter: the one in brackets)"
        if self.look.plain:
            unknown = self.game.not_known(self.default)
            return f"{first}, {which}, then its answer, or {unknown} where it is not known. Or:"
        some = ", ".join(self.game.examples(self.default, self.position.candidates))
        ways = f" ({self.look.says}; {self.look.ways})".replace("(; ", "(")
        return f"{first}, {which}, then its response, such as {some}{ways}. Or:"

    def answers(self) -> list[str]:
        """Return the responses that the guess asked may get."""
        assert self.asked is not None
        return [self.game.responses[response] for response in self.game.answers(self.asked)]

    def advise(self) -> None:
        """Show what remains, which responses may be false, and the best guesses."""
        if self.position.lies and self.turns:
            self.show_doubts()
        advice = advice_of(self.advisor, self.position, MOST_ADVISED)
        self.top = [valued.guess for valued in advice.best]
        self.default = self.top[0] if self.again is None else self.again
        count = len(self.position.candidates)
        if count == 1:
            echo(
                f"1 candidate: it must be {self.board.guess(self.game.secrets[self.position.candidates[0]])}"
            )
            return
        many = plural(count, "candidate")
        if self.position.lies:
            many += f", at least {plural(self.position.least, 'more guess')}"
        if advice.note:
            self.say(advice.note)
        marked = " (* may be the secret)" * any(valued.candidate for valued in advice.best)
        self.say(f"{many}; best guesses by {advice.by}{marked}:")
        click.echo(self.board.valuations(advice.best, numbered=True))

    def show_doubts(self) -> None:
        """Say which responses may be false."""
        count = len(self.position.candidates)
        doubts = [(number, many) for number, many in enumerate(self.position.doubts(), 1) if many]
        texts = [f"{n} (surely)" if many == count else f"{n} (for {many} of {count})" for n, many in doubts]
        noun = self.look.response
        echo(f"may be false: {noun} {', '.join(texts)}" if texts else f"no {noun} is false")

    def expected(self) -> Sequence[str]:
        """Return what is asked for now: guesses or responses."""
        if self.asked is None:
            return self.game.guesses
        plain = self.look.plain
        return [*self.answers(), self.game.not_known(self.asked)] if plain else self.game.responses

    def enter(self, text: str) -> None:
        """Take a guess, or the response to it."""
        if self.asked is not None:
            self.respond(self.position.read_response(text, self.asked))
            return
        guess = guess_typed(self.game, text, self.top) if text else self.default
        self.position.require_allowed(guess)
        require_new(self.game, self.position.history, guess, self.position.lies)
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
        echo(self.board.turn(turn_of(self.position)))
        self.show_cells()
        before = self.positions[-2]
        self.say_widened(before)
        if before.game is not self.game and not self.finished:
            echo("\n".join(suspected(before.suspects(step), self.look.response, "candidate")))

    def explain(self, error: Contradiction, step: Step) -> None:
        """Say from which response on no secret fits, which are to be doubted, and what can be done."""
        noun = self.look.response
        echo(str(error))
        echo("\n".join(suspected(self.position.suspects(step), noun, "candidate")))
        change = f"change N {noun.upper()}"
        others = f"; undo N takes back an earlier one, {change} corrects it" if self.turns else ""
        echo(f"type {noun} {error.step} again, or undo to ask something else{others}")

    def undo(self, number: str = "") -> None:
        """Take back the guess just typed, or turns."""
        if self.asked is not None and number in ("", str(self.turns + 1)):
            echo(f"took back {plain(self.game.guesses[self.asked])}")
            self.asked, self.advised_at = None, None
            return
        self.again = self.back_to(number)[0][0]  # most likely it was the response that was mistyped
        self.asked, self.advised_at = None, None

    def change(self, words: str) -> None:
        """Correct an earlier response."""
        number, _, label = words.partition(" ")
        turn = self.turn_number(number)
        guess = self.position.history[turn - 1][0]
        if not label:
            some = f"change {turn} {self.game.examples(guess)[0]}"
            raise GuesstreeError(f"change: expected change N {self.look.response.upper()}, such as {some}")
        before = self.positions[turn - 1]
        self.replace(turn, before.read_response(label.strip(), guess))
        self.history("")

    def why(self, name: str) -> None:
        """Say which responses rule out a secret."""
        for line in why_lines(self.game, self.position.history, name_typed(self.game, name)):
            echo(line)

    def finish(self) -> None:
        """Name the secret, the number of guesses, and the responses that were false."""
        won = "won" if self.position.problem.goal == "win" else "known"
        some = [self.board.guess(self.game.secrets[int(secret)]) for secret in self.position.candidates]
        if self.position.stuck:
            echo(self.look.named(TOGETHER))
        secret = " or ".join(some)
        echo(f"{won}: the {self.look.secret} is {secret}, {plural(self.turns, self.look.guess)}")
        false = [str(number) for number, many in enumerate(self.position.doubts(), 1) if many]
        if false:
            echo(f"false: {self.look.response} {', '.join(false)}")
        show_review(self.game, self.review)

    def lose(self) -> None:
        """Say that more was paid than the game allows."""
        super().lose()
        show_review(self.game, self.review)

    @cached_property
    def review(self) -> Review | None:
        """How it was played, where the responses leave one secret."""
        position = self.position
        return review_elsewhere(self.game, position.history, goal=position.problem.goal, lies=position.lies)

    def as_data(self) -> dict[str, Any]:
        """Return the responses so far, the secrets that are still possible, and the best guesses."""
        position = self.position
        data = super().as_data() | {"method": self.advisor.method}
        if self.follower is not None:
            data["seed"] = self.follower.drawn.seed
        data |= {"finished": position.finished, "candidates": len(position.candidates)}
        data["secrets"] = list(position.secrets)
        if position.lies:
            data["doubts"] = position.doubts()
        if self.finished and self.review is not None:
            data["review"] = self.review.as_data()
        if self.finished:
            return data | {"best": []}
        return data | advice_of(self.advisor, position, MOST_ADVISED).as_json()


@click.command("assist", cls=Command, epilog='Example: guesstree assist mastermind:4x6 --history "1122:1,0"')
@game_argument
@method_option(
    "--method",
    "How guesses are ordered",
    more="; then --history holds responses alone",
    usual=". With --lies: volume (the default) or exact",
)
@strategy_option
@draw_option
@lies_option
@history_option
@goal_option
@advice_time_option
@json_option
def command(
    spec: str,
    method: str | None,
    followed: str | None,
    seed: int | None,
    lies: int,
    history: str,
    goal: str | None,
    time_limit: float,
    as_json: bool,
) -> None:
    """Advise on a game of GAME that you play elsewhere: you type the responses.

    Each turn shows how many secrets are still possible and the best guesses. The command refuses at once a
    response that contradicts the others (with --lies: that would make too many of them false), and you can
    take back any response. With --json it asks nothing and prints the advice after the --history.
    If tests may get several answers, the advice comes from an exact search of the remaining tests and shows
    the probabilities of the causes; type ? for an answer that you do not know.
    """
    require_followed(followed, seed)
    if followed is not None:
        game = make_game(spec)
        unfit = {"--method": method, "--lies": lies}
        follower = follow(game, followed, goal, seed, unfit, time_limit=time_limit)
        goal = follower.drawn.mixture.goal
        session: Prompt = Assist(game, goal, parse_history(game, history), None, 0, time_limit, follower)
    elif method == CONSTRUCTIVE:
        session = AssistMany(spec, goal, history, lies)
    elif (game := make_game(spec)).facts.boards > 1:
        require_plain(game, method=method, lies=lies, goal=goal)
        session = AssistBoards(game, time_limit, history)
    elif game.facts.noisy:
        require_exact(game, method=method, goal=goal or "", lies=lies, time_limit=time_limit)
        session = NoisyAssist(game, parse_history(game, history), time_limit)
    else:
        session = Assist(game, goal, parse_history(game, history), method, lies, time_limit)
    if as_json:
        print_json(session.as_data())
    else:
        session.play()
