"""Files that are read whole and appear whole or not at all, their endings, and pictures drawn by Graphviz."""

from __future__ import annotations

import importlib.util
import io
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from guesstree.engine.errors import file_name
from guesstree.engine.opened import open_whole

from ..tree import TreeError


def read_whole(path: str | os.PathLike[str], most: int, begins: bytes = b"") -> bytes:
    """Return what a file holds, or only the beginning of one that does not begin with `begins`.

    Raises TreeError when it cannot be read, or has more bytes than `most`.
    """
    data = bytearray()
    try:
        with open_whole(path) as file:
            while chunk := file.read(2**20):
                data += chunk
                if not data.startswith(begins):
                    break
                if len(data) > most:
                    raise TreeError(f"the file is too large; expected at most {most} bytes")
        return bytes(data)
    except OSError as error:
        raise TreeError(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        if isinstance(error, TreeError):
            raise
        raise TreeError(f"cannot be read: {error}") from None  # a path with a null byte


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file beside the target and move it into place; raise TreeError when that cannot be done."""
    _write(path, data, keep=True)


def try_writing(path: str | os.PathLike[str]) -> None:
    """Raise TreeError where `write_whole` could not write even a small file; nothing is left behind."""
    _write(path, bytes(SMALL), keep=False)


SMALL = 4096
"""Bytes that are written to see whether there is room."""


def _write(path: str | os.PathLike[str], data: bytes, *, keep: bool) -> None:
    path = file_name(path)
    try:
        target = Path(path).resolve()
        if not target.parent.is_dir():
            raise TreeError(f"cannot write {str(path)!r}: there is no folder {str(Path(path).parent)!r}")
        if target.exists() and not target.is_file():
            what = "a folder" if target.is_dir() else "not a regular file"
            raise TreeError(f"cannot write {str(path)!r}: it is {what}")
        # In the same folder, because a replacement is atomic only within one file system.
        beside = target.with_name(f".guesstree-{os.getpid()}-{os.urandom(4).hex()}.tmp")
        try:
            with beside.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if keep:
                beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise TreeError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
    except (ValueError, RuntimeError) as error:
        if isinstance(error, TreeError):
            raise
        # a path with a null byte; a loop of symbolic links
        raise TreeError(f"cannot write {str(path)!r}: {error}") from None


GRAPHS = (".dot", ".svg", ".pdf", ".png")
"""The endings of what Graphviz draws."""
TEX = ".tex"
STATE_GRAPHS = (*GRAPHS, TEX)
"""The endings of the files that a state graph is drawn to."""


def ending_of(path: str | os.PathLike[str]) -> str:
    """Return the ending of a file's name, in small letters."""
    return Path(file_name(path)).suffix.lower()


def check_ending(path: str | os.PathLike[str], endings: Iterable[str]) -> str:
    """Return the ending of a file's name; raise TreeError for one that is not accepted."""
    ending = ending_of(path)
    if ending not in endings:
        raise TreeError(f"{str(path)!r}: use a name that ends in {', '.join(endings)}")
    return ending


def check_graph(path: str | os.PathLike[str]) -> str:
    """Return the ending of what Graphviz is to draw; raise TreeError for another, or without means."""
    import shutil

    ending = check_ending(path, GRAPHS)
    if ending == ".dot" or shutil.which("dot"):
        return ending
    if importlib.util.find_spec("pygraphviz") is None:
        raise TreeError(f"{str(path)!r}: {NOTHING}")
    if ending != ".svg" and not _has_fonts():  # in an SVG it is the viewer who writes
        raise TreeError(f"{str(path)!r}: {FONTLESS}")
    return ending


def check_state_graph(path: str | os.PathLike[str]) -> str:
    """Return the ending of a file for a state graph; raise TreeError for one that cannot be."""
    ending = check_ending(path, STATE_GRAPHS)
    check_graph("states.svg" if ending == TEX else path)  # TeX needs the layout of an SVG, and no fonts
    return ending


NOTHING = "nothing to draw with: pip install pygraphviz, or install Graphviz"
FONTLESS = "no font to write with: apt-get install fonts-dejavu-core, or any other; .svg and .html need none"


@cache
def _has_fonts() -> bool:
    """Whether Graphviz in this process has a font: without one it draws boxes for letters."""
    import pygraphviz
    import pypdf

    with _quiet():
        letter = pygraphviz.AGraph(string="graph { a }").draw(format="pdf", prog="dot")
    resources: Any = pypdf.PdfReader(io.BytesIO(letter)).pages[0]["/Resources"]
    return "/Font" in resources


def metavar(endings: Iterable[str]) -> str:
    """Return what the command line calls a file with one of these endings, such as ``FILE.svg|png``."""
    return f"FILE.{'|'.join(ending[1:] for ending in endings)}"


def write_graph(source: Any, path: str | os.PathLike[str]) -> None:
    """Write a `graphviz` source whose layout Graphviz works out, as one of `GRAPHS`; raise TreeError."""
    ending = check_graph(path)
    write_whole(path, source.source.encode() if ending == ".dot" else draw_source(source, ending[1:], "dot"))


def draw_source(source: Any, form: str, engine: str = "neato") -> bytes:
    """Return a picture of a `graphviz` source: with the installed Graphviz, or else in this process.

    Parameters
    ----------
    form: ``svg``, ``pdf`` or ``png``.
    engine: ``neato``: positions are given in points; ``dot``: they are worked out.

    Raises TreeError when it cannot be drawn, or there is nothing to draw with.
    """
    import shutil

    import graphviz

    try:
        if shutil.which("dot"):
            no_op = 2 if engine == "neato" else None
            data: bytes = source.pipe(format=form, engine=engine, neato_no_op=no_op, quiet=True)
        else:
            import pygraphviz

            with _quiet():  # "nop2" is what `neato -n2` is called inside the library
                prog = "nop2" if engine == "neato" else engine
                data = pygraphviz.AGraph(string=source.source).draw(format=form, prog=prog)
    except ImportError:
        raise TreeError(NOTHING) from None
    except (graphviz.ExecutableNotFound, graphviz.CalledProcessError, ValueError, OSError) as error:
        raise TreeError(f"Graphviz could not draw the {form.upper()}: {error}") from None
    if not data:
        raise TreeError(f"Graphviz could not draw the {form.upper()}")
    return _undated(data) if form == "pdf" else data


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what the library prints by itself (fonts, slow layouts) off standard error; errors are raised."""
    import tempfile

    kept = os.dup(2)
    try:
        with tempfile.TemporaryFile() as elsewhere:
            os.dup2(elsewhere.fileno(), 2)
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _undated(pdf: bytes) -> bytes:
    """Replace the date in a PDF by one of the same length, so that the same tree gives the same file."""
    return re.sub(
        rb"/CreationDate \(D:([^)]*)\)",
        lambda found: b"/CreationDate (D:" + (b"20000101000000Z" + b" " * 20)[: len(found[1])] + b")",
        pdf,
    )
