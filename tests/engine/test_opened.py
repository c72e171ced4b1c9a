"""Whatever file is named, reading it ends, in one short line."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from guesstree.api.verification import judged, read_certificate
from guesstree.engine.campaign.ledger import Ledger
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.games import words
from guesstree.engine.registry import parse
from guesstree.importers.any import import_file
from guesstree.trees.breed.evolve import Evolution
from guesstree.trees.export.files import read

READERS: dict[str, Callable[[str], object]] = {
    "words": lambda path: parse(f"wordle:{path}"),
    "weighted words": lambda path: parse(f"hangman:{path}"),
    "table": lambda path: parse(f"table:{path}"),
    "losses": lambda path: parse(f"table:table.csv,loss={path}"),
    "strategy": read,
    "tree": lambda path: import_file("selby", path, parse("mastermind:2x2")),
    "state": lambda path: Evolution.load(parse("mastermind:2x2"), path),
    "ledger": lambda path: Ledger(path, None),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a pipe that nobody writes, a folder and a table."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "table.csv").write_text("test,a,b\nt,0,1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.timeout(20)
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("path", ["pipe", "folder", "/dev/null", "none"])
def test_what_is_no_file_is_refused_in_one_short_line(name: str, path: str) -> None:
    with pytest.raises(GuesstreeError) as error:
        READERS[name](path)
    assert len(str(error.value)) < 250 and "\n" not in str(error.value)


@pytest.mark.timeout(20)
@pytest.mark.usefixtures("folder")
def test_a_certificate_that_is_a_pipe_is_refused() -> None:
    assert judged(read_certificate("pipe")).status == 1


def test_of_what_is_no_certificate_only_the_beginning_is_read() -> None:
    endless = read_certificate("/dev/zero")
    assert len(endless.text) <= 1 << 20
    assert judged(endless).status == 1


@pytest.mark.timeout(20)
def test_a_pipe_that_is_written_is_read_to_its_end(folder: Path) -> None:
    writer = threading.Thread(target=lambda: (folder / "pipe").write_text("crane\nslate\n"))
    handle = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)  # so that writing begins at once
    writer.start()
    try:
        writer.join(10)
        assert parse("wordle:pipe").secrets == ("crane", "slate")
    finally:
        os.close(handle)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("spec", ["wordle:/dev/zero", "hangman:/dev/urandom"])
def test_endless_lists_of_words_are_read_in_part(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MOST_BYTES", 1 << 20)
    with pytest.raises(GuesstreeError, match="has more than 1 MB; expected a smaller list of words"):
        parse(spec)


@pytest.mark.parametrize(
    "line", ["x1" * 500_000, "q\u0308" * 100_000, "\x00" * 100_000, "crane\t" + "9" * 100_000]
)
@pytest.mark.parametrize("kind", ["wordle", "hangman"])
def test_a_long_line_is_not_repeated_in_full(line: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(line + "\n")
    with pytest.raises(GuesstreeError) as error:
        parse(f"{kind}:{tmp_path / 'a.txt'}")
    assert len(str(error.value).replace("\\x00", "0").replace(str(tmp_path), "")) < 200
