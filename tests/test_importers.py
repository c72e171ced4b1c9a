"""Trees that other programs made: what becomes of them, what is refused, and that no file is run."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import pickle
import random
import zipfile
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from strangers import JOBLIB, LAMP, PRINTED, PUBLISHED, write_strangers

import guesstree
from guesstree.api.strategy import Strategy
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.importers import pickles
from guesstree.importers.any import KINDS, import_file, import_tree
from guesstree.importers.grown import Grown, Knot, as_strategy
from guesstree.importers.questions import ColumnQuestion
from guesstree.importers.selby import LETTERS
from guesstree.trees.diff import difference
from guesstree.trees.tree import TreeError

GAMES = {"sklearn": "table:lamp.csv", "pystreed": "table:lamp.csv", "selby": "wordle:words.txt"}
FILES = {"sklearn": "lamp.joblib", "pystreed": "lamp.txt", "selby": "words.tree"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_strangers(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def imported(kind: str, data: str | bytes, spec: str = "") -> Strategy:
    path = Path("some.file")
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return import_file(kind, path, guesstree.parse(spec or GAMES[kind]))[0]


def refused(kind: str, data: str | bytes, spec: str = "") -> str:
    with pytest.raises(TreeError) as error:
        imported(kind, data, spec)
    said = str(error.value)
    assert said.startswith("'some.file': ") and "\n" not in said
    return said.removeprefix("'some.file': ")


def paths(strategy: Strategy) -> dict[str, str]:
    """Return how each secret is found."""
    found = {}
    for leaf in np.flatnonzero(strategy.guess < 0).tolist():
        nodes = strategy.path(leaf)
        answers = [strategy.game.responses[int(strategy.response[node])] for node in nodes[1:]]
        asks = [strategy.label(node) for node in nodes[:-1]]
        found[strategy.label(leaf)] = ", ".join(map("{} {}".format, asks, answers))
    return found


# -- published trees for Wordle ----------------------------------------------------------------------------


def printed(strategy: Strategy) -> str:
    """Print a strategy as Selby's program does."""
    game, lines = strategy.game, list[str]()

    def below(node: int, number: int, line: str) -> None:
        line += f"{strategy.label(node)} "
        ways = [
            (game.responses[int(strategy.response[c])].translate(LETTERS), c) for c in strategy.children(node)
        ]
        if strategy.secret[node] >= 0:
            ways.append(("GGGGG", -1))
        for letters, child in sorted(ways):
            if child < 0:
                lines.append(f"{line}{letters}{number}")
            else:
                below(child, number + 1, f"{line}{letters}{number} ")
            line = " " * len(line)

    below(0, 1, "")
    return "\n".join(lines) + "\n"


def test_a_published_tree_is_the_tree_that_it_says() -> None:
    found = imported("selby", PUBLISHED)
    report = found.check()
    assert (report.valid, report.total, report.worst, report.dead) == (True, 14, 3, 0)
    assert printed(found) == PUBLISHED
    assert imported("selby", "\ufeff" + PUBLISHED.replace("\n", "\r\n")).check().total == 14


