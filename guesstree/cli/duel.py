"""`guesstree duel`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import click

from guesstree.engine.advice.position import Position, require_new
from guesstree.engine.advice.turns import guess_typed
from guesstree.engine.duel.chances import Chances, Duel, Opponent, Weighed
from guesstree.engine.duel.values import Tie
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.notation import plural, plurals
from guesstree.trees.export.labels import plain

from .session.prompt import Prompt, some_guesses
from .tools.group import OBJECTIVE, Command, option
from .tools.options import game_argument, goal_option, json_option, make_game
from .tools.screen import echo
from .tools.text import print_json

MOST_SHOWN = 5
"""Guesses that are listed."""


def share(chance: float) -> str:
    """Return a chance in percent."""
    return f"{100 * chance:.2f} %"


def chance_lines(game: Game, duel: Duel, chances: Chances) -> list[str]:
    """Return the chances of both as lines, and the best guesses."""
    mine, theirs = (len(position.candidates) for position in (duel.mine, duel.theirs))
    lines = [f"candidates: {mine} for you, {theirs} for them"]
    if chances.exact:
        lost = max(1 - chances.win - chances.draw, 0.0)
        lines.append(
            f"you win {share(chances.win)}, draw {share(chances.draw)}, they win {share(lost)}: "
            f"{share(chances.lower)} for you with half of the draws"
        )
    else:
        bounds = f"{share(chances.lower)} to {share(chances.upper)}"
        lines.append(f"for you with half of the draws: {bounds}, too many states for more")
    if not chances.guesses:
        return lines
    labels = [plain(game.guesses[one.guess]) for one in chances.guesses[:MOST_SHOWN]]
    width = max(len(game.look.guess), *map(len, labels))
    lines.append(f"  {game.look.guess:<{width}}   chance      win     draw  expected")
    for label, one in zip(labels, chances.guesses, strict=False):
        expected = "" if one.expected != one.expected else f"{one.expected:.4f}"
        figures = "  ".join(f"{100 * part:6.2f}%" for part in (one.value, one.win, one.draw))
        lines.append(f"  {label:<{width}}  {figures}  {expected:>8}".rstrip())
    more = len(chances.guesses) - MOST_SHOWN
    if more > 0:
        lines.append(f"  ... {more} more")
    best, fewest = chances.guesses[0], chances.fewest
    if fewest is not None and best.value - fewest.value > 1e-9:
        lines.append(
            f"{labels[0]} wins more often than {plain(game.guesses[fewest.guess])}, which has the fewest "
            f"expected {plurals(game.look.guess)}: {share(best.value)} to {share(fewest.value)}"
        )
    return lines


def weighed_data(game: Game, one: Weighed) -> dict[str, Any]:
    """Return a guess with its chances as plain data."""
    expected = None if one.expected != one.expected else one.expected
    label = game.guesses[one.guess]
    return {"guess": label, "value": one.value, "win": one.win, "draw": one.draw, "expected": expected}


class DuelSession(Prompt):
    """Both hide a secret and ask in turn; the user types what happens on both sides."""

    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help",
        "undo": "take back the last guess",
        "quit": "stop",
    }

    def __init__(self, mine: Position, theirs: Position, **how: Any) -> None:
        self.how = how
        self.duels = [Duel(mine, theirs, **how)]
        self.look, self.game = mine.game.look, mine.game
        self.asked: int | None = None
        self.known: tuple[int, Chances] | None = None

    @property
    def duel(self) -> Duel:
        """The duel as it is."""
        return self.duels[-1]

    @property
    def chances(self) -> Chances:
        """What the user may expect now."""
        if self.known is None or self.known[0] != len(self.duels):
            self.known = len(self.duels), self.duel.chances()
        return self.known[1]

    @property
    def about(self) -> str:
        """What may be typed."""
        return (
            f"Type the {self.look.guess} asked, {some_guesses(self.game)}, then its {self.look.response}. Or:"
        )

    @property
    def turns(self) -> int:
        """How many guesses of the user have their response."""
        return len(self.duel.mine.history)

    @property
    def finished(self) -> bool:
        """Whether it is decided."""
        return self.duel.result is not None

    def begin(self) -> None:
        """Say what is played."""
        who = "you ask" if self.duel.first else "they ask"
        tie = "a tie is a draw" if self.duel.tie == "draw" else "who asks first wins a tie"
        echo(f"{self.game.spec}: {who} first, {tie} (? for help)")

    def prompt(self) -> str:
        """Show the chances where they are new, and return whose turn it is."""
        who, whose = ("your", "their") if self.duel.my_turn else ("their", "your")
        if self.asked is not None:
            return f"{whose} {self.look.response} to {plain(self.game.guesses[self.asked])}: "
        if self.known is None or self.known[0] != len(self.duels):
            for line in chance_lines(self.game, self.duel, self.chances):
                click.echo(line)
        best = f" [{plain(self.game.guesses[self.chances.guesses[0].guess])}]" if self.chances.guesses else ""
        position = self.duel.mine if self.duel.my_turn else self.duel.theirs
        return f"{who} {self.look.guess} {len(position.history) + 1}{best}: "

    def expected(self) -> Sequence[str]:
        """Return the guesses, or the responses to the one that was asked."""
        return self.game.guesses if self.asked is None else self.game.responses

    def enter(self, text: str) -> None:
        """Take a guess, or the response to it."""
        mine, theirs = self.duel.mine, self.duel.theirs
        position = mine if self.duel.my_turn else theirs
        if self.asked is None:
            if not text and not self.chances.guesses:
                raise GuesstreeError(f"type the {self.look.guess} that they asked, {some_guesses(self.game)}")
            asked = guess_typed(self.game, text) if text else self.chances.guesses[0].guess
            require_new(self.game, position.history, asked, 0)
            self.asked = asked
            return
        after = position.after(self.asked, position.read_response(text, self.asked))
        both = (after, theirs) if self.duel.my_turn else (mine, after)
        self.duels.append(Duel(*both, **self.how))
        self.asked = None

    def undo(self, _: str) -> None:
        """Take back the guess just typed, or the last one with its response."""
        if self.asked is not None:
            self.asked = None
        elif len(self.duels) > 1:
            self.duels.pop()
        else:
            raise GuesstreeError("nothing to undo")
        self.known = None

    def finish(self) -> None:
        """Say how it ended."""
        mine, theirs = (plural(len(p.history), self.look.guess) for p in (self.duel.mine, self.duel.theirs))
        result = {1.0: "you win", 0.5: "a draw", 0.0: "they win"}[self.duel.result or 0.0]
        echo(f"{result}: {mine} of yours, {theirs} of theirs")

    def as_data(self) -> dict[str, Any]:
        """Return the chances and the guesses as plain data."""
        chances, duel = self.chances, self.duel
        data: dict[str, Any] = {"game": self.game.spec, "first": duel.first, "tie": duel.tie}
        data |= {"opponent": duel.opponent, "your_turn": duel.my_turn, "result": duel.result}
        data |= {"lower": chances.lower, "upper": chances.upper, "exact": chances.exact}
        if chances.exact:
            data |= {"win": chances.win, "draw": chances.draw}
        fewest = chances.fewest
        data["fewest"] = None if fewest is None else self.game.guesses[fewest.guess]
        return data | {"guesses": [weighed_data(self.game, one) for one in chances.guesses]}


@click.command("duel", cls=Command, epilog='Example: guesstree duel mastermind:3x4 --mine "112:1,0" --second')
@game_argument
@option(OBJECTIVE, "--mine", default="", metavar='"GUESS:RESPONSE ..."', help="Your guesses so far.")
@option(OBJECTIVE, "--theirs", default="", metavar='"GUESS:RESPONSE ..."', help="Their guesses so far.")
@option(OBJECTIVE, "--second", is_flag=True, help="They ask first in each round; else you do.")
@option(
    OBJECTIVE,
    "--opponent",
    type=click.Choice(["fewest", "best"]),
    default="fewest",
    show_default=True,
    help="fewest: they follow a strategy with the fewest expected guesses; best: they play the duel best.",
)
@option(
    OBJECTIVE,
    "--tie",
    type=click.Choice(["draw", "first"]),
    default="draw",
    show_default=True,
    help="What it is if both end in the same round: a draw, or won by who asks first.",
)
@goal_option
@json_option
def command(
    spec: str,
    mine: str,
    theirs: str,
    second: bool,
    opponent: Opponent,
    tie: Tie,
    goal: str | None,
    as_json: bool,
) -> None:
    """Advise in a duel of GAME: both hide a secret and ask in turn, and who needs fewer guesses wins.

    Each turn shows the chance of both to win from here, and the guess that maximises it beside the one with
    the fewest expected guesses: exact where all states can be listed, else bounds from both sides. You type
    the guesses and responses of both. With --json it asks nothing.
    """
    game = make_game(spec)
    both = Position(game, mine, goal=goal), Position(game, theirs, goal=goal)
    session = DuelSession(*both, first=not second, opponent=opponent, tie=tie)
    if as_json:
        print_json(session.as_data())
    else:
        session.play()
