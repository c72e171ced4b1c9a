"""`guesstree play`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import click

from guesstree.api.codemaker import Cheating, Hidden, used_up
from guesstree.engine.advice.playing import play_against
from guesstree.engine.advice.position import paid_for, require_new
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.notation import article, plural
from guesstree.engine.support import LARGEST
from guesstree.present.advice import advice_of
from guesstree.present.boards import require_plain
from guesstree.present.noisy_advice import require_exact
from guesstree.present.review import SECONDS, Review, review
from guesstree.present.turns import help_text, turn_of

from .session.advisor import hire, method_option
from .session.many import CONSTRUCTIVE, PlayMany
from .session.noisy import NoisyPlay
from .session.prompt import Session, guess_entered, some_guesses
from .session.reviewed import show_review
from .session.several import PlayBoards
from .tools.group import OBJECTIVE, Command, option
from .tools.options import advice_time_option, game_argument, goal_option, json_option, lies_option, make_game
from .tools.screen import echo


class Play(Session):
    """The machine hides a secret and may give up to `lies` false responses; the user guesses."""

    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help",
        "hint": "the best guess now, and what it would tell",
        "candidates": "how many secrets are still possible, and some of them",
        "history": "the guesses so far",
        "undo [N]": "take back the last guess, or guess N and what followed",
        "give up": "show the secret",
        "quit": "stop",
    }

    def __init__(
        self,
        game: Game,
        goal: str | None,
        seed: int | None,
        hints: str | None,
        lies: int,
        time_limit: float,
        secret: int | None = None,
        hidden: Hidden | None = None,
    ) -> None:
        super().__init__(game, goal, lies=lies)
        self.hidden = hidden or Hidden(game, seed, goal=goal, lies=lies, secret=secret)
        self.advisor = hire(game, hints, goal=goal, lies=lies, time_limit=time_limit)
        self.hints = self.undone = 0
        self.given_up = False
        self.alone: int | None = None

    @property
    def secret(self) -> int:
        """What is hidden; of a host who cheats, a secret that fits what was answered."""
        return self.hidden.secret

    @property
    def about(self) -> str:
        """What may be typed, by examples of this game, and what a response says."""
        says = f" The {self.look.response} says: {self.look.says}." if self.look.says else ""
        return f"Type {article(self.look.guess)}, {some_guesses(self.game)}.{says} Or:"

    @property
    def lost(self) -> bool:
        """Whether no more may be paid, or all guesses that a game has are used."""
        position = self.position
        return position.lost or (
            used_up(self.game, position.history, position.lies) and not position.finished
        )

    def prompt(self) -> str:
        """Return the prompt for the next guess."""
        of = "" if self.game.tries is None or self.position.lies else f" of {self.game.tries}"
        return f"{self.upcoming()}{of}: "

    def expected(self) -> Sequence[str]:
        """Return the guesses."""
        return self.game.guesses

    def enter(self, text: str) -> None:
        """Answer a guess."""
        guess = guess_entered(self.game, text)
        require_new(self.game, self.position.history, guess, self.position.lies)
        response = self.hidden.answer(self.position.history, guess)
        self.positions.append(self.position.after(guess, response))
        echo(self.board.turn(turn_of(self.position)))
        self.show_cells()

    def hint(self, _: str) -> None:
        """Show the best guess and what it would tell."""
        self.hints += 1
        advice = advice_of(self.advisor, self.position, 1)
        if advice.note:
            self.say(advice.note)
        click.echo(self.board.valuations(advice.best))

    def undo(self, number: str) -> None:
        """Take guesses back."""
        self.undone += len(self.back_to(number))

    def give_up(self, _: str) -> None:
        """Show the secret and end."""
        self.done = self.given_up = True
        echo(f"the {self.look.secret} was {self.board.guess(self.game.secrets[self.secret])}")
        self.compare()

    def finish(self) -> None:
        """Say how many guesses it took, beside those of the hints."""
        won = "won" if self.position.problem.goal == "win" else "known"
        by = help_text(self.hints, self.undone)
        secret = self.board.guess(self.game.secrets[self.secret])
        echo(f"{won}: the {self.look.secret} is {secret}, {plural(self.turns, self.look.guess)}{by}")
        self.compare()

    def lose(self) -> None:
        """Say why it is lost, and show the secret."""
        if self.position.lost:
            assert self.game.budget is not None
            paid, budget = map(self.game.cost_text, (self.position.paid, self.game.budget))
            paid = f"lost: {paid} paid, {budget} allowed"
        else:
            paid = f"lost after {plural(self.turns, self.look.guess)}"
        secret = self.board.guess(self.game.secrets[self.secret])
        echo(f"{paid}; the {self.look.secret} was {secret}")
        self.compare()

    def compare(self) -> None:
        """Show what each guess gave away, and what others need for this secret; or which were false."""
        show_review(self.game, self.review)
        if self.position.lies:
            false = ", ".join(map(str, self.hidden.false(self.position.history)))
            echo(f"false: {self.look.response} {false}" if false else f"no {self.look.response} was false")
            return
        self.advisor.limit = SECONDS  # nobody waits for what would have been
        try:
            steps = play_against(
                self.game, self.game.secrets[self.secret], self.advisor.best, goal=self.position.problem.goal
            )
        except GuesstreeError:  # some secrets are alike
            return
        self.alone = len(steps)
        if self.advisor.method not in [rival.method for rival in self.review.rivals]:
            cost = self.game.cost_text(paid_for(self.game, steps))
            paid = f", {cost} paid" if self.game.facts.priced else ""
            echo(f"the hints alone would have needed {plural(len(steps), self.look.guess)}{paid}")

    @cached_property
    def review(self) -> Review:
        """How it was played."""
        return review(self.hidden, self.position.history)

    def as_data(self) -> dict[str, Any]:
        """Return the guesses, the secret, how it ended, and what the hints alone would have needed."""
        position = self.position
        outcome = "given up" if self.given_up else "lost" if self.lost else "stopped"
        if position.finished:
            outcome = "won" if position.problem.goal == "win" else "known"
        data = super().as_data() | {"secret": self.game.secrets[self.secret], "outcome": outcome}
        data |= {"guesses": self.turns, "hints": self.hints, "taken_back": self.undone}
        if outcome != "stopped":
            data["review"] = self.review.as_data()
        if position.lies:
            return data | {"false": self.hidden.false(self.position.history)}
        return data | {"method": self.advisor.method, "hints_alone": self.alone}


@click.command("play", cls=Command, epilog="Example: guesstree play mastermind:4x6 --seed 7")
@game_argument
@option(OBJECTIVE, "--seed", type=int, metavar="N", help="The same number hides the same secret.")
@option(
    OBJECTIVE,
    "--maker",
    "folder",
    type=click.Path(),
    metavar="FOLDER|largest",
    help="Draw the secret as the codemaker of this folder of solve --maker mixed does; largest: the host "
    "hides nothing, and keeps the largest part.",
)
@method_option("--hints", "Who gives hints", usual=". With --lies: volume (the default) or exact")
@lies_option
@goal_option
@advice_time_option
@json_option
def command(
    spec: str,
    seed: int | None,
    folder: str | None,
    hints: str | None,
    lies: int,
    goal: str | None,
    time_limit: float,
    as_json: bool,
) -> None:
    """Guess a secret of GAME that the machine hides.

    Type ? for help, hint for advice. At the end you see what each of your guesses gave away, and how many
    guesses the best strategy, the best one-step method and the hints would have taken.
    With --json the dialogue goes to standard error, and the command prints the outcome when the game is over.
    """
    if folder == LARGEST:
        unfit = {"--seed": seed is not None, "--lies": lies}
        if named := next((name for name, given in unfit.items() if given), ""):
            raise GuesstreeError(f"{named} means nothing with --maker {LARGEST}; use it without")
        game = make_game(spec)
        cheating = Cheating(game, goal)
        Play(game, goal, None, hints, 0, time_limit, hidden=cheating).run(as_json=as_json)
        return
    if folder is not None:
        from guesstree.api.mixture import secret_from

        game = make_game(spec)
        goal, secret = secret_from(folder, game, goal, seed)
        Play(game, goal, seed, hints, lies, time_limit, secret).run(as_json=as_json)
        return
    if hints == CONSTRUCTIVE:
        PlayMany(spec, goal, seed).run(as_json=as_json)
        return
    game = make_game(spec)
    if game.facts.boards > 1:
        require_plain(game, hints=hints, lies=lies, goal=goal)
        PlayBoards(game, time_limit, seed).run(as_json=as_json)
        return
    if not game.facts.noisy:
        Play(game, goal, seed, hints, lies, time_limit).run(as_json=as_json)
        return
    require_exact(game, method=hints, goal=goal or "", lies=lies, time_limit=time_limit)
    NoisyPlay(game, seed, time_limit).run(as_json=as_json)
