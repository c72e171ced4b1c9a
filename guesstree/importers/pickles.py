"""Pickles read as data: what they name is never imported and never called, so that nothing of them runs."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickletools
import re
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.errors import shown
from guesstree.trees.tree import TreeError

MOST_BYTES = 2**27
"""What a model may have when unpacked."""
MOST_STEPS = 1_000_000
"""The steps of a pickle that are followed; a tree has some hundreds, and one for each label."""
MOST_INSIDE = 4
"""How deep pickles may lie in each other: joblib puts one into another for arrays of labels."""
STARTS = (b"\x80", b"ccopy_reg\n")
"""How pickles begin that hold an object."""
ALONE = "expected a DecisionTreeClassifier of scikit-learn alone"

_ADMITTED = re.compile(
    r"sklearn\.tree(\._?\w+)? (DecisionTreeClassifier|ExtraTreeClassifier|Tree)"
    r"|numpy (ndarray|dtype)|numpy\._?core\.multiarray (_reconstruct|scalar)"
    r"|numpy\._?core\.numeric _frombuffer|numpy\.random(\.\w+)? \w+"
    r"|(sklearn\.externals\.)?joblib\.numpy_pickle NumpyArrayWrapper"
    r"|(copyreg|copy_reg) _reconstructor|(builtins|__builtin__) object|_codecs encode"
)
_CODE = re.compile(r"[biufU][0-9]{1,6}")
_WRAPPER = "NumpyArrayWrapper"


class Global(NamedTuple):
    """What a pickle names: a class or a function of a module."""

    module: str
    name: str


@dataclass
class Held:
    """What a pickle would make: by which class or function, from what, and its state."""

    by: Global
    given: tuple[Any, ...] = ()
    state: Any = None


_MARK = object()


def read_pickle(data: bytes) -> Any:
    """Return the value of a pickle, or of a file of joblib: plain data, arrays by joblib, and `Held`.

    Raises TreeError for anything that is not needed for a tree of scikit-learn, named in the message.
    """
    plain = _unpacked(data)
    if not plain.startswith(STARTS):
        raise TreeError(f"is no file of pickle, joblib or skops; {ALONE}")
    return _Machine(io.BytesIO(plain), 0).run()


def _unpacked(data: bytes) -> bytes:
    """Return what joblib may have compressed; raise TreeError for what is too large or broken."""
    openers: Mapping[bytes, Callable[[io.BytesIO], Any]] = {
        b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
        b"BZ": bz2.BZ2File,
        b"\xfd7zXZ": lzma.LZMAFile,
        b"\x5d\x00": lzma.LZMAFile,
    }
    try:
        if data[:1] == b"\x78":
            stream = zlib.decompressobj()
            found = stream.decompress(data, MOST_BYTES + 1)
            whole = stream.eof or len(found) > MOST_BYTES
        else:
            opener = next((one for start, one in openers.items() if data.startswith(start)), None)
            if opener is None:
                return data
            found, whole = opener(io.BytesIO(data)).read(MOST_BYTES + 1), True
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
        raise TreeError(f"is compressed, and broken ({error}); {ALONE}") from None
    if len(found) > MOST_BYTES:
        raise TreeError(f"has more than {MOST_BYTES} bytes when unpacked; expected fewer")
    if not whole:
        raise TreeError(f"is compressed, and ends too early; {ALONE}")
    return bytes(found)


@dataclass
class _Machine:
    """Follows the steps of one pickle in a file; nothing that it names is looked up."""

    file: io.BytesIO
    inside: int
    stack: list[Any] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)

    def run(self) -> Any:
        """Return what the pickle leaves behind; the file then stands behind it."""
        steps = 0
        try:
            for code, argument, _ in pickletools.genops(self.file):
                steps += 1
                if steps > MOST_STEPS:
                    raise TreeError(f"takes more than {MOST_STEPS} steps to read; {ALONE}")
                if code.name == "STOP":
                    return self.stack.pop()
                self.step(code.name, argument)
        except TreeError:
            raise
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, struct.error) as error:
            reason = " ".join(str(error).split())[:80]
            raise TreeError(f"is no whole pickle (byte {self.file.tell()}: {reason}); {ALONE}") from None
        raise TreeError(f"is no whole pickle: it does not end; {ALONE}")

    def step(self, name: str, argument: Any) -> None:
        """Take one step."""
        stack = self.stack
        if name in _VALUES:
            stack.append(argument)
        elif name in _MADE:
            stack.append(_MADE[name]())
        elif name in _ENDS:
            items = self.marked()
            _ENDS[name](stack, items)
        elif name in ("MEMOIZE", "PUT", "BINPUT", "LONG_BINPUT"):
            self.memo[len(self.memo) if name == "MEMOIZE" else argument] = stack[-1]
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(self.memo[argument])
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            many = int(name[-1])
            stack[-many:] = [tuple(stack[-many:])]
        elif name == "APPEND":
            _extend(stack, [stack.pop()])
        elif name == "SETITEM":
            value, key = stack.pop(), stack.pop()
            _update(stack, [key, value])
        elif name == "GLOBAL":
            stack.append(_admitted(*argument.split(" ", 1)))
        elif name == "STACK_GLOBAL":
            last, module = stack.pop(), stack.pop()
            stack.append(_admitted(module, last))
        elif name in ("REDUCE", "NEWOBJ"):
            given, by = stack.pop(), stack.pop()
            if not isinstance(by, Global) or not isinstance(given, tuple):
                raise ValueError("something is called that is not named")
            stack.append(Held(by, given))
        elif name == "BUILD":
            self.build(stack.pop())
        elif name not in ("PROTO", "FRAME"):
            raise TreeError(f"has the step {name}, which no tree needs; {ALONE}")

    def marked(self) -> list[Any]:
        """Return what lies above the last mark, and take it off."""
        at = len(self.stack) - 1
        while self.stack[at] is not _MARK:
            at -= 1
            if at < 0:
                raise ValueError("no mark")
        items = self.stack[at + 1 :]
        del self.stack[at:]
        return items

    def build(self, state: Any) -> None:
        """Give what was made last its state; an array of joblib follows in the file."""
        made = self.stack[-1]
        if not isinstance(made, Held):
            raise ValueError("a state for nothing")
        made.state = state
        if made.by.name == _WRAPPER:
            self.stack[-1] = self.array(state)

    def array(self, state: Mapping[str, Any]) -> Any:
        """Return the array that joblib wrote behind its description."""
        kind = dtype_of(state["dtype"])
        if kind is None:
            if self.inside >= MOST_INSIDE:
                raise ValueError("pickles within pickles")
            return _Machine(self.file, self.inside + 1).run()
        if state.get("numpy_array_alignment_bytes") is not None:
            self.file.read(self.file.read(1)[0])
        shape = tuple(map(int, state["shape"]))
        raw = self.file.read(prod(shape) * kind.itemsize)
        return np.frombuffer(raw, kind).reshape(shape, order="F" if state["order"] == "F" else "C")


def _admitted(module: Any, name: Any) -> Global:
    """Return what is named; raise TreeError for what a tree does not need."""
    found = f"{module} {name}"
    if _ADMITTED.fullmatch(found):
        return Global(str(module), str(name))
    said = shown(found.replace(" ", "."))
    if found.startswith("sklearn."):
        raise TreeError(f"holds {said}; {ALONE}, such as joblib.dump(pipeline[-1], FILE)")
    raise TreeError(
        f"names {said}, which a tree does not need and which might run code; nothing was run; {ALONE}"
    )


def _extend(stack: list[Any], items: list[Any]) -> None:
    if not isinstance(stack[-1], list):
        raise ValueError("items for what is no list")
    stack[-1].extend(items)


def _update(stack: list[Any], items: list[Any]) -> None:
    if not isinstance(stack[-1], dict) or len(items) % 2:
        raise ValueError("items for what is no dict")
    stack[-1].update(zip(items[::2], items[1::2], strict=True))


_VALUES = {
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
    *("STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"),
    *("BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8"),
}
"""Steps that put what follows them on the stack."""
_MADE: Mapping[str, Callable[[], Any]] = {
    "MARK": lambda: _MARK,
    "NONE": lambda: None,
    "NEWTRUE": lambda: True,
    "NEWFALSE": lambda: False,
    "EMPTY_TUPLE": tuple,
    "EMPTY_LIST": list,
    "EMPTY_DICT": dict,
}
_ENDS: Mapping[str, Callable[[list[Any], list[Any]], None]] = {
    "TUPLE": lambda stack, items: stack.append(tuple(items)),
    "LIST": lambda stack, items: stack.append(items),
    "DICT": lambda stack, items: stack.append(dict(zip(items[::2], items[1::2], strict=True))),
    "APPENDS": _extend,
    "SETITEMS": _update,
}


# -- arrays ------------------------------------------------------------------------------------------------


def array_of(value: Any) -> NDArray[Any]:
    """Return an array as NumPy or joblib stores it; raise ValueError for anything else."""
    if isinstance(value, np.ndarray):
        return value
    if not isinstance(value, Held):
        raise ValueError("no array")
    if value.by.name == "_frombuffer":
        raw, kind, shape, order = value.given
        fortran = order == "F"
    else:
        _, shape, kind, fortran, raw = value.state
    found = dtype_of(kind)
    order_of: Any = "F" if fortran else "C"
    if found is None:
        if not isinstance(raw, list) or not all(isinstance(one, str | int | float) for one in raw):
            raise ValueError("an array of what is neither text nor number")
        return np.array(raw, dtype=object).reshape(shape, order=order_of)
    if isinstance(raw, Held):  # bytes in old pickles: _codecs.encode(text, 'latin1')
        raw = raw.given[0].encode("latin1")
    return np.frombuffer(raw, found).reshape(shape, order=order_of)


def dtype_of(value: Any) -> np.dtype[Any] | None:
    """Return a type of numbers, of texts, or of records of these; None: of objects. Raises ValueError."""
    code, state = str(value.given[0]), value.state
    if code.startswith("O"):
        return None
    if not code.startswith("V"):
        if not _CODE.fullmatch(code):
            raise ValueError(f"an array of {code[:20]}")
        return np.dtype(("" if state[1] in ("|", "=") else state[1]) + code)
    names, fields = state[3], state[4]
    kinds = [dtype_of(fields[name][0]) for name in names]
    if any(kind is None for kind in kinds):  # `in` would call a float equal to None
        raise ValueError("records of objects")
    layout: Any = {
        "names": list(names),
        "formats": kinds,
        "offsets": [int(fields[name][1]) for name in names],
        "itemsize": int(state[5]),
    }
    return np.dtype(layout)
