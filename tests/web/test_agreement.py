"""The page, the terminal and Python say the same of a table, answer by answer, *don't know* included."""

import random
from collections import Counter
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from effort import EVERY, some_of
from random_models import random_rows

from guesstree import Evidence, Position, parse
from guesstree.cli.assist import Assist
from guesstree.cli.session.noisy import NoisyAssist
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.exact import as_plain
from guesstree.engine.game import Game
from guesstree.engine.rules import UNKNOWN
from guesstree.web.store import Store
from guesstree.web.work.advising import Advice, RealBoard, advise
from guesstree.web.work.noisy_advice import advisor_at

SECONDS = 60.0
Met = Counter[str]


def random_table(dice: random.Random) -> tuple[str, str]:
    """Return a small table of any kind as CSV, and options with which it may be read."""
    header, *rows = (line.split(",") for line in random_rows(dice))
    causes = sum(label.startswith("c") and label != "cost" for label in header[1:])
    tests = [row for row in rows if row[0] != "weight"]
    options = ["cells=sets"] if dice.random() < 0.7 else []
    marks = dice.random() < 0.4
    options.append("missing=label" if marks else "missing=any")
    for row in tests:
        for i in range(1, causes + 1):
            if marks:
                row[i] = row[i] or dice.choice(["?", "x"])
            if not options[0].startswith("cells"):
                row[i] = row[i][:1]
    if dice.random() < 0.4:
        header += ["group", "setup"]
        for row in rows:
            row += dice.choice([["lab", "4"], ["", ""]]) if row in tests else ["", ""]
    if dice.random() < 0.3:
        header.append("after")
        for i, row in enumerate(rows):
            row.append(dice.choice(tests[:i])[0] if row in tests and i and dice.random() < 0.5 else "")
    if dice.random() < 0.3:
        header.append("error")
        for row in rows:
            row.append(dice.choice(["", "10 %"]) if row in tests else "")
    if dice.random() < 0.6:
        for label in ("wait", "treat", "refer"):
            losses = [str(dice.choice([0, 3, 9, 40])) for _ in range(causes)]
            rows.append([f"decide {label}", *losses, *[""] * (len(header) - 1 - causes)])
        options += ["lapses=1"] * (dice.random() < 0.5)
    elif dice.random() < 0.5:
        options.append("ambiguous=clique")
    return "\n".join(",".join(row) for row in [header, *rows]), ",".join(options)


def accepted(store: Store, folder: Path, seed: int, dice: random.Random) -> tuple[str, Game]:
    """Return a random table that is accepted and can be played: its spec for pages, and its game."""
    while True:
        text, options = random_table(dice)
        file = folder / f"{seed}.csv"
        file.write_text(text)
        try:
            game = parse(f"table:{file},{options}")
            if game.model is not None:
                Evidence(game).advise()
            elif np.unique(game.table(), axis=1).shape != game.table().shape:
                continue
        except GuesstreeError:
            continue
        return f"table:{store.add_file(file.name, text.encode())},{options}", game


def require_same_evidence(
    seen: Advice, session: NoisyAssist, evidence: Evidence, store: Store, spec: str
) -> None:
    """Compare advice, bounds and costs where tests may err."""
    game, data = evidence.game, session.as_data()
    assert session.evidence.history == evidence.history
    assert data["paid"] == as_plain(evidence.paid * game.cost_unit)
    advisor = advisor_at(store.path, spec)
    paid = advisor.cost(evidence.paid)
    assert seen.noisy_advice is not None and not seen.fault
    if evidence.finished:
        assert f"{game.look.paid(paid)} was paid" in seen.over and session.finished
        return
    advice = evidence.advise()
    assert advice.proven
    test = "" if advice.test < 0 else game.guesses[advice.test]
    decision = "" if advice.decision < 0 else game.decisions[advice.decision]
    assert (seen.noisy_advice.test, seen.noisy_advice.decision) == (test, decision)
    told = data["advice"]
    assert (told["guess"] or "", told["decision"] or "", told["optimal"]) == (test, decision, True)
    units = as_plain(advice.upper * game.cost_unit)
    assert told["lower"] == told["upper"] == units
    first = next((row for row in seen.noisy_advice.rows if row[0] == test), None)
    if test:
        assert first is not None and first[-1] == advisor.cost(advice.upper)
        assert first[1] == advisor.cost(evidence.outlook(test).price)
    for row, best in zip(seen.noisy_advice.rows, data["best"], strict=True):
        assert row[0] == best["guess"]
        assert row[1] == advisor.cost(evidence.outlook(row[0]).price)
    if decision:
        with redirect_stdout(StringIO()):
            session.decide("")
        assert session.decided == advice.decision
        loss = advisor.cost(evidence.loss(decision) or 0)
        ended = advise(store.path, RealBoard(spec, history=seen.board.history, decision=decision)).over
        assert f" {loss}; " in ended and f"{game.look.paid(paid)} was paid" in ended
        assert f" loss {loss}; " in session.outcome() and session.outcome().endswith(game.look.paid(paid))
        session.decided = None


