"""What a server of the version before has kept is shown as ever, and a file of a later one refused."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from served import Server

from guesstree.engine.errors import GuesstreeError
from guesstree.web.store import Store

OLD = Path(__file__).parents[1] / "data" / "old" / "pages.sqlite"


def test_what_was_kept_is_shown(server: Server) -> None:
    with closing(sqlite3.connect(server.store.path)) as base, base:
        base.execute("ATTACH ? AS old", (f"file:{OLD}?mode=ro&immutable=1",))
        for table in ("file", "result", "play"):
            base.execute(f"INSERT INTO {table} SELECT * FROM old.{table}")
        kept = [f"/{kind}/{key}" for key, kind in base.execute("SELECT id, kind FROM old.result")]
        kept += [f"/play/{key}" for (key,) in base.execute("SELECT id FROM old.play")]
    assert len(kept) == 7
    for path in ("/", "/table?game=table:lamp.csv", *kept, *(f"{path}?review=1" for path in kept[-2:])):
        answer = server.get(path)
        assert answer.status_code == 200, (path, answer.text)
        assert '<p class="fault" role="alert">' not in answer.text, path
        assert answer.text.count('class="turn-number"') == path.startswith("/play/"), path


def test_a_file_is_read_or_refused_by_its_version(tmp_path: Path) -> None:
    file = tmp_path / "pages.sqlite"
    shutil.copy(OLD, file)
    assert Store(file).file("lamp.csv") is not None
    with closing(sqlite3.connect(file)) as base, base:
        assert base.execute("PRAGMA user_version").fetchone() == (1,)
        base.execute("PRAGMA user_version = 2")
    with pytest.raises(GuesstreeError, match="is of format 2, not of format 1; expected one that"):
        Store(file)
