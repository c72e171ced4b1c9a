"""`guesstree demo`."""

from __future__ import annotations

import click

from guesstree.engine.advice.playing import play_against, position_of
from guesstree.engine.advice.position import Position, paid_for
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.notation import plural
from guesstree.present.turns import turn_of

from .session.advisor import draw_option, follow, hire, method_option, require_followed, strategy_option
from .session.board import Board
from .session.many import CONSTRUCTIVE, show_game
from .tools.group import OBJECTIVE, Command, option
from .tools.options import (
    candidates_only_option,
    first_option,
    game_argument,
    goal_option,
    json_option,
    make_game,
)
from .tools.screen import echo
from .tools.text import print_json


@click.command(
    "demo", cls=Command, epilog="Example: guesstree demo mastermind:4x6 --secret 1234 --method max-part"
)
@game_argument
@option(OBJECTIVE, "--secret", required=True, metavar="SECRET", help="The hidden secret.")
@method_option("--method", "Who guesses")
@strategy_option
@draw_option
@first_option
@candidates_only_option
@goal_option
@json_option
def command(
    spec: str,
    secret: str,
    method: str | None,
    followed: str | None,
    seed: int | None,
    first: str | None,
    candidates_only: bool,
    goal: str | None,
    as_json: bool,
) -> None:
    """Print one game of GAME: each guess, its response, and the candidates before and after."""
    require_followed(followed, seed)
    if method == CONSTRUCTIVE and followed is None:
        if first is not None or candidates_only:
            asked = "--candidates-only" if first is None else f"--first {first!r}"
            raise GuesstreeError(f"{asked} does not go with the method {CONSTRUCTIVE}; use another method")
        show_game(spec, secret, goal, as_json=as_json)
        return
    game = make_game(spec)
    game.secret_index(secret)  # refused before the search
    opening = None if first is None else game.read_guess(first)
    if followed is None:
        goal = goal or game.facts.goals[0]
        advisor = hire(game, method, goal=goal, first=first, candidates_only=candidates_only)
        by = f"method {advisor.method}"
    else:
        unfit = {"--method": method, "--first": first, "--candidates-only": candidates_only}
        advisor = follower = follow(game, followed, goal, seed, unfit)
        goal, by = follower.drawn.mixture.goal, follower.drawn.words

    def choose(position: Position) -> int:
        return advisor.best(position) if position.history or opening is None else opening

    turns = play_against(game, secret, choose, goal=goal)
    positions = [position_of(game, goal=goal)]
    for guess, response in turns:
        positions.append(positions[-1].after(game.guess_index(guess), game.response_index(response)))
    counts = [len(position.candidates) for position in positions]
    if as_json:
        steps = [turn_of(position).as_json() for position in positions[1:]]
        data = {"game": game.spec, "goal": goal}
        print_json(data | {"secret": secret, "method": advisor.method, "steps": steps, "guesses": len(steps)})
        return
    board = Board(game)
    if candidates_only:
        by += ", candidates only"
    elif followed is None and opening is None and method is None and positions[0].opening:
        by = f"a proven opening, then {by}"
    echo(f"{game.spec}: goal {goal}, {game.look.secret} {board.guess(secret)}, {by}")
    for before, position in zip(counts[:-1], positions[1:], strict=True):
        after = plural(len(position.candidates), "candidate")
        echo(board.turn(turn_of(position), f"{before} -> {after}"))
    paid = f", {game.cost_text(paid_for(game, turns))} paid" if game.facts.priced else ""
    echo(plural(len(turns), game.look.guess) + paid)
