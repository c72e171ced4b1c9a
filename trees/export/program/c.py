"""A strategy as a function of C."""

from __future__ import annotations

import re

from guesstree.engine.game import Game

from ...tree import Tree
from .rules import Column, Interval, Part, Question, Rules, number_text, rules_of


def draw(game: Game, strategy: Tree) -> bytes:
    """Return a file with a struct of columns and a function `guesstree_decide`, in ASCII, C99 or C++.

    Texts are string literals in UTF-8 in which every byte but letters, digits and spaces is written in octal,
    so that nothing ends them, and no comment has any. A value without a branch, NULL and NAN too, gets what
    loses least there, or NULL.
    """
    rules = rules_of(game, strategy)
    fields = field_names(rules)
    lines = [
        "/* A decision tree, written by guesstree. Missing values: NULL of texts, NAN of numbers. */",
        "#include <stddef.h>",
        "#include <string.h>",
        "",
        "struct guesstree_row {",
        *(
            f"    {'double ' if one.kind == 'number' else 'const char *'}{name};"
            for one, name in zip(rules.columns, fields, strict=True)
        ),
        *([] if rules.columns else ["    int unused;"]),
        "};",
        "",
        "/* The columns of the data, in the order of the struct. */",
        "static const char *const guesstree_columns[] = {",
        *(f"    {_text(one.name)}," for one in rules.columns),
        "    NULL};",
        "",
        "static int guesstree_is(const char *value, const char *text) {",
        "    return value != NULL && strcmp(value, text) == 0;",
        "}",
        "",
        "/* What is decided for a row; NULL: nothing can be. */",
        "const char *guesstree_decide(const struct guesstree_row *row) {",
        "    (void)row;",
        "    (void)guesstree_columns;",
        "    (void)guesstree_is;",
        *_lines(rules, fields, 0, "    "),
        "}",
    ]
    return ("\n".join(lines) + "\n").encode("ascii")


def field_names(rules: Rules) -> list[str]:
    """Return a name of C for each column, as near to its own as can be.

    All begin with ``c_``, so that none is a word of C or C++, or a macro such as ``NULL``.
    """
    found: list[str] = []
    for column in rules.columns:
        name = re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9]", "_", column.name)).strip("_")[:40] or "column"
        name = f"c_{name}"
        own, number = name, 2
        while own in found:
            own, number = f"{name}_{number}", number + 1
        found.append(own)
    return found


def _lines(rules: Rules, fields: list[str], step: int, indent: str) -> list[str]:
    asked = rules.asks[step]
    found = []
    if asked is not None:
        column, field = rules.columns[asked.column], f"row->{fields[asked.column]}"
        for part in rules.parts[step]:
            found.append(f"{indent}if ({_condition(column, field, asked, part)}) {{")
            found += [*_lines(rules, fields, part.step, f"{indent}    "), f"{indent}}}"]
    return [*found, f"{indent}return {_text(rules.ends[step])};"]


def _condition(column: Column, field: str, asked: Question, part: Part) -> str:
    if column.kind == "text":
        return " || ".join(f"guesstree_is({field}, {_text(value)})" for value in part.values)
    if asked.points:
        return " || ".join(f"{field} == {_number(low)}" for low, _ in part.intervals if low is not None)
    return " || ".join(_between(field, one, alone=len(part.intervals) == 1) for one in part.intervals)


def _between(field: str, interval: Interval, *, alone: bool) -> str:
    low, high = interval
    said = [] if low is None else [f"{field} >= {_number(low)}"]
    said += [] if high is None else [f"{field} < {_number(high)}"]
    return " && ".join(said) if alone or len(said) == 1 else f"({' && '.join(said)})"


def _number(number: object) -> str:
    text = number_text(number)  # type: ignore[arg-type]
    return text if set(text) & set(".e") else f"{text}.0"


def _text(text: str | None) -> str:
    if text is None:
        return "NULL"
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
    return '"' + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in text.encode()) + '"'