@pytest.mark.parametrize("hard", ["", ",hard"])
def test_what_is_printed_so_is_read_back(hard: str) -> None:
    words = sorted({"".join(random.Random(seed).choices("aest", k=5)) for seed in range(60)})
    Path("many.txt").write_text("\n".join(words))
    game = guesstree.parse(f"wordle:many.txt{hard}")
    strategy = guesstree.solve(game, method="entropy").strategy
    found = imported("selby", printed(strategy), game.spec)
    assert difference(game, strategy, found).same


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "crepe",
            "creep",
            "line 2: 'creep' is not a guess of wordle:words.txt; expected its words, in lines ",
        ),
        (
            "GBGGB2 sweet GGGGG3\n                   ",
            "",
            "line 5: 'speed' has no line for GBGGB, which it gets ",
        ),
        (
            "      GGGGG1\n",
            "",
            "line 1: 'geese' has no line for GGGGG, which it gets for 'geese'; expected a whole",
        ),
        ("sweet GGGGG3", "sweet", "line 5: ends after 'sweet'; expected a response such as GGGGG3"),
        ("sweet GGGGG3", "", "line 5: ends after 'GBGGB2'; expected the next word"),
        ("sweet GGGGG3", "geese GGGGG3", "line 5: 'geese' is asked again on its path; expected another word"),
        ("sweet GGGGG3", "sweet GGGGG2", "line 5: 'GGGGG2' is to guess 2; expected 3 there"),
        ("sweet GGGGG3", "sweet GGGGG3 x", "line 5: 'x' after 'GGGGG3'; expected the end of the line"),
        ("sweet GGGGG3", "sweet GGXGG3", "line 5: 'GGXGG3'; expected a response such as GGGGG3"),
        ("sweet GGGGG3", "sweet GGGG3", "line 5: 'GGGG3'; expected a response such as GGGGG3"),
        ("BBGBG1", "BBBBG1", "line 2: 'BBBBG1' comes a second time after 'geese'; expected it once"),
        ("      GGGGG1", "      GGGGG9", "line 7: 'GGGGG9' is to guess 9; expected from 1 to 2 there"),
        (PUBLISHED, "\n", "is empty; expected lines such as 'salet BBBBB1 courd BBBBB2 nymph GGGGG3'"),
        (PUBLISHED, "geese\n", "line 1: ends after 'geese'; expected a response such as GGGGG1"),
        (PUBLISHED, LAMP, "line 1: 'test,bulb,fuse,switch,mains' is not a guess of wordle:words.txt; "),
    ],
)
def test_a_published_tree_that_does_not_fit_is_refused_with_its_line(old: str, new: str, said: str) -> None:
    assert old in PUBLISHED
    assert refused("selby", PUBLISHED.replace(old, new)).startswith(said)


def test_hard_mode_is_checked() -> None:
    tree = PUBLISHED.replace("BYGYB1 speed GBGGB2 sweet GGGGG3\n                   GGGGG2", "BYGYB1 abide {}")
    tree = tree.format("BBBBY2 sweet GGGGG3\n                   BBBYY2 speed GGGGG3")
    assert imported("selby", tree).check().total == 15
    assert "'abide', is not allowed: letter 3 must be 'e'" in refused("selby", tree, "wordle:words.txt,hard")
    assert "is a tree for Wordle, not for mastermind:2x2" in refused("selby", tree, "mastermind:2x2")


# -- pystreed ----------------------------------------------------------------------------------------------


def test_a_printed_tree_of_pystreed() -> None:
    found = imported("pystreed", PRINTED)
    assert (found.check().total, found.check().worst) == (8, 2)
    assert difference(found.game, found, guesstree.solve("table:lamp.csv").strategy).nodes == (7, 7)
    model = SimpleNamespace(print_tree=lambda: print(PRINTED))
    assert difference(found.game, found, import_tree(model, "table:lamp.csv")).same
    with pytest.raises(TreeError, match=r"^namespace\(.*: is a tree of tests, not for mastermind:2x2; "):
        import_tree(model, "mastermind:2x2")
    named = PRINTED
    for number, cause in enumerate(("bulb", "fuse", "switch", "mains")):
        named = named.replace(f"Label: {number}", f"Label: {cause}")
    assert difference(found.game, found, imported("pystreed", named)).same


def test_causes_that_no_test_tells_apart_may_be_one() -> None:
    Path("twins.csv").write_text("test,bulb,lamp,fuse\nswap,works,works,dark\n")
    tree = "swap == 'dark' not satisfied\n|   Label: lamp\nswap == 'dark' satisfied\n|   Label: fuse\n"
    assert paths(imported("pystreed", tree, "table:twins.csv,merge")) == {
        "bulb|lamp": "swap works",
        "fuse": "swap dark",
    }


