"""Does content fit its form? One set of rules, for the side that asks and the side that answers.

Content is untrusted, and private: a problem tells what came by its kind and size, never its value. What a
form demands is worked out once into one small function a field; content that fits passes each of them once.
The rules are those of JSON Schema 2020-12 for the specification's primitive schemas, except that

- a choice given twice is a problem (the specification means a set), and
- null for a field that may be left out counts as left out, since clients send it for a box nobody filled.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import Final, NamedTuple, TypeAlias, assert_never, final

from .answers import Content, Value
from .errors import InvalidAnswer, Problem
from .fields import ChoiceField, ChoicesField, Field, FlagField, Form, NumberField, TextField, is_unicode
from .formats import FORMATS
from .patterns import compile_pattern

__all__ = ["check", "check_value"]


@final
@dataclass(frozen=True, slots=True)
class _Wrong:
    problems: tuple[Problem, ...]


_Judge: TypeAlias = Callable[[object], Value | _Wrong]


class _Rule(NamedTuple):
    name: str
    required: bool
    judge: _Judge


_KEPT: Final = 256
_rules_of: Final[dict[int, tuple[Form, tuple[_Rule, ...]]]] = {}
"""By identity: hashing a form costs more than checking. The form is held, so that its id stays its own."""


def check(form: Form, content: object) -> Content:
    """The values of an accepted form, in the order of its fields.

    Whole numbers come back as `int` where the form wants those (3.0 gives 3); all else as it came. Fields
    that the form does not have are left out.

    Args:
        form: What was asked.
        content: What came with the accept, as JSON gives it; None, for nothing, is as good as `{}`.

    Raises:
        InvalidAnswer: Something does not fit. `.problems` has all of it, and no value.
    """
    values: Content = {}
    problems = _sort(form, content, values)
    if problems:
        raise InvalidAnswer("this content does not fit the form it answers", problems)
    return values


def check_value(one: Field, value: object) -> Value | Problem:
    """One field's value, or the first thing wrong with it; the rules are those of `check`."""
    verdict = _judge_for(one)(value)
    return verdict.problems[0] if type(verdict) is _Wrong else verdict


def _sort(form: Form, content: object, values: Content) -> list[Problem]:
    """Put what is right into `values`, and give back what is wrong."""
    if content is None:
        content = {}
    if not isinstance(content, dict):
        return [Problem("", "type", "an object with a member for each field", _kind(content))]
    problems: list[Problem] = []
    known = _rules_of.get(id(form))
    for name, required, judge in _work_out(form) if known is None else known[1]:
        value = content.get(name)
        if value is None:
            if required:
                problems.append(Problem(name, "required", "an answer", "null" if name in content else "none"))
            continue
        verdict = judge(value)
        if type(verdict) is _Wrong:
            problems.extend(verdict.problems)
        else:
            values[name] = verdict
    if form.closed and (more := len(content.keys() - {one.name for one in form.fields})):
        problems.append(
            Problem("", "additionalProperties", "no other fields than the form's", f"{more} more")
        )
    return problems


def _work_out(form: Form) -> tuple[_Rule, ...]:
    rules = tuple(_Rule(one.name, one.required, _judge_for(one)) for one in form.fields)
    if len(_rules_of) >= _KEPT:
        _rules_of.clear()
    _rules_of[id(form)] = (form, rules)
    return rules


def _judge_for(one: Field) -> _Judge:
    match one:
        case TextField():
            return _text_judge(one)
        case NumberField():
            return _number_judge(one)
        case FlagField():
            return _flag_judge(one)
        case ChoiceField():
            return _choice_judge(one)
        case ChoicesField():
            return _choices_judge(one)
        case _:
            assert_never(one)


def _text_judge(one: TextField) -> _Judge:
    name = one.name
    low = one.min_length or 0
    high = inf if one.max_length is None else one.max_length
    tests = _text_tests(one)

    def judge(value: object) -> Value | _Wrong:
        if type(value) is not str:
            return _wrong(name, "type", "text", value)
        if not value.isascii() and not is_unicode(value):  # the first test is the cheap one
            return _Wrong((Problem(name, "unicode", "whole characters", "text with half a surrogate pair"),))
        for _, _, test in tests:
            if not test(value):
                break
        else:
            if low <= len(value) <= high:
                return value
        faults = [(what, expected) for what, expected, test in tests if not test(value)]
        if len(value) > high:
            faults.insert(0, ("maxLength", f"at most {_characters(one.max_length)}"))
        if len(value) < low:
            faults.insert(0, ("minLength", f"at least {_characters(one.min_length)}"))
        got = _kind(value)
        return _Wrong(tuple(Problem(name, what, expected, got) for what, expected in faults))

    return judge


