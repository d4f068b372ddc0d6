"""The fields of a full form: a box to type in, and a list to pick from. Each writes into the draft as it changes."""

import unicodedata
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Protocol

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Dimension,
    FormattedTextControl,
    HSplit,
    UIContent,
    UIControl,
    VSplit,
    Window,
)
from prompt_toolkit.layout.containers import AnyContainer
from prompt_toolkit.layout.processors import PasswordProcessor, Processor, Transformation, TransformationInput
from prompt_toolkit.layout.utils import explode_text_fragments
from prompt_toolkit.utils import get_cwidth

from askfirst.core import showing
from askfirst.core.answers import Value
from askfirst.core.entry import show_value
from askfirst.core.errors import Problem
from askfirst.core.fields import ChoiceField, ChoicesField, Field, FlagField, TextField
from askfirst.core.hygiene import plain

from . import presenting
from .draft import Draft

__all__ = ["Widget", "corner", "doing", "framed", "rule", "text", "widget_for", "wrapped"]

_MARK = "\ufffd"
"""Drawn for a character that is not: one column, and in every font."""

_ROWS = 8
"""Rows that one field takes at most; more of it is reached by moving inside."""


class Widget(Protocol):
    """One field on the screen."""

    field: Field
    window: Window
    area: AnyContainer
    keys: str
    touched: bool

    def problem(self) -> Problem | None:
        """What stands against sending what is shown."""
        ...

    def clear(self) -> None:
        """Make the field unanswered again."""
        ...


def widget_for(field: Field, draft: Draft, *, hidden: bool) -> Widget:
    """The widget that fits the field; `hidden`: what is typed into it must not be seen."""
    if isinstance(field, FlagField | ChoiceField | ChoicesField):
        return _Pick(field, draft)
    return _Box(field, draft, hidden)


class _Box:
    """Text and numbers. Pasted text stays whole; free text holds as many lines as it likes."""

    def __init__(self, field: Field, draft: Draft, hidden: bool) -> None:
        self.field = field
        self.touched = False
        self._draft = draft
        self._problem: Problem | None = None
        value = draft.value(field)
        before = "" if value is None else show_value(field, value)
        self._buffer = Buffer(
            multiline=True, document=Document(before, len(before)), on_text_changed=lambda _: self._take()
        )
        self.window = Window(
            BufferControl(self._buffer, [PasswordProcessor() if hidden else _Visible()], focusable=True),
            wrap_lines=True,
            height=Dimension(min=1, max=_ROWS),
            dont_extend_height=True,
            style="class:box",
        )
        # An empty box has to be seen without any style too.
        self.area: AnyContainer = VSplit([Window(FormattedTextControl("> "), width=2), self.window])
        lines = isinstance(field, TextField) and field.format is None
        self.keys = "Ctrl-J new line" if lines else ""

    def problem(self) -> Problem | None:
        return self._problem or self._draft.problem(self.field)

    def clear(self) -> None:
        self._buffer.reset()
        self._take()

    def _take(self) -> None:
        self.touched = True
        self._problem = self._draft.enter(self.field, self._buffer.text)


class _Pick:
    """Yes or no, one of several, any of several. Moving chooses nothing; the space bar does."""

    def __init__(self, field: FlagField | ChoiceField | ChoicesField, draft: Draft) -> None:
        self.field: Field = field
        self.touched = False
        self._draft = draft
        self._several = isinstance(field, ChoicesField)
        self._rows = _rows(field)
        self._at = 0
        control = _Rows(self._drawn, len(self._rows), lambda: self._at, self._bindings())
        self.window = Window(control, height=Dimension(min=1, max=_ROWS), dont_extend_height=True)
        self.area: AnyContainer = self.window
        self.keys = "Space, Y, N choose" if isinstance(field, FlagField) else "Space chooses"

    def problem(self) -> Problem | None:
        return self._draft.problem(self.field)

    def clear(self) -> None:
        self._put(None)

    def _put(self, value: Value | None) -> None:
        self.touched = True
        self._draft.put(self.field, value)

    def _chosen(self) -> list[Value]:
        value = self._draft.value(self.field)
        if value is None:
            return []
        return [*value] if isinstance(value, list) else [value]

    def _choose(self) -> None:
        """Turn the row under the cursor on; where several may be, on or off."""
        value = self._rows[self._at][0]
        if not self._several:
            self._put(value)
            return
        chosen = {str(one) for one in self._chosen()} ^ {str(value)}
        self._put([str(one) for one, _ in self._rows if one in chosen])

    def _move(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), len(self._rows) - 1)

    def _drawn(self) -> Callable[[int], StyleAndTextTuples]:
        """What draws one row, by its place."""
        # By type too: True == 1 would tick a box that holds a number.
        chosen = {(type(one), one) for one in self._chosen() if not isinstance(one, list)}
        here = get_app().layout.has_focus(self.window)
        left, right, mark = ("[", "]", "x") if self._several else ("(", ")", "*")

        def row(at: int) -> StyleAndTextTuples:
            value, words = self._rows[at]
            ticked = mark if (type(value), value) in chosen else " "
            style = "class:cursor" if here and at == self._at else ""
            return [(style, f"{left}{ticked}{right} {words}")]

        return row

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()
        moves = {"up": -1, "down": 1, "home": -len(self._rows), "end": len(self._rows)}
        for key, by in moves.items():
            keys.add(key)(doing(partial(self._move, by)))
        keys.add(" ")(doing(self._choose))
        if isinstance(self.field, FlagField):
            keys.add("y")(doing(partial(self._put, True)))
            keys.add("n")(doing(partial(self._put, False)))
        keys.add("backspace")(doing(self.clear))
        keys.add("delete")(doing(self.clear))
        return keys


