"""Answers written down beforehand, for runs where nobody is there: a file of rules, the first that matches wins.

::

    [[answer]]                      # every key is optional but `action`
    server  = "records-*"           # the name you configured, as a glob: * ? [abc]
    tool    = "delete_*"
    message = "Permanently delete * rows from *"
    action  = "accept"              # or decline, cancel, refuse
    content = { confirm = true, reason = "nightly clean-up" }

A question that no rule matches is refused with the reason: that is `NobodyAsked`, never a decline, because no
person has chosen. So is a rule whose content does not fit the form that was asked, and one for some tool where it is
not known which tool asks.
"""

import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path
from typing import Final, Literal, TypeAlias, assert_never, get_args

from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined, Value
from askfirst.core.checking import check
from askfirst.core.errors import AskfirstError, InvalidAnswer, NobodyAsked
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.revisions import Mode
from askfirst.core.showing import one_line

from .presenting import quoted, unfit

__all__ = ["InvalidPolicy", "Policy", "Rule"]

Verdict: TypeAlias = Literal["accept", "decline", "cancel", "refuse"]
"""What a rule does: the specification's three actions, or no answer at all."""

_VERDICTS: Final[Mapping[object, Verdict]] = {verdict: verdict for verdict in get_args(Verdict)}
_GLOBS: Final = ("server", "tool", "message")
_KEYS: Final = (*_GLOBS, "action", "content")


class InvalidPolicy(AskfirstError, ValueError):
    """A policy that can't be read; the message names the place and what was expected there."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One `[[answer]]` table. A glob that is None matches everything; `content` stays out of the repr."""

    action: Verdict
    server: str | None = None
    tool: str | None = None
    message: str | None = None
    content: Content | None = field(default=None, repr=False)

    def matches(self, question: Question, origin: Origin) -> bool:
        """Whether this rule is for that question: every glob it has fits.

        A server that nobody gave a name is accepted by no rule that is for servers of some name, and a rule for some
        tool is for no question of which the tool is not known.
        """
        return self._fits(question, origin) and (self.tool is None or bool(origin.tool))

    def hangs_on_tool(self, question: Question, origin: Origin) -> bool:
        """Whether only the tool could tell if this rule is for that question, and which one asks is not known."""
        return self._fits(question, origin) and self.tool is not None and not origin.tool

    def _fits(self, question: Question, origin: Origin) -> bool:
        if self.server is not None and origin.own_name and self.action == "accept":
            return False
        facts = (
            (self.server, origin.server),
            (self.tool if origin.tool else None, origin.tool or ""),
            (self.message, question.message),
        )
        return all(glob is None or fnmatchcase(fact, glob) for glob, fact in facts)


