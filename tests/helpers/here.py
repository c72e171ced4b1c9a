"""An executor for campaigns in tests."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import nullcontext
from typing import Any

import pytest


class Here(Executor):
    """Does what it is told at once, in this thread."""

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        """Call the function now, and return a future that is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(call(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future


def work_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what proofs give to workers, of whatever kind, done in this thread."""
    opened = nullcontext((Here(), 1))
    monkeypatch.setattr("guesstree.engine.campaign.proofs.open_executor", lambda *_: opened)
