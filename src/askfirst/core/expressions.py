"""Reading a regular expression of ECMA-262 into a tree; `core.patterns` runs what stands here.

The subset is what can be matched in linear time: literals, `.`, character sets, anchors, word edges,
groups of every kind, alternation, greedy and lazy quantifiers, look-ahead and look-behind. Not in it:
back-references (no linear way is known), Unicode properties and case folding (their tables), and what
ECMA-262 itself refuses under the flag `u`, except what its Annex B allows and servers really write
(`[\\w-.]`, `\\-`, `\\_`).
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

__all__ = ["WORD", "Anchor", "CharSet", "Either", "Look", "Node", "Repeat", "Sequence", "parse"]

_LAST: Final = 0x10FFFF
_MOST_CHARACTERS: Final = 4000  # of an expression; longer ones are generated, or meant to hurt
_MOST_NESTED: Final = 40  # groups in groups: bounds the recursion, here and in the compiler


@dataclass(frozen=True)
class CharSet:
    """A set of code points: sorted ranges that don't touch, both ends included."""

    ranges: tuple[tuple[int, int], ...]

    @cached_property
    def ascii(self) -> int:
        """The first 128 code points as bits: nearly every question about a set ends here."""
        return sum(1 << point for low, high in self.ranges for point in range(low, min(high, 127) + 1))

    def holds(self, point: int) -> bool:
        """Whether a code point is in the set."""
        if point < 128:
            return self.ascii >> point & 1 == 1
        at = bisect_right(self.ranges, (point, _LAST)) - 1
        return at >= 0 and point <= self.ranges[at][1]


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other; of nothing, the empty match."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Any one of these."""

    options: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A node again and again; without end where `most` is None."""

    node: "Node"
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in the text: its start, its end, a word's edge (`b`) or not one (`B`)."""

    kind: Literal["^", "$", "b", "B"]


@dataclass(frozen=True, slots=True)
class Look:
    """What stands before or after here, without taking it."""

    node: "Node"
    ahead: bool
    wanted: bool


Node: TypeAlias = CharSet | Sequence | Either | Repeat | Anchor | Look


def parse(expression: str) -> Node | None:
    """The tree of an expression, or None where it is not in the subset, or too long or too deep."""
    if len(expression) > _MOST_CHARACTERS:
        return None
    reader = _Reader(expression)
    try:
        tree = reader.either(0)
    except _Outside:
        return None
    return tree if reader.done else None  # what is left over begins with a ")" that nothing opened


