"""`guesstree assist` and `play` with `--lies L`: up to L responses may be false."""

from __future__ import annotations

from collections.abc import Sequence

import click
import numpy as np

from guesstree.engine.advice import Position, Step
from guesstree.engine.doubt import Doubtful, Weighed
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.look import plural
from guesstree.engine.search.solve import solve
from guesstree.engine.solution import Solution
from guesstree.engine.state import everything

from .assist import MOST_ADVISED, Assist
from .play import Play
from .progress import live
from .session.board import pad
from .session.prompt import Session


class InDoubt(Session):
    """A session whose positions count lies; `lies` is set before it is made."""

    lies: int

    def start(self, goal: str | None) -> Position:
        """Return the position before the first guess."""
        return Doubtful(self.game, self.lies, goal=goal)

    @property
    def now(self) -> Doubtful:
        """The position now."""
        position = self.position
        assert isinstance(position, Doubtful)
        return position

    def show_guesses(self, found: Sequence[Weighed]) -> None:
        """Show guesses with what they leave."""
        names = [self.board.guess(self.game.guesses[w.guess]) for w in found]
        width = max([5, *(len(click.unstyle(name)) for name in names)])
        click.echo(f"  {'guess':<{width}}    volume  most left  parts  class")
        for name, w in zip(names, found, strict=True):
            click.echo(
                f"  {pad(name, width)} {'*' if w.candidate else ' '}"
                f" {w.volume:>8}  {w.most:>9}  {w.parts:>5}  {w.equivalents:>5}"
            )


class DoubtfulAssist(InDoubt, Assist):
    """The user types responses of which some may be false; each turn is advised.

    Parameters
    ----------
    method: ``volume``, or ``exact``: the strategy of the exact search where it leads, else by volume.
    """

    def __init__(self, game: Game, goal: str | None, history: Sequence[Step], method: str, lies: int) -> None:
        if method not in ("volume", "exact"):
            raise GuesstreeError(f"method {method} with lies; accepted: volume, exact")
        self.lies = lies
        super().__init__(game, goal, history, "entropy")
        self.solution: Solution | None = None
        if method == "exact":
            with live() as progress:
                self.solution = solve(game, "worst", goal=goal, lies=lies, progress=progress)
            if self.solution.stopped == "interrupt":
                raise KeyboardInterrupt

    def advise(self) -> None:
        """Show what remains, which responses are in doubt, and the best guesses."""
        now = self.now
        count = len(now.candidates)
        self.show_doubts()
        if count == 1:
            self.default = now.best_guess() if self.again is None else self.again
            click.echo(f"1 candidate: it must be {self.board.guess(self.game.secrets[now.candidates[0]])}")
            return
        found = now.weigh()
        if not found:
            raise GuesstreeError(f"{self.game.spec}: no guess tells {count} candidates apart")
        by = "volume"
        if self.solution is not None and now.known.key in self.solution.choices:
            by, chosen = "exact", self.solution.choices[now.known.key]
            same = [w for w in found if now.classes[w.guess] == now.classes[chosen]]
            found = [*same, *(w for w in found if w not in same)]
        self.default = found[0].guess if self.again is None else self.again
        more = plural(now.least, "more guess")
        click.echo(
            f"{plural(count, 'candidate')}, at least {more}; best guesses by {by} (* may be the secret):"
        )
        self.show_guesses(found[:MOST_ADVISED])

    def show_doubts(self) -> None:
        """Say which responses may be false."""
        now = self.now
        count = len(now.candidates)
        doubts = [(number, many) for number, many in enumerate(now.doubts(), 1) if many]
        if not self.turns:
            return
        texts = [f"{n} (surely)" if many == count else f"{n} (for {many} of {count})" for n, many in doubts]
        click.echo(f"may be false: response {', '.join(texts)}" if texts else "no response is false")

    def suspects(self, step: Step) -> list[tuple[int, int]]:
        """Return the responses that explain a contradiction, with the candidates that they would leave."""
        return self.now.suspects(step)

    def finish(self) -> None:
        """Name the secret, the number of guesses, and the responses that were false."""
        super().finish()
        false = [str(number) for number, many in enumerate(self.now.doubts(), 1) if many]
        if false:
            click.echo(f"false: response {', '.join(false)}")


class DoubtfulPlay(InDoubt, Play):
    """The machine hides a secret and may give false responses, each with a chance of one in three."""

    def __init__(self, game: Game, goal: str | None, seed: int | None, lies: int) -> None:
        self.lies = lies
        super().__init__(game, goal, seed)

    def answer(self, guess: int) -> int:
        """Return the response to a guess: a false one is such as another secret would give."""
        truth = super().answer(guess)
        winning = self.position.problem.winning
        told = sum(super(DoubtfulPlay, self).answer(asked) != given for asked, given in self.position.history)
        if truth == winning or told >= self.lies or self.chance.randrange(3):
            return truth
        answers = self.position.problem.row(guess, everything(self.position.problem.secrets))
        others = [int(r) for r in np.unique(answers) if r not in (truth, winning)]
        return self.chance.choice(others) if others else truth

    def hint(self, _: str) -> None:
        """Show the best guess and what it would leave."""
        self.hints += 1
        best = self.now.best_guess()
        self.show_guesses([w for w in self.now.weigh() if w.guess == best])

    def comparison(self) -> str:
        """Return which responses were false."""
        history = enumerate(self.position.history, 1)
        false = [str(n) for n, (guess, given) in history if super(DoubtfulPlay, self).answer(guess) != given]
        return f"false: response {', '.join(false)}" if false else "no response was false"
