"""The full form: every field at once, on a screen of its own.

Who asks and how long they wait stand at the top, the buttons at the bottom; both stay in view while the message
and the fields scroll between them. A question that is a mere yes or no is looked at once more before it is sent,
and no button that says yes has the focus before the person moves there. A form that takes the place of one which
went away under the person's hands says so, and does nothing until they go on: their keys were meant for the other.
"""

import asyncio
import signal
from collections.abc import Callable, Mapping
from functools import partial

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import ConditionalKeyBindings, KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.key_binding.bindings.focus import focus_next, focus_previous
from prompt_toolkit.key_binding.key_bindings import KeyBindingsBase
from prompt_toolkit.layout import (
    ConditionalContainer,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    ScrollablePane,
    VSplit,
    Window,
)
from prompt_toolkit.output import Output
from prompt_toolkit.styles import Style
from prompt_toolkit.utils import get_cwidth
from prompt_toolkit.widgets import Button

from askfirst.core import showing
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.fields import Form
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion

from . import presenting
from .draft import Draft
from .keyboard import forget, keyboard_and_screen, without_one
from .turns import Situation
from .widgets import Widget, corner, doing, framed, rule, text, widget_for, wrapped

__all__ = ["ask_in_form"]

_STYLE = Style.from_dict(
    {
        "asker": "bold",
        "status": "",
        "rule": "",
        "warning": "bold ansired",
        "host": "bold",
        "label": "bold",
        "hint": "ansibrightblack",
        "wrong": "bold ansired",
        "box": "underline",
        "cursor": "reverse",
        "button.focused": "reverse",
        "note": "bold",
    }
)
_LONGEST_HOST = 40
"""Columns of a host that still fits on a button; a longer one is read above."""
_LOOK = "Read once more. F2 sends, Tab moves to the buttons."
_CHROME = 9
"""Rows of everything but the message and the fields."""


async def ask_in_form(
    device: str, question: Question, origin: Origin, situation: Situation, environ: Mapping[str, str]
) -> Answer[Content]:
    """Show the question on that terminal until it is answered; cancelling takes it off the screen.

    Raises:
        OSError: The device can't be opened.
    """
    with keyboard_and_screen(device, environ) as (keyboard, screen):
        return await FormView(question, origin, situation).ask(keyboard, screen)


