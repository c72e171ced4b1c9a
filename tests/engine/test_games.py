"""The contract of games, and the games that come with the project."""

from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from cases import cases

import guesstree
from guesstree.engine import registry
from guesstree.engine.advice.position import Position
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError, SpaceError
from guesstree.engine.game import Game
from guesstree.engine.games.coins import how_many, reachable, vectors
from guesstree.engine.memory import size_text
from guesstree.engine.registry import families, parse, register
from guesstree.engine.search.solve import solve
from guesstree.engine.symmetry.groups import Generated, Symmetry
from guesstree.engine.tables.table import TableGame
from guesstree.trees.export.colours import NAMED, PALETTE, colour_of

SMALL = {
    "mastermind": ["mastermind:1x1", "mastermind:2x1", "mastermind:2x2", "mastermind:3x3", "mastermind:4x2"]
    + [f"mastermind:{text}" for text in ("2x1,empty", "3x2,empty", "2xRGB,empty", "2x3,distinct,any,empty")],
    "blackpeg": ["blackpeg:2x1", "blackpeg:3x3", "blackpeg:4x2"]
    + [
        f"blackpeg:{text}" for text in ("3x3,distinct", "3x3,distinct,any", "2x3,empty", "3x3,distinct,empty")
    ],
    "bulls": [
        "bulls:1x1",
        "bulls:2x2",
        "bulls:3x5",
        "bulls:3x4",
        "bulls:2x3,repeated",
        "bulls:3x3,any,empty",
    ],
    "coins": [
        "coins:1",
        "coins:4",
        "coins:3,max=2",
        "coins:1,max=9",
        "coins:4,total=2",
        "coins:3,total=0",
        "coins:3,total=3",
        "coins:3,max=3,total=4",
        "coins:4,max=2,total=1..3",
        "coins:2,total=0..2",
    ],
    "balance": [
        "balance:3",
        "balance:3,none",
        "balance:3,good",
        "balance:4,light",
        "balance:4,heavy,none,good",
        "balance:4,coin",
        "balance:3,coin,none,good",
        "balance:15,light",
        "balance:4,light,false=2",
        "balance:3,good,false=0..3",
    ],
    "pools": ["pools:1", "pools:4", "pools:4,max=2"]
    + [f"pools:{text}" for text in ("4,prevalence=1%/5%/1%/2%", "3,prevalence=1:32")],
    "questions": [
        "questions:2",
        "questions:5",
        "questions:4,answers=3",
        "questions:1/8+1/8+1/4+1/2",
        "questions:6,answers=3,ranges",
        "questions:3+1+2.5+1,answers=4,most=1",
    ],
    "higher": [
        "higher:1",
        "higher:5",
        "higher:3+0+1/2",
        "higher:3+1+2,gaps=1+0+1+2",
        "higher:0+0,gaps=1+2+3,costs=2+0.5",
    ],
    "battleship": [
        "battleship:1x4,ships=2",
        "battleship:2x3,ships=1+2",
        "battleship:3x3,ships=2+2,named",
        "battleship:3x4,ships=2+1,apart,known",
    ],
    "who": ["who:FILE,causes=columns", "who:FILE,sets,causes=columns", "who:FILE,causes=columns,most=2"],
    "worldle": ["worldle:PLACES", "worldle:PLACES,km=5000,arrows=4", "worldle:PLACES,arrows=0"],
    "table": ["table:FILE"],
    "wordle": ["wordle:WORDS", "wordle:WORDS,hard", "wordle:WORDS,ultra"],
    "hangman": ["hangman:WORDS", "hangman:WORDS,misses=1"],
    "boards": ["boards:2,wordle:WORDS", "boards:3,mastermind:2x2", "boards:2,bulls:2x3"],
    "jotto": ["jotto:WORDS", "jotto:WORDS,WORDS,any"],
    "nerdle": ["nerdle:5", "nerdle:6"],
    "primel": ["primel:2"],
}


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text("test,a,b,c\nx,hot,cold,cold\ny,hot,hot,cold\n")
    return path


def test_every_family_has_a_small_instance_here_and_a_row_in_the_docs() -> None:
    ours = {family.name for family in families() if family.make.__module__.startswith("guesstree.")}
    assert ours == set(SMALL)
    page = (Path(__file__).parents[2] / "docs" / "games.md").read_text(encoding="utf-8")
    assert {name for name in ours if f"\n| `{name}:" not in page} == set()


@pytest.mark.parametrize("spec", [spec for specs in SMALL.values() for spec in specs])
def test_games_keep_the_contract(spec: str, csv: Path) -> None:
    words = csv.with_name("words.txt")
    words.write_text("otto\nanna\ntoto\nnoah\n")
    places = csv.with_name("places.csv")
    places.write_text("name,lat,lon\nParis,48.86,2.35\nBerlin,52.52,13.40\nLima,-12.05,-77.04\n")
    named = {"FILE": csv, "WORDS": words, "PLACES": places}
    for name, path in named.items():
        spec = spec.replace(name, str(path))
    game = parse(spec)
    check_game(game)
    assert parse(game.spec).spec == game.spec
    if game.look.answers != "marks" or game.facts.large:  # up to five marks have all patterns
        assert set(np.unique(game.table())) == set(range(len(game.responses)))