def _union(*sets: CharSet) -> CharSet:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(pair for one in sets for pair in one.ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return CharSet(tuple(merged))


def _others(one: CharSet) -> CharSet:
    edges = [-1, *(edge for pair in one.ranges for edge in pair), _LAST + 1]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return CharSet(tuple((before + 1, after - 1) for before, after in gaps if before + 1 < after))


def _points(*points: int) -> CharSet:
    return _union(*(CharSet(((point, point),)) for point in points))


_DIGITS: Final = CharSet(((0x30, 0x39),))
WORD: Final = _union(_DIGITS, CharSet(((0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))))
_BLANKS: Final = _union(
    _points(0x20, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF),
    CharSet(((0x09, 0x0D), (0x2000, 0x200A))),
)
_CLASSES: Final = {"d": _DIGITS, "w": WORD, "s": _BLANKS} | {
    "D": _others(_DIGITS),
    "W": _others(WORD),
    "S": _others(_BLANKS),
}
_DOT: Final = _others(_points(0x0A, 0x0D, 0x2028, 0x2029))
_CONTROLS: Final = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_OPENINGS: Final = {  # to what a look is: (ahead, wanted)
    "?:": None,
    "?=": (True, True),
    "?!": (True, False),
    "?<=": (False, True),
    "?<!": (False, False),
}
_DECIMALS: Final = frozenset("0123456789")
_HEXADECIMALS: Final = frozenset("0123456789abcdefABCDEF")
_QUANTIFIERS: Final[Mapping[str, tuple[int, int | None]]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class _Outside(Exception):
    """The expression leaves the subset."""


class _Reader:
    """A recursive descent over the text of one expression."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    @property
    def done(self) -> bool:
        return self._at == len(self._text)

    def either(self, depth: int) -> Node:
        if depth > _MOST_NESTED:
            raise _Outside
        options = [self._sequence(depth)]
        while self._skip("|"):
            options.append(self._sequence(depth))
        return options[0] if len(options) == 1 else Either(tuple(options))

    def _sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        while not self.done and self._peek() not in "|)":
            parts.append(self._repeated(depth))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, depth: int) -> Node:
        node = self._atom(depth)
        bounds = self._quantifier()
        if bounds is None:
            return node
        if isinstance(node, Anchor | Look):
            raise _Outside
        least, most = bounds
        if most is not None and most < least:
            raise _Outside
        return Repeat(node, least, most)

    def _quantifier(self) -> tuple[int, int | None] | None:
        sign = self._peek()
        if sign == "{":
            self._at += 1
            bounds = self._counts()
        elif sign in _QUANTIFIERS:
            self._at += 1
            bounds = _QUANTIFIERS[sign]
        else:
            return None
        self._skip("?")  # lazy: which match is found differs, whether there is one does not
        return bounds

    def _counts(self) -> tuple[int, int | None]:
        least = self._number()
        most: int | None = least
        if self._skip(","):
            most = None if self._peek() == "}" else self._number()
        self._expect("}")
        return least, most

    def _number(self) -> int:
        start = self._at
        while self._peek() in _DECIMALS:
            self._at += 1
        digits = self._text[start : self._at]
        if not 0 < len(digits) <= 6:
            raise _Outside
        return int(digits)

    def _atom(self, depth: int) -> Node:
        sign = self._take()
        match sign:
            case "^" | "$":
                return Anchor(sign)
            case ".":
                return _DOT
            case "(":
                return self._group(depth)
            case "[":
                return self._set()
            case "\\":
                return self._escape()
            case "*" | "+" | "?" | "{" | "}" | "]":
                raise _Outside
            case _:
                return _points(ord(sign))

    def _group(self, depth: int) -> Node:
        look: tuple[bool, bool] | None = None
        if self._peek() == "?":
            opening = next((one for one in _OPENINGS if self._skip(one)), None)
            if opening is None:
                self._name()
            else:
                look = _OPENINGS[opening]
        inner = self.either(depth + 1)
        self._expect(")")
        return inner if look is None else Look(inner, *look)

    def _name(self) -> None:
        self._expect("?<")
        start = self._at
        while self._take() != ">":
            pass
        if not self._text[start : self._at - 1].isidentifier():
            raise _Outside

    def _set(self) -> CharSet:
        negated = self._skip("^")
        members: list[CharSet] = []
        while not self._skip("]"):
            first = self._member()
            if self._peek() == "-" and self._text[self._at + 1 : self._at + 2] != "]":
                self._at += 1
                members.extend(_span(first, self._member()))
            else:
                members.append(first)
        union = _union(*members)
        return _others(union) if negated else union

    def _member(self) -> CharSet:
        sign = self._take()
        if sign != "\\":
            return _points(ord(sign))
        if self._skip("b"):
            return _points(0x08)
        node = self._escape()
        if not isinstance(node, CharSet):
            raise _Outside
        return node

    def _escape(self) -> CharSet | Anchor:
        sign = self._take()
        if sign in ("b", "B"):
            return Anchor("b" if sign == "b" else "B")
        if sign in _CLASSES:
            return _CLASSES[sign]
        return _points(self._point(sign))

    def _point(self, sign: str) -> int:
        if sign in _CONTROLS:
            return _CONTROLS[sign]
        if sign == "0" and self._peek() not in _DECIMALS:
            return 0
        if sign == "x":
            return self._hex(2)
        if sign == "u":
            return self._unicode()
        if sign.isalnum():  # a back-reference, a property, or a letter that other dialects give a meaning
            raise _Outside
        return ord(sign)

    def _unicode(self) -> int:
        if self._skip("{"):
            end = self._text.find("}", self._at, self._at + 9)
            point = self._hex(max(end - self._at, 1))
            self._expect("}")
            if point > _LAST:
                raise _Outside
            return point
        point = self._hex(4)
        after = self._at
        if 0xD800 <= point < 0xDC00 and self._skip("\\u") and self._peek() != "{":
            low = self._hex(4)
            if 0xDC00 <= low < 0xE000:
                return 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00)
        self._at = after
        return point

    def _hex(self, digits: int) -> int:
        text = self._text[self._at : self._at + digits]
        if len(text) < digits or not _HEXADECIMALS.issuperset(text):
            raise _Outside
        self._at += digits
        return int(text, 16)

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take(self) -> str:
        sign = self._peek()
        if not sign:
            raise _Outside
        self._at += 1
        return sign

    def _skip(self, text: str) -> bool:
        found = self._text.startswith(text, self._at)
        if found:
            self._at += len(text)
        return found

    def _expect(self, text: str) -> None:
        if not self._skip(text):
            raise _Outside


def _span(first: CharSet, last: CharSet) -> list[CharSet]:
    """The members that `first-last` stands for in a set."""
    ends = (*first.ranges, *last.ranges)
    if len(ends) > 2 or any(low != high for low, high in ends):
        return [first, _points(ord("-")), last]  # Annex B: beside a class such as \w, the dash is itself
    if ends[0][0] > ends[1][0]:
        raise _Outside
    return [CharSet(((ends[0][0], ends[1][0]),))]
