"""Files of strategies that decide: what stands in them, and what is refused of hostile ones, in a line."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from models import ModelGame
from strategies import best_strategy

from guesstree.api.strategy import Strategy
from guesstree.cli.check import command as check_command
from guesstree.cli.diff import command as diff_command
from guesstree.engine.noisy.model import Model
from guesstree.engine.registry import parse
from guesstree.present.reports import cost_lines
from guesstree.trees.noisy import build_noisy
from guesstree.trees.tree import Claims, TreeError

Document = dict[str, Any]
TABLES = {
    "ill": [
        "test,ill,well",
        "lab,+:0.9/-:0.1,+:0.1/-:0.9",
        "weight,1,9",
        "decide treat,0,10",
        "decide leave,50,0",
    ],
    "mend": [
        "test,paper,cable,cost",
        "r1,fixed,not,2",
        "r2,not,fixed,3",
        "weight,3,1,",
        "decide call,0.5,8,",
    ],
    "needle": ["test,a,b,c,d,cost,group,later", "b1,x,x,y,y,6,blood,1", "b2,x,y,x,y,6,blood,1"],
}
OPTIONS = {"ill": ",cells=sets", "mend": ",ends=fixed", "needle": ""}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with strategy files that hold their tables."""
    folder = tmp_path_factory.mktemp("deciding")
    for name, rows in TABLES.items():
        (folder / f"{name}.csv").write_text("\n".join(rows))
        strategy = best_strategy(parse(f"table:{folder / name}.csv{OPTIONS[name]}"), "expected")
        assert strategy is not None
        strategy.write(folder / f"{name}.json")
        (folder / f"{name}.csv").unlink()
    return folder


def document_in(folder: Path, name: str) -> Document:
    found: Document = json.loads((folder / f"{name}.json").read_text())
    return found


def test_a_file_says_what_leaves_decide_and_what_does_not_follow_from_its_table(folder: Path) -> None:
    ill = document_in(folder, "ill")
    assert ill["nodes"][1:] == [{"decide": "treat"}, {"decide": "leave"}]
    assert ill["table"]["decisions"] == ["treat", "leave"]
    assert ill["table"]["losses"] == [[0, 10], [50, 0]]
    costs = {"weight": 10, "total": 24, "average": 2.4, "exact": "12/5", "worst": 51, "loss": 14}
    assert ill["summary"]["costs"] == costs
    mend = document_in(folder, "mend")
    assert mend["nodes"] == [{"decide": "call"}]
    needle = document_in(folder, "needle")
    assert (needle["table"]["groups"], needle["table"]["later"]) == (["blood", "blood"], [1, 1])
    for name in TABLES:
        read = Strategy.read(folder / f"{name}.json")
        report = read.check()
        assert report.valid and read.game.spec.endswith(OPTIONS[name])


def node(at: int, **said: Any) -> Callable[[Document], object]:
    return lambda document: document["nodes"].__setitem__(at, said)


def table(**values: Any) -> Callable[[Document], object]:
    return lambda document: document["table"].update(values)


def costs(**values: Any) -> Callable[[Document], object]:
    return lambda document: document["summary"]["costs"].update(values)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("ill", node(1, decide=5), "nodes[1].decide must be string; it is 5"),
        ("ill", node(1, decide="a\nb"), 'nodes[1].decide "a\\nb" is not a decision of'),
        ("ill", node(1, decide="treat", secret="ill"), "nodes[1] is neither a guess nor a leaf"),
        ("ill", node(1, over=True), "nodes[1] is over, but no response that ends a path leads there"),
        ("mend", node(0, over=True), "nodes[0] is over, but no response that ends a path leads there"),
        ("needle", node(3, decide="x"), 'nodes[3].decide "x": table:'),
        ("ill", lambda d: d.update(game="mastermind:2x2", goal="win"), "table: given for the game"),
        ("ill", table(losses=[[0, 10]]), "table.losses has 1 values; expected 2, one for each decision"),
        (
            "ill",
            table(losses=[[0, 10], [1]]),
            "table.losses[1] has 1 values; expected 2, one for each",
        ),
        ("ill", table(losses=[[0, -1], [1, 1]]), "table.losses[0][1] must be bigger than or equal to 0"),
        ("ill", table(losses=[[None, 0], [None, 1]]), "nothing may be decided for 'ill'"),
        ("ill", table(decisions=["a", "a"]), "the decision label 'a' is repeated"),
        ("ill", table(lapses=99), "table.lapses must be smaller than or equal to 20"),
        ("ill", table(after=[["lab"]]), "table.after: 'lab' after 'lab'; expected"),
        ("ill", table(after=[["no"]]), "table.after[0] 'no' is none of the guesses"),
        ("needle", table(later=[1, 7]), "table.later[1] is 7; expected at most 6, what it costs at first"),
        ("needle", table(groups=["blood"]), "table.groups has 1 values; expected 2, one for each guess"),
        ("ill", costs(exact="1/0"), "summary.costs.exact must match pattern"),
    ],
)
def test_hostile_files_are_refused_in_a_line(
    name: str, change: Callable[[Document], object], message: str, folder: Path
) -> None:
    document, path = document_in(folder, name), folder / "changed.json"
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(TreeError) as error:
        Strategy.read(path)
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("ill", node(1, secret="ill"), "cause 'ill': the leaf decides nothing (path: 'lab' '+')"),
        ("ill", node(1, decide="leave"), "costs total 24, the tree has 60"),
        ("ill", table(losses=[[None, 10], [50, 0]]), "decides 'treat', which is not allowed for this cause"),
        ("ill", table(losses=[[0, 10], [50, 1]]), "costs loss 14, the tree has '221/10'"),
        ("ill", table(ends="+"), "the leaf decides 'treat' where the path has ended (path: 'lab' '+')"),
        ("ill", table(lapses=1), "response '?' to test 'lab' has no branch"),
        ("needle", table(after=[["b2"], []]), "'b1', is not allowed: 'b2' must be asked before"),
        ("needle", table(later=[2, 2]), "costs total 28, the tree has 32"),
        ("ill", costs(exact="25/10"), "costs exact '25/10', the tree has '12/5'"),
        ("ill", costs(loss=13), "costs loss 13, the tree has 14"),
        ("ill", lambda d: d["bounds"].update(upper=23), "bounds say upper 23, the tree has 24"),
        ("ill", lambda d: d.update(objective="worst"), "bounds say upper 24, the tree has 51"),
    ],
)
def test_wrong_decisions_and_claims_are_found(
    name: str, change: Callable[[Document], object], message: str, folder: Path
) -> None:
    document, path = document_in(folder, name), folder / "changed.json"
    change(document)
    path.write_text(json.dumps(document))
    report = Strategy.read(path).check()
    assert not report.valid and any(message in text for text in report.messages()), report.messages()