def test_features_of_pystreed_are_tests_thresholds_and_sets_of_answers() -> None:
    Path("pets.csv").write_text(
        "pet,fur,legs,says\ncat,yes,4,miaow\nowl,no,2,hoot\nant,no,6,none\nfly,no,6,it's\n"
    )
    tree = (
        "fur not satisfied\n"
        "|   legs <= 3.5 not satisfied\n"
        "|   |   says in ['it\\'s','miaow'] not satisfied\n|   |   |   Label: ant\n"
        "|   |   says in ['it\\'s','miaow'] satisfied\n|   |   |   Label: fly\n"
        "|   legs <= 3.5 satisfied\n|   |   Label: owl\n"
        "fur satisfied\n|   Label: cat\n"
    )
    found = imported("pystreed", tree, "table:pets.csv,causes=rows")
    assert paths(found) == {
        "cat": "fur yes",
        "owl": "fur no, legs 2",
        "ant": "fur no, legs 6, says none",
        "fly": "fur no, legs 6, says it's",
    }
    _, note = import_file("pystreed", "some.file", found.game)
    assert note == (
        "each number of 'legs' is an answer of its own; the classes that the tree asks for are those of "
        "table:pets.csv,causes=rows,cuts=legs:3.5"
    )
    unnamed = tree.replace("fur ", "Feature 0 ")
    assert difference(found.game, found, imported("pystreed", unnamed, "table:pets.csv,causes=rows")).same


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "== 'off'",
            "== 'of'",
            "line 7 asks whether 'lamp in the next room' is 'of'; its answers are 'on', 'off'",
        ),
        (
            "swap the bulb ==",
            "press it ==",
            "line 2 asks for 'press it', which is no test of table:lamp.csv, nor ",
        ),
        ("measure at the socket == 'dead'", "Feature 9", "line 1 asks for column 9, which have no names; "),
        (
            "Label: 2",
            "Label: 9",
            "line 3 says '9', which is no cause of table:lamp.csv; expected 'bulb', 'fuse', ",
        ),
        (
            "Label: 2",
            "Label: 1",
            "line 3 says 'fuse', where 'switch' gets; expected a tree that was made for ",
        ),
        (
            "|   |   Label: 2\n",
            "",
            "line 3: \"|   swap the bulb == 'works' satisfied\"; expected a line of STreeD",
        ),
        (
            "|   |   Label: 0\n",
            "",
            "line 5: \"measure at the socket == 'dead' satisfied\"; expected a line of STr",
        ),
        (
            "|   |   Label: 3\n",
            "",
            "ends within the tree; expected the whole text of STreeDClassifier.print_tree",
        ),
        (
            "|   |   Label: 3\n",
            "|   |   Label: 3\nLabel: 3\n",
            "line 11: 'Label: 3' after the end of the tree; ",
        ),
        (PRINTED, "", "ends within the tree; "),
        (
            PRINTED,
            "digraph Tree {\n",
            "line 1: 'digraph Tree {'; expected a line of STreeDClassifier.print_tree, ",
        ),
        (
            PRINTED,
            "Label: 0",
            "line 1 says 'bulb', where 'bulb' and 'fuse' get; expected a leaf for each cause, ",
        ),
    ],
)
def test_a_printed_tree_that_does_not_fit_is_refused_with_its_line(old: str, new: str, said: str) -> None:
    assert old in PRINTED
    assert refused("pystreed", PRINTED.replace(old, new)).startswith(said)


# -- scikit-learn ------------------------------------------------------------------------------------------


def test_a_stored_tree_of_scikit_learn() -> None:
    found = imported("sklearn", JOBLIB)
    assert (found.check().total, found.check().worst, found.claims.method) == (8, 2, "scikit-learn")
    assert paths(found)["switch"] == "measure at the socket live, swap the bulb dark"


def skops(model: Any) -> bytes:
    """Store a fitted tree as skops does."""
    arrays, data = dict[str, Any](), io.BytesIO()

    def node(value: Any) -> dict[str, Any]:
        made = {"__class__": type(value).__name__, "__module__": type(value).__module__, "__id__": id(value)}
        if isinstance(value, np.ndarray) and value.dtype == object:
            return made | {
                "__loader__": "NdArrayNode",
                "type": "json",
                "content": [node(one) for one in value],
            }
        if isinstance(value, np.ndarray | np.generic):
            arrays[f"{len(arrays)}.npy"] = value
            return made | {"__loader__": "NdArrayNode", "type": "numpy", "file": f"{len(arrays) - 1}.npy"}
        if hasattr(value, "__getstate__") and hasattr(value, "get_params"):
            return made | {"__loader__": "ObjectNode", "content": node(value.__getstate__())}
        if type(value).__name__ == "Tree":
            return made | {"__loader__": "TreeNode", "content": node(value.__reduce__()[2])}
        if isinstance(value, dict):
            return made | {"__loader__": "DictNode", "content": {k: node(one) for k, one in value.items()}}
        return made | {"__loader__": "JsonNode", "content": json.dumps(value)}

    with zipfile.ZipFile(data, "w") as file:
        file.writestr("schema.json", json.dumps(node(model)))
        for name, value in arrays.items():
            held = io.BytesIO()
            np.save(held, value)
            file.writestr(name, held.getvalue())
    return data.getvalue()


