"""Asking at the terminal: a full form where one can be drawn, a plain conversation of lines where not."""

import os
from collections.abc import Mapping
from dataclasses import replace
from weakref import ref

import anyio

from askfirst.core.addresses import examine_url
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import InvalidUrl, NobodyAsked
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.revisions import Mode

from . import presenting
from .browser import Opener, open_in_browser, opened
from .conversation import Prompt, Step, converse
from .tty import DEVICE, LONGEST, LineTerminal, is_at_hand
from .turns import Situation, Turns

__all__ = ["Terminal"]


class Terminal:
    """An answerer: the person at the terminal of this process.

    stdin and stdout are left alone, they may carry the protocol: the terminal is opened by its device name, and
    where there is none nobody is reached. One question is shown at a time, whichever server asks; the others
    wait, and their number is shown. Ctrl-C interrupts the program, as anywhere else, and the question leaves the
    screen. The full form needs asyncio; lines work on trio too.
    """

    def __init__(
        self,
        *,
        plain: bool | None = None,
        strict: bool = False,
        device: str = DEVICE,
        opener: Opener = open_in_browser,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """A terminal to ask at.

        Args:
            plain: True for the conversation of lines, which a screen reader reads well; False for the full form.
                None: lines where `TERM` is missing or `dumb`.
            strict: Decline a form that seems to ask for a secret, instead of showing it with a warning: whoever
                sets this has said no to all of them in advance.
            device: The terminal's device name.
            opener: Opens an address the person agreed to visit; it is never called before.
            environ: The environment; None for that of the process. `NO_COLOR` is obeyed.
        """
        self._environ = os.environ if environ is None else environ
        dumb = self._environ.get("TERM", "dumb") in ("", "dumb")
        self._plain = dumb if plain is None else plain
        self._strict = strict
        self._device = device
        self._opener = opener
        self._turns = Turns.at(device)

    def reaches(self) -> frozenset[Mode]:
        """Both modes where there is a terminal and this process is in its foreground; none otherwise."""
        return frozenset(Mode) if is_at_hand(self._device) else frozenset()

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        """Show the question and bring back what the person said; see `Answerer.answer`.

        Raises:
            NobodyAsked: There is no terminal, the time was over before this question's turn came, or it has an
                address that must not be put before a person.
        """
        if not is_at_hand(self._device):
            raise NobodyAsked("there is no terminal to ask at, or this process is in its background")
        if isinstance(question, UrlQuestion):
            _refuse_deceptive(question.url)
        situation = Situation(ref(self._turns), None if limit is None else anyio.current_time() + limit)
        shown = False
        try:
            with anyio.move_on_after(limit):
                async with self._turns.turn():
                    shown = True
                    return await self._ask(question, origin, situation)
        except OSError as error:
            raise NobodyAsked(f"the terminal can't be used: {error.strerror or 'it is gone'}") from error
        if shown:
            return Cancelled(expired=True)
        raise NobodyAsked("its time was over while another question was on the screen")

    async def _ask(self, question: Question, origin: Origin, situation: Situation) -> Answer[Content]:
        with LineTerminal(self._device) as lines:
            if self._strict and isinstance(question, FormQuestion) and presenting.warnings(question):
                asked = (*presenting.asker(origin), *presenting.warnings(question))
                await lines.write("\n".join((*asked, "Declined without asking you: strict mode.", "")))
                return Declined()
            lines.forget()  # what was typed before the question was shown can't be meant for it
            situation, self._turns.lost = replace(situation, lost=self._turns.lost), ""
            try:
                answer = await self._converse(lines, question, origin, situation)
            except anyio.get_cancelled_exc_class():
                lines.forget()
                closed = situation.closed(anyio.current_time())
                lines.note(f"\n{_of(origin)}{closed}\n")
                self._turns.lost = f"{closed} It was {_of(origin)}{presenting.quoted(question)}."
                raise
            # The answer stands, whatever becomes of the terminal.
            lines.note(f"{_of(origin)}{presenting.farewell(answer)}\n")
            if isinstance(answer, Accepted) and isinstance(question, UrlQuestion):
                address = examine_url(question.url).shown  # what was shown is what opens
                worked = await opened(self._opener, address)
                news = (
                    "Handed to your browser"
                    if worked
                    else "No browser could be opened here. Visit it yourself"
                )
                lines.note(f"{news}: {address}\n")
            return answer

    async def _converse(
        self, lines: LineTerminal, question: Question, origin: Origin, situation: Situation
    ) -> Answer[Content]:
        if self._plain:
            return await _in_lines(lines, question, origin, situation)
        from .fullscreen import ask_in_form

        return await ask_in_form(self._device, question, origin, situation, self._environ)


def _of(origin: Origin) -> str:
    """Which question is spoken of, where there are several to see."""
    return f"{origin.code}: " if origin.code else ""


def _refuse_deceptive(url: str) -> None:
    try:
        examine_url(url)
    except InvalidUrl as invalid:
        raise NobodyAsked(f"the address can't be shown to a person: {invalid}") from None


async def _in_lines(
    lines: LineTerminal, question: Question, origin: Origin, situation: Situation
) -> Answer[Content]:
    conversation = converse(question, origin)
    step: Step = conversation.start()
    while isinstance(step, Prompt):
        status = situation.status(anyio.current_time())
        ask = f"[{status}] {step.ask}" if status else step.ask
        await lines.write("\n".join((*step.lines, ask)))
        with lines.hiding(step.hidden):
            typed = await lines.read()
        if typed and len(typed) > 1 and not conversation.takes_lines:
            lines.forget()  # of a paste that is not taken, the rest must not answer what comes next
        if typed and any(len(line.encode()) >= LONGEST for line in typed):
            step = conversation.again(
                f"A line of {LONGEST} bytes or more may have been cut by the terminal; not taken."
            )
        else:
            step = conversation.hear(typed)
    return step
