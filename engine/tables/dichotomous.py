"""Tables whose tests are asked by questions of two answers: strictly dichotomous keys.

A test is a character, its answers are states. A question says in which of two groups of states the object is
(`characters`), and a strategy may ask about the same character again, in other groups. Each question costs
what the test costs. How probable answers are, and which questions may be asked where, says `noisy.splits`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..errors import GameError, shown
from ..game import MOST_RESPONSES
from ..noisy.integer_model import bits
from ..noisy.model import Model
from ..noisy.splits import Characters, Split, between, parted
from .characters import Character, states_in
from .noisy import NoisyTable
from .table import Content

MOST_QUESTIONS = 10_000
"""Of a table; they are listed."""


def characters_of(content: Content) -> list[Character]:
    """Return the tests of a table with their states."""
    found = []
    for guess, row, order in zip(content.guesses, content.cells, content.orders, strict=True):
        # Groups name states in the order of the format, as leads do.
        states = states_in(row, sets=content.sets)
        own = content.detail.states.get(guess, ())
        first = [state for state in own if state in states]
        found.append(Character(guess, order or (*first, *(s for s in states if s not in own)), bool(order)))
    return found


def require_dichotomous(spec: str, content: Content) -> None:
    """Raise GameError for what does not go with questions of two answers."""
    beside = {
        f"a winning response {content.win!r}": content.win is not None,
        "groups of tests": content.groups,
        "tests that wait for others": content.after,
        f"ends={content.ends}": content.ends,
        f"failures={content.failures}": content.failures,
    }
    odd = next((what for what, there in beside.items() if there), "")
    if odd:
        raise GameError(f"{spec}: dichotomous with {odd}; expected one without the other")


def question_label(character: Character, names: Sequence[str]) -> str:
    """Return the label of a question: that of its character, and the answers, unless it is the only one."""
    return character.label if len(character.states) == 2 else f"{character.label}: {' / '.join(names)}"


def require_few(spec: str, characters: Sequence[Character], many: Sequence[int]) -> None:
    """Raise GameError where the tests have too many questions, so many each."""
    if sum(many) > MOST_QUESTIONS:
        one = characters[max(range(len(many)), key=many.__getitem__)]
        way = "classes of them (bins, cuts)" if one.ordered else f"their order, order={one.label}:A;B;C"
        raise GameError(
            f"{spec}: {shown(one.label)} has {len(one.states)} answers, which {max(many)} questions part in "
            f"two; expected at most {MOST_QUESTIONS} in all: fewer answers, or {way}"
        )


@dataclass(frozen=True)
class Question:
    """A question of two answers: its character by number, its label, what it is about, and its answers."""

    character: int
    label: str
    within: int
    parts: Mapping[str, int]


class SplitTable(NoisyTable):
    """A table asked by questions of two answers, of which a cause may give both; see `noisy.splits`.

    Each question names the states that are still possible, and no others. Raises GameError as `NoisyTable`.
    """

    def __init__(self, spec: str, content: Content) -> None:
        require_dichotomous(spec, content)
        self.spec, self.look, self._content = spec, content.look, content
        self.cost_unit, self.weight_unit = content.cost_unit, content.weight_unit
        self.secrets, self.decisions, self.classes = content.secrets, content.decisions, content.classes
        self.winning = None
        drawn = characters_of(content)
        rows = [self._row(*one) for one in zip(content.guesses, content.cells, strict=True)]
        units = [alike_states(one, row) for one, row in zip(drawn, rows, strict=True)]
        known = Characters(
            tuple(content.guesses),
            tuple(
                tuple(_by_unit(cell, one, some) for cell in row)
                for one, some, row in zip(drawn, units, rows, strict=True)
            ),
            tuple(one.ordered for one in drawn),
            tuple((1 << len(some)) - 1 for some in units),
        )
        require_few(
            spec, drawn, [_many(len(some), one.ordered) for one, some in zip(drawn, units, strict=True)]
        )
        asked = list(_questions(known, drawn, units))
        if not asked:
            raise GameError(f"{spec}: no test has two answers; expected one that tells something")
        self.guesses = tuple(one.label for one in asked)
        self.topics = tuple(content.guesses[one.character] for one in asked)
        self.responses = tuple(dict.fromkeys(name for one in asked for name in one.parts))
        if len(self.responses) > MOST_RESPONSES:
            raise GameError(
                f"{spec}: {len(self.responses)} different answers; expected at most {MOST_RESPONSES}"
            )
        costs = content.costs or (1,) * len(content.guesses)
        prices = tuple(costs[one.character] for one in asked)
        self._set_numbers(None if content.costs is None else prices)
        number = {name: i for i, name in enumerate(self.responses)}
        splits = [
            Split(one.character, one.within, {number[name]: part for name, part in one.parts.items()})
            for one in asked
        ]
        causes = range(len(content.secrets))
        self.model = Model(
            chances=tuple(tuple(_chances(known, split, cause) for cause in causes) for split in splits),
            weights=tuple(content.weights or (1,) * len(self.secrets)),
            prices=prices,
            cliques=content.cliques,
            losses=content.losses or None,
            characters=known,
            splits=tuple(splits),
        )


def alike_states(character: Character, row: Sequence[Mapping[str, Fraction]]) -> list[list[int]]:
    """Return the states of a character, those together that need not be told apart; in order.

    These are states whose probabilities are in one ratio for all causes; where there is an order, neighbours.

    *Proof.* Which of them it is says nothing of the cause. Of a strategy that tells two apart take the two
    that treat both as the first, and both as the second. The first costs for each cause what those pay that
    show the first state, for all that show either, the second likewise; what the strategy costs lies between
    the two, and their questions are allowed, too. In the worst case both pay no more.
    """
    found: list[list[int]] = []
    place: dict[object, int] = {}
    last: object = None
    for i, state in enumerate(character.states):
        column = [cell.get(state, Fraction(0)) for cell in row]
        total = sum(column)
        key = tuple(p / total for p in column) if total else ()
        if key in place and (not character.ordered or key == last):
            found[place[key]].append(i)
        else:
            place[key] = len(found)
            found.append([i])
        last = key
    return found


def _by_unit(
    cell: Mapping[str, Fraction], character: Character, units: Sequence[Sequence[int]]
) -> dict[int, Fraction]:
    """Return how likely a cell shows the states of each unit that it may show."""
    sums = [sum((cell.get(character.states[s], Fraction(0)) for s in unit), Fraction(0)) for unit in units]
    return {unit: p for unit, p in enumerate(sums) if p}


def _many(units: int, ordered: bool) -> int:
    """Return how many questions there are about so many states."""
    if ordered:
        return (units - 1) * units * (units + 1) // 6
    return (3**units - 2 ** (units + 1) + 1) // 2


def _questions(
    known: Characters, drawn: Sequence[Character], units: Sequence[Sequence[Sequence[int]]]
) -> Iterator[Question]:
    """Yield all questions of two answers that tell something of the causes that they are about."""
    causes = range(len(known.shown[0]) if known.shown else 0)
    for number, (one, some) in enumerate(zip(drawn, units, strict=True)):
        for within in _abouts(len(some), ordered=one.ordered):
            if len({known.given(number, cause, within) for cause in causes} - {()}) < 2:
                continue
            for pair in parted(within, ordered=one.ordered):
                names = [one.called(sorted(s for unit in bits(part) for s in some[unit])) for part in pair]
                yield Question(
                    number, question_label(one, names), within, dict(zip(names, pair, strict=True))
                )


def _abouts(units: int, *, ordered: bool) -> list[int]:
    """Return what questions may be about, where there are so many states."""
    if ordered:
        return sorted(between(1 << low | 1 << high) for low in range(units) for high in range(low + 1, units))
    return [within for within in range(1 << units) if within & (within - 1)]


def _chances(known: Characters, split: Split, cause: int) -> dict[int, Fraction]:
    """Return how likely each answer is for a cause that shows one of the states; for others, the first."""
    whole = known.chance(split.character, cause, split.within)
    if not whole:
        return {next(iter(split.parts)): Fraction(1)}
    each = {
        answer: known.chance(split.character, cause, part) / whole for answer, part in split.parts.items()
    }
    return {answer: chance for answer, chance in each.items() if chance}
