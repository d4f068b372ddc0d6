"""A question as a conversation of lines: each step shows something and takes what was typed.

No terminal and no clock in here. `start` gives the first prompt, `hear` takes what was typed at it and gives
the next one, or the answer. Nothing but the word that says so accepts: Enter alone never does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias, assert_never

from askfirst.core import showing
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import Problem
from askfirst.core.fields import Field, Form, TextField
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion

from . import presenting
from .draft import Draft

__all__ = ["Conversation", "Prompt", "Step", "Typed", "converse"]

FENCE: Final = '"""'
"""Alone on a line it opens and closes an answer of several lines."""

Typed: TypeAlias = tuple[str, ...] | None
"""The lines that arrived together (several at once were pasted), or None at the end of the input."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Lines to show, and then the words in front of the cursor; `hidden`: what is typed must not be seen."""

    lines: tuple[str, ...] = field(repr=False)  # what was answered so far is read back in them
    ask: str
    hidden: bool = False


Step: TypeAlias = Prompt | Answer[Content]
"""What comes next: something to show, or the end."""

_HELP: Final[Mapping[str, str]] = {
    "send": "send the answers as shown",
    "accept": "say yes",
    "open": "agree, and open the address in a browser",
    "edit": "change an answer: edit 2",
    "back": "go to the question before",
    "clear": "leave this one unanswered",
    "show": "show the question again",
    "decline": "say no to the whole question",
    "cancel": "close the question without choosing",
    "help": "this list",
}


def converse(question: Question, origin: Origin) -> "Conversation":
    """The conversation that fits the question."""
    match question:
        case FormQuestion(form=form) if form.fields:
            return _Filling(question, form, origin)
        case FormQuestion():
            return _Consenting(question, origin)
        case UrlQuestion():
            return _Visiting(question, origin)
        case _:
            assert_never(question)


class Conversation:
    """What every question has: it can always be declined, cancelled, shown again and explained."""

    words: tuple[str, ...] = ()
    """The commands that mean something at this moment, besides those that always do."""

    def __init__(self, question: Question, origin: Origin) -> None:
        self.question = question
        self.origin = origin

    @property
    def takes_lines(self) -> bool:
        """Whether several lines at once are one answer here, and not too many."""
        return False

    def start(self) -> Prompt:
        """The question, with the first thing to type."""
        return self.again(*presenting.question_lines(self.question, self.origin))

    def hear(self, typed: Typed) -> Step:
        """The step after what was typed. The end of the input is a cancel."""
        if typed is None:
            return Cancelled()
        if len(typed) > 1:
            return self.pasted(typed)
        return self.line(typed[0])

    def pasted(self, typed: tuple[str, ...]) -> Step:
        """Several lines at once, where one was asked for: none of them is taken, and that is said."""
        # The last of them may stand unfinished behind the prompt: begin on a new line.
        return self.again(
            "", f"{len(typed)} lines came at once, so none was taken. One line is expected here."
        )

    def line(self, line: str) -> Step:
        """One line at a place where only commands make sense."""
        return self.command(line.strip().removeprefix("/"))

    def command(self, written: str) -> Step:
        """Do what the command says, or say which there are."""
        word, _, argument = written.partition(" ")
        meant = [one for one in self.known() if word and one.startswith(word.lower())]
        return self.obey(meant[0], argument.strip()) if len(meant) == 1 else self.again(*self.puzzled())

    def known(self) -> tuple[str, ...]:
        """The commands that mean something now."""
        return (*self.words, "show", "decline", "cancel", "help")

    def help(self) -> tuple[str, ...]:
        """What can be done here, a line each."""
        return tuple(f"  {word:8} {_HELP[word]}" for word in self.known())

    def puzzled(self) -> tuple[str, ...]:
        """What to say to a command that means nothing here, or too much."""
        return (f"Type one of these words: {', '.join(self.known())}.",)

    def obey(self, word: str, argument: str) -> Step:
        """Do one command."""
        match word:
            case "decline":
                return Declined()
            case "cancel":
                return Cancelled()
            case "help":
                return self.again(*self.help())
            case _:
                return self.start()

    def again(self, *lines: str) -> Prompt:
        """Show lines, and ask for the same as before."""
        raise NotImplementedError


