"""Posted forms as content: defaults travel, nothing is unanswered by accident, nothing of a server comes back."""

from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.core.answers import Value
from askfirst.core.checking import check
from askfirst.core.fields import (
    Choice,
    ChoiceField,
    ChoicesField,
    Field,
    FlagField,
    Form,
    NumberField,
    TextField,
)
from askfirst.web.entries import NONE, Entries, entry, laid_out, parse, read
from strategies import forms

CHOICES = (Choice("a", "Apple"), Choice("b,c", "0"), Choice("1"))


def one(field: Field, *values: str, **more: str) -> Value | str | None:
    """What a form with that field comes to: its value, None where it is unanswered, or what is wrong."""
    entries: Entries = {"f0": values, **{f"f0{part}": (text,) for part, text in more.items()}}
    filled = read(Form((field,)), entries)
    return filled.problems[0].what if filled.problems else filled.content.get("x")


def test_a_body_is_read_as_the_browser_meant_it() -> None:
    assert parse(b"a=1&a=2&b=%C3%BC+%0D%0A&c=") == {"a": ("1", "2"), "b": ("ü \n",), "c": ("",)}
    assert entry(parse(b"a=1&a=2"), "a") == "1"
    assert entry(parse(b""), "a") == ""


@pytest.mark.parametrize("body", [b"\xff", b"a=%ff", b"&".join([b"a=1"] * 50_001)])
def test_a_body_that_no_page_of_ours_sends_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"(?i)max|utf-8|ascii"):
        parse(body)


@given(
    st.dictionaries(
        st.text("abc", min_size=1),
        st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r")),
    )
)
def test_any_text_comes_through(entries: dict[str, str]) -> None:
    body = urlencode({name: text.replace("\n", "\r\n") for name, text in entries.items()}).encode()
    assert parse(body) == {name: (text,) for name, text in entries.items()}


@given(forms())
def test_a_form_sent_as_it_was_laid_out_carries_its_defaults_and_nothing_else(form: Form) -> None:
    filled = read(form, laid_out(form))
    defaults = {
        field.name: list(field.default) if isinstance(field.default, tuple) else field.default
        for field in form.fields
        if field.default is not None
    }
    assert filled.content == defaults
    missing = [field.name for field in form.fields if field.required and field.default is None]
    assert [problem.field for problem in filled.problems] == missing


@given(
    forms(),
    st.dictionaries(
        st.sampled_from([f"f{n}{p}" for n in range(4) for p in ("", "t", "z")]),
        st.lists(st.text(max_size=8) | st.sampled_from(["0", "1", "yes", NONE]), max_size=3).map(tuple),
    ),
)
def test_whatever_is_posted_what_is_kept_fits_the_form(form: Form, entries: Entries) -> None:
    filled = read(form, entries)
    wrong = {problem.field for problem in filled.problems}
    assert not wrong & filled.content.keys()
    rest = Form(tuple(one for one in form.fields if one.name not in wrong))
    assert check(rest, filled.content) == filled.content


@pytest.mark.parametrize(
    "field",
    [
        TextField(name="x"),
        TextField(name="x", format="date-time"),
        NumberField(name="x"),
        FlagField(name="x"),
        ChoiceField(name="x", choices=CHOICES),
        ChoicesField(name="x", choices=CHOICES),
    ],
)
def test_a_box_left_empty_is_no_answer(field: Field) -> None:
    assert one(field) is None
    assert one(field._replace(required=True)) == "required"
    if not isinstance(field, ChoicesField):
        assert one(field, "") is None


def test_choices_come_by_their_place() -> None:
    field = ChoiceField(name="x", choices=CHOICES)
    assert [one(field, place) for place in ("0", "1", "2")] == ["a", "b,c", "1"]
    for wrong in ("3", "-1", "a", "Apple", "00"):
        assert one(field, wrong) in {"enum", "type"}


def test_several_choices_come_by_their_places() -> None:
    field = ChoicesField(name="x", choices=CHOICES, max_items=2)
    assert one(field, "1", "0") == ["b,c", "a"]
    assert one(field, "0", "1", "2") == "maxItems"
    assert one(field, "0", "7") == "none"


def test_none_of_these_is_an_answer_and_excludes_the_others() -> None:
    field = ChoicesField(name="x", choices=CHOICES, required=True)
    assert one(field, NONE) == []
    assert one(field, NONE, "0") == "none"
    assert one(field._replace(min_items=1), NONE) == "minItems"


def test_a_default_that_was_cleared_is_unanswered() -> None:
    assert one(TextField(name="x", default="kept"), "") is None
    assert one(NumberField(name="x", default=3), "") is None
    assert one(FlagField(name="x", default=True), "") is None
    assert one(ChoicesField(name="x", choices=CHOICES, default=("a",))) is None


def test_a_default_that_was_edited_is_what_was_typed() -> None:
    assert one(TextField(name="x", default="old"), "new") == "new"
    assert one(FlagField(name="x", default=True), "no") is False
    assert one(ChoiceField(name="x", choices=CHOICES, default="a"), "2") == "1"


@pytest.mark.parametrize("default", ["", '""', "a\r\nb", "\u202eevil", "\x1b[31mred", "\n\nlines\n", " "])
def test_a_default_that_was_left_alone_is_sent_as_the_server_wrote_it(default: str) -> None:
    form = Form((TextField(name="x", default=default),))
    assert read(form, laid_out(form)).content == {"x": default}


@pytest.mark.parametrize(
    "default", ["2026-12-31T18:00:00+01:00", "2026-12-31t18:00:00.5z", "2026-12-31T18:00:00Z"]
)
def test_a_default_date_and_time_is_laid_out_in_three_boxes(default: str) -> None:
    form = Form((TextField(name="x", format="date-time", default=default),))
    boxes = laid_out(form)
    assert set(boxes) == {"f0", "f0t", "f0z"}
    assert boxes["f0"] == ("2026-12-31",)
    assert read(form, boxes).content == {"x": default}


def test_a_date_and_time_is_put_together_from_its_boxes() -> None:
    field = TextField(name="x", format="date-time")
    assert one(field, "2026-12-31", t="18:00", z="+01:00") == "2026-12-31T18:00:00+01:00"
    assert one(field, " 2026-12-31 ", t="18:00:05", z="Z") == "2026-12-31T18:00:05Z"
    assert one(field, "", t="", z="+01:00") is None
    for boxes in ({"t": "18:00"}, {"z": "Z"}, {"t": "six", "z": "Z"}):
        assert one(field, "2026-12-31", **boxes) == "format"
    assert one(field, "", t="18:00", z="Z") == "format"


def test_a_repr_shows_no_value() -> None:
    assert "secret" not in repr(read(Form((TextField(name="x"),)), {"f0": ("secret",)}))
