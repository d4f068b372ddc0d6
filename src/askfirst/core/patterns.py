"""Running a regular expression that somebody else wrote, in time that grows with the text and no faster.

A backtracking matcher can be made to run for years by the server whose form it checks. This one keeps
the set of all places it could be in (Thompson 1968), so each place is visited at most once for each
character. A look is worked out before, as a table of the points where it holds: look-behind by a run
from left to right, look-ahead by a run of the reversed expression from right to left. As JSON Schema
says, a match anywhere in the text counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias, assert_never

from .expressions import WORD, Anchor, CharSet, Either, Look, Node, Repeat, Sequence, parse

__all__ = ["MOST_STEPS", "Found", "Pattern", "compile_pattern"]

MOST_STEPS: Final = 500_000
"""Places one search may visit, some tenths of a second: 500 characters in a thousand places."""

_MOST_NODES: Final = 2000
"""What an expression may grow to, with every counted repetition written out."""

_MATCH: Final = 0


@dataclass(frozen=True, slots=True)
class _Eat:
    wanted: CharSet
    then: int


@dataclass(frozen=True, slots=True)
class _Hold:
    """Go on where an anchor holds, or the look of that number."""

    what: Anchor | int
    then: int


_Place: TypeAlias = _Eat | _Hold | tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class _Program:
    """Places to be in; place 0 is the match, a tuple a fork. `wanted` is for looks: does it have to match?"""

    places: tuple[_Place, ...]
    start: int
    backwards: bool
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """`matched` is None where the steps ran out before the answer was known."""

    matched: bool | None
    steps: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """An expression, ready to run. `looks` come in the order in which they must be worked out."""

    source: str
    _main: _Program = field(repr=False)
    _looks: tuple[_Program, ...] = field(repr=False)

    def search(self, text: str, steps: int = MOST_STEPS) -> Found:
        """Whether the expression matches anywhere in the text; given up after about that many steps."""
        run = _Run(text, steps)
        for look in self._looks:
            if not run.work_out(look):
                return Found(None, run.steps)
        return Found(run.matches(self._main), run.steps)


def compile_pattern(source: str) -> Pattern | None:
    """An expression made ready, or None where it can't be checked here: outside the subset, or too large.

    What can't be checked here is left to the side that wrote it.
    """
    tree = parse(source)
    if tree is None:
        return None
    builder = _Builder()
    try:
        main = builder.program(tree, backwards=False)
    except _TooLarge:
        return None
    return Pattern(source, main, tuple(builder.looks))


class _TooLarge(Exception):
    """The expression needs more places than anybody's form should."""


class _Builder:
    """Lays out programs from the end to the start, so that each place knows where to go on."""

    def __init__(self) -> None:
        self.looks: list[_Program] = []
        self._left = _MOST_NODES

    def program(self, tree: Node, *, backwards: bool, wanted: bool = True) -> _Program:
        places: list[_Place] = [None]
        start = self._lay(tree, _MATCH, places, backwards)
        return _Program(tuple(places), start, backwards, wanted)

    def _lay(self, node: Node, then: int, places: list[_Place], backwards: bool) -> int:
        self._left -= 1
        if self._left < 0:
            raise _TooLarge
        match node:
            case CharSet():
                return _put(_Eat(node, then), places)
            case Anchor():
                return _put(_Hold(node, then), places)
            case Look():
                self.looks.append(self.program(node.node, backwards=node.ahead, wanted=node.wanted))
                return _put(_Hold(len(self.looks) - 1, then), places)
            case Either():
                options = [self._lay(one, then, places, backwards) for one in node.options]
                return _put(tuple(options), places)
            case Sequence():
                for part in node.parts if backwards else reversed(node.parts):
                    then = self._lay(part, then, places, backwards)
                return then
            case Repeat():
                return self._repeat(node, then, places, backwards)
            case _:
                assert_never(node)

    def _repeat(self, node: Repeat, then: int, places: list[_Place], backwards: bool) -> int:
        if node.most is None:
            fork = _put((), places)
            places[fork] = (self._lay(node.node, fork, places, backwards), then)
            at = fork
        else:
            at = then
            for _ in range(node.most - node.least):
                at = _put((self._lay(node.node, at, places, backwards), then), places)
        for _ in range(node.least):
            at = self._lay(node.node, at, places, backwards)
        return at


def _put(place: _Place, places: list[_Place]) -> int:
    places.append(place)
    return len(places) - 1


class _Run:
    """One text, the looks worked out so far (a byte for each point between characters), the steps taken."""

    def __init__(self, text: str, most_steps: int) -> None:
        self.steps = 0
        self._most = most_steps
        self._text = text
        self._tables: list[bytearray] = []

    def work_out(self, look: _Program) -> bool:
        """Make the table of a look; False where the steps ran out."""
        table = bytearray(len(self._text) + 1)
        for at in self._matches(look):
            table[at] = 1
        if not look.wanted:
            table = bytearray(1 - one for one in table)
        self._tables.append(table)
        return self.steps < self._most

    def matches(self, program: _Program) -> bool | None:
        """Whether there is a match; None where the steps ran out."""
        for _ in self._matches(program):
            return True
        return None if self.steps >= self._most else False

    def _matches(self, program: _Program) -> Iterator[int]:
        """The points in the text where a match ends (where it starts, for a run backwards)."""
        text, places = self._text, program.places
        seen = [-1] * len(places)
        waiting: list[int] = []
        for taken in range(len(text) + 1):
            here = len(text) - taken if program.backwards else taken
            ahead = text[here - 1 : here] if program.backwards else text[here : here + 1]
            now = [*waiting, program.start]
            waiting = []
            while now:
                number = now.pop()
                if seen[number] == taken:
                    continue
                seen[number] = taken
                self.steps += 1
                match places[number]:
                    case None:
                        yield here
                    case _Eat(wanted, then):
                        if ahead and wanted.holds(ord(ahead)):
                            waiting.append(then)
                    case _Hold(what, then):
                        if self._holds(what, here):
                            now.append(then)
                    case fork:
                        now.extend(fork)
            if self.steps >= self._most:
                return

    def _holds(self, what: Anchor | int, here: int) -> bool:
        if isinstance(what, int):
            return self._tables[what][here] == 1
        match what.kind:
            case "^":
                return here == 0
            case "$":
                return here == len(self._text)
            case "b":
                return self._is_edge(here)
            case "B":
                return not self._is_edge(here)
            case _:
                assert_never(what.kind)

    def _is_edge(self, here: int) -> bool:
        before, after = self._text[max(here - 1, 0) : here], self._text[here : here + 1]
        return _is_word(before) != _is_word(after)


def _is_word(sign: str) -> bool:
    return bool(sign) and WORD.holds(ord(sign))
