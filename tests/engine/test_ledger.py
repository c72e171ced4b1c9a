"""What is known is kept in a file: it is found again, and nothing else is taken for it."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

import guesstree
from guesstree.api.strategy import strategy_of
from guesstree.engine.campaign.ledger import COMMIT_SECONDS, Ledger
from guesstree.engine.campaign.merging import merge_into
from guesstree.engine.campaign.messages import INFINITE, NodeId, Report
from guesstree.engine.campaign.records import About, about_of
from guesstree.engine.campaign.schema import seal
from guesstree.engine.campaign.store import MemoryStore, Record, Store
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.trees.check import check

ABOUT = About("mastermind 3 3 win - - expected", "some digest", asked='{"game": "mastermind:3x3"}')
STATE, BRANCH, GAME = (
    NodeId((0, 2, 5, 1), "total", 25),
    NodeId((0, 2, 5), "worst", 4),
    NodeId((), "total", 27),
)
TOLD = Report(STATE, 40, 57, (), b"\x01choices", 39, "( . )", 1000, 2.5, "first")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "some.ledger")


def told_of(standing: Record | None) -> dict[str, Any]:
    """Return all that is known of a place."""
    assert standing is not None
    return {name: getattr(standing, name) for name in vars(Record())}


def known_to(path: str) -> dict[NodeId, dict[str, Any]]:
    """Return all that a file has, to who reads it."""
    with closing(Ledger(path)) as reader:
        return {place: told_of(standing) for place, standing in reader.all()}


@contextmanager
def edited(path: str) -> Iterator[sqlite3.Connection]:
    """Yield the file as SQLite has it."""
    with closing(sqlite3.connect(path)) as file, file:
        yield file


def some_steps(steps: random.Random, store: Store) -> None:
    """Tell a store what may be told, at random."""
    places = [GAME, STATE, BRANCH, NodeId((3,), "total", 27), NodeId((3, 1), "total", 26)]
    for _ in range(60):
        place, act = steps.choice(places), steps.random()
        known = store.find(place) or Record()
        if act < 0.4:
            store.asked(place, 50, steps.randrange(1000), "some")
        elif act < 0.8:
            lower, upper = (
                known.lower + steps.randrange(5),
                steps.choice([INFINITE, steps.randrange(400, 500)]),
            )
            proved = steps.randrange(lower + 1)
            proof = f"( {place.path} {proved} )" * (proved > 0)
            choices = steps.randbytes(9) if upper < INFINITE else b""
            store.take(Report(place, lower, upper, (), choices, proved, proof, 10, steps.random(), "some"))
        elif known.accepted < known.proved and act < 0.95:
            store.accept(place, known.proved)
        elif known.tries and not known.accepted:
            store.refuse(place, "line 3: no")


def test_all_that_is_known_is_found_again_and_as_in_memory(tmp_path: Path) -> None:
    for seed in range(5):
        path, memory = str(tmp_path / str(seed)), MemoryStore()
        some_steps(random.Random(seed), memory)
        with closing(Ledger(path, ABOUT)) as ledger:
            some_steps(random.Random(seed), ledger)
            expected = {place: told_of(standing) for place, standing in memory.all()}
            assert {place: told_of(standing) for place, standing in ledger.all()} == expected
            assert [(place, why) for _, place, why, *_ in ledger.refused] == memory.refused
            ledger.commit()
            assert known_to(path) == expected
            history, refused = ledger.history, ledger.refused
        with closing(Ledger(path, ABOUT)) as again:
            assert {place: told_of(standing) for place, standing in again.all()} == expected
            assert (again.about, again.history, again.refused) == (ABOUT, history, refused)
            assert again.about.asked == ABOUT.asked
            some_steps(random.Random(seed + 1), memory)
            some_steps(random.Random(seed + 1), again)
        assert known_to(path) == {place: told_of(standing) for place, standing in memory.all()}
        assert not list(tmp_path.glob("*-*"))  # nothing is left beside it


def test_what_is_told_is_on_the_disk_soon_and_not_a_commit_each(path: str) -> None:
    with closing(Ledger(path, ABOUT)) as ledger:
        statements: list[str] = []
        ledger.file.set_trace_callback(statements.append)
        for number in range(300):
            ledger.asked(replace(STATE, path=(number, 1)), 5, 7, "first")
            ledger.take(replace(TOLD, node=replace(STATE, path=(number, 1))))
        until = time.monotonic() + 50 * COMMIT_SECONDS
        while len(known_to(path)) < 300:
            assert time.monotonic() < until
            time.sleep(COMMIT_SECONDS / 4)
        assert statements.count("COMMIT") <= 3
        settings = [
            ledger.file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
        ]
        assert settings == ["wal", 2]  # which is FULL
        ledger.file.set_trace_callback(None)


def test_what_cannot_be_written_is_told_to_who_goes_on(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is wrong: behind the scenes it would be lost, and nothing be kept from then on."""
    with closing(Ledger(path, ABOUT)) as ledger:
        with monkeypatch.context() as patch:
            patch.setattr(ledger, "commit", lambda: 1 // 0)
            ledger.take(TOLD)
            until = time.monotonic() + 50 * COMMIT_SECONDS
            while ledger.failure is None:
                assert time.monotonic() < until
                time.sleep(COMMIT_SECONDS / 4)
        with pytest.raises(ZeroDivisionError):
            ledger.take(TOLD)
    assert list(known_to(path)) == [STATE]


def test_who_works_on_a_claim_is_told_until_it_is_settled(path: str) -> None:
    before = time.time()
    with closing(Ledger(path, ABOUT)) as ledger:
        ledger.asked(STATE, 50, 7, "host 3")
        ledger.asked(BRANCH, 9, 7, "")
        ledger.take(TOLD)
    with closing(Ledger(path)) as reader:
        settled, running = reader.known[STATE], reader.known[BRANCH]
        assert (settled.bound, settled.worker, settled.since) == (50, "first", 0)
        assert (running.bound, running.worker) == (9, "")
        assert before <= running.since <= time.time()


def test_a_proof_that_was_accepted_outlives_one_that_is_refused(path: str) -> None:
    with closing(Ledger(path, ABOUT)) as ledger:
        ledger.take(TOLD)
        ledger.accept(STATE, 39)
        ledger.take(replace(TOLD, proved=50, lower=50, proof="( wrong )"))
        ledger.commit()
        ledger.refuse(STATE, "line 3: no")
    (known,) = known_to(path).values()
    assert known == told_of(Record(39, INFINITE, 39, "( . )", 39))
    with edited(path) as file:
        assert file.execute("SELECT count(*) FROM proofs").fetchone() == (1,)


@pytest.mark.parametrize(
    "wrong",
    [
        Report(STATE, 58, worker="liar"),
        Report(STATE, 0, 39, worker="liar"),
        Report(STATE, 60, 59, worker="liar"),
    ],
)
def test_what_contradicts_itself_is_refused_by_name(path: str, wrong: Report) -> None:
    with closing(Ledger(path, ABOUT)) as ledger:
        ledger.take(TOLD)
        assert told_of(ledger.take(wrong)) == told_of(Record())
    with closing(Ledger(path)) as reader:
        assert not reader.known
        (refusal,) = reader.refused
        assert refusal.node == STATE and refusal.why.startswith("liar reported what has lower ")
        assert refusal.why.endswith("at least 40, at most 57 before")


def test_the_bounds_of_the_game_have_a_history(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("one", "two")]
    bounds = (((0, 80), (60, 80), (60, 80), (70, 75), (50, None, 40), (70,)), ((65, 90), (65, 74)))
    for path, some in zip(paths, bounds, strict=True):
        with closing(Ledger(path, ABOUT)) as ledger:
            for bound in some:
                if bound == (50, None, 40):
                    ledger.rose(GAME, 1, 99)  # who begins anew knows less
                    ledger.refuse(STATE, "line 3: no")
                ledger.rose(GAME, *bound)
    with closing(Ledger(paths[0])) as reader:
        assert [rise[1:] for rise in reader.history] == [
            ("total", 27, 0, 80, 0),
            ("total", 27, 60, 80, 0),
            ("total", 27, 70, 75, 0),
            ("total", 27, 50, 75, 40),
            ("total", 27, 70, 75, 40),
        ]
        times = [rise.time for rise in reader.history]
        assert times == sorted(times)
        before = reader.history
    with closing(Ledger(merged(tmp_path, *paths))) as reader:
        assert reader.history[:-1] == before  # what was no better is not there
        assert reader.history[-1][3:] == (70, 74, 40)


# -- lemmas and the optimum --------------------------------------------------------------------------------


def test_lemmas_are_found_again_by_all_that_they_say(path: str) -> None:
    with closing(Ledger(path, ABOUT)) as ledger:
        ledger.lemmas.keep("012 000", 5, 17, "(\n. )")
        assert ledger.lemmas.find("012 000", 5, 17) == "(\n. )"
    with closing(Ledger(path, ABOUT)) as again, closing(Ledger(path)) as reader:
        for one in (again, reader):
            assert one.lemmas.find("012 000", 5, 17) == "(\n. )"
            for other in (("012 000", 5, 18), ("012 000", 4, 17), ("012 001", 5, 17), ("012", 5, 17)):
                assert one.lemmas.find(*other) is None
        again.lemmas.keep("012", 4, 9, ".")
        again.commit()
        assert reader.lemmas.find("012", 4, 9) == "."


def test_a_strategy_is_kept(path: str) -> None:
    game = parse("mastermind:3x4")
    solved = solve(game, "worst,expected", first="112")
    with closing(Ledger(path, ABOUT)) as ledger:
        assert ledger.solution(game) is None
        ledger.keep_solution(solved)
    with closing(Ledger(path, ABOUT)) as ledger:
        again = ledger.solution(game)
    assert again == solved
    assert again is not None and check(game, strategy_of(again)).valid


def test_what_is_proved_is_not_searched_again(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = guesstree.prove("mastermind:3x5", ledger=path)
    monkeypatch.setattr("guesstree.engine.campaign.proofs.CampaignProver.solve", None)
    again = guesstree.prove("mastermind:3x5", ledger=path)
    assert (again.text, again.bound) == (first.text, first.bound)
    assert again.solution is not None and again.solution.strategy.check().valid
    with pytest.raises(GuesstreeError, match="is a ledger of 'mastermind 3 5 win - - expected', not of"):
        guesstree.prove("mastermind:3x5", "worst", ledger=path)


# -- what is refused ---------------------------------------------------------------------------------------


def test_a_ledger_says_how_its_problem_is_made_again() -> None:
    game = parse("bulls:2x3")
    problem = Problem(game, parse_objective("worst"), goal="identify", first="12", max_depth=5)
    about = about_of(problem)
    again = about.problem()
    assert replace(again.asked, game=game) == problem.asked and about_of(again) == about
    assert about.claim == "bulls 2 3 identify 12 5 worst"
    with pytest.raises(GuesstreeError, match="no longer the game of this ledger"):
        replace(about, claim="bulls 2 4 identify 12 5 worst").problem()


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (
            replace(ABOUT, claim="mastermind 3 3 win - - worst"),
            "of 'mastermind 3 3 win - - expected', not of 'm",
        ),
        (replace(ABOUT, numbering="other digest"), r"otherwise ordered labels \(some dig, not other di\)"),
    ],
)
def test_a_ledger_of_something_else_is_refused(path: str, other: About, what: str) -> None:
    Ledger(path, ABOUT).close()
    before = Path(path).read_bytes()
    with pytest.raises(GuesstreeError, match=what):
        Ledger(path, other)
    assert Path(path).read_bytes() == before


