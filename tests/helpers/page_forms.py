"""The forms of a page, as a browser would send them."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx


@dataclass
class Form:
    """A form of a page: what it sends as it stands, and with which buttons."""

    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Forms(HTMLParser):
    """Finds the forms of a page, and the links that have a class."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: dict[str, list[str]] = defaultdict(list)
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in an element."""
        has = {name: value or "" for name, value in attrs}
        name, value, kind = has.get("name", ""), has.get("value", ""), has.get("type", "submit")
        unset = kind == "file" or (kind in ("checkbox", "radio") and "checked" not in has)
        if tag == "form":
            self.forms.append(Form(has.get("method", "get"), has.get("action", "")))
        elif tag == "a":
            for one in has.get("class", "").split():
                self.links[one].append(has.get("href", ""))
        elif tag == "button" and self.forms and kind == "submit":
            self.forms[-1].buttons.append((name, value))
        elif tag in ("input", "textarea", "select") and self.forms and name and not unset:
            self.forms[-1].fields[name] = value
            self._inside = "" if tag == "input" else name
        elif tag == "option" and self._inside:
            known = self.forms[-1].fields[self._inside]
            self.forms[-1].fields[self._inside] = value if "selected" in has else known or value

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        self._inside = "" if tag in ("textarea", "select") else self._inside

    def handle_data(self, data: str) -> None:
        """Take in the text of a field of several lines."""
        if self._inside and self.lasttag == "textarea":
            self.forms[-1].fields[self._inside] += data

    def with_button(self, name: str) -> list[Form]:
        """Return the forms that have a button of this name."""
        return [form for form in self.forms if any(own == name for own, _ in form.buttons)]

    def with_field(self, name: str, value: str) -> list[Form]:
        """Return the forms that send this."""
        return [form for form in self.forms if form.fields.get(name) == value]


def token_of(client: httpx.Client) -> str:
    """Return the token of a server's pages."""
    found = re.search(r'name="token" (?:content|value)="([^"]+)"', client.get("/").text)
    assert found is not None
    return found[1]
