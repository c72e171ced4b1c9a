"""A page to print for a kit: what to ask, with room for the answers, and which answers each secret gives."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from itertools import takewhile

from guesstree.engine.kits.kit import Kit
from guesstree.engine.notation import plural, plurals
from guesstree.trees.export.page.page import policy

MOST_TICKED = 8
"""Answers of a question that are printed to be ticked; of more, one is written down."""
MOST_ACROSS = 5
"""Of more questions, their names stand upright above the answers."""
STYLE = """
* { box-sizing: border-box; }
body { margin: 2em auto; padding: 0 1.5em; max-width: 60em; color: #1c2026; background: #fff;
  font: 16px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
h1 { font-size: 1.5em; margin: 0 0 .2em; overflow-wrap: anywhere; }
h2 { font-size: 1.15em; margin: 1.4em 0 .4em; }
p { color: #5d636c; margin: .4em 0 .8em; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid #9aa0a8; padding: .25em .5em; text-align: left; vertical-align: top;
  overflow-wrap: break-word; }
th { vertical-align: bottom; }
td:last-child { overflow-wrap: anywhere; }
.upright { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 14em; margin: 0 auto; }
th { background: #eef0f3; print-color-adjust: exact; -webkit-print-color-adjust: exact; font-weight: 600; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.tick { display: inline-block; margin-right: 1em; }
.tick::before { content: ""; display: inline-block; width: .8em; height: .8em; margin-right: .4em;
  border: 1.5px solid #1c2026; vertical-align: -.05em; }
.line { min-width: 10em; }
.as-above { color: #9aa0a8; }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 10pt; } }
"""


def kit_page(kit: Kit, title: str) -> str:
    """Return a kit as a web page that stands alone and prints well; the same kit gives the same page."""
    name = html.escape(title)
    page = "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" content="%%POLICY%%">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>",
            *_questions(kit),
            *_answers(kit),
            "</body>\n</html>\n",
        ]
    )
    return page.replace("%%POLICY%%", policy(page), 1)


def _questions(kit: Kit) -> Iterator[str]:
    """Yield the questions with room for their answers, and what each of them does."""
    game, look = kit.game, kit.game.look
    known = "no others cost less" if kit.optimal else f"at least {game.cost_text(kit.lower)} by any others"
    cost = f", cost {game.cost_text(kit.upper)}" if game.facts.priced else ""
    asked = plural(len(kit.questions), look.guess)
    yield f"<p>{html.escape(asked)} to be asked, whatever the answers are{html.escape(cost)}: {known}.</p>"
    heads = ["", look.guess, *["cost"] * game.facts.priced, "answer", "tells", "adds", "alone"]
    yield f"<table>\n<thead><tr>{_cells(heads, 'th')}</tr></thead>\n<tbody>"
    for number, (question, row) in enumerate(zip(kit.questions, kit.rows, strict=True), 1):
        responses = kit.answers_to(question)
        ticks = "".join(f'<span class="tick">{html.escape(response)}</span>' for response in responses)
        answer = f"<td>{ticks}</td>" if len(responses) <= MOST_TICKED else '<td class="line"></td>'
        costs = [game.cost_text(row.cost)] * game.facts.priced
        asked = (
            _cells([number], "td", "number") + _cells([row.question], "td") + _cells(costs, "td", "number")
        )
        told = _cells([row.separates, row.adds, row.alone], "td", "number")
        yield f"<tr>{asked}{answer}{told}</tr>"
    yield "</tbody>\n</table>"
    secrets = plurals(look.secret)
    yield (
        f"<p>tells: pairs of {html.escape(secrets)} that it tells apart; adds: pairs told apart from it on; "
        "alone: pairs that need it.</p>"
    )


def _answers(kit: Kit) -> Iterator[str]:
    """Yield the answers of each secret, those with the same first answers together."""
    look = kit.game.look
    yield f"<h2>{html.escape(plurals(look.secret).capitalize())} by their answers</h2>"
    if kit.lies:
        false = plural(kit.lies, "false answer")
        yield f"<p>Look for the one whose answers differ from those given by {false} at most.</p>"
    heads = [html.escape(f"{number} {label}") for number, label in enumerate(kit.labels, 1)]
    if len(heads) > MOST_ACROSS:
        heads = [f'<div class="upright">{head}</div>' for head in heads]
    head = "".join(f"<th>{head}</th>" for head in [*heads, html.escape(look.secret)])
    yield f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>"
    before: list[str] = []
    for answers, secret in sorted((answers, secret) for secret, *answers in kit.sheet()):
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(answers, before, strict=False)))
        yield f"<tr>{_cells(answers[:same], 'td', 'as-above')}{_cells([*answers[same:], secret], 'td')}</tr>"
        before = answers
    yield "</tbody>\n</table>"


def _cells(texts: Sequence[object], tag: str, kind: str = "") -> str:
    """Return cells of a table."""
    named = f' class="{kind}"' if kind else ""
    return "".join(f"<{tag}{named}>{html.escape(str(text))}</{tag}>" for text in texts)
