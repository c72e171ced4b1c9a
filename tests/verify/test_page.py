"""The page that checks certificates in a browser says what the programs in C say, and needs nothing else."""

import base64
import gzip
import json
import lzma
import os
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from hashlib import sha256
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import check_page
import kept
import pytest
from clicked import PAGE, dropped, in_browser, in_c, told
from effort import seeds
from mutants import mutants
from pages import violations

from guesstree import cli
from guesstree.api.verification import apart

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOUR = "guess,s1,s2,s3,s4,cost\ns1,win,b,a,a,0\ns2,b,win,a,c,1\ns3,a,a,win,a,10\ns4,a,a,a,win,10\n"
TABLE = """,fuse,lamp,switch,bearing,cost
light,off,off,on,on,5
sound,no,no,no,yes,2
heat,no,yes,no,yes,1
"""
AT_ONCE = 50
"""Certificates that one worker checks."""
WORDS = "crane\nslate\ntrace\ncrate\nleast\nstale\nsteal\ntales\n"


def run(*words: str | Path) -> str:
    """Return what a command prints."""
    with redirect_stdout(StringIO()) as said:
        assert not cli.run([str(word) for word in words]), words
    return said.getvalue()


@pytest.fixture
def page(browser: "Browser") -> Iterator["Page"]:
    """Open the page from its file, and see that it complains of nothing and asks for nothing."""
    seen: list[str] = []
    opened = browser.new_page(viewport={"width": 1000, "height": 800})
    opened.set_default_timeout(60_000)
    opened.on("console", lambda message: seen.append(f"console: {message.text}"))
    opened.on("pageerror", lambda error: seen.append(f"error: {error}"))
    opened.on("request", lambda asked: seen.append(asked.url))
    opened.goto(PAGE.as_uri())
    yield opened
    opened.close()
    assert [one for one in seen if not one.startswith(("blob:null/", PAGE.as_uri()))] == []


# ---- the file ------------------------------------------------------------------------------------------


def test_the_page_is_that_of_its_sources() -> None:
    text = PAGE.read_text()
    assert check_page.told(text) == check_page.sources(), "run scripts/check_page.py"
    assert text == check_page.made(), "run scripts/check_page.py"
    assert list(check_page.programs(text)) == list(check_page.PROGRAMS)


@pytest.mark.skipif("GUESSTREE_ZIG" not in os.environ, reason="make page runs it")
@pytest.mark.parametrize("name", check_page.PROGRAMS)
def test_its_programs_are_what_is_compiled(name: str) -> None:
    text = check_page.programs(PAGE.read_text())[name]
    assert gzip.decompress(base64.b64decode(text)) == check_page.compiled(name)


# ---- what a person sees --------------------------------------------------------------------------------


def sample(folder: Path) -> Path:
    path = folder / "4x6.proof"
    path.write_text(check_page.sample())
    return path


def test_a_certificate_is_verified_and_a_wrong_one_refused_in_the_same_words(
    page: "Page", tmp_path: Path
) -> None:
    good = sample(tmp_path)
    dropped(page, good)
    assert f"4x6.proof: {in_c(good)[1]}" == told(page)
    assert told(page, ".proved") == "bound: mastermind 4 6, win: at least 5625 in total"
    assert run("verify", good).splitlines() == [f"{good}: {in_c(good)[1]}", told(page, ".proved")]
    bad = tmp_path / "bad.proof"
    bad.write_text(good.read_text().replace("1334 1141 139", "1334 1141 140"))
    page.click("#clear")
    dropped(page, bad)
    status, line = in_c(bad)
    assert status == 1 and line.startswith("bad.proof:36: refused: ") and told(page) == line
    assert told(page, ".excerpt") == "36 | 1334 1141 140 ."
    assert page.locator(".proved").count() == 0