def test_a_ledger_of_another_version_is_refused(path: str) -> None:
    Ledger(path, ABOUT).close()
    with edited(path) as file:
        file.execute("PRAGMA user_version = 1")
    for about in (ABOUT, None):
        with pytest.raises(GuesstreeError, match="is a ledger of format 1, not of format 2"):
            Ledger(path, about)


def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other"
    with edited(str(path)) as file:
        file.execute("CREATE TABLE some (thing)")
    text, folder, nothing = tmp_path / "text", tmp_path / "folder", tmp_path / "nothing"
    text.write_text("not a ledger")
    folder.mkdir()
    nothing.touch()
    for wrong in (path, text, nothing):
        before = wrong.read_bytes()
        for about in (ABOUT, None) if before else (None,):
            with pytest.raises(GuesstreeError, match="ledger"):
                Ledger(str(wrong), about)
        assert wrong.read_bytes() == before
    for absent in (folder, tmp_path / "absent" / "x"):
        with pytest.raises(GuesstreeError, match="ledger"):
            Ledger(str(absent), ABOUT)
    for absent, what in ((folder, "Is a directory"), (tmp_path / "absent", "No such file")):
        with pytest.raises(GuesstreeError, match=what):
            Ledger(str(absent))
    assert sorted(tmp_path.iterdir()) == [folder, nothing, path, text]