class _Consenting(Conversation):
    """A form without fields: yes or no, and a second look before yes is sent."""

    def __init__(self, question: FormQuestion, origin: Origin) -> None:
        super().__init__(question, origin)
        self._reviewing = False
        self.words = ("accept",)

    def again(self, *lines: str) -> Prompt:
        if self._reviewing:
            what = presenting.confirmation(self.question.message, "accept")
            return Prompt((*lines, what), "send, back, decline or cancel? ")
        return Prompt(lines, "accept, decline or cancel? ")

    def obey(self, word: str, argument: str) -> Step:
        match word:
            case "accept":
                return self._turn(reviewing=True)
            case "back":
                return self._turn(reviewing=False)
            case "send":
                return Accepted({})
            case _:
                return super().obey(word, argument)

    def _turn(self, *, reviewing: bool) -> Prompt:
        self._reviewing = reviewing
        self.words = ("send", "back") if reviewing else ("accept",)
        return self.again()


class _Visiting(Conversation):
    """An address to visit. Agreeing is the whole answer; only `open` opens anything."""

    words = ("open",)

    def again(self, *lines: str) -> Prompt:
        return Prompt(lines, "open, decline or cancel? ")

    def obey(self, word: str, argument: str) -> Step:
        return Accepted({}) if word == "open" else super().obey(word, argument)


