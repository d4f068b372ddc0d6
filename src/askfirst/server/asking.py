"""What a server author asks with: `Ask`, one path for both eras.

How questions travel is a `Line`: pushed during the call, held while the call is paused, or replayed from a journal.
Nothing in here knows which.
"""

import inspect
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import Any, TypeVar, cast, overload

from askfirst.core.addresses import check_own_url
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined, Reply
from askfirst.core.checking import check
from askfirst.core.derive import Shape, shape_of
from askfirst.core.errors import AuthorError, InvalidAnswer
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, FlagField, Form
from askfirst.core.journal import JsonValue
from askfirst.core.questions import digest
from askfirst.core.reach import Reachable, Route, reach
from askfirst.core.revisions import Mode

from .lines import Line, tell_end
from .posing import REASKS, Expired, FormAsk, Posed, UrlAsk, call_over, no_secret
from .slips import Guarded, as_json, check_message, check_options, check_pairs, check_step, pending

__all__ = ["Ask"]

T = TypeVar("T")

_CONFIRM = shape_of(Form((FlagField(name="confirm", title="Yes, go ahead", required=True),)))


class Ask(Guarded):
    """Puts questions to the person behind the client, in the call being served.

    Every question has three honest answers: `Accepted(data)`, `Declined()`, `Cancelled()`. When no person could be
    asked the exception `NobodyAsked` is raised; uncaught it becomes an error result that says so.
    """

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line
        self._visits = Counter[str]()
        self._over = False

    def close(self) -> None:
        """The body has ended: a task that it left behind can ask nobody any more."""
        super().close()
        self._over = True

    @overload
    async def __call__(self, message: str, schema: type[T]) -> Answer[T]: ...
    @overload
    async def __call__(self, message: str, schema: Form) -> Answer[Content]: ...
    @overload
    async def __call__(self, message: str, schema: object) -> Answer[Any]: ...
    @pending
    async def __call__(self, message: str, schema: object) -> Answer[Any]:
        """Ask one question (client/elicitation, form mode).

        Args:
            message: Why the answer is needed, for a person to read.
            schema: A dataclass, pydantic model, TypedDict, one value's type, or a `Form`.

        Raises:
            NobodyAsked: No person could be asked.
            InvalidForm: The type can't be a form. SecretInForm: it, or the message, asks for a secret.
            InvalidAnswer: What came back did not fit, three times over.
        """
        return await self._one("question", FormAsk(message, shape_of(schema)))

    @pending
    async def confirm(self, message: str, *, detail: Mapping[str, object] | None = None) -> Answer[bool]:
        """Have a person confirm what can't be undone: `Accepted(True)`, `Declined()` or `Cancelled()`.

        An accept with the box left empty is `Declined()`.

        Args:
            message: What is about to happen.
            detail: Every argument that matters; shown under the message, a line each. The further lines of a longer
                one are indented, so that no argument looks like another.
        """
        check_message(message)
        lines = [message, *map(_detail, (detail or {}).items())]
        answer = await self._one("confirmation", FormAsk("\n".join(lines), _CONFIRM))
        match answer:
            case Accepted({"confirm": True}):
                return Accepted(True)
            case Accepted():
                return Declined()
            case _:
                return answer

    @pending
    async def choose(self, message: str, options: Mapping[str, T]) -> Answer[T]:
        """Have a person choose one of several; the answer holds the chosen object.

        Args:
            message: What the choice is for.
            options: What is shown, mapped to what is meant; shown in this order.
        """
        field = ChoiceField(name="choice", required=True, choices=_choices(options))
        answer = await self._one("choice", FormAsk(message, shape_of(Form((field,)))))
        if isinstance(answer, Accepted):
            return Accepted(options[cast(str, answer.data["choice"])])
        return answer

    @pending
    async def choose_many(
        self, message: str, options: Mapping[str, T], *, at_least: int = 0, at_most: int | None = None
    ) -> Answer[list[T]]:
        """Have a person choose any number of several; the answer holds the chosen objects, in the options' order.

        Args:
            message: What the choice is for.
            options: What is shown, mapped to what is meant; shown in this order.
            at_least: The least number to choose. at_most: the most, or None.
        """
        field = ChoicesField(
            name="choices",
            required=True,
            choices=_choices(options),
            min_items=at_least or None,
            max_items=at_most,
        )
        answer = await self._one("choices", FormAsk(message, shape_of(Form((field,)))))
        if isinstance(answer, Accepted):
            chosen = set(cast(list[str], answer.data["choices"]))
            return Accepted([meant for shown, meant in options.items() if shown in chosen])
        return answer

    @pending
    async def together(self, /, **questions: tuple[str, Any]) -> dict[str, Answer[Any]]:
        """Ask several questions in one round: ``await ask.together(name=("Your name?", str), age=("Age?", int))``.

        Each has an answer of its own, under its own name. A legacy client is asked one after the other.
        """
        check_pairs(questions)
        return await self._all(
            {name: FormAsk(message, shape_of(schema)) for name, (message, schema) in questions.items()}
        )

    @pending
    async def once(self, key: str, step: Callable[[], Awaitable[JsonValue] | JsonValue]) -> JsonValue:
        """Run a step that must happen once in this call and give its result, also when the body runs again.

        Args:
            key: A name for the step, the same each time the body runs.
            step: A function without arguments, async or not, whose result is plain JSON.

        Raises:
            AuthorError: The key is no text, the step no function, or its result, when it has run, not plain JSON.
        """
        check_step(key, step)

        async def run() -> JsonValue:
            result = step()
            return as_json(key, await result if inspect.isawaitable(result) else result)

        result = await self._line.once(key, run)
        return deepcopy(result)  # the record stays as it is, whatever becomes of this

    @pending
    async def visit(
        self, message: str, url: str, *, until: Callable[[], Awaitable[object]] | None = None
    ) -> Answer[None]:
        """Send the person to a page (client/elicitation, url mode), for what must not pass through the client.

        `Accepted(None)` means consent to open the page, nothing more. With `until` the call then waits for that
        function to return, which tells that the visit is completed, and gives the client notice where its
        revision has one. A visit agreed to on the desk is also completed when the person says there that they have
        finished; what they say instead is the answer.

        Args:
            message: Why the visit is needed.
            url: An http or https address; http only to the own machine.
            until: Awaited after consent; returns when what the page is for has happened. In a call that is replayed
                it may be awaited several times until it has returned, and not again after that.

        Raises:
            InvalidUrl: The address must not be put before a person.
            NobodyAsked: The client can't do url mode.
        """
        check_own_url(url)
        elicitation_id = secrets.token_urlsafe(12)
        posed = UrlAsk(message, url, elicitation_id, until is not None)
        answer = await self._one("visit", posed)
        if not isinstance(answer, Accepted) or until is None:
            return answer
        mark = digest(posed.question)
        self._visits[mark] += 1

        async def end() -> None:
            await until()

        return await self._line.visited(posed.question, f"end of visit {self._visits[mark]}: {mark}", end)

    @pending
    async def secret(self, message: str, name: str) -> Answer[str]:
        """Have a person type a secret on our own page: it goes to this tool, never through client or model.

        A client that can do url mode sends the person there; otherwise the question waits on the desk.

        Args:
            message: What it is needed for.
            name: What to type, such as "API key of the weather service".

        Raises:
            NobodyAsked: The server has no desk (`Asking(desk=...)`), or the call is one that is not held.
        """
        self._check_open(message, Mode.URL)
        desk = self._line.desk
        if desk is None or not self._line.holds:
            raise no_secret(message, desk is not None, self._line.holds)
        posting = await desk.secret(message, name)
        try:
            address = desk.waiting[posting.token].address
            answer: Answer[Any] = Accepted(None)
            visit: UrlAsk | None = None
            if address and reach(replace(self._line.peer.facts(), desk=False), Mode.URL) is not Route.REFUSE:
                check_own_url(address)
                visit = UrlAsk(message, address, secrets.token_urlsafe(12))
                answer = await self._one("visit", visit)
            if isinstance(answer, Accepted):
                answer = await desk.wait(posting)
                if visit is not None and isinstance(answer, Accepted):
                    await tell_end(self._line.peer, visit.question)
        finally:
            await desk.withdraw([posting])
        return Accepted(str(answer.data["value"])) if isinstance(answer, Accepted) else answer

    @overload
    async def remember(self, key: str, message: str, schema: type[T]) -> Answer[T]: ...
    @overload
    async def remember(self, key: str, message: str, schema: object) -> Answer[Any]: ...
    @pending
    async def remember(self, key: str, message: str, schema: object) -> Answer[Any]:
        """Ask the first time, and give the answer of then ever after; by server and user, until it is forgotten.

        An answer that no longer fits its form is asked for anew. `askfirst remembered` lists and forgets.

        Args:
            key: Under which name to remember. message, schema: as for a plain question; never a secret.

        Raises:
            AuthorError: The server has no desk to remember at (`Asking(desk=...)`).
        """
        side = self._line.desk
        if side is None:
            raise AuthorError("ask.remember needs a desk to remember at: Asking(desk=...) or ASKFIRST_DESK")
        shape = shape_of(schema)
        kept = await side.desk.recall(side.which.scope, key)
        if kept is not None:
            with suppress(InvalidAnswer):
                return Accepted(shape.build(check(shape.form, kept)))
        both: Shape[tuple[Content, object]] = Shape(
            shape.form, lambda content: (dict(content), shape.build(content)), shape.converted, shape.schema
        )
        answer = await self._one(key, FormAsk(message, both))
        if isinstance(answer, Accepted):
            content, built = answer.data
            await side.desk.remember(side.which.scope, key, content)
            return Accepted(built)
        return answer

    def _check_open(self, message: str, mode: Mode) -> None:
        if self._over or self._line.is_over:
            raise call_over(message, mode)

    async def _one(self, key: str, posed: Posed[T]) -> Answer[T]:
        answers = await self._all({key: posed})
        return answers[key]

    async def _all(self, asked: Mapping[str, Posed[Any]]) -> dict[str, Answer[Any]]:
        answers: dict[str, Answer[Any]] = {}
        waiting, reasks = dict(asked), REASKS
        while waiting:
            for posed in waiting.values():
                self._check_open(posed.question.message, posed.question.mode)
            replies = await self._line.carry(waiting)
            facts = self._line.peer.facts()
            wrong: dict[str, Posed[Any]] = {}
            for key, reply in replies.items():
                try:
                    answers[key] = _read(waiting[key], reply, facts)
                except InvalidAnswer as fault:
                    if not reasks:
                        raise
                    wrong[key] = waiting[key].again(fault.problems)
            waiting, reasks = wrong, reasks - 1
        return {key: answers[key] for key in asked}


def _read(posed: Posed[T], reply: Reply | Expired, facts: Reachable) -> Answer[T]:
    return Cancelled(expired=True) if isinstance(reply, Expired) else posed.read(reply, facts)


def _detail(named: tuple[str, object]) -> str:
    return "\n    ".join(f"{named[0]}: {named[1]}".splitlines())


def _choices(options: Mapping[str, object]) -> tuple[Choice, ...]:
    check_options(options)
    if not options:
        raise AuthorError("a choice needs at least one option, got none")
    return tuple(Choice(shown) for shown in options)
