"""Settings that all tests share, and one browser."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from guesstree.engine import registry

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Ctrl-C is tested, here and in processes that the tests start; a shell may have told them to ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No time limits per example: machines are noisy, and a slow example is no failure.
settings.register_profile("guesstree", deadline=None, max_examples=24, derandomize=True)
# With `--hypothesis-profile=many`, as `make long` has it.
settings.register_profile("many", settings.get_profile("guesstree"), max_examples=72)
# With `--hypothesis-profile=few`: where every example is slow, as with plain twins and sanitizers.
settings.register_profile("few", settings.get_profile("guesstree"), max_examples=6)
settings.load_profile("guesstree")

ROOT = Path(__file__).parents[1]
SAFE_PATH = os.environ.get("PYTHONSAFEPATH")  # before the server of a session sets it
CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
)


def skipped_in_vain(reporter: Any) -> list[str]:
    """Return why tests were skipped that no other command of `.ci/run` runs, where nothing may be skipped."""
    if os.environ.get("CI") != "true":
        return []
    reasons = {report.longrepr[2].removeprefix("Skipped: ") for report in reporter.stats.get("skipped", [])}
    return sorted(reason for reason in reasons if not reason.startswith("make "))


AT_ROOT = set(ROOT.glob("[!.]*"))


def left_behind() -> list[str]:
    """Return what the tests have left at the root of the project, where that is looked at."""
    return sorted(path.name for path in set(ROOT.glob("[!.]*")) - AT_ROOT) if os.environ.get("CI") else []


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for reason in skipped_in_vain(terminalreporter):
        terminalreporter.write_line(f"with CI=true nothing may be skipped: {reason}", red=True)
    for name in left_behind():
        terminalreporter.write_line(f"tests write to tmp_path alone, and one has left {name}", red=True)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and (skipped_in_vain(reporter) or left_behind()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip("playwright is not installed: pip install playwright")
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield made
        made.close()


@pytest.fixture(autouse=True)
def process_as_before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Undo what a command that ran in this process has set for the time until the process ends."""
    folder = str(tmp_path_factory.getbasetemp())
    signals = signal.SIGTERM, signal.SIGHUP
    handlers = [signal.getsignal(number) for number in signals]
    known, imported = set(registry._families), set(sys.modules)
    yield
    for name in registry._families.keys() - known:  # those of a module that `--import` named
        if not registry._families[name].make.__module__.startswith("guesstree."):
            del registry._families[name]
    for name in sys.modules.keys() - imported:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(folder):
            del sys.modules[name]
    if SAFE_PATH is None:
        os.environ.pop("PYTHONSAFEPATH", None)
    for number, handler in zip(signals, handlers, strict=True):
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def loop_apart(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a test without the browser run a loop of its own: Playwright's counts as running all the time."""
    running = asyncio._get_running_loop()
    apart = running is not None and "browser" not in request.fixturenames
    if apart:
        asyncio._set_running_loop(None)
    yield
    if apart:
        asyncio._set_running_loop(running)