def test_fractions_of_many_digits_are_read_again_and_rounded_for_readers(tmp_path: Path) -> None:
    rates = [[Fraction(n, 3**60 + i) for n in (3, 3**59)] for i in range(20)]
    cells = tuple(tuple({0: rate, 1: 1 - rate} for rate in row) for row in rates)
    model = Model(cells, (1, 2), (1,) * 20, losses=((0, 9), (9, 0)))

    def choose(history: Sequence[tuple[int, int]]) -> int:
        return len(history) if len(history) < 20 and not any(r for _, r in history) else 20

    game = ModelGame(model)
    strategy = Strategy.of(build_noisy(game, choose, Claims()))
    strategy.write(tmp_path / "long.json")
    again = Strategy.read(tmp_path / "long.json", game)
    report = again.check()
    assert report.valid and report.costs is not None and len(str(report.costs.total)) > 900
    assert len(cost_lines(game, report.costs)) < 120
    lying = again.with_claims(replace(again.claims, summary={"total": "1/3"}))
    assert all(len(lie) < 200 for lie in lying.check().lies) and not lying.check().valid


def test_check_tells_tests_from_decisions(folder: Path) -> None:
    run = CliRunner()
    shown = run.invoke(check_command, [str(folder / "ill.json")]).output.splitlines()
    assert shown[2] == "  claimed, not checked: method exact, lower bound 2.4 on average"
    assert shown[3].startswith(
        "  cost: total 24 over a weight of 10, average 2.4000 (tests 1.0000, decisions 1.4000), worst case 51"
    )
    assert shown[7:10] == [
        "  decision     share    wrong     loss",
        "  leave      82.00 %   1.00 %   0.5000",
        "  treat      18.00 %   9.00 %   0.9000",
    ]
    assert shown[10].startswith("  Cost 2.4 on average: tests 1, wrong decisions 1.4.")
    found = json.loads(run.invoke(check_command, [str(folder / "ill.json"), "--json"]).output)
    assert found["decisions"][1] == {"decision": "treat", "share": 0.18, "wrong": 0.09, "loss": 0.9}
    assert (found["average"], found["exact"], found["worst"]) == (2.4, "12/5", 51)
    assert found["guesses"] == {"total": 2, "average": 1.0, "exact": "1", "worst": 1}


def test_strategies_that_decide_differ_where_the_decision_does(folder: Path) -> None:
    document = document_in(folder, "ill")
    document["nodes"][1]["decide"] = "leave"
    for claim in ("summary", "bounds"):
        del document[claim]
    (folder / "other.json").write_text(json.dumps(document))
    files = [str(folder / name) for name in ("ill.json", "other.json")]
    shown = CliRunner().invoke(diff_command, files).output.splitlines()
    assert shown[-2:] == [
        "  first difference: lab +: treat or leave",
        "  0 subtrees in common",
    ]
    assert "average 6.0000 (tests 1.0000, decisions 5.0000), worst case 51" in shown[6]
    found = json.loads(CliRunner().invoke(diff_command, [*files, "--json"]).output)
    assert [costs["exact"] for costs in found["costs"]] == ["12/5", "6"]
    document["nodes"][1] = {"secret": "ill"}
    (folder / "other.json").write_text(json.dumps(document))
    refused = CliRunner().invoke(diff_command, files)
    assert "not a valid strategy: cause 'ill': the leaf decides nothing" in str(refused.exception)


def test_python_gets_decisions_and_losses(folder: Path) -> None:
    ill, mend = (Strategy.read(folder / f"{name}.json") for name in ("ill", "mend"))
    nodes = ill.to_networkx().nodes(data=True)
    assert [data["decision"] for _, data in nodes] == [None, "treat", "leave"]
    assert {data["secret"] for _, data in nodes} == {None}
    pytest.importorskip("pandas")
    frame = ill.to_frame()
    assert frame.columns.tolist() == ["secret", "weight", "guesses", "cost", "loss", "decision", "path"]
    assert frame.to_numpy().tolist() == [
        ["ill", 0.9, 1, 1, 0, "treat", "lab: +"],
        ["ill", 0.1, 1, 1, 50, "leave", "lab: -"],
        ["well", 0.9, 1, 1, 10, "treat", "lab: +"],
        ["well", 8.1, 1, 1, 0, "leave", "lab: -"],
    ]
    assert (frame.weight * (frame.cost + frame.loss)).sum() == pytest.approx(24)
    assert mend.to_frame().loss.tolist() == [0.5, 8.0]