class _Rows(UIControl):
    """A list of which only the rows in view are drawn: it may have thousands."""

    def __init__(
        self,
        drawn: Callable[[], Callable[[int], StyleAndTextTuples]],
        count: int,
        at: Callable[[], int],
        keys: KeyBindings,
    ) -> None:
        self._drawn = drawn
        self._count = count
        self._at = at
        self._keys = keys

    def create_content(self, width: int, height: int) -> UIContent:
        return UIContent(self._drawn(), self._count, Point(0, self._at()), show_cursor=False)

    def preferred_height(
        self, width: int, max_available_height: int, wrap_lines: bool, get_line_prefix: object
    ) -> int:
        return self._count

    def is_focusable(self) -> bool:
        return True

    def get_key_bindings(self) -> KeyBindings:
        return self._keys


class _Visible(Processor):
    """Text to edit, with a mark in the place of what can't be seen or would turn its direction.

    A line that is shown as it is keeps its joiners; each mark is one column, so that the cursor stays right.
    Control characters have marks of the toolkit's own.
    """

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        fragments = transformation_input.fragments
        if all(_is_plain(piece[1]) for piece in fragments):
            return Transformation(fragments)
        single = explode_text_fragments(fragments)
        return Transformation([(one[0], one[1] if _is_plain(one[1]) else _MARK) for one in single])


def _is_plain(text: str) -> bool:
    return plain(text) == text or unicodedata.category(text[0]) in ("Cc", "Mn")


def doing(act: Callable[[], None]) -> Callable[[KeyPressEvent], None]:
    """A key's handler that does not look at the key."""
    return lambda _event: act()


def text(words: Callable[[], str], style: str) -> Window:
    """Words that wrap and take no more rows than they need."""
    control = FormattedTextControl(lambda: [(style, "\n".join(wrapped(words(), _columns())))])
    return Window(control, dont_extend_height=True)


def corner(words: Callable[[], str]) -> Window:
    """A few words that take no more columns than they need."""
    control = FormattedTextControl(lambda: [("class:status", words())])
    return Window(control, width=lambda: Dimension.exact(get_cwidth(words())), height=1)


def rule() -> Window:
    """A line across."""
    return Window(height=1, char="-", style="class:rule")


def _columns() -> int:
    return max(get_app().output.get_size().columns, 1)


def _rows(field: FlagField | ChoiceField | ChoicesField) -> list[tuple[Value, str]]:
    if isinstance(field, FlagField):
        return [(True, "Yes"), (False, "No")]
    return [(choice.value, showing.choice_text(choice)) for choice in field.choices]


def framed(widget: Widget, is_tried: Callable[[], bool]) -> AnyContainer:
    """The widget with its label and hint above, and below it what is wrong, once that is worth saying.

    A problem is shown after the field was left, or when sending was tried; while somebody types, it is too early.
    """
    field = widget.field

    def is_wrong() -> bool:
        here = get_app().layout.has_focus(widget.window)
        return widget.problem() is not None and (is_tried() or (widget.touched and not here))

    def wrong() -> str:
        problem = widget.problem()
        return "" if problem is None else f"! {showing.advice(problem, field)}"

    label, hint = showing.label(field), presenting.hint(field)

    @lru_cache(maxsize=1)
    def fitted(width: int) -> StyleAndTextTuples:
        """Both in one line where they fit."""
        if get_cwidth(label) + 2 + get_cwidth(hint) <= width:
            return [("class:label", label), ("class:hint", f"  {hint}")]
        above, below = ("\n".join(wrapped(words, width)) for words in (label, hint))
        return [("class:label", f"{above}\n"), ("class:hint", below)]

    def about() -> StyleAndTextTuples:
        return fitted(_columns())

    return HSplit(
        [
            Window(FormattedTextControl(about), dont_extend_height=True),
            widget.area,
            ConditionalContainer(text(wrong, "class:wrong"), Condition(is_wrong)),
            Window(height=1),
        ]
    )


def wrapped(line: str, width: int) -> list[str]:
    """The line in pieces of at most `width` columns, cut at blanks where possible."""
    pieces: list[str] = []
    start = 0
    while (cut := _filled(line, start, width)) < len(line):
        blank = line.rfind(" ", start, cut + 1)
        cut = blank if blank > start else max(cut, start + 1)
        pieces.append(line[start:cut])
        start = cut + line.startswith(" ", cut)
    return [*pieces, line[start:]] if start < len(line) or not pieces else pieces


def _filled(line: str, start: int, width: int) -> int:
    """Where a row is full that begins at `start`."""
    columns = 0
    for at in range(start, len(line)):
        columns += get_cwidth(line[at])
        if columns > width:
            return at
    return len(line)
