"""The site: README, the docs by groups, and references made from docstrings and help texts."""

import inspect
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from pygments.lexers.special import TextLexer
from sphinx.util import logging

import guesstree
from guesstree.cli import COMMANDS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = html_title = "guesstree"
version = release = guesstree.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx_click"]

root_doc = "README"
include_patterns = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/*.md",
    "docs/*/*.md",
    "verify/*.md",
    "verify/*/*.md",
]
exclude_patterns = [".*", "build", "out", "*.egg-info"]  # not even looked into
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]
default_role = "py:obj"
smartquotes = False  # options begin with two hyphens

html_theme = "furo"  # needs nothing from elsewhere
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_extra_path = ["../verify/check.html"]  # as it is, at the root of the site
html_theme_options: dict[str, list[str]] = {"top_of_page_buttons": []}
html_copy_source = html_show_sourcelink = html_show_copyright = html_show_sphinx = False

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autosummary_generate = False
add_module_names = False
python_maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"

NAVIGATION = {
    "Start": ["install", "upgrade", "gallery", "serve", "python", "examples", "play", "duel"],
    "Games": ["games", "hangman", "wordle", "nerdle", "boards", "coins", "pools", "many", "parlour"],
    "Tables": [
        "tables",
        "models",
        "diagnosis",
        "service",
        "sensitivity",
        "learning",
        "keys",
        "costs",
        "plan",
        "printing",
        "import",
    ],
    "Guides": [
        "onestep",
        "lies",
        "mixed",
        "hosts",
        "breakers",
        "bounds",
        "combinations",
        "search",
        "symmetry",
    ],
    "Results": ["results", "hangman-results", "many-tables", "sources"],
    "Proofs": [
        "proofs",
        "explain",
        "ledger",
        "cluster",
        "scale",
        *(
            f"/verify/{page}"
            for page in ("README", "LEMMAS", "PRICED", "LIES", "KITS", "NOISY", "coq/README")
        ),
    ],
    "Reference": ["reference", "commands", "format", "glossary", "/CHANGELOG"],
    "Develop": [
        "/CONTRIBUTING",
        "architecture",
        "decisions",
        *(
            f"decisions/{page}"
            for page in (
                "numbers",
                "proof-formats",
                "links",
                "no-gpu",
                "sqlite",
                "threads-and-processes",
                "records",
                "depth-first",
            )
        ),
    ],
}
"""The pages of each group, as they are listed beside every page; a page that is in none fails the build."""


def contents() -> str:
    """Return the groups of pages for the first page."""
    groups = []
    for caption, pages in NAVIGATION.items():
        listed = "\n".join(page if page.startswith("/") else f"docs/{page}" for page in pages)
        groups.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n")
    return "\n".join(groups)


def reference() -> str:
    """Return every public name of the package by kinds: a list, and each with its docstring."""
    kinds: dict[str, list[str]] = {"function": [], "class": [], "exception": []}
    for name in sorted(set(guesstree.__all__) - {"__version__"}):
        thing = getattr(guesstree, name)
        kind = "exception" if inspect.isclass(thing) and issubclass(thing, Exception) else "class"
        kinds[kind if inspect.isclass(thing) else "function"].append(name)
    lines = []
    for title, (kind, names) in zip(("Functions", "Classes", "Exceptions"), kinds.items(), strict=True):
        lines += [f"## {title}", "", "```{eval-rst}", ".. currentmodule:: guesstree", ".. autosummary::", ""]
        lines += [f"   {name}" for name in names]
        for name in names:
            shown = ["   :members:", "   :inherited-members:"] if kind == "class" else []
            lines += ["", f".. auto{kind}:: guesstree.{name}", *shown]
        lines += ["```", ""]
    return "\n".join(lines)


def commands() -> str:
    """Return every command with its options."""
    lines = []
    for name in COMMANDS:
        lines += ["```{eval-rst}", f".. click:: guesstree.cli.{name}:command"]
        lines += [f"   :prog: guesstree {name}", "```", ""]
    return "\n".join(lines)


CHECK_PAGE = re.compile(r"\[([^\]]+)\]\((?:\.\./)*(?:verify/)?check\.html\)")
"""A link to the page that checks certificates, which stands at the root of the site."""
MADE = {"README": contents, "reference": reference, "commands": commands}


def complete(app: "Sphinx", docname: str, source: list[str]) -> None:  # noqa: ARG001 - Sphinx's signature
    """Add to a page what is made here, and let it link to the page that checks certificates."""
    name = docname.removeprefix("docs/")
    if name in MADE:
        source[0] += "\n" + MADE[name]()
    up = "../" * docname.count("/")
    source[0] = CHECK_PAGE.sub(rf'<a href="{up}check.html">\1</a>', source[0])


def sections(app: "Sphinx", what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:  # noqa: ARG001
    """Turn the sections of a docstring, each up to an empty line, into lists of names."""
    out, inside = list[str](), False
    for line in lines:
        if out and out[-1] in ("Parameters", "Attributes") and re.fullmatch("-+", line):
            out[-1:] = [f".. rubric:: {out[-1]}", ""]
            inside = True
            continue
        inside = inside and bool(line)
        item = re.match(r"(\w[\w, ]*): (.*)", line)
        if inside and item:
            names = ", ".join(f"**{name}**" for name in item[1].split(", "))
            out.append(f"- {names}: {item[2]}")
        else:
            out.append("  " + line.strip() if inside else line)
    lines[:] = out


class Page(HTMLParser):
    """A page of the site: what it links to, what it loads, and where links may point to in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links, self.loads, self.places = set[str](), set[str](), {""}
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the links and the places of a tag."""
        for key, value in attrs:
            if key == "id":
                self.places.add(value or "")
            elif key == "src" or (key == "href" and tag == "link"):
                self.loads.add(value or "")
            elif key == "href":
                self.links.add(value or "")


def faults(site: Path) -> list[str]:
    """Return the links of all pages that lead nowhere, or load something from elsewhere."""
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        for link in sorted(page.links | page.loads):
            if re.match(r"\w+:|//", link):
                found += [f"{name}: loads {link}"] * (link in page.loads and not link.startswith("data:"))
                continue
            part = urlsplit(unquote(link))
            target = (path.parent / part.path).resolve() if part.path else path
            if not target.is_file() or (target in pages and part.fragment not in pages[target].places):
                found.append(f"{name}: {link} leads nowhere")
    return found


def finish(app: "Sphinx", error: Exception | None) -> None:
    """Let the site open with its first page, and warn of every link in it that is broken."""
    if error:
        return
    shutil.copy(Path(app.outdir, f"{app.config.root_doc}.html"), Path(app.outdir, "index.html"))
    for fault in faults(Path(app.outdir)):
        logging.getLogger(__name__).warning(fault)


def setup(app: "Sphinx") -> None:
    """Join in."""
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", complete)
    app.connect("autodoc-process-docstring", sections)
    app.connect("build-finished", finish)
