"""Questions about any sets of numbers: Huffman's codes, alphabetic trees, sets of few numbers, one lie."""

import heapq
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import log2

import pytest

from guesstree.api.strategy import strategy_of
from guesstree.engine.errors import GameError, SpaceError
from guesstree.engine.games.questions import Questions, how_many, partitions, question, range_partitions
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.trees.check import check

SHARES = "1/8+1/8+1/4+1/2"


def huffman(weights: list[int], answers: int) -> int:
    """Return the least sum of weight times depth of a tree with up to so many branches at each node."""
    heap = [*weights, *[0] * ((1 - len(weights)) % (answers - 1))]
    heapq.heapify(heap)
    total = 0
    while len(heap) > 1:
        joined = sum(heapq.heappop(heap) for _ in range(answers))
        heapq.heappush(heap, joined)
        total += joined
    return total


def garsia_wachs(weights: list[int]) -> int:
    """Return the least sum of weight times depth of an alphabetic binary tree (Garsia and Wachs 1977)."""
    row, total = list(weights), 0
    while len(row) > 1:
        at = next((i for i in range(len(row) - 2) if row[i] <= row[i + 2]), len(row) - 2)
        joined = row[at] + row[at + 1]
        del row[at : at + 2]
        before = next((i for i in range(at, 0, -1) if row[i - 1] >= joined), 0)
        row.insert(before, joined)
        total += joined
    return total


def alphabetic(weights: list[int], answers: int) -> int:
    """Return the same for up to so many branches, over all ways to cut intervals (Gilbert and Moore 1959)."""

    @cache
    def cut(low: int, high: int, parts: int) -> int:
        """Return the least sum for an interval cut into at most so many parts, each a tree."""
        if high - low == 1 or parts == 1:
            return tree(low, high)
        return min(
            cut(low, high, 1) if parts < answers else 10**9,
            *(tree(low, at) + cut(at, high, parts - 1) for at in range(low + 1, high)),
        )

    @cache
    def tree(low: int, high: int) -> int:
        if high - low == 1:
            return 0
        return sum(weights[low:high]) + min(
            tree(low, at) + cut(at, high, answers - 1) for at in range(low + 1, high)
        )

    return tree(0, len(weights))


def least(spec: str, objective: str = "expected") -> int:
    """Return the proven optimum of a game, whose tree the checker accepts."""
    game = parse(spec)
    solution = solve(game, objective)
    report = check(game, strategy_of(solution))
    assert solution.optimal and report.valid
    return solution.upper[0]


def spec_of(weights: list[int]) -> str:
    return "questions:" + "+".join(map(str, weights))


def some_weights(seed: int, most: int = 7) -> list[int]:
    draw = random.Random(seed)
    return [1, 2, *(draw.choice((1, 2, 3, draw.randrange(1, 60))) for _ in range(draw.randrange(most - 1)))]


def test_the_entropy_of_a_distribution_is_its_number_of_questions() -> None:
    game = parse(f"questions:{SHARES}")
    shares = list(map(Fraction, SHARES.split("+")))
    assert game.weights == (1, 1, 2, 4) and game.weight_unit == Fraction(1, 8)
    solution = solve(game)
    assert solution.optimal and solution.upper[0] * game.weight_unit == Fraction(7, 4)
    assert sum(share * -log2(share) for share in shares) == 7 / 4


@pytest.mark.parametrize(
    ("spec", "total", "worst"),
    [
        ("questions:8", 24, 3),
        ("questions:9,answers=3", 18, 2),
        ("questions:8,ranges", 24, 3),
        ("questions:6", 16, 3),
    ],
)
def test_numbers_that_are_equally_likely_take_a_logarithm(spec: str, total: int, worst: int) -> None:
    assert least(spec) == total
    assert least(spec, "worst") == worst


def test_logarithms_and_entropies_are_bounds_and_not_always_reached() -> None:
    """The thesis has them as the expected numbers of questions; other powers and weights take more."""
    assert least("questions:5,answers=3") == 8 > 5 * log2(5) / log2(3)
    assert least("questions:1+2+3") == 9 > log2(6) + 2 * log2(3) + 3 * log2(2)
    for n, answers in ((4, 2), (8, 2), (9, 3)):
        assert least(f"questions:{n},answers={answers}") == pytest.approx(n * log2(n) / log2(answers))


