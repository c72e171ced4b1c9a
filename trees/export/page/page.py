"""A strategy as one web page that stands alone: a guide, a tree to open and close, search, figures.

The markup is `page.html`; style and scripts are files of their own, in the folder `STATIC`. A page that is to
stand alone has them inside; a server sends them beside its pages.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

from guesstree.engine.game import Game
from guesstree.engine.notation import Look

from ...language import ENGLISH, in_all_forms, say, say_of, spoken_language, translated
from ...tree import Tree, TreeError
from ..heading import sheet_title, titled
from ..labels import plain
from .data import as_data

TEMPLATE = Path(__file__).with_name("page.html")
"""The markup without the data, the style and the scripts."""
STATIC = Path(__file__).with_name("static")
"""The folder of the style and the scripts, and of nothing else."""
STYLE = "page.css"
SAID = re.compile(r'\b(?:say\("([^"]+)"|says\("([^"]+)", "([^"]+)")')
"""What a script says: a text, or one for one thing and one for several."""
SCRIPTS = (
    "data.js",
    "look.js",
    "remarks.js",
    "head.js",
    "tree.js",
    "details.js",
    "search.js",
    "advice.js",
    "free.js",
    "guide.js",
    "start.js",
)
"""In this order: they share their names, and the last one starts."""


def render_page(
    game: Game,
    strategy: Tree,
    title: str = "",
    *,
    parameters: bool = True,
    files: str = "",
    home: tuple[str, str] | None = None,
) -> str:
    """Return the page as HTML; the same strategy gives the same text.

    Parameters
    ----------
    title: heads the page; else the name of the table or of the game does.
    parameters: whether goal, objective, method and the spec of the game are shown.
    files: the address, with its last slash, where a server has the files of `STATIC`; empty: the page is one
        file that loads nothing else.
    home: the address and the text of a link back, for a page of a server.

    The strategy is to be valid (`guesstree.trees.check`). Raises TreeError when it reaches no secret, or
    where responses may be false: a page takes them as true.
    """
    if strategy.lies:
        raise TreeError(f"a page of {game.spec}: {strategy.several}; expected a strategy without lies")
    named = game.look.secret != Look.secret
    heading = titled(game, title) if title or not named else sheet_title(game)
    bare = heading if title or named else say("{game} · strategy", game=heading)
    style, script = _linked(files) if files else _inline()
    template = re.sub(
        r"\[\[(.+?)\]\]",
        lambda found: html.escape(say_of(game.look, found[1])),
        TEMPLATE.read_text(encoding="utf-8"),
    )
    parts = {
        "POLICY": policy(style + script, "'self'" if files else "", pictures=has_pictures(game)),
        "LANGUAGE": spoken_language(),
        "TITLE": html.escape(plain(bare, 80)),
        "HOME": _link(*home) if home else "",
        "STYLE": style,
        "SCRIPT": script,
        "DATA": embed(as_data(game, strategy) | {"title": heading, "how": parameters, "words": _words()}),
    }
    # In one pass, so that no label is taken for a place to fill.
    return re.sub(r"%%(\w+)%%", lambda found: parts[found[1]], template)


def _words() -> dict[str, str | list[str]]:
    """Return what the scripts say in the language that is spoken, where that is not English."""
    found: dict[str, str | list[str]] = {}
    for name in SCRIPTS if spoken_language() != ENGLISH else ():
        for text, one, more in SAID.findall((STATIC / name).read_text(encoding="utf-8")):
            found[text or one] = in_all_forms(one, more) if more else translated(text)
    return found


def draw(game: Game, strategy: Tree, title: str = "", *, parameters: bool = True) -> bytes:
    """Return the page as a file; raise TreeError as `render_page` does."""
    return render_page(game, strategy, title, parameters=parameters).encode()


def _inline() -> tuple[str, str]:
    texts = [(STATIC / name).read_text(encoding="utf-8") for name in (STYLE, *SCRIPTS)]
    return f"<style>\n{texts[0]}</style>", "<script>\n" + "\n".join(texts[1:]) + "</script>"


def _linked(files: str) -> tuple[str, str]:
    style = f'<link rel="stylesheet" href="{html.escape(files + STYLE)}">'
    # nothing is painted before they have run, or what is painted would jump
    scripts = [
        f'<script defer blocking="render" src="{html.escape(files + name)}"></script>' for name in SCRIPTS
    ]
    return "\n".join([style, *scripts]), ""


def _link(address: str, text: str) -> str:
    return f'<a class="home" href="{html.escape(address)}">{html.escape(text)}</a>'


def embed(data: Any) -> str:
    """Return data as JSON that is safe between script tags: ASCII without <, > and &."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    # These occur inside strings only, where an escape means the same.
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def has_pictures(game: Game) -> bool:
    """Return whether a page of a game has pictures inside."""
    sides = (game.guess_remarks, game.secret_remarks)
    return any(uri.startswith("data:") for side in sides for some in side.images.values() for uri in some)


def policy(text: str, allowed: str = "", *, pictures: bool = False) -> str:
    """Return a security policy that allows the scripts and styles inside a text, and nothing else.

    `allowed` is allowed besides, for both; `pictures`: those that are in the page.
    """
    sources = []
    for tag in ("script", "style"):
        found = re.findall(rf"<{tag}>(.*?)</{tag}>", text, flags=re.DOTALL)
        digests = [base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode() for inside in found]
        some = [*([allowed] if allowed else []), *(f"'sha256-{digest}'" for digest in digests)]
        if some:
            sources.append(f"{tag}-src {' '.join(some)}")
    sources += ["img-src data:"] if pictures else []
    return "; ".join(["default-src 'none'", *sources, "base-uri 'none'", "form-action 'none'"])
