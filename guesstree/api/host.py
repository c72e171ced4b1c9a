"""`HostWins`: the shortest wins against a host who keeps the largest part, as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.game_source import Finder, Origin, find_game, table_data
from guesstree.engine.hosts.host import Host
from guesstree.engine.hosts.solve import solve_host as search
from guesstree.engine.hosts.wins import HostSolved
from guesstree.engine.notation import plural
from guesstree.engine.objective import EXPECTED
from guesstree.engine.problem import Problem
from guesstree.engine.search.deadline import Progress
from guesstree.engine.state import everything
from guesstree.engine.support import LARGEST
from guesstree.trees.export.output import check_ending, read_whole, write_whole
from guesstree.trees.tree import TreeError

FORMAT = "guesstree-wins/1"
ENDINGS = (".json", ".csv")
MOST_BYTES = 1 << 28
MOST_ROWS = 1_000_000
"""Wins that a CSV file lists."""
MOST_SHOWN = 10
"""Wins that are printed."""


def check_wins_file(path: str) -> None:
    """Raise TreeError for a file that is neither JSON nor CSV by its ending."""
    check_ending(path, ENDINGS)


class HostWins(HostSolved):
    """The shortest wins against a host who keeps the largest part; see `HostSolved`."""

    def __repr__(self) -> str:
        return f"HostWins({self.game.spec}, {self.figure()}, {plural(self.wins, 'win')})"

    def figure(self) -> str:
        """Return what a win takes, in words."""
        cost, guesses = self.upper
        asked = plural(guesses, self.game.look.guess)
        return f"{self.game.cost_text(cost)} paid in {asked}" if self.game.facts.priced else asked

    def bound(self) -> str:
        """Return what every win takes at least, in words."""
        cost, guesses = self.lower
        if self.game.facts.priced:
            return f"{self.game.cost_text(cost)} paid"
        return plural(guesses, self.game.look.guess)

    def lines(self) -> list[str]:
        """Return what was found as lines of text."""
        game = self.game
        said = "shortest, proven" if self.optimal else f"stopped by {self.stopped}"
        found = [f"{game.spec}: goal {self.goal}, against a host who keeps the largest part: {said}"]
        if self.optimal and not self.complete:
            found[0] += f"; stopped by {self.stopped} before all were listed"
        found.append(f"  won with {self.figure()}")
        if not self.optimal:
            found.append(f"  every win takes at least {self.bound()}")
        if game.budget is not None:
            found.append(f"  {self.within_budget()}")
        if self.complete:
            found.append(f"  {plural(self.wins, 'win')} of this kind, in {plural(len(self.states), 'state')}")
        for alike, steps in islice(self.listed(), MOST_SHOWN):
            times = f"  ({alike} alike)" if alike > 1 else ""
            found.append(f"  {self.steps_text(steps)}{times}")
        rows = sum(1 for _ in islice(self.listed(), MOST_SHOWN + 1))
        if rows > MOST_SHOWN:
            found.append("  ... (--out FILE.csv lists all, --out FILE.json their graph)")
        goal = "" if self.goal == game.facts.goals[0] else f" --goal {self.goal}"
        found.append(f"  the host who plays best: guesstree solve {game.spec}{goal} --objective worst")
        return found

    def within_budget(self) -> str:
        """Return whether a budget suffices, in words."""
        budget = self.game.budget
        assert budget is not None
        allowed = f"{self.game.cost_text(budget)} allowed"
        if self.upper[0] <= budget:
            return f"{allowed}: can be won"
        if self.lower[0] > budget:
            return f"{allowed}: cannot be won"
        return f"{allowed}: it is not known whether that can be won"

    def steps_text(self, steps: list[tuple[int, int]]) -> str:
        """Return guesses and responses as text."""
        game = self.game
        return "  ".join(f"{game.guesses[g]} {game.look.write(game.responses[r])}" for g, r in steps)

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data: the graph of wins with the number of ways from each state."""
        game = self.game
        table = table_data(game)
        return {
            "format": FORMAT,
            "game": game.spec,
            **({} if table is None else {"table": table}),
            "goal": self.goal,
            **self.parameters,
            "proven": self.optimal,
            "complete": self.complete,
            "cost": str(self.upper[0] * game.cost_unit),
            "guesses": self.upper[1],
            "lower": str(self.lower[0] * game.cost_unit),
            "wins": self.wins,
            "states": [
                {
                    "candidates": len(state.candidates),
                    "ways": count,
                    "asks": [
                        {
                            "guess": game.guesses[way.guess],
                            "response": game.responses[way.response],
                            "to": way.target,
                            **({"alike": way.alike} if way.alike > 1 else {}),
                        }
                        for way in state.ways
                    ],
                }
                for state, count in zip(self.states, self.counts, strict=True)
            ],
            "searched": self.searched,
            "evaluations": self.evaluations,
            "seconds": self.seconds,
            "stopped": self.stopped,
        }

    def as_csv(self) -> str:
        """Return a row for each win: for how many it stands, then guesses and responses in turn.

        Raises TreeError for more than a million.
        """
        file = io.StringIO()
        rows = csv.writer(file, lineterminator="\n")
        turns = range(1, self.upper[1] + 1)
        rows.writerow(["alike", *(f"{what} {n}" for n in turns for what in ("guess", "response"))])
        for number, (alike, steps) in enumerate(self.listed()):
            if number == MOST_ROWS:
                raise TreeError(f"more than {MOST_ROWS} wins to list; write their graph to a file .json")
            labels = [(self.game.guesses[g], self.game.responses[r]) for g, r in steps]
            rows.writerow([alike, *(label for step in labels for label in step)])
        return file.getvalue()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the wins as JSON or as CSV, by the ending; the file appears whole or not at all."""
        ending = check_ending(path, ENDINGS)
        text = self.as_csv() if ending == ".csv" else json.dumps(self.as_json(), indent=1) + "\n"
        write_whole(path, text.encode())


def solve_host(
    game: Game | str,
    *,
    goal: str | None = None,
    first: str | None = None,
    candidates_only: bool = False,
    symmetry: bool = True,
    time_limit: float | None = None,
    memory: int | None = None,
    jobs: int = 1,
    progress: Callable[[Progress], None] | None = None,
) -> HostWins:
    """Return all shortest wins against a host who keeps the largest part; see the engine's."""
    found = search(
        game,
        goal=goal,
        first=first,
        candidates_only=candidates_only,
        symmetry=symmetry,
        time_limit=time_limit,
        memory=memory,
        jobs=jobs,
        progress=progress,
    )
    return HostWins(**vars(found))