def require_same_position(seen: Advice, session: Assist, position: Position) -> None:
    """Compare advice and candidates where each test gets one answer."""
    game, data = position.game, session.as_data()
    assert session.position.history == position.history
    assert data["secrets"] == [game.secrets[int(s)] for s in position.candidates] == list(seen.some)
    assert data["finished"] == position.finished == bool(seen.over)
    assert session.position.paid == position.paid
    if not position.finished:
        best = game.guesses[position.best_guess()]
        assert data["best"][0]["guess"] == best == seen.best[0].label
        assert [one["guess"] for one in data["best"]] == [one.label for one in seen.best]


def agree(seed: int, store: Store, folder: Path, met: Met) -> None:
    """Give the same answers to a page, at a prompt and in Python; compare what they say after each."""
    dice = random.Random(seed)
    spec, game = accepted(store, folder, seed, dice)
    errs = game.model is not None
    known: Evidence | Position = Evidence(game) if errs else Position(game)
    session = NoisyAssist(game, (), SECONDS) if errs else Assist(game, None, (), None, 0, SECONDS)
    seen = advise(store.path, RealBoard(spec))
    while True:
        met["states where tests err" if errs else "states"] += 1
        if isinstance(known, Evidence):
            assert isinstance(session, NoisyAssist)
            require_same_evidence(seen, session, known, store, spec)
            askable = [] if known.finished else list(known.askable)
        else:
            assert isinstance(session, Assist)
            require_same_position(seen, session, known)
            askable = [] if known.finished else [int(g) for g in known.askable]
        if not askable:
            return
        test = game.guesses[dice.choice(askable)]
        asking = advise(store.path, RealBoard(spec, history=seen.board.history, guess=test))
        if asking.fault:
            return
        assert asking.responses is not None
        labels = [label for label, _ in asking.responses.labels]
        unknown = game.not_known(game.guess_at(test))
        own = [game.responses[r] for r in game.answers(test)]
        assert (labels, asking.responses.unknown) == ([one for one in own if one != unknown], unknown)
        label = asking.responses.unknown if dice.random() < 0.4 else dice.choice(labels)
        try:
            known = known.after(test, label)
        except GuesstreeError:
            met["contradiction"] += 1
            assert advise(store.path, _answered(store, spec, seen, test, label).board).contradiction
            return
        met["not known" if known.history[-1][1] == UNKNOWN else "answer"] += 1
        seen = advise(store.path, _answered(store, spec, seen, test, label).board)
        with redirect_stdout(StringIO()):
            session.enter(test)
            session.enter(label)


def _answered(store: Store, spec: str, seen: Advice, test: str, label: str) -> Advice:
    return advise(store.path, RealBoard(spec, history=seen.board.history, guess=test, response=label))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "kept")


def test_page_terminal_and_python_agree(store: Store, tmp_path: Path) -> None:
    met = Met()
    for seed in range(12):
        agree(seed, store, tmp_path, met)
    assert met["not known"] > 3 and met["answer"] > 3 and len(met) >= 4, met


@pytest.mark.long
def test_page_terminal_and_python_agree_on_many_tables(store: Store, tmp_path: Path) -> None:
    met = Met()
    for seed in some_of(range(1000, 1500)):
        agree(seed, store, tmp_path, met)
    assert min(met[what] for what in ("not known", "states", "states where tests err")) > 50 // EVERY, met