def _text_tests(one: TextField) -> list[tuple[str, str, Callable[[str], bool]]]:
    tests: list[tuple[str, str, Callable[[str], bool]]] = []
    if one.format is not None and one.format in FORMATS:
        tests.append(("format", f"text in the format {one.format}", FORMATS[one.format]))
    pattern = None if one.pattern is None else compile_pattern(one.pattern)
    if pattern is not None:
        # A text so long that the search gives up is refused: the way round a pattern must not be length.
        tests.append(
            ("pattern", f"text that matches {one.pattern}", lambda text: pattern.search(text).matched is True)
        )
    return tests


def _number_judge(one: NumberField) -> _Judge:
    name, whole = one.name, one.integer
    low = -inf if one.minimum is None else one.minimum
    high = inf if one.maximum is None else one.maximum

    def judge(value: object) -> Value | _Wrong:
        if type(value) is float:
            if not isfinite(value):
                return _wrong(name, "type", "a finite number", value)
            if whole:
                if not value.is_integer():
                    return _wrong(name, "type", "a whole number", value)
                value = int(value)
        elif type(value) is not int:  # bool is a subclass of int, and no number
            return _wrong(name, "type", "a whole number" if whole else "a number", value)
        if low <= value <= high:
            return value
        if value < low:
            return _wrong(name, "minimum", f"at least {one.minimum}", value)
        return _wrong(name, "maximum", f"at most {one.maximum}", value)

    return judge


def _flag_judge(one: FlagField) -> _Judge:
    name = one.name

    def judge(value: object) -> Value | _Wrong:
        return value if type(value) is bool else _wrong(name, "type", "true or false", value)

    return judge


def _choice_judge(one: ChoiceField) -> _Judge:
    name = one.name
    allowed = frozenset(choice.value for choice in one.choices)

    def judge(value: object) -> Value | _Wrong:
        if type(value) is not str:
            return _wrong(name, "type", "one of the choices, as text", value)
        return value if value in allowed else _wrong(name, "enum", _one_of(len(allowed)), value)

    return judge


def _choices_judge(one: ChoicesField) -> _Judge:
    name = one.name
    allowed = frozenset(choice.value for choice in one.choices)
    low = one.min_items or 0
    high = inf if one.max_items is None else one.max_items

    def judge(value: object) -> Value | _Wrong:
        if type(value) is not list:
            return _wrong(name, "type", "a list of choices", value)
        texts = [item for item in value if type(item) is str]
        if len(texts) < len(value):
            return _wrong(name, "type", "a list of text alone", value)
        chosen = set(texts)
        if len(value) == len(chosen) and low <= len(value) <= high and chosen <= allowed:
            return texts
        faults = []
        if not chosen <= allowed:
            faults.append(("enum", f"each to be {_one_of(len(allowed))}"))
        if len(chosen) < len(value):
            faults.append(("uniqueItems", "each choice once"))
        if len(value) < low:
            faults.append(("minItems", f"at least {one.min_items} of them"))
        if len(value) > high:
            faults.append(("maxItems", f"at most {one.max_items} of them"))
        return _Wrong(tuple(Problem(name, what, expected, _kind(value)) for what, expected in faults))

    return judge


def _wrong(name: str, what: str, expected: str, value: object) -> _Wrong:
    return _Wrong((Problem(name, what, expected, _kind(value)),))


def _kind(value: object) -> str:
    """What came, by kind and size: all that may ever be said of it."""
    match value:
        case bool():
            return "a boolean"
        case int():
            return "a whole number"
        case float():
            if not isfinite(value):
                return "a number that is not finite"
            return "a whole number" if value.is_integer() else "a number with a fraction"
        case str():
            return f"text of {_characters(len(value))}"
        case list():
            return f"a list of {len(value)}"
        case dict():
            return f"an object with {len(value)} member{'' if len(value) == 1 else 's'}"
        case _:
            return "something that JSON has no word for"


def _characters(count: int | None) -> str:
    return "1 character" if count == 1 else f"{count} characters"


def _one_of(count: int) -> str:
    return "the only choice" if count == 1 else f"one of the {count} choices"