class WinsFile:
    """A file of wins, to be checked: every way is replayed against the host.

    Attributes
    ----------
    game, data: the game, and what the file says.
    other: what to say where its table is another one than that of the file; else empty.
    """

    def __init__(self, game: Game, data: dict[str, Any], other: str = "") -> None:
        self.game, self.data, self.other = game, data, other

    @classmethod
    def read(cls, path: str | os.PathLike[str], game: Game | None = None) -> WinsFile:
        """Read a file that `HostWins.write` wrote as JSON; raise TreeError for another one."""
        named, origin = f"{str(path)!r}", None if game is None else Origin(game)
        try:
            data = json.loads(read_whole(path, MOST_BYTES))
            if not isinstance(data, dict) or data.get("format") != FORMAT:
                raise ValueError
            if origin is None:
                origin = find_game(str(data["game"]), data.get("table"), Finder(Path(path).parent))
        except (TreeError, GameError) as error:
            raise TreeError(f"{named}: {error}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise TreeError(f"{named} is no file of wins as solve --maker largest writes it") from None
        return cls(origin.game, data, f"table: {origin.note}" if origin.other else "")

    def check(self) -> list[str]:
        """Replay every way through the file; return what is not as it is said to be, a line each."""
        if self.other:
            return [self.other]
        try:
            return self._wrong()
        except GuesstreeError as error:
            return [str(error)]
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            return ["expected states with candidates, ways and asks, as solve --maker largest writes them"]

    def _wrong(self) -> list[str]:
        game, data = self.game, self.data
        only = data.get("candidates_only", False)
        first = data.get("first")
        problem = Problem(
            game, EXPECTED, goal=data["goal"], candidates_only=only, first=first, by_guess=False
        )
        if data.get("maker") != LARGEST:
            return [f"maker {data.get('maker')!r}; expected {LARGEST!r}"]
        return Replay(problem, data).wrong()

    def as_json(self) -> dict[str, Any]:
        """Return what the file is about as plain data."""
        names = ("goal", "maker", "cost", "guesses", "wins", "proven", "complete")
        return {"game": self.game.spec, **{name: self.data.get(name) for name in names}}


class Replay:
    """The ways of a file, replayed against the host from the state of all secrets."""

    def __init__(self, problem: Problem, data: dict[str, Any]) -> None:
        self.problem, self.data, self.host = problem, data, Host(problem)
        self.states = data["states"]
        self.guesses = {label: i for i, label in enumerate(problem.game.guesses)}
        self.classes = None if problem.classes is None else problem.classes(())
        self.counts: dict[int, int] = {}
        self.met: dict[int, tuple[bytes, tuple[int, int]]] = {}

    def wrong(self) -> list[str]:
        """Return what is not as the file says, a line each; the first thing ends it."""
        data, game, rules = self.data, self.problem.game, self.problem.rules
        needs = None if rules is None else rules.start
        waiting = [(0, everything(self.problem.secrets), needs, (0, 0))]
        order = []
        for number, candidates, needs, paid in waiting:
            key = candidates.tobytes() + (b"" if needs is None else needs.tobytes())
            if number in self.met:
                if self.met[number] != (key, paid):
                    return [f"state {number}: the ways to it lead to different states, or pay differently"]
                continue
            self.met[number] = key, paid
            order.append(number)
            state = self.states[number]
            if state["candidates"] != len(candidates):
                return [f"state {number}: {len(candidates)} candidates; the file says {state['candidates']}"]
            if not state["asks"] and not self.problem.finished(candidates):
                return [f"state {number}: nothing is asked, and {len(candidates)} candidates are left"]
            if not state["asks"] and (data["cost"], data["guesses"]) != ("0", 0):
                return [f"a win takes no guess; the file says {data['guesses']}, which cost {data['cost']}"]
            may = set(self.problem.allowed(candidates, needs).tolist())
            if number == 0 and self.problem.first is not None:
                may &= {self.problem.first}
            for ask in state["asks"]:
                guess = self.guesses.get(ask["guess"])
                if guess is None or guess not in may:
                    return [f"state {number}: {ask['guess']!r} may not be asked"]
                answer, left = self.host.answer(guess, candidates)
                if game.responses[answer] != ask["response"]:
                    said = f"the host answers {game.responses[answer]!r}; the file says {ask['response']!r}"
                    return [f"state {number}: to {ask['guess']!r} {said}"]
                if wrong := self._alike(number, guess, ask.get("alike", 1)):
                    return [wrong]
                cost = int(self.problem.costs[guess, answer]) if game.facts.priced else 1
                now = paid[0] + cost, paid[1] + 1
                won = answer == self.problem.winning or self.problem.finished(left)
                if won != (ask["to"] == -1):
                    return [f"state {number}: {ask['guess']!r} {'ends' if won else 'does not end'} the game"]
                if won and (str(now[0] * game.cost_unit), now[1]) != (data["cost"], data["guesses"]):
                    return [f"a win takes {now[1]} guesses and costs {now[0] * game.cost_unit}"]
                if not won:
                    if not 0 < ask["to"] < len(self.states) or len(left) == len(candidates):
                        return [f"state {number}: {ask['guess']!r} leads nowhere"]
                    below = None if rules is None or needs is None else rules.after(needs, guess, answer)
                    waiting.append((ask["to"], left, below, now))
        return self._counted(order)

    def _alike(self, number: int, guess: int, alike: object) -> str:
        """Return what is wrong with how many guesses one stands for."""
        many = 1
        if number == 0 and self.classes is not None and self.problem.first is None:
            many = int((self.classes == self.classes[guess]).sum())
        return "" if alike in (1, many) else f"state {number}: one guess stands for {alike}; expected {many}"

    def _counted(self, order: list[int]) -> list[str]:
        """Return whether the numbers of ways are those of the graph."""
        counts = {-1: 1}
        for number in sorted(order, key=lambda one: self.states[one]["candidates"]):
            asks = self.states[number]["asks"]
            counts[number] = sum(counts[a["to"]] * a.get("alike", 1) for a in asks) if asks else 1
            if counts[number] != self.states[number]["ways"]:
                return [f"state {number}: {counts[number]} ways; the file says {self.states[number]['ways']}"]
        if counts[0] != self.data["wins"]:
            return [f"{counts[0]} wins; the file says {self.data['wins']}"]
        return []