class Policy:
    """An answerer that follows written rules and says on stderr what it did, without any value.

    It answers form questions alone: consent to visit an address is not given beforehand. (A rule may still
    decline or cancel a url question, should one arrive.)
    """

    def __init__(
        self, rules: tuple[Rule, ...], *, name: str = "policy", report: Callable[[str], None] | None = None
    ) -> None:
        """A policy of `rules`, called `name` in what it says; `report` gets each line instead of stderr."""
        self.rules = rules
        self._name = name
        self._report = report or _to_stderr

    @classmethod
    def from_file(cls, path: str | PathLike[str], *, report: Callable[[str], None] | None = None) -> "Policy":
        """The policy in a TOML file.

        Raises:
            InvalidPolicy: The file can't be read, is no TOML, or holds something a policy does not have.
        """
        name = Path(path).name
        try:
            written = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise InvalidPolicy(
                f"{name}: expected a policy file, got {error.strerror or 'an error'}"
            ) from error
        except ValueError as error:  # both TOMLDecodeError and UnicodeDecodeError
            raise InvalidPolicy(f"{name}: expected TOML in UTF-8: {error}") from error
        except RecursionError:
            raise InvalidPolicy(f"{name}: expected TOML, got lists or tables nested too deeply") from None
        return cls.from_dict(written, name=name, report=report)

    @classmethod
    def from_dict(
        cls,
        written: Mapping[str, object],
        *,
        name: str = "policy",
        report: Callable[[str], None] | None = None,
    ) -> "Policy":
        """The policy that a TOML file with this content would give.

        Raises:
            InvalidPolicy: It holds something a policy does not have.
        """
        unknown = sorted(set(written) - {"answer"})
        if unknown:
            raise InvalidPolicy(f"{name}: expected only [[answer]] tables, got the key {unknown[0]!r}")
        tables = written.get("answer", [])
        if not isinstance(tables, list):
            raise InvalidPolicy(f"{name}: expected [[answer]] (double brackets), got {_kind(tables)}")
        rules = tuple(_read_rule(f"{name}, answer {at}", table) for at, table in enumerate(tables, start=1))
        return cls(rules, name=name, report=report)

    def reaches(self) -> frozenset[Mode]:
        """Form questions, as long as some rule answers at all."""
        answers = any(rule.action != "refuse" for rule in self.rules)
        return frozenset({Mode.FORM}) if answers else frozenset()

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        """What the first matching rule says; see `Answerer.answer`. It never waits, so `limit` does not matter.

        Raises:
            NobodyAsked: No rule matches, the rule says refuse, its content does not fit the form, or the first that
                may match is for some tool, and it is not known which tool asks.
        """
        for position, rule in enumerate(self.rules, start=1):
            place = f"{self._name}, answer {position}"
            if rule.matches(question, origin):
                return self._follow(place, rule, question, origin)
            if rule.hangs_on_tool(
                question, origin
            ):  # a later rule must not accept what this one may be there to refuse
                raise self._refusal(f"{place} is for some tool, and it is not known which tool asks", origin)
        raise self._refusal(f"{self._name}: no rule is for {quoted(question)}", origin)

    def _follow(self, place: str, rule: Rule, question: Question, origin: Origin) -> Answer[Content]:
        match rule.action:
            case "accept":
                content = self._content(place, rule, question, origin)
                names = ", ".join(one_line(name) for name in content) or "no fields"
                unasked = ", ".join(one_line(name) for name in rule.content or {} if name not in content)
                more = f"; not asked for: {unasked}" if unasked else ""
                self._say(f"{place}: accepted {_what(origin)} ({names}{more})")
                return Accepted(content)
            case "decline":
                self._say(f"{place}: declined {_what(origin)}")
                return Declined()
            case "cancel":
                self._say(f"{place}: cancelled {_what(origin)}")
                return Cancelled()
            case "refuse":
                raise self._refusal(f"{place} refuses this question", origin)
            case _:
                assert_never(rule.action)

    def _content(self, place: str, rule: Rule, question: Question, origin: Origin) -> Content:
        """What the rule accepts with; only what is written in it, so a form's defaults are not taken unseen."""
        match question:
            case UrlQuestion():
                raise self._refusal(f"{place}: a policy does not consent to visiting an address", origin)
            case FormQuestion(form=form):
                if form.fields and rule.content is None:
                    raise self._refusal(f"{place}: accepts without content, and the form has fields", origin)
                try:
                    return check(form, dict(rule.content or {}))
                except InvalidAnswer as invalid:
                    wrong = "; ".join(unfit(invalid.problems, form))
                    reason = f"{place}: its content does not fit the form: {wrong}"
                    raise self._refusal(reason, origin) from None
            case _:
                assert_never(question)

    def _refusal(self, reason: str, origin: Origin) -> NobodyAsked:
        self._say(f"refused {_what(origin)}: {reason}")
        return NobodyAsked(reason)

    def _say(self, text: str) -> None:
        self._report(f"askfirst: {text}")


def _what(origin: Origin) -> str:
    tool = f", tool {one_line(origin.tool)}" if origin.tool else ""
    return f"a question of {one_line(origin.server)}{tool}"


def _to_stderr(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _read_rule(place: str, table: object) -> Rule:
    if not isinstance(table, dict):
        raise InvalidPolicy(f"{place}: expected a table, got {_kind(table)}")
    for key in table:
        if key not in _KEYS:
            raise InvalidPolicy(f"{place}: expected only {', '.join(_KEYS)}, got the key {key!r}")
    written = table.get("action")
    action = _VERDICTS.get(written) if isinstance(written, str) else None
    if action is None:
        came = repr(written) if isinstance(written, str) else _kind(written)
        raise InvalidPolicy(f"{place}, action: expected one of {', '.join(get_args(Verdict))}, got {came}")
    if "content" in table and action != "accept":
        raise InvalidPolicy(f"{place}, content: expected only with action accept, got it with {action}")
    globs = {key: _read_glob(f"{place}, {key}", table[key]) for key in _GLOBS if key in table}
    content = _read_content(f"{place}, content", table["content"]) if "content" in table else None
    return Rule(action=action, content=content, **globs)


def _read_glob(place: str, written: object) -> str:
    if not isinstance(written, str):
        raise InvalidPolicy(f"{place}: expected text, got {_kind(written)}")
    return written


def _read_content(place: str, written: object) -> Content:
    if not isinstance(written, dict):
        raise InvalidPolicy(f"{place}: expected a table of field names and values, got {_kind(written)}")
    return {name: _read_value(f"{place}, {name}", value) for name, value in written.items()}


def _read_value(place: str, written: object) -> Value:
    match written:
        case str() | bool() | int() | float():
            return written
        case list() if all(isinstance(one, str) for one in written):
            return written
        case _:
            raise InvalidPolicy(
                f"{place}: expected text, a number, true, false or a list of texts, got {_kind(written)}; "
                "a date is written in quotes"
            )


def _kind(value: object) -> str:
    """What a TOML value is, in words, without the value."""
    kinds = {
        dict: "a table",
        list: "a list",
        str: "text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return "nothing" if value is None else kinds.get(type(value), f"a {type(value).__name__}")