class FormView:
    """One question on the screen: what is drawn, and what the keys do."""

    def __init__(self, question: Question, origin: Origin, situation: Situation) -> None:
        self._question = question
        self._origin = origin
        self._situation = situation
        self._form = question.form if isinstance(question, FormQuestion) else Form()
        self._draft = Draft(self._form)
        self._warnings = presenting.warnings(question)
        hidden = showing.hidden_fields(question)
        self._widgets: list[Widget] = [
            widget_for(field, self._draft, hidden=field.name in hidden) for field in self._form.fields
        ]
        self._tried = False
        self._reviewing = False
        self._lost = situation.lost
        self._is_overtaken = Condition(lambda: bool(self._lost))
        self._reviewed = ""
        self._scrolled = 0
        self._lines: list[str] = []
        self._wrapped_for = 0
        self._clock = asyncio.get_running_loop().time
        self._pane = ScrollablePane(
            HSplit([framed(widget, lambda: self._tried) for widget in self._widgets]),
            show_scrollbar=False,
        )
        # Has the focus where no key may answer, Enter neither.
        self._body_window = Window(
            FormattedTextControl(
                self._visible_body,
                focusable=Condition(lambda: self._reviewing) | self._is_overtaken,
                show_cursor=False,
            ),
            height=self._body_dimension,
        )
        self._send_button = _button(self._yes(), self._send)
        self._edit_button = _button("Edit" if self._widgets else "Back", self._edit)
        self._decline_button = _button("Decline", partial(self._leave, Declined()))
        self._cancel_button = _button("Cancel", partial(self._leave, Cancelled()))

    async def ask(self, input: Input, output: Output) -> Answer[Content]:
        """Run until somebody answers."""
        application: Application[Answer[Content]] = Application(
            layout=Layout(
                self._container(), focused_element=self._body_window if self._lost else self._first()
            ),
            key_bindings=self._bindings(),
            style=_STYLE,
            full_screen=True,
            input=input,
            output=output,
            refresh_interval=1.0,  # the time left
            terminal_size_polling_interval=0.5,
        )
        # An escape key that comes alone is Escape; the rest of an escape sequence would be here by then.
        application.ttimeoutlen = 0.05
        application.timeoutlen = 0.1
        self._application = application
        return await application.run_async(pre_run=partial(forget, input), handle_sigint=False)

    # What the keys do

    def _bindings(self) -> KeyBindingsBase:
        always = KeyBindings()
        always.add("c-c")(doing(partial(signal.raise_signal, signal.SIGINT)))  # as outside of raw mode
        always.add("pageup")(doing(partial(self._scroll, -1)))
        always.add("pagedown")(doing(partial(self._scroll, 1)))
        # Nothing that somebody types who has not seen yet that their question is gone.
        always.add("c-n", filter=self._is_overtaken)(doing(self._go_on))
        return merge_key_bindings([always, ConditionalKeyBindings(self._answering(), ~self._is_overtaken)])

    def _answering(self) -> KeyBindings:
        keys = KeyBindings()
        keys.add("tab")(focus_next)
        keys.add("s-tab")(focus_previous)
        keys.add("enter")(self._enter)
        keys.add("c-j")(self._new_line)
        # No Ctrl-S: pressed once more after the form has gone, it would stop the terminal's output.
        keys.add("f2")(doing(self._send))
        keys.add("f8")(doing(partial(self._leave, Declined())))
        keys.add("f4")(doing(self._clear))
        keys.add("escape")(self._escape)
        return keys

    def _go_on(self) -> None:
        """The person has seen that this is another question."""
        self._lost = ""
        self._application.layout.focus(self._first())

    def _enter(self, event: KeyPressEvent) -> None:
        # More keys in the same read: a paste from a terminal that does not mark it. It must not leave its field.
        if event.key_processor.input_queue:
            self._new_line(event)
        elif not self._application.layout.has_focus(self._body_window):
            self._application.layout.focus_next()

    def _new_line(self, event: KeyPressEvent) -> None:
        if self._here() is not None:
            event.current_buffer.insert_text("\n")

    def _escape(self, event: KeyPressEvent) -> None:
        # With more keys right behind it is the start of a key we do not know; nobody meant to leave.
        keys = event.key_processor
        behind = [*keys.key_buffer[1:], *keys.input_queue]
        if not behind:
            self._leave(Cancelled())
            return
        del keys.key_buffer[1:]
        keys.input_queue.clear()
        keys.input_queue.extend(without_one(behind))

    def _leave(self, answer: Answer[Content]) -> None:
        if not self._application.is_done:
            self._application.exit(result=answer)

    def _send(self) -> None:
        """Send what is shown; first look at it once more where it is a confirmation."""
        self._tried = True
        wrong = self._wrong()
        if wrong:
            self._application.layout.focus(wrong[0].window)
        elif self._is_confirmation() and not self._reviewing:
            self._reviewing = True
            self._reviewed = self._review()
            self._application.layout.focus(self._body_window)
        else:
            self._leave(Accepted(self._draft.content()))

    def _wrong(self) -> list[Widget]:
        return [widget for widget in self._widgets if widget.problem() is not None]

    def _edit(self) -> None:
        self._reviewing = False
        self._application.layout.focus(self._first())

    def _clear(self) -> None:
        here = self._here()
        if here is not None:
            here.clear()

    def _scroll(self, by: int) -> None:
        shown = self._body_height()
        self._scrolled = min(self._scrolled + by * max(shown - 1, 1), len(self._body()) - shown)
        self._scrolled = max(self._scrolled, 0)

    def _here(self) -> Widget | None:
        """The field that has the focus."""
        layout = self._application.layout
        return next((widget for widget in self._widgets if layout.has_focus(widget.window)), None)

    def _first(self) -> Window:
        """Where to begin: the first field, or else the way out that says nothing."""
        return self._widgets[0].window if self._widgets else self._cancel_button.window

    def _is_confirmation(self) -> bool:
        return isinstance(self._question, FormQuestion) and showing.is_confirmation(self._form)

    def _yes(self) -> str:
        """What the button that agrees says."""
        if isinstance(self._question, UrlQuestion):
            host = showing.host(self._question.url)
            return f"Open {host}" if get_cwidth(host) <= _LONGEST_HOST else "Open"
        return "Send" if self._widgets else "Accept"

    # What is drawn

    def _container(self) -> HSplit:
        reviewing = Condition(lambda: self._reviewing)
        return HSplit(
            [
                ConditionalContainer(text(self._gone, "class:warning"), self._is_overtaken),
                self._top(),
                *(text(partial(str, line), "class:warning") for line in self._warnings),
                *(text(partial(str, line), "class:host") for line in self._host()),
                rule(),
                self._body_window,
                text(self._more, "class:status"),
                ConditionalContainer(self._pane, ~reviewing)
                if self._widgets
                else Window(height=Dimension(weight=1)),
                ConditionalContainer(
                    HSplit(
                        [
                            text(lambda: self._reviewed, "class:note"),
                            text(lambda: _LOOK, "class:hint"),
                            Window(),
                        ]
                    ),
                    reviewing,
                ),
                VSplit([corner(self._place), rule()]),
                self._row(reviewing),
                text(self._note, "class:note"),
                text(self._help, "class:hint"),
            ]
        )

    def _top(self) -> HSplit:
        asks, *claims = presenting.asker(self._origin)

        status = corner(lambda: self._situation.status(self._clock()))
        claimed = [text(partial(str, claim), "class:status") for claim in claims]
        return HSplit([VSplit([text(partial(str, asks), "class:asker"), status], padding=1), *claimed])

    def _row(self, reviewing: Condition) -> VSplit:
        gap = Window(width=2, height=1)
        return VSplit(
            [
                *(self._send_button, gap),
                ConditionalContainer(VSplit([self._edit_button, gap]), reviewing),
                *(self._decline_button, gap),
                *(self._cancel_button, Window()),
            ]
        )

    def _host(self) -> tuple[str, ...]:
        return (
            presenting.address_lines(self._question.url)[:1]
            if isinstance(self._question, UrlQuestion)
            else ()
        )

    def _body(self) -> list[str]:
        """The message in lines that fit the width; for an address, the whole of it below."""
        width = self._application.output.get_size().columns
        if self._wrapped_for != width:
            lines = [*presenting.argument_lines(self._origin), *presenting.message_lines(self._question)]
            if isinstance(self._question, UrlQuestion):
                lines += ["", *presenting.address_lines(self._question.url)[1:]]
            self._lines = [part for line in lines for part in wrapped(line, width)]
            self._wrapped_for = width
        return self._lines

    def _body_height(self) -> int:
        """Rows for the message: all it needs if the fields leave them, and never less than two fifths."""
        size = self._application.output.get_size()
        fields = 0
        if self._widgets and not self._reviewing:
            fields = self._pane.content.preferred_height(size.columns, size.rows * 10).preferred
        above = (*self._warnings, self._gone()) if self._lost else self._warnings
        extra = sum(len(wrapped(line, size.columns)) for line in above)
        room = max(size.rows - _CHROME - extra - len(self._host()), 3)
        return max(min(len(self._body()), max(room - fields, room * 2 // 5)), 1)

    def _body_dimension(self) -> Dimension:
        height = self._body_height()
        return Dimension(min=1, preferred=height, max=height)

    def _visible_body(self) -> StyleAndTextTuples:
        shown = self._body()[self._scrolled : self._scrolled + self._body_height()]
        return [("", "\n".join(shown))]

    def _more(self) -> str:
        """Which part of the message is in view, where that is not all of it."""
        total, height = len(self._body()), self._body_height()
        if total <= height:
            return ""
        last = min(self._scrolled + height, total)
        return f"-- lines {self._scrolled + 1} to {last} of {total}; PgUp and PgDn scroll --"

    def _gone(self) -> str:
        return f"{self._lost} Another one is below: Ctrl-N goes on to it. Other keys do nothing yet."

    def _review(self) -> str:
        fields = self._form.fields
        said = showing.shown(fields[0], self._draft.value(fields[0])) if fields else "accept"
        return presenting.confirmation(self._question.message, said)

    def _note(self) -> str:
        """Why nothing was sent, until that is mended."""
        count = len(self._wrong()) if self._tried else 0
        return (
            f"Not sent: {count} {'answer needs' if count == 1 else 'answers need'} another look."
            if count
            else ""
        )

    def _help(self) -> str:
        if self._lost:
            return "Ctrl-N go on"
        here = self._here()
        own = f"{here.keys}  " if here is not None and here.keys else ""
        clear = "F4 clear  " if here is not None else ""
        return f"{own}{self._onward()}  {clear}F2 {_word(self._yes())}  F8 decline  Esc cancel"

    def _onward(self) -> str:
        """What Enter and Tab do from here."""
        layout = self._application.layout
        buttons = (self._send_button, self._edit_button, self._decline_button, self._cancel_button)
        pressed = [button for button in buttons if layout.has_focus(button)]
        if pressed:
            return f"Enter {_word(pressed[0].text)}  Tab next"
        return "Tab next" if layout.has_focus(self._body_window) else "Enter, Tab next"

    def _place(self) -> str:
        """Which field has the focus, since not all of them may be in view."""
        here = self._here()
        if here is None or len(self._widgets) == 1:
            return ""
        return f"field {self._widgets.index(here) + 1} of {len(self._widgets)} "


def _button(label: str, act: Callable[[], None]) -> Button:
    return Button(label, act, width=get_cwidth(label) + 4, left_symbol="[", right_symbol="]")


def _word(label: str) -> str:
    """The verb of a button."""
    return label.split(maxsplit=1)[0].lower()
