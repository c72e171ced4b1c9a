"""What tests of hostile requests share: what a refusal looks like, and what is not to change by it."""

import re
import sqlite3

import httpx

from guesstree.web import guard
from guesstree.web.store import Store

KNOWN = b",a,b,c\nx,1,2,2\ny,1,1,2\n"
"""The file ``known.csv`` of the fixture `nothing_fails`."""


def kept(store: Store) -> list[object]:
    """Return how much a store keeps."""
    with sqlite3.connect(store.path) as base:
        tables = ("file", "result", "play")
        return [base.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]


def one_line(answer: httpx.Response) -> None:
    """See that an answer says in one line what is wrong, and nothing of this machine."""
    said = answer.text
    if "<html" in said:
        found = re.search(r'<p class="fault" role="alert">(.*?)</p>', said, re.DOTALL)
        assert found, said
        said = found[1]
    assert said.strip()
    assert said.strip().count("\n") == 0
    assert not re.search(r"Traceback|File &#34;|/tmp|/home|/root|\.py\b|Error:", said), said


def guarded(answer: httpx.Response) -> None:
    """See that an answer has the headers that protect pages."""
    policy = answer.headers["content-security-policy"]
    assert policy == guard.POLICY or "sandbox" in policy
    assert "unsafe" not in policy or "sandbox" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store" or "token" not in answer.text