def test_every_way_to_store_a_tree_of_scikit_learn_gives_the_same_tree() -> None:
    """Labels are texts of one width, and objects, as pandas has them; numbers are causes in order."""
    tree, joblib = pytest.importorskip("sklearn.tree"), pytest.importorskip("joblib")
    game, known = guesstree.parse("table:lamp.csv"), imported("sklearn", JOBLIB)
    rows = np.array([[1, 0, 1], [0, 1, 1], [0, 0, 1], [0, 1, 0]])
    names = ["swap the bulb_works", "onehot__measure at the socket=dead", "lamp in the next room: on"]
    for labels in (np.array(game.secrets), np.array(game.secrets, dtype=object), np.arange(4)):
        model = tree.DecisionTreeClassifier(random_state=0).fit(rows, labels)
        model.feature_names_in_ = np.array(names, dtype=object)
        assert difference(game, known, import_tree(model, game)).same
        stored = [pickle.dumps(model, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
        for compress in (0, 3, "gzip", "bz2", "xz", "lzma"):
            joblib.dump(model, "stored", compress=compress)
            stored.append(Path("stored").read_bytes())
        for data in [*stored, skops(model)]:
            assert difference(game, known, imported("sklearn", data)).same
    grown = tree.DecisionTreeRegressor().fit(rows, np.arange(4))
    assert refused("sklearn", pickle.dumps(grown)).startswith(
        "holds 'sklearn.tree._classes.DecisionTreeRegressor'; "
    )
    assert "was not fitted" in refused("sklearn", pickle.dumps(tree.DecisionTreeClassifier()))
    two = tree.DecisionTreeClassifier().fit(rows, rows[:, :2])
    assert refused("sklearn", pickle.dumps(two)).startswith("says several things at once; ")
    with pytest.raises(TreeError, match="expected a fitted classifier"):
        import_tree(rows, game)


# -- what columns ask --------------------------------------------------------------------------------------

THINGS = """\
species,size,soft,colour,bought
ball,0.1,+,red,2001
book,2,-,blue,2001
boot,3.5,+,blue,1999
bell,1/3,-,red,1999
"""


Asks = tuple[str | int, float, Any, Any]


def asked(spec: str, tree: Asks) -> Strategy:
    """Import a tree of columns, each with the most for yes, what follows on yes, and on no."""
    knots = list[Knot]()

    def add(part: Asks | str) -> int:
        here = len(knots)
        knots.append(Knot(f"node {here}", says=str(part)))
        if not isinstance(part, str):
            column, most, *below = part
            yes, no = map(add, below)
            knots[here] = Knot(f"node {here}", ColumnQuestion(column, most), yes, no)
        return here

    add(tree)
    Path("things.csv").write_text(THINGS)
    return Strategy.of(as_strategy(guesstree.parse(spec), Grown("test", knots, 4, single=True))[0])


def test_a_column_is_numbers_yes_and_no_or_one_answer() -> None:
    tree: Asks = ("soft", 0.5, ("colour=red", 0.5, "book", "bell"), ("bought", 2000, "boot", "ball"))
    assert paths(asked("table:things.csv", tree)) == {
        "book": "soft -, colour blue",
        "bell": "soft -, colour red",
        "boot": "soft +, bought 1999",
        "ball": "soft +, bought 2001",
    }
    tree = (0, 1.0000001, ("soft", 0.5, "bell", "ball"), (1, 0.5, "book", "boot"))  # by number, of a class
    assert paths(asked("table:things.csv,cuts=size:1", tree)) == {
        "bell": "size < 1, soft -",
        "ball": "size < 1, soft +",
        "book": "size >= 1, soft -",
        "boot": "size >= 1, soft +",
    }


def test_a_test_is_asked_whole_and_what_follows_from_its_answer_is_not_asked_again() -> None:
    tree = ("size", 2.5, ("size", 1, ("size", 0.2, "ball", "bell"), "book"), "boot")
    size = {"ball": "size 0.1", "bell": "size 1/3", "book": "size 2", "boot": "size 3.5"}
    assert paths(asked("table:things.csv", tree)) == size
    tree = ("size", 2.5, ("size", 1, ("size", 0.1, "ball", "bell"), "book"), "boot")
    with pytest.raises(TreeError, match="node 4 says 'bell', where 'ball' gets"):
        asked("table:things.csv", tree)  # in single precision 0.1 is more than 0.1


@pytest.mark.parametrize(
    ("spec", "column", "said"),
    [
        (
            "table:things.csv,cuts=size:1",
            "size",
            "asks whether 'size' is at most 0.5, which is within the class ",
        ),
        (
            "table:things.csv",
            "colour",
            "asks for a number of 'colour', whose answers are 'red', 'blue'; expected ",
        ),
        (
            "table:things.csv",
            "weight",
            "asks for 'weight', which is no test of table:things.csv, nor one and an",
        ),
        (
            "table:things.csv",
            9,
            "asks for column 9 of 4, which have no names; table:things.csv has 4 tests; ",
        ),
    ],
)
def test_a_column_that_is_no_test_is_refused(spec: str, column: str | int, said: str) -> None:
    with pytest.raises(TreeError) as error:
        asked(spec, (column, 0.5, "ball", "boot"))
    assert str(error.value).startswith(f"node 0 {said}")


# -- what may be decided -----------------------------------------------------------------------------------


def test_leaves_decide_where_the_table_says_what_a_wrong_decision_loses() -> None:
    stump = "measure at the socket == 'dead' not satisfied\n|   Label: bulb\n"
    stump += "measure at the socket == 'dead' satisfied\n|   Label: fuse\n"
    costs = imported("pystreed", stump, "table:lamp.csv,wrong=3").check().costs
    assert costs is not None and (costs.total, costs.loss, costs.worst) == (10, 6, 4)  # 4 tests, 2 of 4 wrong
    assert refused("pystreed", stump).startswith(
        "line 2 says 'bulb', where 'bulb' and 'switch' get; expected a leaf"
    )
    numbers = stump.replace("bulb\n", "0\n").replace(
        "fuse\n", "1\n"
    )  # which decision is 0, nothing would show
    assert refused("pystreed", numbers, "table:lamp.csv,wrong=3").startswith(
        "line 2 says '0', which is no decision"
    )
    assert "labels (--labels A,B,...) say what each number stands for" in refused(
        "pystreed", numbers, "table:lamp.csv,wrong=3"
    )
    Path("gaps.csv").write_text(LAMP.replace("on,on,on,off", ",on,on,off"))
    for kind, data in (("pystreed", stump), ("sklearn", JOBLIB)):
        assert refused(kind, data, "mastermind:8x9").startswith(
            "is a tree of tests, not for mastermind:8x9; "
        )
    assert "has answers that nobody knows" in refused("pystreed", stump, "table:gaps.csv,missing=any")
    Path("sets.csv").write_text(LAMP.replace("on,on,on,off", "on,on/off,on,off"))
    sets = PRINTED.replace("lamp in the next room == 'off'", "press the switch == 'click'")
    assert "still possible; expected a table that says" in refused(
        "pystreed", sets, "table:sets.csv,cells=sets"
    )


def test_labels_say_what_the_numbers_of_classes_stand_for() -> None:
    stump = "measure at the socket == 'dead' not satisfied\n|   Label: 1\n"
    stump += "measure at the socket == 'dead' satisfied\n|   Label: 0\n"
    Path("stump.txt").write_text(stump)
    game = guesstree.parse("table:lamp.csv,wrong=3")
    ways: list[Any] = [["fuse", "bulb"], {0: "fuse", 1: "bulb"}, {"1": "bulb", "0": "fuse"}]
    for labels in ways:
        costs = import_file("pystreed", "stump.txt", game, labels)[0].check().costs
        assert costs is not None and (costs.total, costs.loss) == (10, 6)
    for labels, said in (
        (["fuse"], "line 2 says '1'; labels are given for 0"),
        (["fuse", "lamp"], "labels: 'lamp' is no decision of table:lamp.csv,wrong=3; expected 'bulb'"),
    ):
        with pytest.raises(TreeError) as error:
            import_file("pystreed", "stump.txt", game, labels)
        assert said in str(error.value)
    # of causes too, in another order than that of the table
    named = ["mains", "switch", "fuse", "bulb"]
    numbers = PRINTED
    for number, label in ((2, "switch"), (0, "bulb"), (1, "fuse"), (3, "mains")):
        numbers = numbers.replace(f"Label: {number}\n", f"Label: #{named.index(label)}\n")
    Path("lamp.txt").write_text(numbers.replace("#", ""))
    assert import_file("pystreed", "lamp.txt", guesstree.parse("table:lamp.csv"), named)[0].check().valid
    words = ["pystreed", "stump.txt", game.spec, "--labels", "fuse,bulb"]
    run = CliRunner().invoke(import_module("guesstree.cli.import").command, words, catch_exceptions=False)
    assert "total 10 over 4 causes" in run.output


# -- hostile files -----------------------------------------------------------------------------------------


class Runs:
    """What runs a function when it is unpickled."""

    def __init__(self, function: Callable[..., Any], *given: Any) -> None:
        self.made = function, given

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.made


def laughs(levels: int) -> bytes:
    """Lists of lists: a short file, and too much to print."""
    parts = [b"]q%c(h%ch%ce" % (i + 1, i, i) for i in range(levels)]
    return b"\x80\x04]q\x00" + b"".join(parts) + b"."


def test_nothing_in_a_file_is_run() -> None:
    run = Runs(os.mkdir, "ran")
    pickle.loads(pickle.dumps(Runs(os.mkdir, "proof")))
    assert Path("proof").is_dir()  # as it would be
    files = [pickle.dumps(run, protocol) for protocol in range(2, 6)]
    files += [pickle.dumps(np.array([run], dtype=object)), pickle.dumps([1, {"a": run}])]
    files += [zlib.compress(files[0]), zlib.decompress(JOBLIB).replace(b"N", files[0][:-1], 1)]
    for data in files:
        assert "mkdir', which a tree does not need and which might run" in refused("sklearn", data)
    assert "names 'numpy.load', which" in refused("sklearn", pickle.dumps(Runs(np.load, "lamp.csv")))
    assert "has the step INST" in refused("sklearn", b"\x80\x02(S'ran'\nios\nmkdir\n.")
    assert "is no file of pickle" in refused("sklearn", pickle.dumps(run, 0))
    assert not Path("ran").exists()


def test_bombs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (laughs(120), b"\x80\x04N."):  # lists of lists of lists are nowhere printed
        assert refused("sklearn", data).startswith("holds something else; ")
    for data in (b"", b"PK\x03\x04", LAMP.encode(), b"\x80\x04", b"x\x9c", JOBLIB[:500], b"\x1f\x8b"):
        assert refused("sklearn", data).endswith("expected a DecisionTreeClassifier of scikit-learn alone")
    monkeypatch.setattr(pickles, "MOST_STEPS", 100)
    assert refused("sklearn", b"\x80\x04" + b"N" * 101).startswith("takes more than 100 steps")
    monkeypatch.setattr(pickles, "MOST_BYTES", 1000)
    for pack in (zlib.compress, gzip.compress, bz2.compress, lzma.compress):
        assert refused("sklearn", pack(b"N" * 10**6)).startswith("has more than 1000 bytes when unpacked")


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_with_faults_is_refused_in_a_line(kind: str) -> None:
    """Most faults are found; a tree that passes is one that the checker accepts."""
    draw = random.Random(1)
    whole = Path(FILES[kind]).read_bytes()
    whole = zlib.decompress(whole) if kind == "sklearn" else whole
    game = guesstree.parse(GAMES[kind])
    found = 0
    for _ in range(120):
        data = bytearray(whole)
        for _ in range(draw.choice([1, 1, 3])):
            at = draw.randrange(len(data))
            some = data[at : at + draw.randrange(1, 30)]
            match draw.randrange(4):
                case 0:
                    data[at] = draw.randrange(256)
                case 1:
                    del data[at : at + len(some)]
                case 2:
                    data[at:at] = some
                case 3:
                    del data[at:]
            data = data or bytearray(b"x")
        try:
            assert read(kind, bytes(data), game).check().valid
        except GuesstreeError as error:
            found += 1
            assert 10 < len(str(error)) < 500 and "\n" not in str(error)
    assert found > 80


def read(kind: str, data: bytes, game: Game) -> Strategy:
    return Strategy.of(KINDS[kind](data, game)[0])