class _Filling(Conversation):
    """A form: field by field, then everything once more before it is sent."""

    def __init__(self, question: FormQuestion, form: Form, origin: Origin) -> None:
        super().__init__(question, origin)
        self._fields = form.fields
        self._draft = Draft(form)
        self._hidden = showing.hidden_fields(question)
        self._at = 0
        self._seen = 0
        self._block: list[str] | None = None

    def start(self) -> Prompt:
        lines = presenting.question_lines(self.question, self.origin)
        if self._reviewing:
            return self.again(*lines)
        return self.again(*lines, "", "Type /help for what else can be done here.", *self._about())

    def again(self, *lines: str) -> Prompt:
        if self._block is not None:
            return Prompt(lines, "... ", self._is_hidden())
        if self._reviewing:
            self.words = ("send", "edit", "clear")
            return Prompt((*lines, *self._summary()), "send, edit N, decline or cancel? ")
        self.words = ("back", "clear", "edit") if self._seen else ("clear",)
        return Prompt(lines, f"{showing.title(self._fields[self._at])}: ", self._is_hidden())

    def hear(self, typed: Typed) -> Step:
        if typed is None or self._block is None:
            return super().hear(typed)
        for position, line in enumerate(typed, start=1):
            if line.strip() == FENCE:
                text, self._block = "\n".join(self._block), None
                step, after = self._give(text), len(typed) - position
                lost = (f"What came after the closing {FENCE} was not taken.",) if after else ()
                return Prompt((*lost, *step.lines), step.ask, step.hidden)
            self._block.append(line)
        return self.again()

    def pasted(self, typed: tuple[str, ...]) -> Step:
        if not self.takes_lines:
            return super().pasted(typed)
        if typed[0].strip() == FENCE:
            self._block = []
            return self.hear(typed[1:])
        self._block = list(typed)
        return self.again(
            "", f"{len(typed)} lines were pasted and are kept as one answer. End it with {FENCE} on a line."
        )

    def line(self, line: str) -> Step:
        if self._reviewing:
            return super().line(line)
        if line.strip() == FENCE and self.takes_lines:
            self._block = []
            return self.again(f"Type as many lines as you like, and {FENCE} on a line to end.")
        if line.startswith("//"):
            return self._give(line[1:])
        if line.startswith("/"):
            return self.command(line[1:])
        return self._give(line) if line else self._keep()

    def obey(self, word: str, argument: str) -> Step:
        match word:
            case "send":
                return self._send()
            case "edit":
                return self._edit(argument)
            case "back":
                return self._go(max(self._at - 1, 0))
            case "clear":
                return self._clear(argument)
            case _:
                return super().obey(word, argument)

    @property
    def takes_lines(self) -> bool:
        field = None if self._reviewing else self._fields[self._at]
        return isinstance(field, TextField) and field.format is None

    @property
    def _reviewing(self) -> bool:
        return self._at >= len(self._fields)

    def help(self) -> tuple[str, ...]:
        if self._reviewing:
            return super().help()
        ways = ['  ""        an empty text, or none of the choices']
        if self.takes_lines:
            ways.append(f"  {FENCE}       begins and ends an answer of several lines")
        return (*(f"  /{word:8} {_HELP[word]}" for word in self.known()), *ways)

    def puzzled(self) -> tuple[str, ...]:
        if self._reviewing:
            return super().puzzled()
        words = ", ".join(f"/{word}" for word in self.known())
        return (f"Type one of {words}. For an answer that begins with a slash, type the slash twice.",)

    def _is_hidden(self) -> bool:
        return self._fields[self._at].name in self._hidden

    def _kept(self, field: Field) -> tuple[str, ...]:
        return presenting.kept(field, self._draft.value(field), hidden=self._is_hidden())

    def _about(self) -> tuple[str, ...]:
        """What there is to know about the field that is asked for now."""
        field = self._fields[self._at]
        number = f"[{self._at + 1}/{len(self._fields)}] "
        return ("", *presenting.field_lines(field, number), *self._kept(field))

    def _summary(self) -> tuple[str, ...]:
        if len(self._fields) == 1 and showing.is_confirmation(self._draft.form):
            said = showing.shown(self._fields[0], self._draft.value(self._fields[0]))
            return ("", presenting.confirmation(self.question.message, said))
        return (
            "",
            "Check before sending:",
            *presenting.review(self._draft.form, self._draft.content(), self._hidden),
        )

    def _give(self, text: str) -> Prompt:
        problem = self._draft.enter(self._fields[self._at], text)
        return self._keep() if problem is None else self._object(problem)

    def _keep(self) -> Prompt:
        problem = self._draft.problem(self._fields[self._at])
        return self._onward() if problem is None else self._object(problem)

    def _object(self, problem: Problem) -> Prompt:
        return self.again(showing.advice(problem, self._fields[self._at]))

    def _onward(self) -> Prompt:
        """To the next field that was not seen yet; an edit goes straight back to the review."""
        self._seen = max(self._seen, self._at + 1)
        return self._go(self._seen if self._seen < len(self._fields) else len(self._fields))

    def _go(self, at: int) -> Prompt:
        self._at = at
        return self.again() if self._reviewing else self.again(*self._about())

    def _clear(self, argument: str) -> Step:
        if not self._reviewing:
            self._draft.put(self._fields[self._at], None)
            return self.again("Unanswered now. Enter goes on.")
        at = self._number(argument)
        if at is None:
            return self._which("clear")
        self._draft.put(self._fields[at], None)
        return self.again()

    def _edit(self, argument: str) -> Step:
        at = 0 if len(self._fields) == 1 else self._number(argument)
        return self._which("edit") if at is None else self._go(at)

    def _number(self, argument: str) -> int | None:
        """The place of the field with that number, if it is one that was asked for already."""
        wanted = [at for at in range(self._seen) if str(at + 1) == argument]
        return wanted[0] if wanted else None

    def _which(self, word: str) -> Prompt:
        return self.again(f"Which one? Type {word} and a number from 1 to {self._seen}.")

    def _send(self) -> Step:
        problems = self._draft.problems()
        if not problems:
            return Accepted(self._draft.content())
        form = self._draft.form
        self._at = [field.name for field in self._fields].index(problems[0].field)
        wrong = (
            f"{showing.title(form[one.field])}: {showing.advice(one, form[one.field])}" for one in problems
        )
        return self.again(*wrong, *self._about())
