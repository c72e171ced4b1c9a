"""`guesstree play`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import ClassVar

import click

from guesstree.engine.advice import paid_for, play_against
from guesstree.engine.game import Game
from guesstree.engine.look import plural

from . import many
from .advisor import Advisor, usual_method
from .common import game_argument, goal_option, lies_option, make_game
from .session.prompt import Session


class Play(Session):
    """The machine hides a secret, the user guesses."""

    about = "Type a guess, or:"
    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help",
        "hint": "the best guess now, and what it would tell",
        "candidates": "how many secrets are still possible, and some of them",
        "history": "the guesses so far",
        "undo [N]": "take back the last guess, or guess N and what followed",
        "give up": "show the secret",
        "quit": "stop",
    }

    def __init__(self, game: Game, goal: str | None, seed: int | None) -> None:
        super().__init__(game, goal)
        self.chance = random.Random(seed)
        self.secret = self.chance.randrange(len(game.secrets))
        self.advisor = Advisor(game, usual_method(game))
        self.hints = self.undone = 0

    def prompt(self) -> str:
        """Return the prompt for the next guess."""
        return f"guess {self.turns + 1}{self.left()}: "

    def expected(self) -> Sequence[str]:
        """Return the guesses."""
        return self.game.guesses

    def enter(self, text: str) -> None:
        """Answer a guess."""
        guess = self.game.read_guess(text)
        step = (guess, self.answer(guess))
        self.positions.append(self.position.after(*step))
        click.echo(self.board.turn(self.turns, step))

    def answer(self, guess: int) -> int:
        """Return the response to a guess."""
        return self.game.respond(guess, self.secret)

    def hint(self, _: str) -> None:
        """Show the best guess and what it would tell."""
        self.hints += 1
        click.echo("\n".join(self.board.valuations(self.advisor.top(self.position, 1))))

    def undo(self, number: str) -> None:
        """Take guesses back."""
        self.undone += len(self.back_to(number))

    def give_up(self, _: str) -> None:
        """Show the secret and end."""
        self.done = True
        click.echo(f"the secret was {self.board.guess(self.game.secrets[self.secret])}")
        click.echo(self.comparison())

    def finish(self) -> None:
        """Say how many guesses it took, beside those of the hints."""
        won = "won" if self.position.problem.goal == "win" else "known"
        helped = [plural(self.hints, "hint")] if self.hints else []
        helped += [f"{self.undone} taken back"] if self.undone else []
        by = f" ({', '.join(helped)})" if helped else ""
        secret = self.board.guess(self.game.secrets[self.secret])
        click.echo(f"{won}: the secret is {secret}, {plural(self.turns, 'guess')}{by}")
        click.echo(self.comparison())

    def lose(self) -> None:
        """Say that too much was paid, and show the secret."""
        secret = self.board.guess(self.game.secrets[self.secret])
        click.echo(f"lost: {self.position.paid} paid, {self.game.budget} allowed; the secret was {secret}")
        click.echo(self.comparison())

    def comparison(self) -> str:
        """Return how many guesses the strategy of the hints needs for this secret."""
        goal = self.position.problem.goal
        steps = play_against(self.game, self.game.secrets[self.secret], self.advisor.best, goal=goal)
        needed = f"the hints alone would have needed {plural(len(steps), 'guess')}"
        if self.game.costs is None:
            return needed
        return f"{needed}, and paid {paid_for(self.game, steps)}"


@click.command("play", epilog="Example: guesstree play mastermind:4x6 --seed 7")
@game_argument
@click.option("--seed", type=int, metavar="N", help="Hide the same secret for the same number.")
@click.option(
    "--hints",
    type=click.Choice((many.METHOD,)),
    help=f"Who gives hints (default: the usual one-step method); with {many.METHOD}, Mastermind of any size.",
)
@lies_option
@goal_option
def command(spec: str, seed: int | None, hints: str | None, lies: int, goal: str | None) -> None:
    """Guess a secret of GAME that the machine hides.

    Type ? for help, hint for advice. At the end your number of guesses stands beside that of the hints.
    """
    if hints == many.METHOD:
        many.PlayMany(spec, goal, seed).run()
        return
    if lies:
        from .doubt import DoubtfulPlay

        DoubtfulPlay(make_game(spec), goal, seed, lies).run()
        return
    Play(make_game(spec), goal, seed).run()
