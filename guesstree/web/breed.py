"""Random breakers: drawn anew at each click, reshaped, evolved; a population with its histogram.

The address of a page says all of it, so nothing is kept: whoever opens it sees the same trees.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from guesstree.engine.errors import shown
from guesstree.trees.breed.breakers import STAGES
from guesstree.trees.language import preferred

from .pages import show_page
from .pool import Refused
from .results import SECONDS
from .work.breeding import IN_VIEW, MOST_DRAWN, bred, evolved, fitness_bins, spread, tree_drawn, tree_figures

MOST_SIZE, MOST_GENERATIONS, MOST_SEED = 200, 500, 2**32 - 1
USUAL_SIZE = 20
"""Breakers of a population, unless another number is asked for."""
STEP = 10
"""Generations of a click."""
REMEMBERED = 32
"""States of evolutions that the server remembers, the last used ones."""
STAGES_CALLED = {STAGES[0]: "As drawn", STAGES[1]: "Shrunk", STAGES[2]: "Triangles folded"}


@dataclass(frozen=True)
class Asked:
    """What the address of a page asks for.

    Attributes
    ----------
    game: the spec.
    seed: of the population.
    size: breakers in it.
    at: which of them is shown, from 1.
    stage: one of `STAGES`.
    generations: how long they have evolved; -1: not at all.
    """

    game: str
    seed: int
    size: int = 1
    at: int = 1
    stage: str = STAGES[0]
    generations: int = -1

    def link(self, page: str = "/breed", **changes: Any) -> str:
        """Return the address of a page, with some of it changed."""
        return f"{page}?{urlencode(asdict(replace(self, **changes)))}"

    @property
    def which(self) -> tuple[str, int, int]:
        """What tells populations apart."""
        return self.game, self.size, self.seed


def _wanted(request: Request) -> Asked:
    """Return what an address asks for; raise Refused for what cannot be."""
    given = request.query_params
    evolves = "generations" in given and given["generations"] != "-1"
    size = _number(given, "size", 1 + evolves, MOST_SIZE, USUAL_SIZE if evolves else 1)
    stage = given.get("stage", STAGES[0])
    if stage not in STAGES:
        raise Refused(f"stage {shown(stage)}; expected {', '.join(STAGES)}")
    return Asked(
        given["game"],
        _number(given, "seed", 0, MOST_SEED, -1),
        size,
        _number(given, "at", 1, size, 1),
        stage,
        _number(given, "generations", 0, MOST_GENERATIONS, -1) if evolves else -1,
    )


def _number(given: Any, name: str, least: int, most: int, usual: int) -> int:
    text = given.get(name, "")
    if not text:
        return usual
    if not (text.isascii() and text.isdecimal() and len(text) <= 10 and least <= int(text) <= most):
        raise Refused(f"{name} {shown(text)}; expected a whole number from {least} to {most}")
    return int(text)


async def _state(request: Request, wanted: Asked) -> dict[str, Any] | None:
    """Return the state of an evolution, from the latest that is remembered and not beyond; None: no such."""
    if wanted.generations < 0:
        return None
    state = request.app.state
    known: OrderedDict[tuple[Any, ...], dict[str, Any]] = state.bred
    own = (*wanted.which, wanted.generations)
    if own not in known:
        earlier = [key for key in known if key[:3] == wanted.which and key[3] < wanted.generations]
        begin = known[max(earlier, key=lambda key: key[3])] if earlier else None
        if begin is not None and begin["ended"]:
            return begin
        found = await state.pool.ask(evolved, state.store.path, *wanted.which, wanted.generations, begin)
        own = (*wanted.which, found["generation"])
        known[own] = found
    known.move_to_end(own)
    while len(known) > REMEMBERED:
        known.popitem(last=False)
    return known[own]


def _tree(request: Request, wanted: Asked, state: Any) -> tuple[Any, ...]:
    """Return what says which tree is meant, see `breeding.tree_drawn`."""
    return (request.app.state.store.path, wanted.game, wanted.seed, wanted.at - 1, wanted.stage, state)


async def _show(request: Request) -> Response:
    spec = request.query_params.get("game", "")
    if not spec:
        return RedirectResponse("/?then=breed", 303)
    wanted = _wanted(request)
    if wanted.seed < 0:  # so that the address says which breaker it is
        return RedirectResponse(replace(wanted, seed=secrets.randbelow(MOST_SEED + 1)).link(), 303)
    pool, store = request.app.state.pool, request.app.state.store
    population = await pool.ask(bred, store.path, *wanted.which)
    state = await _state(request, wanted)
    if state is not None and state["generation"] != wanted.generations:  # time was up, or it has ended
        return RedirectResponse(replace(wanted, generations=state["generation"]).link(), 303)
    lines, begin = await pool.ask(tree_figures, *_tree(request, wanted, state))
    totals = population["totals"][wanted.stage] if state is None else state["totals"]
    fitness = [total / population["each"] for total in totals]
    bins = fitness_bins(fitness)
    rows = [(STAGES_CALLED[stage], figures) for stage, figures in population["figures"].items()]
    if state is not None:
        rows.append((f"Generation {state['generation']}", spread(fitness)))
    values = {
        "title": f"Random breakers for {population['title']}",
        "wanted": wanted,
        "population": population,
        "look": population["look"],
        "lines": lines,
        "begin": begin,
        "own": f"{fitness[wanted.at - 1]:.4f}",
        "bins": bins,
        "most": max(many for _, many in bins),
        "rows": rows,
        "generation": -1 if state is None else state["generation"],
        "links": _links(wanted, state),
        "stages": [
            (stage, called, wanted.link(stage=stage, generations=-1))
            for stage, called in STAGES_CALLED.items()
        ],
        "most_size": MOST_SIZE,
        "usual_size": wanted.size if wanted.size > 1 else USUAL_SIZE,
    }
    return show_page(request, "breed.html", values)


def _links(wanted: Asked, state: Any) -> dict[str, str]:
    """Return where the buttons lead; empty where a button does nothing."""
    at, size, done = wanted.at, wanted.size, wanted.generations
    ended = done >= MOST_GENERATIONS or (state is not None and state["ended"])
    grown = max(size, 2) if size > 1 else USUAL_SIZE
    return {
        "new": wanted.link(seed=secrets.randbelow(MOST_SEED + 1), at=1, generations=-1),
        "picture": wanted.link("/breed/tree.svg"),
        "view": f"{wanted.link('/breed/tree.svg')}&nodes={IN_VIEW}",
        "previous": wanted.link(at=at - 1 if at > 1 else size) if size > 1 else "",
        "next": wanted.link(at=at % size + 1) if size > 1 else "",
        "shape": wanted.link(stage=STAGES[2] if wanted.stage == STAGES[0] else STAGES[0], generations=-1),
        "evolve": ""
        if ended
        else wanted.link(
            size=grown, at=1, stage=STAGES[2], generations=min(max(done, 0) + STEP, MOST_GENERATIONS)
        ),
        "watch": "" if ended else wanted.link(size=grown, at=1, stage=STAGES[2], generations=done + 1),
    }


async def _picture(request: Request) -> Response:
    """Send the tree that an address asks for as a picture, of so many nodes at most."""
    if not request.query_params.get("game"):
        raise Refused("no game was named; expected one, such as game=mastermind:3x3")
    wanted, app = _wanted(request), request.app.state
    most = _number(request.query_params, "nodes", 1, MOST_DRAWN, MOST_DRAWN)
    language = app.language or preferred(request.headers.get("accept-language", ""))
    which = _tree(request, replace(wanted, seed=max(wanted.seed, 0)), await _state(request, wanted))
    data = await app.draw_pool.ask(tree_drawn, language, most, *which, seconds=SECONDS)
    return Response(data, media_type="image/svg+xml", headers={"cache-control": "max-age=600"})


ROUTES = [Route("/breed", _show), Route("/breed/tree.svg", _picture)]