def test_one_process_writes_and_others_read(path: str) -> None:
    script = f"""
import sys
from guesstree.engine.campaign.records import About
from guesstree.engine.campaign.ledger import Ledger
ledger = Ledger({path!r}, About({ABOUT.claim!r}, {ABOUT.numbering!r}))
ledger.asked({STATE!r}, 1, 1, "first")
ledger.commit()
print(end="x", flush=True)
sys.stdin.read()
""".replace("NodeId(", "NodeId_(").replace(
        "import sys", "import sys\nfrom guesstree.engine.campaign.messages import NodeId as NodeId_"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.read(1) == b"x"
        assert list(known_to(path)) == [STATE]
        with pytest.raises(GuesstreeError, match=f"is written by process {other.pid} of .*; wait for it"):
            Ledger(path, ABOUT)
        other.kill()
    assert list(known_to(path)) == [STATE]  # with what was not yet moved into the file
    with closing(Ledger(path, ABOUT)) as ledger:
        assert list(ledger.known) == [STATE]
        with pytest.raises(GuesstreeError, match=f"is written by process {os.getpid()} of"):
            Ledger(path, ABOUT)
        assert ledger.take(TOLD).lower == 40
    assert known_to(path)[STATE]["lower"] == 40


# -- damage ------------------------------------------------------------------------------------------------


def filled(path: str, claims: int = 40) -> None:
    """Make a ledger with something in all of its tables."""
    with closing(Ledger(path, ABOUT)) as ledger:
        for number in range(claims):
            place = replace(STATE, path=(number, 1))
            ledger.take(replace(TOLD, node=place, proof="( . )" * number + "."))
        ledger.take(Report(GAME, 60, 70))
        ledger.take(replace(TOLD, node=BRANCH))
        ledger.refuse(BRANCH, "line 3: no")
        ledger.lemmas.keep("012 000", 5, 17, "(\n. )")
        ledger.keep_solution(solve(parse("mastermind:2x2")))


DAMAGE: dict[str, tuple[str, str]] = {
    "a bound above the other": ("UPDATE claims SET lower = 58 WHERE number = 3", "has lower 58 and upper 57"),
    "accepted above": ("UPDATE claims SET accepted = 99 WHERE number = 3", "has accepted 99 and upper 57"),
    "text for a number": ("UPDATE claims SET depth = 'many' WHERE number = 3", "row '3 2 1 total many' of"),
    "another part": ("UPDATE claims SET part = 'least'", "is about no place"),
    "a path of words": ("UPDATE claims SET path = '1 x'", "'1 x' is no path"),
    "the same claim twice": ("UPDATE claims SET path = '1 1'", "is there twice"),
    "no proof": ("DELETE FROM proofs WHERE number = 3", "the proof of claim .* is not there"),
    "a proof of nothing": ("DELETE FROM claims WHERE number = 3", "a proof or a strategy of no claim"),
    "no table": ("DROP TABLE choices", "no such table: choices"),
    "another table": ("ALTER TABLE claims RENAME COLUMN lower TO lowest", "no such column: lower"),
    "about nothing": ("DELETE FROM about", "about 0 things"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_what_cannot_be_is_named(path: str, name: str) -> None:
    """Even where the seals are right."""
    filled(path, 5)
    change, what = DAMAGE[name]
    with edited(path) as file:
        file.execute(change)
        if change.startswith("UPDATE"):
            for *row, _ in file.execute("SELECT * FROM claims").fetchall():
                file.execute("UPDATE claims SET seal = ? WHERE number = ?", (seal(row), row[0]))
    for about in (ABOUT, None):
        with pytest.raises(GuesstreeError, match=f"is damaged: .*{what}"):
            Ledger(path, about)


def test_no_byte_changes_unnoticed(path: str) -> None:
    filled(path)
    good, expected = Path(path).read_bytes(), known_to(path)
    chosen, unnoticed = random.Random(5), 0
    for _ in range(150):
        bad = bytearray(good)
        bad[chosen.randrange(len(bad))] ^= 1 << chosen.randrange(8)
        Path(path).write_bytes(bad)
        try:
            found = known_to(path)
        except GuesstreeError as error:
            assert "\n" not in str(error) and "ledger" in str(error)
        else:
            unnoticed += 1
            assert found == expected  # what is not used
    assert unnoticed < 150
    for size in (100, 4096, len(good) // 2, len(good) - 4096, len(good) - 1):
        Path(path).write_bytes(good[:size])
        with pytest.raises(GuesstreeError, match="ledger"):
            Ledger(path, ABOUT)


def test_a_full_disk_costs_what_was_not_kept(path: str) -> None:
    with closing(Ledger(path, ABOUT)) as ledger:
        ledger.take(TOLD)
        ledger.commit()
        (pages,) = ledger.file.execute("PRAGMA page_count").fetchone()
        ledger.file.execute(f"PRAGMA max_page_count = {pages}")
        ledger.take(replace(TOLD, node=BRANCH, choices=random.Random(1).randbytes(10**5)))
        said = "disk is full; what was kept before is good; make room, and the same command goes on"
        with pytest.raises(GuesstreeError, match=said):
            ledger.commit()
        assert list(known_to(path)) == [STATE]
        until = time.monotonic() + 50 * COMMIT_SECONDS
        with pytest.raises(GuesstreeError, match="database or disk is full"):  # whoever works on is told
            while time.monotonic() < until:
                ledger.asked(BRANCH, 1, 1, "some")
                time.sleep(COMMIT_SECONDS / 4)
        ledger.file.execute(f"PRAGMA max_page_count = {100 * pages}")
    assert list(known_to(path)) == [STATE, BRANCH]


def broken(*_: Any, **__: Any) -> NoReturn:
    raise sqlite3.OperationalError("disk I/O error")


@pytest.mark.parametrize("pages", [1, 2, 5])
def test_a_ledger_that_finds_no_room_is_not_begun(
    path: str, pages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def small(*words: Any, **more: Any) -> sqlite3.Connection:
        file: sqlite3.Connection = connect(*words, **more)
        file.execute(f"PRAGMA max_page_count = {pages}")
        return file

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", small)
        with pytest.raises(
            GuesstreeError, match="disk is full; nothing was written; make room, and the same"
        ):
            Ledger(path, ABOUT)
    assert list(Path(path).parent.iterdir()) == []
    with closing(Ledger(path, ABOUT)) as ledger:
        ledger.take(TOLD)
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "_read", broken)
        with pytest.raises(GuesstreeError):
            Ledger(path, ABOUT)
    assert list(known_to(path)) == [STATE], "one that was there stays, whatever happens"


def test_on_a_full_disk_an_error_of_the_system_is_told_as_that(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "connect", broken)
    with pytest.raises(GuesstreeError, match="disk I/O error; expected a ledger, or a new file"):
        Ledger(path, ABOUT)
    monkeypatch.setattr("guesstree.engine.campaign.file.LEAST_ROOM", 1 << 62)
    with pytest.raises(GuesstreeError, match="disk I/O error; nothing was written; make room"):
        Ledger(path, ABOUT)


WRITING = """
import random, sys
from guesstree.engine.campaign.records import About
from guesstree.engine.campaign.messages import Report, NodeId
from guesstree.engine.campaign.ledger import Ledger
ledger = Ledger(sys.argv[1], About("some"))
number = len(ledger.known)
while True:
    for _ in range(random.randrange(200)):
        place = NodeId((number, 1), "total", 50)
        ledger.asked(place, 50, 1, "some")
        ledger.take(Report(place, 40, 60, (), random.randbytes(30), 40, "( . )" * number, 5, 0.1, "some"))
        number += 1
    ledger.commit()
    print(number, flush=True)
"""


@pytest.mark.long
def test_a_kill_in_the_middle_costs_what_was_not_kept(path: str) -> None:
    for seconds in (0, 0.003, 0.01, 0.03, 0.1, 0.3):
        command = [sys.executable, "-c", WRITING, path]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            said = writer.stdout.readline()
            time.sleep(seconds)
            writer.kill()
            said = writer.stdout.read().rpartition("\n")[0].rpartition("\n")[2] or said
        with closing(Ledger(path, About("some"))) as ledger:
            assert int(said) <= len(ledger.known)
            for place, standing in ledger.all():
                assert (standing.proof, standing.lower) in (("( . )" * place.path[0], 40), ("", 0))


# -- several ledgers ---------------------------------------------------------------------------------------


def merged(tmp_path: Path, *paths: str) -> str:
    """Return a ledger with what others know."""
    path = str(tmp_path / f"merged {len(list(tmp_path.iterdir()))}")
    with ExitStack() as stack:
        merge_into(path, [stack.enter_context(closing(Ledger(one))) for one in paths])
    return path


def test_ledgers_merge_as_by_hand(tmp_path: Path) -> None:
    paths, known = [], []
    for seed in range(3):
        paths.append(str(tmp_path / str(seed)))
        with closing(Ledger(paths[-1], ABOUT)) as ledger:
            some_steps(random.Random(seed), ledger)
            known.append({place: Record(**told_of(one)) for place, one in ledger.all()})
            refused = ledger.refused
    expected: dict[NodeId, Record] = {}
    for place in {place for one in known for place in one}:
        of = [one[place] for one in known if place in one]
        lowest, proved = min(of, key=lambda one: one.upper), max(of, key=lambda one: one.proved)
        expected[place] = Record(
            max(one.lower for one in of),
            lowest.upper,
            proved.proved,
            proved.proof,
            max(one.accepted for one in of),
            sum(one.tries for one in of),
            max(one.budget for one in of),
            sum(one.evaluations for one in of),
            sum(one.seconds for one in of),
            lowest.choices,
        )
    whole = merged(tmp_path, *paths)
    assert known_to(whole) == {place: pytest.approx(told_of(one)) for place, one in expected.items()}
    with closing(Ledger(whole, ABOUT)) as ledger:  # it goes on
        assert set(refused) <= set(ledger.refused)
        for place, standing in expected.items():
            assert ledger.known[place].proof_of(standing.accepted) or not standing.accepted
    for again in (merged(tmp_path, whole, paths[1]), merged(tmp_path, whole, whole)):
        assert known_to(again) == known_to(whole)


def test_ledgers_of_different_games_do_not_merge(tmp_path: Path, path: str) -> None:
    other = str(tmp_path / "other")
    for one, about in ((path, ABOUT), (other, replace(ABOUT, claim="bulls 2 3 win - - expected"))):
        Ledger(one, about).close()
    with pytest.raises(GuesstreeError, match="'bulls 2 3 win - - expected', not of 'mastermind"):
        merged(tmp_path, path, other)


def test_what_two_ledgers_cannot_both_say_is_refused(tmp_path: Path, path: str) -> None:
    other = str(tmp_path / "other")
    for one, told in ((path, TOLD), (other, replace(TOLD, lower=58, upper=INFINITE))):
        with closing(Ledger(one, ABOUT)) as ledger:
            ledger.take(told)
    with closing(Ledger(merged(tmp_path, path, other))) as found:
        assert not found.known
        assert [claim.why for claim in found.refused] == [
            f"with what {other} says, it has lower 58 and upper 57"
        ]