@pytest.mark.parametrize(
    "spec",
    [
        ("mastermind:3x3",),
        ("bulls:3x4", "--objective", "worst"),
        ("blackpeg:2x4", "--goal", "identify"),
        ("coins:4",),
        ("wordle:words.txt",),
        ("wordle:words.txt,hard",),
        ("wordle:words.txt,ultra", "--first", "crane"),
        ("table:costs.csv",),
        ("table:four.csv,win=win", "--candidates-only"),
    ],
    ids=lambda spec: spec[0],
)
def test_a_strategy_is_proved_optimal_in_the_same_words(
    page: "Page", tmp_path: Path, spec: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text(WORDS)
    Path("costs.csv").write_text(TABLE)
    Path("four.csv").write_text(FOUR)
    run("prove", *spec, "--out", "a.proof", "--strategy", "a.json")
    *_, line, last = run("verify", "a.proof", "--strategy", "a.json").splitlines()
    assert last.startswith("optimum: ")
    given = {"words.txt", "costs.csv", "four.csv"}
    files = [path for path in tmp_path.iterdir() if path.name not in given]
    dropped(page, *files)
    assert told(page, ".proved") == last
    assert line.startswith(told(page)) and page.locator(".note").count() == 0


def test_games_with_lies(page: "Page", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(
        "prove",
        "mastermind:2x2",
        "--lies",
        "1",
        "--objective",
        "worst",
        "--out",
        "a.proof",
        "--strategy",
        "a.json",
    )
    dropped(page, *tmp_path.iterdir())
    assert told(page) == f"a.proof: {in_c(tmp_path / 'a.proof')[1]}"
    assert "if 1 response may be false" in told(page)
    assert told(page, ".proved") == run("verify", "a.proof").splitlines()[-1]
    assert told(page, ".note").startswith("Strategies with lies are not replayed here")


def test_a_strategy_in_the_format_of_certificates(page: "Page", tmp_path: Path) -> None:
    text = "guesstree-proof/1 strategy mastermind 1 3 win - 3 {} ( 0 1 )\n"
    good, bad = tmp_path / "good.strategy", tmp_path / "bad.strategy"
    good.write_text(text.format(6))
    bad.write_text(text.format(5))
    dropped(page, good)
    assert told(page) == f"good.strategy: {in_c(good)[1]}" and "takes 6 guesses in all" in told(page)
    assert page.locator(".proved").count() == 0
    page.click("#clear")
    dropped(page, bad)
    assert (1, told(page)) == in_c(bad)


def test_the_table_is_asked_for_and_another_one_refused(
    page: "Page", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("costs.csv").write_text(TABLE)
    run("prove", "table:costs.csv", "--out", "a.proof")
    (table,) = (path for path in tmp_path.iterdir() if len(path.stem) == 64)
    dropped(page, Path("a.proof"))
    page.wait_for_selector("#note:has-text('a.proof')")
    assert told(page, "#note") == f"a.proof names {table.name}: add this file"
    other = tmp_path / "other.csv"
    other.write_bytes(table.read_bytes())
    dropped(page, other)  # its SHA-256 says that it is the one
    assert told(page) == f"a.proof: {in_c(tmp_path / 'a.proof')[1]}"
    table.write_bytes(table.read_bytes().replace(b"yes", b"no"))
    page.click("#clear")
    dropped(page, Path("a.proof"), table)
    status, line = in_c(tmp_path / "a.proof")
    assert (status, line) == (1, told(page)) and "its SHA-256 is" in line


def test_strategies_that_prove_nothing(page: "Page", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("prove", "mastermind:3x3", "--out", "a.proof", "--strategy", "a.json")
    text = Path("a.json").read_text()
    Path("b.json").write_text(text.replace('"mastermind:3x3"', '"mastermind:3x4"'))
    guess = re.search(r'\{"guess": "(\d+)"\}', text)
    assert guess is not None
    Path("c.json").write_text(text.replace(guess[0], '{"guess": "111"}'))
    Path("d.json").write_text(re.sub(r'"total": \d+', '"total": 7', text))
    run("solve", "mastermind:3x3", "--method", "max-part", "--out", "e.json")
    for name, key, value in [
        ("f", "bounds", {"lower": 1, "upper": 2}),
        ("g", "bounds", {"lower": 99, "upper": json.loads(text)["bounds"]["upper"]}),
        ("h", "parameters", {"first": "000"}),
        ("i", "parameters", {"max_depth": 1}),
        ("j", "summary", {"histogram": {"1": 27}}),
    ]:
        Path(f"{name}.json").write_text(json.dumps(json.loads(text) | {key: value}))
    dropped(page, Path("a.proof"), Path("a.json"))
    page.wait_for_selector(".proved")
    for name, why in [
        ("f", "the file says upper bound 2, and it is"),
        ("g", "the file says lower bound 99, and it takes"),
        ("h", "the file says first 000, and it is"),
        ("i", "the file says max_depth 1, and it takes"),
        ("j", "the file says histogram 1:27, and it is 1:1 "),
        ("b", "it is of mastermind:3x4, and the certificate of mastermind:3x3"),
        ("c", "nothing follows"),
        ("d", "the file says total 7, and it is"),
    ]:
        dropped(page, Path(f"{name}.json"))
        page.wait_for_selector(f".note:has-text('{name}.json is not counted')")
        assert why in told(page, ".note")
        assert told(page, ".proved").startswith("bound: ")
    dropped(page, Path("e.json"))
    page.wait_for_selector(".proved:has-text('gap')")
    last = run("verify", "a.proof", "--strategy", "e.json").splitlines()[-1]
    assert told(page, ".proved") == last


@pytest.mark.parametrize("what", ["weights", "costs", "after", "decisions"])
def test_a_strategy_for_a_table_with_more_in_it_proves_nothing(
    page: "Page", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("cause,s,t\na,1,1\nb,1,2\nc,2,1\n")
    run("prove", "table:t.csv", "--out", "a.proof", "--strategy", "a.json")
    document = json.loads(Path("a.json").read_text())
    more = {"weights": [1, 1, 9], "costs": [7, 7], "after": [[1], []], "decisions": ["wait"]}
    document["table"][what] = more[what]
    Path("b.json").write_text(json.dumps(document))
    dropped(page, *Path().iterdir())
    page.wait_for_selector(".proved")
    dropped(page, Path("b.json"))
    page.wait_for_selector(".note:has-text('b.json is not counted')")
    assert f"its table has {what}, that of the certificate has none" in told(page, ".note")


def proved_of(page: "Page", folder: Path, table: bytes, claim: str, strategy: dict[str, Any]) -> str:
    """Return what the page says of a claim about a table, and of a strategy."""
    digest = sha256(table).hexdigest()
    (folder / f"{digest}.csv").write_bytes(table)
    (folder / "a.proof").write_text(f"guesstree-proof/1 priced {digest} {digest}.csv {claim} .\n")
    (folder / "a.json").write_text(json.dumps({"format": "guesstree/1", "game": "table:t.csv"} | strategy))
    dropped(page, *(folder / name for name in ("a.proof", "a.json", f"{digest}.csv")))
    assert told(page) == f"a.proof: {in_c(folder / 'a.proof')[1]}"
    return told(page, ".proved").partition(", identify: ")[2]


def test_a_table_is_read_as_the_checker_reads_it(page: "Page", tmp_path: Path) -> None:
    leaves = [{"secret": name} for name in ("a", "b", "c")]
    root = {"guess": "x", "children": {"1": 1, "2": 2, "3": 3}}
    strategy = {"goal": "identify", "nodes": [root, *leaves]}
    corner = b"cost,a,b,c,cost\nx,1,2,3,7\ny,1,1,2,5\n"  # its first cell is no column of costs
    said = proved_of(page, tmp_path, corner, "identify - - 3", strategy)
    assert said == "the least total is 3 to 21, gap 600.000%"
    page.click("#clear")
    heavy = b",a,b\nweight,64,1\nx,1,2\n"
    half = {"goal": "identify", "nodes": [root | {"children": {"1": 1, "2": 2}}, *leaves[:2]]}
    said = proved_of(page, tmp_path, heavy, "identify - - 64", half)
    assert said == f"the least total is 64 to 65, {apart(64, 65)}"
    page.click("#clear")
    alike = b",a,b,c,cost:\xff,cost:\xfe\nx,1,2,\xff,9,1\n"  # letters to nobody, though not the same bytes
    said = proved_of(page, tmp_path, alike, "identify - - 3", strategy)
    assert said == "at least 3 in total" and "is no text in UTF-8" in told(page, ".note")


@pytest.mark.parametrize(
    ("nodes", "why"),
    [
        ([{"guess": "11", "children": {"1,0": 1, "0,0": 1}}, {"guess": "12"}], "it is no tree: two branches"),
        ([{"guess": "11", "children": {"1,0": 0}}], "it is no tree: "),
        ([{"guess": "11", "children": {"1,0": "1"}}, {"guess": "12"}], "it is no tree: "),
        ([{"guess": "11", "children": {"1,0": 2}}, {"guess": "12"}], "it is no tree: "),
        ([{"guess": "11"}, None], "a node of it is none"),
        ([], "it is no strategy file"),
    ],
)
def test_a_strategy_is_a_tree(page: "Page", tmp_path: Path, nodes: list[Any], why: str) -> None:
    """What two histories share may ask what only one of them allows."""
    document = {"format": "guesstree/1", "game": "mastermind:2x2", "goal": "win", "nodes": nodes}
    (tmp_path / "a.json").write_text(json.dumps(document))
    (tmp_path / "a.proof").write_text("guesstree-proof/1 mastermind 2 2 win-candidates - - 4 .\n")
    dropped(page, tmp_path / "a.proof", tmp_path / "a.json")
    assert why in told(page, ".note") and told(page, ".proved").startswith("bound: ")


@pytest.mark.parametrize(
    "words", ["constructor 2 2 win - - 8", "__proto__ 2 2", "mastermind 2 2 win - - lost:x"]
)
def test_words_that_mean_something_to_the_page_alone_are_refused_as_in_c(
    page: "Page", tmp_path: Path, words: str
) -> None:
    path = tmp_path / "a.proof"
    path.write_text(f"guesstree-proof/1 {words} .\n")
    dropped(page, path)
    assert (1, told(page)) == in_c(path)


def test_a_claim_is_read_whole_or_not_at_all(page: "Page", tmp_path: Path) -> None:
    path, start = tmp_path / "a.proof", "guesstree-proof/1 mastermind 3 3 win -"
    path.write_text(start.ljust((1 << 16) - 1) + "40 1 .\n")  # cut behind 4: no strategy within 4 guesses
    assert in_c(path)[1].startswith("verified: every strategy for 27 secrets costs at least 1 within 40 ")
    dropped(page, path)
    page.wait_for_selector("#note:has-text('Now add a certificate')")
    assert page.locator(".verdict").count() == 0


def test_a_strategy_that_comes_while_a_check_is_running_counts(
    page: "Page", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("prove", "mastermind:3x3", "--out", "a.proof", "--strategy", "a.json")
    texts = [[name, (tmp_path / name).read_text()] for name in ("a.proof", "a.json")]
    page.evaluate(
        "async files => { for (const [name, text] of files) await add([new File([text], name)]); }", texts
    )
    page.wait_for_selector(".proved:has-text('optimum: ')")


def test_a_certificate_that_is_not_shown_is_refused_all_the_same(page: "Page", tmp_path: Path) -> None:
    bad = tmp_path / "bad.proof"
    bad.write_text("guesstree-proof/1 mastermind 2 2 win - - 9 .\n")
    page.evaluate("() => { Blob.prototype.text = () => Promise.reject(new Error('too long')); }")
    dropped(page, bad)
    assert (1, told(page)) == in_c(bad) and page.locator(".excerpt").count() == 0


def test_packed_files_and_files_of_no_use(page: "Page", tmp_path: Path) -> None:
    good = sample(tmp_path)
    packed, other, kit = (tmp_path / name for name in ("4x6.proof.gz", "4x6.proof.zst", "kit.proof"))
    packed.write_bytes(gzip.compress(good.read_bytes()))
    dropped(page, packed)
    assert told(page) == f"4x6.proof: {in_c(good)[1]}"
    packed.write_bytes(packed.read_bytes()[:-1])
    dropped(page, packed)
    page.wait_for_selector("#note:has-text('packed with gz, and cannot be unpacked here: it is damaged')")
    other.write_bytes(bytes.fromhex("28b52ffd"))
    dropped(page, other)
    page.wait_for_selector("#note:has-text('unpack it first')")
    kit.write_text("guesstree-proof/1 kit 0 mastermind 2 2 identify - - 2 .")
    dropped(page, kit)
    page.wait_for_selector("#note:has-text('kits, which are not checked here')")


def test_what_the_folder_proofs_keeps_is_taken_as_it_lies(page: "Page", tmp_path: Path) -> None:
    store, stems = (
        kept.Store(kept.FOLDER),
        ("table-faults.csv-expected-identify", "mastermind-4x6-expected-win"),
    )
    for stem in stems:
        text = store.get(f"{stem}.proof")
        names = [f"{stem}.proof", *kept.files_of(text)]
        for name in names:
            (tmp_path / name).write_bytes(store.get(name))
        dropped(page, *(kept.FOLDER / f"{name}.xz" for name in names))
        assert told(page) == f"{names[0]}: {in_c(tmp_path / names[0])[1]}"
        assert sha256(text).hexdigest() in told(page, ".verdict")
        page.click("#clear")


@pytest.mark.parametrize(
    ("stem", "optimum"),
    [
        ("mastermind-4x6-expected-win", "mastermind 4 6, win: the least total is 5625"),
        ("mastermind-3x3-worst-identify", "mastermind 3 3, identify: the least worst case is 3"),
        (
            "wordle-trap.txt-split.txt-hard-expected-win-first-night",
            ", win: the least total after night is 28",
        ),
    ],
)
def test_a_certificate_and_its_strategy_prove_the_optimum(page: "Page", stem: str, optimum: str) -> None:
    text = kept.Store(kept.FOLDER).get(f"{stem}.proof")
    proof, strategy, *named = (
        kept.FOLDER / f"{name}.xz" for name in (f"{stem}.proof", f"{stem}.strategy", *kept.files_of(text))
    )
    for first, last in ((proof, strategy), (strategy, proof)):
        dropped(page, *named, first)
        page.wait_for_selector(".verified")
        assert "optimum" not in page.inner_text("#results")
        dropped(page, last)
        page.wait_for_selector(".verified >> nth=1")
        line = page.locator(".proved").last.inner_text()
        assert line.startswith("optimum: ") and line.endswith(optimum)
        page.click("#clear")


def test_a_strategy_of_another_game_or_a_worse_one_proves_no_optimum(page: "Page", tmp_path: Path) -> None:
    proof = tmp_path / "a.proof"
    proof.write_text("guesstree-proof/1 mastermind 1 3 win - - 6 .\n")
    for i, (head, body, gap) in enumerate(
        (
            ("mastermind 1 3 win - 3 6", "( 0 1 )", "optimum: mastermind 1 3, win: the least total is 6"),
            ("mastermind 1 3 win 0 3 6", "( 0 1 )", ""),
            ("blackpeg 1 3 win - 3 6", "( 0 1 )", ""),
        )
    ):
        (tmp_path / f"{i}.strategy").write_text(f"guesstree-proof/1 strategy {head} {body}\n")
        dropped(page, proof, tmp_path / f"{i}.strategy")
        page.wait_for_selector(".verified >> nth=1")
        assert (page.locator(".proved").all_inner_texts()[1:] or [""]) == [gap]
        page.click("#clear")
    proof.write_text("guesstree-proof/1 mastermind 1 3 win - - 5 .\n")
    dropped(page, proof, tmp_path / "0.strategy")
    page.wait_for_selector(".verified >> nth=1")
    assert told(page, ".verified + .verified .proved").endswith("the least total is 5 to 6, gap 20.000%")


def test_a_check_can_be_stopped_and_tells_how_far_it_is(page: "Page", tmp_path: Path) -> None:
    long = tmp_path / "long.proof"
    long.write_text("guesstree-proof/1 mastermind 5 7 win - - 1 .\n")  # the game alone takes a while
    dropped(page, long)
    page.wait_for_selector("#doing:has-text('Checking long.proof: ')")
    page.click("#stop")
    assert told(page) == "long.proof: not checked to the end, so nothing is said of it"
    dropped(page, sample(tmp_path))
    page.wait_for_selector(".verified")


@pytest.mark.parametrize("width", [360, 1300])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.long
def test_it_is_for_everybody(page: "Page", tmp_path: Path, width: int, scheme: Any) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    bad = tmp_path / f"{'long' * 20}.proof"
    bad.write_text(check_page.sample().replace("5625", "5626"))
    dropped(page, sample(tmp_path), bad)
    page.wait_for_selector(".refused")
    page.click("summary")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


# ---- .xz -----------------------------------------------------------------------------------------------


def unpacked(page: "Page", files: Iterable[bytes]) -> list[str]:
    """Return the SHA-256 of what the page unpacks from each file, or why it does not."""
    code = """async texts => {
        const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
        const one = async text => sha256(await unxz(bytes(text)));
        return Promise.all(texts.map(text => one(text).catch(error => error.message)));
    }"""
    return list(map(str, page.evaluate(code, [base64.b64encode(file).decode() for file in files])))


def digests(contents: Iterable[bytes]) -> list[str]:
    return [sha256(content).hexdigest() for content in contents]


def some_content(chance: random.Random) -> bytes:
    """Return bytes that repeat themselves, near and far, and some that do not."""
    found = bytearray()
    for _ in range(chance.randrange(30)):
        size = int(2 ** chance.uniform(0, 18))
        if found and chance.random() < 0.6:
            at = chance.randrange(len(found))
            found += (found[at : at + chance.randint(1, 300)] * size)[:size]
        else:
            found += bytes(chance.choices(range(256) if chance.random() < 0.3 else b"0123 ()\n", k=size))
    return bytes(found)


def test_what_xz_packs_is_unpacked(page: "Page") -> None:
    chance, contents, files = random.Random(1), list[bytes](), list[bytes]()
    for i in range(20):
        low = chance.randint(0, 4)
        how = {"lc": low, "lp": chance.randint(0, 4 - low), "pb": chance.randint(0, 4)}
        size = 1 << chance.randint(12, 20)
        filters = [{"id": lzma.FILTER_LZMA2, "preset": chance.randint(0, 9), "dict_size": size} | how]
        check = chance.choice((lzma.CHECK_CRC32, lzma.CHECK_CRC64))
        contents.append(some_content(chance) * min(i, 1))
        files.append(lzma.compress(contents[-1], check=check, filters=filters))
    assert unpacked(page, files) == digests(contents)
    assert max(map(len, files)) > 1 << 17  # more than two chunks


def in_blocks(contents: Sequence[bytes], more: int = 0) -> bytes:
    """Return a stream of a block for each content, with the sizes in its header, as `xz -T2` does.

    `more`: so much more, the index says, does each have.
    """

    def number(value: int) -> bytes:
        return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + number(value // 128)

    def sealed(part: bytes) -> bytes:
        return part + crc32(part).to_bytes(4, "little")

    out, records = b"\xfd7zXZ\0" + sealed(b"\0\1"), b""
    for content in contents:
        filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 16}]
        packed = lzma.compress(content, format=lzma.FORMAT_RAW, filters=filters)
        head = b"\xc0" + number(len(packed)) + number(len(content)) + b"\x21\1\x08"
        head = sealed(bytes([6]) + head.ljust(23, b"\0"))
        records += number(len(head) + len(packed) + 4) + number(len(content) + more)
        out += head + packed + bytes(-len(packed) % 4) + crc32(content).to_bytes(4, "little")
    index = b"\0" + number(len(contents)) + records
    index = sealed(index + bytes(-len(index) % 4))
    foot = (len(index) // 4 - 1).to_bytes(4, "little") + b"\0\1"
    return out + index + crc32(foot).to_bytes(4, "little") + foot + b"YZ"


def test_blocks_are_unpacked_and_other_formats_named(page: "Page") -> None:
    contents = [some_content(random.Random(i)) for i in range(5)]
    whole, text = in_blocks(contents), WORDS.encode()
    assert lzma.decompress(whole) == b"".join(contents)
    shown = lzma.compress(text, filters=[{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2}])
    others = [lzma.compress(text) * 2, shown, lzma.compress(text, check=lzma.CHECK_NONE)]
    huge = [in_blocks([text], 1), in_blocks([text], 1 << 32), in_blocks([text] * 9, 1 << 29)]
    *some, unchecked, longer, large, several = unpacked(page, [whole, *others, *huge])
    assert some == digests([b"".join(contents)]) + ["it has more than one stream of LZMA2"] * 2
    assert unchecked == "its check is neither CRC32 nor CRC64"
    assert longer == "it is damaged" and large == several == "it has 4 GB or more"


def test_a_file_that_is_damaged_anywhere_is_not_unpacked(page: "Page") -> None:
    chance, text = random.Random(2), bytes(random.Random(2).choices(b"abc", k=300))
    damaged = list[bytes]()
    for file in (
        lzma.compress(text),
        in_blocks([text, text[::-1]]),
        lzma.compress(chance.randbytes(40)),
    ):
        changed = [chance.randrange(1, 256) ^ byte for byte in file]
        damaged += [file[:i] + bytes([byte]) + file[i + 1 :] for i, byte in enumerate(changed)]
        damaged += [file[:i] for i in range(len(file))] + [file + b"\0", file[:-12]]
    assert {said for said in unpacked(page, damaged) if not said.startswith("it")} == set()


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.long)])
def test_every_file_of_the_folder_proofs_is_unpacked(page: "Page", every: int) -> None:
    paths = sorted(kept.FOLDER.glob("*.xz"))
    files = [path.read_bytes() for path in random.Random(every).sample(paths, len(paths) // every)]
    assert len(files) > 40
    for i in range(0, len(files), AT_ONCE):
        some = files[i : i + AT_ONCE]
        assert unpacked(page, some) == digests(map(lzma.decompress, some))


# ---- the same as in C ----------------------------------------------------------------------------------


def agree(page: "Page", folder: Path, texts: Iterator[str | bytes]) -> tuple[int, int]:
    """Compare the lines of both for each certificate; return how many were accepted and refused."""
    statuses: list[int] = []
    while some := list(islice(texts, AT_ONCE)):
        paths = [folder / f"{len(statuses) + i}.proof" for i in range(len(some))]
        for path, text in zip(paths, some, strict=True):
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        expected = list(map(in_c, paths))
        assert in_browser(page, paths) == expected
        statuses += [status for status, _ in expected]
    return statuses.count(0), len(statuses) - statuses.count(0)


@pytest.mark.parametrize("seed", seeds(1, 20))
def test_it_says_what_the_programs_in_c_say(page: "Page", tmp_path: Path, seed: int) -> None:
    texts = set(mutants(tmp_path, random.Random(seed)))
    assert len(texts) > 100  # of all seeds more than 2,000
    accepted, refused = agree(page, tmp_path, iter(sorted(texts, key=repr)))
    assert accepted >= 10 and refused >= 50


def test_claims_within_claims_have_room(page: "Page", tmp_path: Path) -> None:
    head = "guesstree-proof/1 mastermind 2 2 win - - 3 "
    deep = [head + "( 00 00 0 " * many + ". " + ") " * many for many in (999, 1001)]
    assert agree(page, tmp_path, iter(deep)) == (1, 1)
