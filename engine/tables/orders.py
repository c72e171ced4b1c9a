"""Which answers of a test are in order, so that questions of two answers cut there; see `characters`."""

from __future__ import annotations

from ..errors import GameError, shown
from .characters import in_order, order_of, states_in
from .options import NO_ORDER, How
from .table import Content


def orders_of(content: Content, how: How) -> tuple[tuple[str, ...], ...]:
    """Return for each test of a table its answers in order, or none, see `Content.orders`.

    Raises GameError for an order that leaves out an answer, and for one of no test.
    """
    said = dict(how.order)
    odd = next((test for test in said if test and test not in content.guesses), None)
    if odd is not None:
        raise GameError(f"no test is labelled {shown(odd)}; expected the test of order=")
    found = []
    for guess, row in zip(content.guesses, content.cells, strict=True):
        states = states_in(row, sets=content.sets)
        if guess in said:
            found.append(in_order(guess, states, said[guess]))
        else:
            found.append(() if "" in said else order_of(guess, states))
    return tuple(found)


def order_option(content: Content) -> str:
    """Return the options that say which answers of a table are in order, see `orders_of`."""
    plain = [
        order_of(guess, states_in(row, sets=content.sets))
        for guess, row in zip(content.guesses, content.cells, strict=True)
    ]
    none = any(usual and not order for usual, order in zip(plain, content.orders, strict=True))
    said = [
        f"order={guess}:{';'.join(order)}"
        for guess, order, usual in zip(content.guesses, content.orders, plain, strict=True)
        if order and (none or order != usual)
    ]
    return ",".join(["dichotomous", *([f"order={NO_ORDER}"] if none else []), *said])
