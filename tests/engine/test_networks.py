"""Bayesian networks of two layers: BIF and XDSL, against probabilities worked out from the network."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from effort import seeds

import guesstree
from guesstree.engine.errors import GameError

BIF = """// three faults
network unknown {{
  property author someone;
}}
variable fault {{ type discrete [ 3 ] {{ pump, valve, board }}; }}
variable noise {{
  type discrete [ 2 ] {{ yes, no }};
}}
probability ( fault ) {{ table 0.5, 0.3, 0.2; }}
probability ( noise | fault ) {{ {} }}
"""
GOOD = "(pump) 0.9, 0.1; (valve) 0.2, 0.8; (board) 0.0, 1.0;"
XDSL = """<?xml version="1.0" encoding="UTF-8"?>
<smile version="1.0" id="N" numsamples="1000"><nodes>
<cpt id="Pump"><state id="Broken" fault="true"/><state id="OK"/><probabilities>0.02 0.98</probabilities></cpt>
<cpt id="Valve"><state id="OK"/><state id="Broken" fault="true"/>
<probabilities>0.95 0.05</probabilities></cpt>
<cpt id="Noise"><state id="loud"/><state id="quiet"/><parents>Pump Valve</parents>
<probabilities>0.9 0.1 0.95 0.05 0.05 0.95 0.3 0.7</probabilities></cpt>
{}</nodes>
<extensions><genie version="1.0"><node id="Noise"><name>Noise at start</name></node></genie></extensions>
</smile>
"""


def read(tmp_path: Path, text: str, name: str = "net.bif") -> Any:
    (tmp_path / name).write_text(text)
    return guesstree.parse(f"table:{tmp_path / name},cells=sets,wrong=5")


def chances(game: Any) -> list[list[dict[str, Fraction]]]:
    return [[{game.responses[r]: p for r, p in cell.items()} for cell in row] for row in game.model.chances]


def test_the_states_of_one_node_are_causes(tmp_path: Path) -> None:
    game = read(tmp_path, BIF.format(GOOD))
    assert (tuple(game.secrets), tuple(game.guesses)) == (("pump", "valve", "board"), ("noise",))
    assert tuple(game.weights) == (5, 3, 2)
    assert chances(game) == [
        [
            {"yes": Fraction(9, 10), "no": Fraction(1, 10)},
            {"yes": Fraction(1, 5), "no": Fraction(4, 5)},
            {"no": Fraction(1)},
        ]
    ]
    again = read(tmp_path, BIF.format("(valve) 0.2, 0.8; (board) 0, 1; default 0.9, 0.1;"))
    assert chances(again) == chances(game)


def test_of_several_faults_one_is_present(tmp_path: Path) -> None:
    game = read(tmp_path, XDSL.format(""), "net.xdsl")
    assert (tuple(game.secrets), tuple(game.guesses)) == (("Pump", "Valve"), ("Noise at start",))
    first, second = game.weights
    assert Fraction(first, second) == Fraction(2, 98) / Fraction(5, 95)
    assert chances(game) == [
        [
            {"loud": Fraction(9, 10), "quiet": Fraction(1, 10)},
            {"loud": Fraction(3, 10), "quiet": Fraction(7, 10)},
        ]
    ]
    more = '<decision id="Repair"><state id="now"/></decision>'
    assert chances(read(tmp_path, XDSL.format(more), "net.xdsl")) == chances(game)


@pytest.mark.parametrize("seed", seeds(10, 300))
def test_both_formats_say_what_the_joint_distribution_says(seed: int, tmp_path: Path) -> None:
    """Condition the joint distribution of a random network on one fault, by adding up over all states."""
    random = Random(seed)
    faults = [f"f{i}" for i in range(random.randint(2, 4))]
    priors = {fault: Fraction(random.randint(1, 9), 20) for fault in faults}
    parents = {f"t{i}": sorted(random.sample(faults, random.randint(1, len(faults)))) for i in range(3)}
    parents["t0"] = faults  # so that each fault has a test
    tables = {
        test: {states: Fraction(random.randint(0, 8), 8) for states in product((0, 1), repeat=len(own))}
        for test, own in parents.items()
    }
    expected: dict[tuple[str, str], Fraction] = {}
    weights: dict[str, Fraction] = {}
    for states in product((0, 1), repeat=len(faults)):  # 0: present
        if states.count(0) != 1:
            continue
        fault = faults[states.index(0)]
        p = Fraction(1)
        for one, state in zip(faults, states, strict=True):
            p *= 1 - priors[one] if state else priors[one]
        weights[fault] = p
        for test, own in parents.items():
            where = tuple(states[faults.index(one)] for one in own)
            expected[test, fault] = tables[test][where]
    bif = "network n { }\n" + "".join(
        f"variable {name} {{ type discrete [ 2 ] {{ yes, no }}; }}\n" for name in (*faults, *parents)
    )
    bif += "".join(
        f"probability ( {f} ) {{ table {float(p)}, {float(1 - p)}; }}\n" for f, p in priors.items()
    )
    xdsl = "".join(cpt(fault, [], [p, 1 - p]) for fault, p in priors.items())
    for test, own in parents.items():
        lines = [
            f"({', '.join('no' if s else 'yes' for s in states)}) {float(p)}, {float(1 - p)};"
            for states, p in tables[test].items()
        ]
        bif += f"probability ( {test} | {', '.join(own)} ) {{\n" + "\n".join(lines) + "\n}\n"
        xdsl += cpt(test, own, [q for p in tables[test].values() for q in (p, 1 - p)])
    for text, name in ((bif, "n.bif"), (f'<smile version="1.0"><nodes>{xdsl}</nodes></smile>', "n.xdsl")):
        game = read(tmp_path, text, name)
        assert list(game.guesses) == list(parents)
        total = sum(weights.values())
        own_weights = [Fraction(w, sum(game.weights)) for w in game.weights]
        assert own_weights == [weights[cause] / total for cause in game.secrets]
        for row, test in zip(chances(game), game.guesses, strict=True):
            for cell, cause in zip(row, game.secrets, strict=True):
                assert cell.get("yes", 0) == expected[test, cause]


def cpt(name: str, parents: list[str], numbers: list[Fraction]) -> str:
    above = f"<parents>{' '.join(parents)}</parents>" if parents else ""
    texts = " ".join(str(float(number)) for number in numbers)
    states = '<state id="yes"/><state id="no"/>'
    return f'<cpt id="{name}">{states}{above}<probabilities>{texts}</probabilities></cpt>'


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("(pump) 0.9, 0.1; (valve) 0.2, 0.8;", "no probabilities for some states of its parents"),
        ("(pump) 0.9; ", "line 10: 1 probabilities of 'noise'; expected 2"),
        ("(pomp) 0.9, 0.1;", "line 10: 'fault' has no state 'pomp'"),
        ("(pump, pump) 0.9, 0.1;", "line 10: 2 states of parents; expected 1"),
        (GOOD.replace("0.9", "1.9"), "line 10: '1.9' is no probability; expected a number from 0 to 1"),
        (GOOD.replace("0.9", "1e-99999"), "'1e-99999' is no probability"),
        (GOOD.replace("0.9", "0.8"), "probabilities that add up to 0.9; expected 1"),
        ("table 0.9, 0.1, 0.2, 0.8, 0, 1;", "6 probabilities of 'noise'; expected 2, in a line for each"),
        ("(pump) 0.9, 0.1", "line 10: the end; expected more"),
    ],
)
def test_what_is_no_network_is_refused_with_its_line(body: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(GameError) as error:
        read(tmp_path, BIF.format(body))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("network x {", "line 1: the end; expected more"),
        ("network x { } variable a { type discrete [ 2 ] { y, n }; }", "no probabilities of 'a'"),
        ("network x { } probability ( a ) { table 1; }", "which is no variable above"),
        (XDSL.format('<noisymax id="X"/>'), "is of the kind 'noisymax'; expected cpt"),
        (
            XDSL.format(cpt("Deep", ["Noise"], [Fraction(1, 2)] * 4)),
            "is below 'Noise', which has parents itself",
        ),
        (
            XDSL.format(cpt("Wide", ["Pump"], [Fraction(1, 2)] * 6)),
            "6 probabilities; expected 4, for 2 states",
        ),
        (
            XDSL.format(cpt("Lost", ["Absent"], [Fraction(1, 2)] * 4)),
            "has the parent 'Absent', which is not there",
        ),
        (
            XDSL.replace("loud", "a/b").format(""),
            "has the state 'a/b'; expected one without the signs of sets",
        ),
        (XDSL.replace("0.02 0.98", "0 1").format(""), "is certain; expected a cause with a probability"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><smile/>', "a document type 'x'; expected none"),
        ("<smile><nodes></smile>", "no XML that can be read"),
    ],
)
def test_other_networks_are_refused_in_a_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(GameError) as error:
        read(tmp_path, text)
    assert "\n" not in str(error.value)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "probability ( T | D ) { (a) 0.1, 0.9; (a) 0.2, 0.8; (b) 0.5, 0.5; }",
            "are said twice for the same",
        ),
        ("probability ( D ) { table 0.3, 0.7; }", "line 5: probabilities of 'D' are said twice"),
        ("variable T { type discrete [ 2 ] { x, y }; }", "line 5: the variable 'T' is there twice"),
    ],
)
def test_what_is_said_twice_in_bif_is_refused(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "n.bif"
    file.write_text(
        "network n { }\n"
        "variable D { type discrete [ 2 ] { a, b }; }\nvariable T { type discrete [ 2 ] { yes, no }; }\n"
        f"probability ( D ) {{ table 0.2, 0.8; }}\n{text}\n"
    )
    with pytest.raises(GameError) as error:
        guesstree.parse(f"table:{file}")
    assert said in str(error.value)


def test_two_nodes_of_one_name_in_xdsl_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "n.xdsl"
    file.write_text(
        '<smile version="1.0" id="n"><nodes><cpt id="D"><state id="a"/><state id="b"/>'
        '<probabilities>0.3 0.7</probabilities></cpt><cpt id="D"><state id="yes"/><state id="no"/>'
        "<parents>D</parents><probabilities>0.9 0.1 0.2 0.8</probabilities></cpt></nodes></smile>"
    )
    with pytest.raises(GameError, match="the node 'D' is there twice"):
        guesstree.parse(f"table:{file}")
