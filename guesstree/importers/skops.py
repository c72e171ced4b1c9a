"""Models as skops stores them: a zip file of arrays and of what is made of them, read as data."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from typing import Any

import numpy as np

from guesstree.trees.tree import TreeError

from .pickles import ALONE, MOST_BYTES, Global, Held

ZIPPED = b"PK\x03\x04"
"""How such a file begins."""
SCHEMA = "schema.json"
PLAIN = ("TupleNode", "ListNode", "SetNode")


def read_skops(data: bytes) -> Any:
    """Return what a file of skops describes: plain data, arrays, and `Held`. Raises TreeError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            if sum(one.file_size for one in file.infolist()) > MOST_BYTES:
                raise TreeError(f"has more than {MOST_BYTES} bytes when unpacked; expected fewer")
            return _value(json.loads(file.read(SCHEMA)), file, {})
    except TreeError:
        raise
    except (
        *(ValueError, LookupError, TypeError, AttributeError, OSError, EOFError, RecursionError, MemoryError),
        *(NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error),
    ) as error:
        said = " ".join(str(error).split())[:80]
        raise TreeError(f"is no whole file of skops ({said}); {ALONE}") from None


def _value(node: dict[str, Any], file: zipfile.ZipFile, seen: dict[int, Any]) -> Any:
    """Return the value of a part; of what a tree does not need, what it would be made by."""
    loader = node["__loader__"]
    if loader == "CachedNode":
        return seen[node["__id__"]]
    found: Any = Held(Global(str(node["__module__"]), str(node["__class__"])))
    if loader == "JsonNode":
        found = json.loads(node["content"])
    elif loader in PLAIN:
        found = [_value(one, file, seen) for one in node["content"]]
    elif loader == "DictNode":
        found = {key: _value(one, file, seen) for key, one in node["content"].items()}
    elif loader == "NdArrayNode" and node["type"] == "numpy":
        found = np.load(io.BytesIO(file.read(node["file"])), allow_pickle=False)
    elif loader == "NdArrayNode":
        found = np.array([str(_value(one, file, seen)) for one in node["content"]], dtype=object)
    elif isinstance(node.get("content"), dict) and "__loader__" in node["content"]:
        found.state = _value(node["content"], file, seen)
    seen[node.get("__id__", -1)] = found
    return found