def test_one_question_about_cards_helps_as_much_as_any_other() -> None:
    """Kooi 2005: the chance to guess the card is the number of parts, here 2, divided by 52."""
    game = parse("questions:52,ranges")
    for guess in range(len(game.guesses)):
        sizes = Counter(game.respond(guess, secret) for secret in range(52)).values()
        assert sum(Fraction(size, 52) * Fraction(1, size) for size in sizes) == Fraction(2, 52)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("answers", [2, 3])
def test_the_search_finds_the_codes_of_huffman(seed: int, answers: int) -> None:
    weights = some_weights(seed)
    assert least(f"{spec_of(weights)},answers={answers}") == huffman(weights, answers)


@pytest.mark.parametrize("seed", range(4))
def test_sets_of_neighbours_make_alphabetic_trees(seed: int) -> None:
    weights = some_weights(seed, 10)
    assert least(f"{spec_of(weights)},ranges") == garsia_wachs(weights) == alphabetic(weights, 2)
    assert least(f"{spec_of(weights)},ranges,answers=3") == alphabetic(weights, 3)


@pytest.mark.parametrize(("n", "most"), [(5, 1), (7, 2), (9, 2), (9, 3), (10, 4)])
def test_sets_of_few_numbers_in_the_worst_case(n: int, most: int) -> None:
    """Katona 1973: as many of the largest sets as leave at most twice as many numbers, then halves."""
    sets = -(-n // most) - 2
    assert least(f"questions:{n},most={most}", "worst") == sets + (n - most * sets - 1).bit_length()


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_one_answer_may_be_false(n: int) -> None:
    """Pelc 1987: the least q with n (q + 1) <= 2^q, and n (q + 1) + q - 1 <= 2^q where n is odd."""
    q = next(q for q in range(20) if n * (q + 1) + (q - 1) * (n % 2) <= 2**q)
    solution = solve(parse(f"questions:{n}"), "worst", lies=1)
    assert solution.optimal and solution.upper[0] == q


def test_questions_are_counted_and_listed_once() -> None:
    for n, answers, most in product(range(2, 7), range(2, 6), range(1, 7)):
        every = {
            tuple({one: i for i, one in enumerate(dict.fromkeys(row))}[one] for one in row)
            for row in product(range(answers), repeat=n)
        }
        every = {row for row in every if max(row) and sum(row.count(one) > most for one in set(row)) < 2}
        assert list(partitions(n, answers, most)) == sorted(every)
        assert how_many(n, answers, most, ranges=False) == len(every)
        ranges = {row for row in every if all(a <= b for a, b in pairwise(row))}
        assert set(range_partitions(n, answers, most)) == ranges
        assert how_many(n, answers, most, ranges=True) == len(ranges)


def test_questions_are_typed_in_any_way() -> None:
    game = parse("questions:8")
    assert question([0, 1, 0, 0, 0, 1]) == "1,3-5|2,6"
    for text in ("5-8|1-4", "1-4", "1,2,3,4", " 4 3 2 1 ", "1-2,3-4|5,6-8", "5 - 8"):
        assert game.guesses[game.read_guess(text)] == "1-4|5-8"
    for text in ("1-9", "0", "4-1", "1-4|4-8", "1-8", "x", ""):
        with pytest.raises(GameError):
            game.read_guess(text)
    assert game.read_response("2", game.read_guess("1-4")) == 1


def test_too_many_questions_are_refused_before_they_are_listed() -> None:
    for spec in ("questions:40", "questions:255,answers=200", "questions:100,ranges,answers=6"):
        with pytest.raises(SpaceError, match=r"more than 1048576 questions; use fewer numbers"):
            parse(spec)
    assert len(parse("questions:200,ranges").guesses) == 199
    assert len(Questions([Fraction(1)] * 100, most=2).guesses) == 100 + 4950
