"""Ways to the ends of a strategy as rows: what is named, how often, after what, for how much; worst first."""

from __future__ import annotations

from guesstree.engine.game import Game

from ...language import noun, paid_noun, say
from ...outline import outline
from ...tree import Tree
from ...words import likely, said_end
from ..key.couplets import statement
from ..labels import plain

SHARE = 1
"""The column of shares."""

Cell = str | float


def headed_rows(game: Game, strategy: Tree) -> tuple[list[str], list[list[Cell]]]:
    """Return headings and rows: name, share, questions, cost where there are costs, and each step in words.

    Where tests may get several answers, what decisions lose and what is possible stands before the steps.

    The first rows cost most, and of these the first ask most. Costs that depend on answers which lead to the
    same end are the most that is paid.
    """
    seen, look = outline(game, strategy), game.look
    ends = [at for at in seen.depth_first() if seen.steps[at].names]
    spent = {at: seen.spent(at) for at in ends}
    rows: list[list[Cell]] = []
    for at in sorted(ends, key=lambda at: (spent[at], seen.asked(at)), reverse=True):
        share = "" if seen.steps[at].silent else round(float(seen.share(at)), 6)  # nobody says how likely
        row: list[Cell] = [plain(say(" or ").join(map(said_end, seen.steps[at].names))), share]
        row += [seen.asked(at), float(spent[at] * game.cost_unit)][: 1 + seen.priced]
        if game.decisions:
            row.append(float(seen.steps[at].loss * game.cost_unit))
        if game.facts.noisy:
            row.append(", ".join(likely(seen.steps[at].possible, len(game.secrets))))
        row += [statement(look, seen.steps[s].topic, answers) for s, answers in seen.path(at)]
        rows.append(row)
    named = say("decision") if game.decisions else noun(look.secret)
    headings = [named, say("share"), noun(look.guess, 2)]
    headings += [paid_noun(look)] * seen.priced + [say("expected loss")] * bool(game.decisions)
    headings += [say("possible")] * (game.facts.noisy)
    most = max(map(len, rows)) - len(headings)
    return headings + [f"{noun(look.guess)} {number}" for number in range(1, most + 1)], rows