@pytest.mark.parametrize("label", ["1,1", "0,2", "2,0"])
def test_the_thesis_scores_of_two_by_two(label: str) -> None:
    assert (label in parse("mastermind:2x2").responses) == (label != "1,1")


def test_responses_by_hand() -> None:
    game = parse("mastermind:4x6")
    for guess, secret, answer in (("1122", "1223", "2,1"), ("1234", "4321", "0,4"), ("1111", "2222", "0,0")):
        assert game.responses[game.respond(game.guess_index(guess), game.secret_index(secret))] == answer
    bulls = parse("bulls:4x10")
    assert bulls.responses[bulls.respond(bulls.guess_index("0123"), bulls.secret_index("3120"))] == "2,2"


@pytest.mark.parametrize(
    ("spec", "words"),
    cases("test_games", "test_bad_specs_are_named"),
)
def test_bad_specs_are_named(spec: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        parse(spec)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_space_too_large_says_what_it_would_need() -> None:
    with pytest.raises(SpaceError, match=r"would need .* GiB"):
        parse("mastermind:9x9").table()
    with pytest.raises(SpaceError, match=r"codes"):
        parse("mastermind:20x20").guess_index("1" * 20)


def test_weights_of_coins_are_those_of_the_total() -> None:
    for length, most in product(range(5), range(1, 4)):
        for low in range(length * most + 1):
            for high in range(low, length * most + 1):
                expected = [v for v in product(range(most + 1), repeat=length) if low <= sum(v) <= high]
                assert list(vectors(length, most, low, high)) == expected
                assert how_many(length, most, low, high) == len(expected)
                sums = {sum(some) for v in expected for n in range(length) for some in combinations(v, n + 1)}
                assert reachable(length, most, low, high) == sorted(sums)


def test_coins_too_many_for_a_table_are_refused_before_they_are_listed() -> None:
    with pytest.raises(SpaceError, match="coins:20 has 1048576 secrets and 1048575 guesses"):
        parse("coins:20")


@pytest.mark.parametrize(
    ("text", "words"),
    cases("test_games", "test_bad_tables_name_the_line"),
)
def test_bad_tables_name_the_line(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(GameError) as error:
        parse(f"table:{path}")
    assert words in str(error.value)


def test_a_table_that_is_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(b"\xff\xfet\0\n\0\x00\xd8")
    with pytest.raises(GameError, match="line 2: bytes that are not UTF-16"):
        parse(f"table:{path}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("test,a,b\na,W,x\n", "no guess is labelled 'b'"),
        ("test,a,b\na,W,x\nb,x,x\n", "guess 'b' gets 'x' on the secret of that name"),
        ("test,a,b\na,W,W\nb,x,W\n", "guess 'a' gets the winning response 'W' on secret 'b'"),
        ("test,a,b\na,x,x\nb,x,x\n", "no cell holds the winning response 'W'"),
    ],
)
def test_bad_winning_responses_are_named(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(GameError) as error:
        parse(f"table:{path},win=W")
    assert words in str(error.value)


class Balance(Game):
    """A game of a user's own: one of n coins is light; compare two coins."""

    def __init__(self, n: int) -> None:
        self.spec = f"pairs:{n}"
        self.secrets = [f"coin {i}" for i in range(n)]
        self.pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
        self.guesses = [f"{i}-{j}" for i, j in self.pairs]
        self.responses = ["left", "right", "even"]
        self.winning = None

    def respond(self, guess: int, secret: int) -> int:
        left, right = self.pairs[guess]
        return 0 if secret == left else 1 if secret == right else 2

    @property
    def symmetry(self) -> Symmetry:
        n = len(self.secrets)
        generators = []
        for image in ([1, 0, *range(2, n)], [*range(1, n), 0]):
            guesses = [self.pairs.index((image[i], image[j])) for i, j in self.pairs]
            generators.append((guesses, image))
        return Generated(generators)


def test_a_game_of_ones_own_keeps_the_contract_and_can_be_registered() -> None:
    check_game(Balance(4))
    register("pairs", example="pairs:4", about="COINS", reference="test")(lambda text: Balance(int(text)))
    assert parse("pairs:5").spec == "pairs:5"
    with pytest.raises(GameError, match=r"^'pairs:x': invalid .* 'x'; expected a game such as pairs:4$"):
        parse("pairs:x")


def test_check_sees_each_breach_of_the_contract() -> None:
    class Wrong(Balance):
        pass

    game = Wrong(3)
    game.responses = ["left", "right"]
    with pytest.raises(GameError, match="out of range"):
        check_game(game)
    game = Wrong(3)
    game.secrets = ["a", "a", "b"]
    with pytest.raises(GameError, match="two secrets are labelled 'a'"):
        check_game(game)
    with pytest.raises(GameError, match="wins on several"):
        check_game(Wrong4())
    with pytest.raises(GameError, match=r"table\(\)\[1, 1\] is \d, respond says"):
        check_game(Tampered(3))
    with pytest.raises(GameError, match=r"respond_each\(\) at \[0, 0\] is \d, respond says"):
        check_game(Hasty(3))
    with pytest.raises(GameError, match="changes a response"):
        check_game(Asymmetric(3))


class Wrong4(Balance):
    """Every weighing that stays even would win."""

    def __init__(self) -> None:
        super().__init__(4)
        self.winning = 2


class Tampered(Balance):
    """A table that is not what `respond` says."""

    def table(self) -> np.ndarray:
        table = super().table().copy()
        table[1, 1] = (table[1, 1] + 1) % 3
        return table


class Hasty(Balance):
    """Answers to pairs that are not what `respond` says."""

    def respond_each(self, guesses: np.ndarray, secrets: np.ndarray) -> np.ndarray:
        return (super().respond_each(guesses, secrets) + 1) % 3


class Asymmetric(Balance):
    """A symmetry that does not keep the responses."""

    @property
    def symmetry(self) -> Symmetry:
        return Generated([(list(range(len(self.guesses))), [1, 0, 2])])


def test_a_table_may_not_have_too_many_responses() -> None:
    labels = [str(i) for i in range(65_536)]
    assert len(TableGame("table:wide", ["g"], labels[:300], [labels[:300]]).responses) == 300
    with pytest.raises(GameError, match="65536 different responses; expected at most 65535"):
        TableGame("table:wide", ["g"], labels, [labels])


@pytest.mark.parametrize(
    ("size", "text"),
    [(1, "1 byte"), (1000, "1000 bytes"), (1024, "1 KiB"), (3 << 19, "1.5 MiB"), (5 << 30, "5 GiB")],
)
def test_sizes_are_told_in_the_unit_that_suits_them(size: int, text: str) -> None:
    assert size_text(size) == text


def test_pegs_may_have_the_letters_of_a_board() -> None:
    game = parse("mastermind:4xRGBYOW")
    assert (game.spec, game.look.symbols, len(game.secrets)) == ("mastermind:4xRGBYOW", "RGBYOW", 1296)
    for typed in ("RRGB", "rrgb", "r r g b", "1123", "1 1 2 3"):
        assert game.guesses[game.read_guess(typed)] == "RRGB"
    plain = Position("mastermind:4x6", "1123:1,1 3345:0,2")
    lettered = Position(game, "RRGB:bw 3345:ww")
    assert lettered.candidates.tolist() == plain.candidates.tolist()
    assert solve("mastermind:3xrgb").upper == solve("mastermind:3x3").upper
    assert Position(game).best_guess() == Position("mastermind:4x6").best_guess()  # proven, too
    assert parse("blackpeg:2xKW").guesses[1] == "KW"
    for bad, line in (("4xRGR", "'R' is there twice"), ("4xR-G", "expected pegs x"), ("0xRG", "expected")):
        with pytest.raises(GameError, match=line):
            parse(f"mastermind:{bad}")


def test_letters_name_the_colours_of_pegs() -> None:
    look = parse("mastermind:4xRGBYXW").look
    assert [colour_of(look, letter) for letter in "RGW"] == [NAMED["R"], NAMED["G"], "#FFFFFF"]
    assert colour_of(look, "X") == PALETTE[4]  # no colour is called so
    assert colour_of(parse("mastermind:4x12").look, "B") == PALETTE[10]


def test_what_a_game_is_follows_from_its_attributes() -> None:
    plain = parse("mastermind:2x3").facts
    assert plain.goals == ("win", "identify")
    assert plain.winnable
    assert plain.listed
    assert not (plain.weighted or plain.priced or plain.noisy or plain.by_kind or plain.large)
    assert parse("coins:3").facts.goals == ("identify",)
    assert parse("balance:4,coin").facts.by_kind
    assert not parse("mastermind:20x10").facts.listed
    cells = {"t": {"a": {"+": 0.9, "-": 0.1}, "b": "-"}}
    noisy = guesstree.table(cells, weights=[2, 1], costs=[3], wrong=9).facts
    assert (noisy.weighted, noisy.priced, noisy.noisy, noisy.decides, noisy.failing) == (True,) * 4 + (False,)
    assert guesstree.table({"t": {"a": "+", "b": "-"}}, failures=1, wrong=9).facts.failing


def test_a_list_of_words_goes_with_every_family_that_reads_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("some.txt").write_text("apple\npeach\n")
    known = {family.name: family for family in families() if family.files == "words"}
    monkeypatch.setitem(registry._families, "dordle", replace(known["wordle"], name="dordle"))
    with pytest.raises(GameError) as error:
        parse("some.txt")
    assert all(f"{name}:some.txt" in str(error.value) for name in (*known, "dordle"))
