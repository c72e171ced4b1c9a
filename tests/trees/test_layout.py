import random
from itertools import pairwise

from guesstree.trees.export.book import DEEPEST_MARK, Contents
from guesstree.trees.export.layout import GAP, Shape, pack, paginate, place, tidy, unbroken


def random_shape(rng: random.Random, count: int, most: int = 4) -> Shape:
    """A random tree of boxes in breadth-first order."""
    numbers, known = [], 1
    for box in range(count):
        left = count - known
        number = min(left, rng.randint(0 if known > box + 1 else 1, most))
        numbers.append(number)
        known += number
    first_child = [1]
    for number in numbers:
        first_child.append(first_child[-1] + number)
    full = [(rng.uniform(40, 120), rng.uniform(15, 90)) for _ in range(count)]
    return Shape(first_child, full, [(90.0, 20.0)] * count, 40.0)


def test_no_two_boxes_overlap_and_parents_are_centred() -> None:
    rng = random.Random(1)
    for _ in range(60):
        shape = random_shape(rng, rng.randint(1, 80))
        piece = unbroken(shape)
        places = place(shape, piece)
        columns: dict[int, list[tuple[float, float]]] = {}
        for box, level in enumerate(piece.level):
            half = shape.full[box][1] / 2
            columns.setdefault(level, []).append((places.middle[box] - half, places.middle[box] + half))
            assert places.middle[box] - half >= -1e-6 and places.middle[box] + half <= places.height + 1e-6
            below = shape.children(box)
            if below:
                top = places.middle[below[0]] - shape.full[below[0]][1] / 2
                bottom = places.middle[below[-1]] + shape.full[below[-1]][1] / 2
                assert abs(places.middle[box] - (top + bottom) / 2) < 1e-6
        for spans in columns.values():
            # Breadth-first order is the order from top to bottom.
            assert all(b[0] - a[1] >= GAP - 1e-6 for a, b in pairwise(spans))


def test_a_short_subtree_fits_beside_a_deep_one() -> None:
    # The second child of the root has no children, so it lies right below its sibling's own box.
    middle = tidy([1, 3, 6, 6, 6, 6, 6], [10] * 6, gap=5)
    assert middle[2] - middle[1] == 15


def test_deep_and_large_trees_need_no_recursion() -> None:
    assert tidy([*range(1, 10_001), 10_000], [10.0] * 10_000) == [5.0] * 10_000
    star = tidy([1] + [50_000] * 50_000, [10.0] * 50_000, gap=0)
    assert star[-1] == 10 * 49_999 - 5


def test_every_box_is_drawn_in_full_once_and_its_stub_comes_first() -> None:
    rng = random.Random(2)
    for _ in range(40):
        shape = random_shape(rng, rng.randint(1, 300), most=rng.choice([1, 4, 30]))
        room = (600.0, 400.0)
        drawn, stubs = [], {0}
        for piece in paginate(shape, room, room):
            assert piece.box[0] in stubs
            for box, stub in zip(piece.box, piece.stub, strict=True):
                if stub:
                    stubs.add(box)
                else:
                    drawn.append(box)
            if len(piece.box) > 2:
                assert place(shape, piece).width <= room[0]
        assert sorted(drawn) == list(range(len(shape.full)))


def test_every_piece_with_a_box_in_full_has_a_bookmark_within_that_of_the_piece_it_goes_on_from() -> None:
    rng = random.Random(3)
    continued = 0
    for _ in range(40):
        shape = random_shape(rng, rng.randint(1, 300), most=rng.choice([4, 10]))
        pieces = paginate(shape, (800.0, 200.0), (800.0, 200.0), rng.choice([0.25, 1.0]))
        marks = list(Contents.of([[piece] for piece in pieces]).marks(str))
        whole = {piece.box[0]: piece for piece in pieces if not piece.stub[0]}
        page = {piece.box[0]: number for number, piece in enumerate(pieces) if not piece.stub[0]}
        above = {child: box for box in range(len(shape.full)) for child in shape.children(box)}
        depth = {0: 0}
        for mark in marks:
            assert (mark.page, mark.name) == (page[mark.number], str(mark.number))
            if mark.number == 0:
                assert mark.around == -1
                continue
            depth[mark.number] = depth[mark.around] + 1  # the bookmark around it comes before it
            assert above[mark.number] in whole[mark.around].box
            continued += mark.number not in whole[mark.around].box and above[mark.number] != mark.around
        assert len(marks) == len(whole) or max(depth.values()) == DEEPEST_MARK
    assert continued > 0  # some go on from more children of a box that is not the first of its piece


def test_a_long_chain_is_cut_into_pages() -> None:
    chain = Shape([*range(1, 5_001), 5_000], [(60.0, 20.0)] * 5_000, [(60.0, 20.0)] * 5_000, 40.0)
    pieces = paginate(chain, (600.0, 400.0), (600.0, 400.0))
    assert max(len(piece.box) for piece in pieces) == 6
    assert len(pieces) == 1000


def test_pack_takes_the_highest_first_where_that_saves_a_page() -> None:
    sizes = [(300.0, height) for height in (40.0, 40.0, 150.0, 100.0, 100.0, 150.0)]
    for high, numbers in ((295, [[0, 1, 2], [3, 4], [5]]), (300, [[0, 2, 3], [1, 4, 5]])):
        pages = pack(sizes, (300, high), gap=5)
        assert [[spot.number for spot in page] for page in pages] == numbers


def test_pack_fills_pages_column_by_column_without_overlap() -> None:
    rng = random.Random(3)
    sizes = [(rng.uniform(10, 300), rng.uniform(10, 200)) for _ in range(200)]
    pages = pack(sizes, (500, 300), gap=5)
    assert sorted(spot.number for page in pages for spot in page) == list(range(200))
    filled = [sum(sizes[spot.number][0] * sizes[spot.number][1] for spot in page) for page in pages]
    assert sum(filled) > 0.6 * 500 * 300 * (len(pages) - 1)
    for page in pages:
        areas = [(s.left, s.top, s.left + sizes[s.number][0], s.top + sizes[s.number][1]) for s in page]
        assert all(right <= 500 and low <= 300 for _, _, right, low in areas)
        for i, a in enumerate(areas):
            for b in areas[:i]:
                assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]
