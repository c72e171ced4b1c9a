"""The formats of pictures of a strategy, by style and ending: which file writes each.

A format is a file with ``draw(game, strategy, **options) -> bytes``, and a line of `STYLES`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from guesstree.engine.errors import unknown
from guesstree.engine.game import Game

from ..language import speaking
from ..tree import Tree, TreeError
from .output import GRAPHS, check_ending, check_graph, ending_of, write_whole


@dataclass(frozen=True)
class Format:
    """What writes a format, and what it can show.

    Attributes
    ----------
    module: the name of the file here; it is imported when it is needed.
    options: what `draw` takes besides the strategy, by name; each may be left out.
    lies: whether responses may be false.
    function: its name in that file.
    needs: the library that writes it, where that is one of the extra ``office``.
    """

    module: str
    options: tuple[str, ...] = ("depth", "title", "parameters")
    lies: bool = True
    function: str = "draw"
    needs: str = ""

    @property
    def draw(self) -> Callable[..., Any]:
        """What returns a strategy as the bytes of a file, or for one of `TEXTS` as lines."""
        module = importlib.import_module(f".{self.module}", __package__)
        found: Callable[..., Any] = getattr(module, self.function)
        return found


_KEY = ("title", "confirmatory", "indented", "costs", "sure")

TREE = "tree"
"""The style of a strategy as it is searched: every guess, every secret, level by level."""
PROGRAM = "program"
"""The style of programs, which need not be asked for: no other has their endings."""
ABOUT = {
    "flowchart": "A flow chart to print: tests in boxes, answers on arrows, causes at the ends.",
    "key": "A key, numbered as botanists do it.",
    "worksheet": "A flow chart to fill in, and its solution on the next page.",
    "list": "Every path to an end, the most expensive first.",
    PROGRAM: "The decisions as a program: SQL, Python, C, JSON, PMML, or arrays of scikit-learn.",
}
"""What is drawn in the other styles, in a sentence."""
PRINTED = "-"
"""The name of standard output."""
PAPERS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}
"""Width and height of the sheets to print on, upright, in points."""
STYLES: dict[str, dict[str, Format]] = {
    TREE: {
        ".pdf": Format("pdf"),
        ".svg": Format("svg"),
        ".png": Format("png"),
        ".dot": Format("dot"),
        ".tex": Format("tikz"),
        ".html": Format("page.page", options=("title", "parameters"), lies=False),
    },
    "flowchart": {
        ".pdf": Format("chart.pages", ("title", "paper", "pages", "qr")),
        ".svg": Format("chart.picture", ("title", "qr"), function="svg"),
        ".png": Format("chart.picture", ("title", "qr"), function="png"),
        ".dot": Format("chart.picture", ("title", "qr"), function="dot"),
    },
    "key": {
        ".pdf": Format("key.pdf", (*_KEY, "paper", "qr")),
        ".docx": Format("key.document", (*_KEY, "paper"), needs="docx"),
        ".html": Format("key.page", _KEY),
        ".tex": Format("key.latex", (*_KEY, "paper")),
        ".md": Format("key.markdown", _KEY),
        ".txt": Format("key.text", _KEY),
    },
    "worksheet": {".pdf": Format("chart.worksheet", ("title", "paper", "given"))},
    "list": {
        ".xlsx": Format("paths.workbook", (), needs="xlsxwriter"),
        ".csv": Format("paths.separated", ()),
    },
    PROGRAM: {
        ".sql": Format("program.sql", (), lies=False),
        ".py": Format("program.python", (), lies=False),
        ".c": Format("program.c", (), lies=False),
        ".json": Format("program.json_rules", (), lies=False),
        ".pmml": Format("program.pmml", (), lies=False),
        ".npz": Format("program.arrays", (), lies=False),
    },
}

TEXTS = {
    TREE: Format("text", function="tree_lines"),
    "key": Format("key.text", _KEY, function="key_lines"),
}
"""The styles that are printed on a terminal: their functions yield lines of text that fit its `width`."""


def paper_size(paper: str) -> tuple[float, float]:
    """Return the width and height of one of `PAPERS`; raise TreeError for another."""
    if paper not in PAPERS:
        raise TreeError(unknown("paper", paper, PAPERS))
    return PAPERS[paper]


def endings() -> list[str]:
    """Return the endings of what is written in any style."""
    return list(dict.fromkeys(ending for formats in STYLES.values() for ending in formats))


def style_of(path: str | os.PathLike[str], style: str) -> str:
    """Return the style of a file: programs are known by their endings, where no other style is asked for."""
    return PROGRAM if style == TREE and ending_of(path) in STYLES[PROGRAM] else style


def check_format(path: str | os.PathLike[str], style: str = TREE, lies: int = 0, **options: Any) -> Format:
    """Return the format of a file by its style and ending; options that are None are not asked for.

    Raises TreeError for none, for one that cannot do it, and where there is nothing to draw it with.
    """
    if not isinstance(style, str) or style not in STYLES:
        raise TreeError(unknown("style", style, STYLES))
    style = style_of(path, style)
    formats = STYLES[style]
    others = [name for name, those in STYLES.items() if ending_of(path) in those]
    if others and style not in others:
        means, accepted = " or ".join(others), ", ".join(formats)
        raise TreeError(
            f"{str(path)!r} is of the style {means}; for a {style} use a name that ends in {accepted}"
        )
    ending = check_ending(path, formats)
    if ending in GRAPHS:
        check_graph(path)
    found = formats[ending]
    if found.needs and importlib.util.find_spec(found.needs) is None:
        raise TreeError(f"{str(path)!r}: nothing to write it with: pip install 'guesstree[office]'")
    _check_options(found, path, style, options)
    if lies and not found.lies:
        accepted = ", ".join(other for other in formats if formats[other].lies)
        raise TreeError(
            f"{str(path)!r} takes responses as true, {lies} may be false; use {accepted or 'another style'}"
        )
    return found


def check_text(style: str = TREE, **options: Any) -> Format:
    """Return what prints a style; raise TreeError where nothing does, or it has no such option."""
    if style not in TEXTS:
        raise TreeError(
            f"{PRINTED!r} prints a tree or a key; use a name that ends in {', '.join(STYLES[style])}"
        )
    _check_options(TEXTS[style], PRINTED, style, options)
    return TEXTS[style]


def _check_options(
    found: Format, path: str | os.PathLike[str], style: str, options: Mapping[str, Any]
) -> None:
    for option, value in options.items():
        if value is not None and option not in found.options:
            raise TreeError(_refused(path, style, option))


def _refused(path: str | os.PathLike[str], style: str, option: str) -> str:
    accepted = [ending for ending, other in STYLES[style].items() if option in other.options]
    if accepted:
        return f"{str(path)!r} takes no {option}; with one, use {', '.join(accepted)}"
    styles = [
        name for name, formats in STYLES.items() if any(option in other.options for other in formats.values())
    ]
    return f"{option} means nothing to the style {style}; use it with {', '.join(styles)}"


def render(
    game: Game,
    strategy: Tree,
    path: str | os.PathLike[str],
    *,
    style: str = TREE,
    language: str | None = None,
    **options: Any,
) -> None:
    """Draw a strategy to a file whose ending says how: one of `STYLES`, in which .html is a page to explore.

    With `depth`, only the nodes less than so many guesses below the root are drawn; `title` stands above;
    with `parameters=False` nothing is said of goal, objective and method; `paper` (one of `PAPERS`) and
    `pages` (how many it may take) are for sheets to print. `language` is that of all words that are not the
    table's own, one of `languages()`; None: English. On a worksheet the first `given` steps are filled in.
    A key may be `indented`, say up to `confirmatory` further questions that agree at each step for at least
    `sure` percent of what is left, and with `costs` what questions cost. A flow chart, or a key in .pdf,
    shows the address `qr` as a code. Options that are None are not asked for. The file appears whole or not
    at all. Raises TreeError for another ending, for an option that means nothing to the style, a depth below
    1, too few pages, a PNG that would be too large, or when what is needed to draw is not installed.
    """
    found = check_format(path, style, strategy.lies, **options)
    wanted = {name: value for name, value in options.items() if value is not None}
    with speaking(language):
        drawn = found.draw(game, strategy, **wanted)
    write_whole(path, drawn)
