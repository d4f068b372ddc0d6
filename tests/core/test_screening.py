import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from askfirst.core.screening import Suspicion, secret_in_message, secrets_in

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "secrets.jsonl").read_text("utf-8").splitlines()
]
KINDS: dict[str, type[TextField] | type[NumberField] | type[FlagField]] = {
    "text": TextField,
    "number": NumberField,
    "flag": FlagField,
}
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)


def found(row: dict[str, Any]) -> tuple[Suspicion, ...]:
    kind = KINDS[row.get("type", "text")]
    field = kind(name=row["name"], title=row.get("title"), description=row.get("description"))
    return secrets_in(row.get("message", ""), Form((field,)))


def where(message: str, *fields: Field) -> list[tuple[str, str]]:
    return [(one.field, one.where) for one in secrets_in(message, Form(fields))]


def test_every_labelled_phrase_is_judged_rightly() -> None:
    missed = [row for row in ROWS if row["secret"] and not found(row)]
    false_alarms = [(row, found(row)) for row in ROWS if not row["secret"] and found(row)]
    assert missed == []
    assert false_alarms == []


def test_the_labelled_phrases_are_many_and_of_many_languages() -> None:
    labels = Counter(row["secret"] for row in ROWS)
    assert labels[True] >= 200
    assert labels[False] >= 200
    assert len({row["language"] for row in ROWS}) >= 18


def test_a_suspicion_says_where_and_by_which_word_of_ours() -> None:
    form = Form((TextField(name="x", title="Your API-KEY!"), NumberField(name="pin"), TextField(name="ok")))
    assert secrets_in("Enter your passw0rd", form) == (
        Suspicion("x", "title", "api key", "a key"),
        Suspicion("pin", "name", "pin", "a PIN"),
        Suspicion("", "message", "password", "a password"),
    )


def test_a_format_can_raise_it() -> None:
    assert where("", TextField(name="x", format="password")) == [("x", "format")]
    assert where("", TextField(name="x", format="uri")) == []


@pytest.mark.parametrize("format", ["email", "date", "date-time"])
def test_a_field_that_has_no_room_for_a_secret_raises_nothing(format: str) -> None:
    assert where("Enter your password", TextField(name="password", format=format)) == []


def test_yes_or_no_and_choices_raise_nothing() -> None:
    some = (Choice("a"),)
    assert (
        where(
            "Enter your password",
            FlagField(name="password"),
            ChoiceField(name="token", choices=some),
            ChoicesField(name="api_key", choices=some),
        )
        == []
    )


def test_a_message_can_be_judged_alone_for_fields_that_are() -> None:
    form = Form((TextField(name="password"),))
    assert secret_in_message("Enter your PIN", form) == Suspicion("", "message", "pin", "a PIN")
    assert secret_in_message("Who is it?", form) is None


def test_a_message_without_a_field_raises_nothing() -> None:
    assert where("Enter your password") == []


def test_a_number_holds_no_key() -> None:
    assert where("Enter the API key", NumberField(name="value")) == []
    assert where("Enter the PIN", NumberField(name="value")) == [("", "message")]


def test_a_message_that_only_mentions_a_secret_leaves_a_field_of_its_own_alone() -> None:
    message = "The password for the archive was changed by somebody last night"
    assert where(message, TextField(name="comment")) == []
    assert where("The wiki shows the password to everybody now", TextField(name="comment")) == []
    assert where("The wiki shows the password to everybody now", TextField(name="value")) == [("", "message")]


def test_a_harmless_name_covers_a_description_that_talks_but_not_one_that_asks() -> None:
    assert where("", TextField(name="password_policy", description="Every password follows it")) == []
    asking = TextField(name="password_policy", description="Enter your password")
    assert where("", asking) == [("password_policy", "description")]


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT, ANY_TEXT, st.none() | ANY_TEXT)
def test_any_text_can_be_screened(
    message: str, name: str, title: str, description: str, format: str | None
) -> None:
    field = TextField(name=name, title=title, description=description, format=format)
    for one in secrets_in(message, Form((field,))):
        assert one.field in {name, ""}


WORDS = st.lists(
    st.sampled_from(
        [
            "enter",
            "your",
            "the",
            "password",
            "token",
            "of",
            "pin",
            "number",
            "name",
            "reset",
            "not",
            ",",
            "API key",
        ]
    )
)


@given(WORDS)
def test_a_question_without_room_is_never_suspected(words: list[str]) -> None:
    assert secrets_in(" ".join(words), Form((FlagField(name="password"),))) == ()


def test_a_very_long_message_takes_linear_time() -> None:
    message = "enter pin code api key of the " * 500 + "password" * 500
    assert where(message, TextField(name="note")) == [("", "message")]
