"""Each type that can be asked for has its kind of field and its way back."""

from datetime import UTC, date, datetime
from enum import Enum, StrEnum
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf
from pydantic import AnyUrl, AwareDatetime, EmailStr, Field, HttpUrl, PastDate, PostgresDsn

from askfirst.core.fields import Choice, ChoiceField, ChoicesField, FlagField, NumberField, TextField
from askfirst.core.kinds import read_kind
from askfirst.core.marks import NOTHING, NoField, Titles, read_marks
from askfirst.core.wrappings import unwrap

LABEL = ("x", "X", "an x", True)


class Size(Enum):
    SMALL = "s"
    LARGE = "l"

    @property
    def label(self) -> str:
        return self.name.title()


class Tone(StrEnum):
    title = "title"  # hides the method of str, and is a member
    LOW = "low"


class Named(Enum):
    ONE = "1"
    TWO = "2"

    @property
    def title(self) -> str:
        return f"number {self.value}"


def read(annotation: Any, default: Any = NOTHING, *, enforced: bool = False) -> Any:
    bare = unwrap(annotation)
    return read_kind(bare, LABEL, read_marks(bare.marks, enforced=enforced), default)  # type: ignore[arg-type]


def field(annotation: Any, default: Any = NOTHING, *, enforced: bool = False) -> Any:
    return read(annotation, default, enforced=enforced)[0]


def convert(annotation: Any, value: Any) -> Any:
    return read(annotation)[1](value)


SMALL = Choice("s", "Small")
LARGE = Choice("l", "Large")


@pytest.mark.parametrize(
    ("annotation", "default", "expected"),
    [
        (str, NOTHING, TextField(*LABEL)),
        (str, "", TextField(*LABEL, default="")),
        (Annotated[str, MinLen(1), MaxLen(9)], NOTHING, TextField(*LABEL, min_length=1, max_length=9)),
        (Annotated[str, Field(pattern="^a+$")], NOTHING, TextField(*LABEL, pattern="^a+$")),
        (EmailStr, "a@b.c", TextField(*LABEL, format="email", default="a@b.c")),
        (AnyUrl, AnyUrl("urn:a:b"), TextField(*LABEL, format="uri", default="urn:a:b")),
        (HttpUrl, "http://a.b/", TextField(*LABEL, format="uri", default="http://a.b/")),
        (date, date(2024, 2, 29), TextField(*LABEL, format="date", default="2024-02-29")),
        (datetime, NOTHING, TextField(*LABEL, format="date-time")),
        (
            datetime,
            datetime(2024, 1, 1, tzinfo=UTC),
            TextField(*LABEL, format="date-time", default="2024-01-01T00:00:00+00:00"),
        ),
        (AwareDatetime, NOTHING, TextField(*LABEL, format="date-time")),
        (bool, False, FlagField(*LABEL, default=False)),
        (int, 3, NumberField(*LABEL, integer=True, default=3)),
        (float, 3, NumberField(*LABEL, default=3)),
        (float, 3.5, NumberField(*LABEL, default=3.5)),
        (Annotated[int, Field(multiple_of=5)], 10, NumberField(*LABEL, integer=True, default=10)),
        (Annotated[int, Gt(0), Lt(10)], NOTHING, NumberField(*LABEL, integer=True, minimum=1, maximum=9)),
        (Annotated[int, Gt(0.5), Lt(9.5)], NOTHING, NumberField(*LABEL, integer=True, minimum=1, maximum=9)),
        (Annotated[int, Ge(0.5), Le(9.5)], NOTHING, NumberField(*LABEL, integer=True, minimum=1, maximum=9)),
        (Annotated[float, Ge(0.5), Gt(1), Lt(9)], NOTHING, NumberField(*LABEL, minimum=1, maximum=9)),
        (Literal["a", "b"], "b", ChoiceField(*LABEL, choices=(Choice("a"), Choice("b")), default="b")),
        (Literal["a", None], NOTHING, ChoiceField(*LABEL, choices=(Choice("a"),))),
        (Literal[Size.SMALL], Size.SMALL, ChoiceField(*LABEL, choices=(SMALL,), default="s")),
        (Size, Size.LARGE, ChoiceField(*LABEL, choices=(SMALL, LARGE), default="l")),
        (Tone, Tone.LOW, ChoiceField(*LABEL, choices=(Choice("title"), Choice("low")), default="low")),
        (Named, NOTHING, ChoiceField(*LABEL, choices=(Choice("1", "number 1"), Choice("2", "number 2")))),
        (
            Annotated[Literal["eu", "us"], Titles({"us": "America"})],
            NOTHING,
            ChoiceField(*LABEL, choices=(Choice("eu", "eu"), Choice("us", "America"))),
        ),
        (
            Annotated[Size, Titles({Size.SMALL: "S"})],
            NOTHING,
            ChoiceField(*LABEL, choices=(Choice("s", "S"), LARGE)),
        ),
        (
            Annotated[list[Size], MinLen(1), MaxLen(2)],
            [Size.LARGE],
            ChoicesField(*LABEL, choices=(SMALL, LARGE), min_items=1, max_items=2, default=("l",)),
        ),
        (
            Annotated[list[Annotated[Literal["a", "b"], Titles({"a": "A"})]], Titles({"b": "B"})],
            [],
            ChoicesField(*LABEL, choices=(Choice("a", "A"), Choice("b", "B")), default=()),
        ),
    ],
)
def test_a_type_has_its_field(annotation: Any, default: Any, expected: Any) -> None:
    assert field(annotation, default) == expected


@pytest.mark.parametrize(
    "annotation", [str, int, bool, EmailStr, Literal["a"], list[Literal["a", "b"]], Annotated[int, Ge(1)]]
)
def test_what_is_sent_may_be_what_is_meant(annotation: Any) -> None:
    assert read(annotation)[1] is None


@pytest.mark.parametrize(
    ("annotation", "sent", "meant"),
    [
        (date, "2024-02-29", date(2024, 2, 29)),
        (datetime, "2024-01-01t00:00:00z", datetime(2024, 1, 1, tzinfo=UTC)),
        (datetime, "2016-12-31T23:59:60Z", datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)),
        (float, 3, 3.0),
        (Size, "s", Size.SMALL),
        (Literal[Size.SMALL], "s", Size.SMALL),
        (Tone, "low", Tone.LOW),
        (list[Size], ["l", "s"], [Size.LARGE, Size.SMALL]),
        (HttpUrl, "http://a.b/", HttpUrl("http://a.b/")),
    ],
)
def test_a_value_becomes_what_the_annotation_promises(annotation: Any, sent: Any, meant: Any) -> None:
    made = convert(annotation, sent)
    assert made == meant
    assert type(made) is type(meant)


@pytest.mark.parametrize(
    ("annotation", "default"),
    [
        (str, 3),
        (str, Tone.LOW),
        (int, 3.0),
        (int, True),
        (float, False),
        (bool, 1),
        (date, "2024-01-01"),
        (date, datetime(2024, 1, 1, tzinfo=UTC)),
        (datetime, date(2024, 1, 1)),
        (datetime, datetime(2024, 1, 1)),
        (EmailStr, 3),
        (AnyUrl, 3),
        (Literal["a"], "b"),
        (Size, "s"),
        (Tone, "low"),
        (list[Size], (Size.SMALL,)),
        (list[Size], ["s"]),
    ],
)
def test_a_default_of_another_type_is_refused(annotation: Any, default: Any) -> None:
    with pytest.raises(NoField) as refusal:
        read(annotation, default)
    assert refusal.value.what == "default"


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[bool, Ge(1)],
        Annotated[str, Ge(1)],
        Annotated[int, MaxLen(1)],
        Annotated[date, MaxLen(1)],
        Annotated[datetime, Field(pattern="a")],
        Annotated[float, MultipleOf(0.1)],
        Annotated[Size, MaxLen(1)],
        Annotated[str, Titles({"a": "A"})],
        Annotated[Size, Titles({"xl": "Extra"})],
        Annotated[list[Size], Ge(1)],
        list[Annotated[Size, MaxLen(1)]],
        Annotated[str, Field(pattern="a"), Field(pattern="b")],
        Annotated[str, Field(pattern=r"(a)\1")],
        PastDate,
        Enum("Empty", {}),
        Literal[None],
        Literal["a", 1],
        list[Size | None],
        list[str],
        list[int],
        PostgresDsn,
        dict,
    ],
)
def test_what_does_not_fit_is_refused(annotation: Any) -> None:
    with pytest.raises(NoField):
        read(annotation)


def test_a_type_that_enforces_itself_may_have_what_no_form_can_say() -> None:
    assert field(PastDate, enforced=True) == TextField(*LABEL, format="date")
    assert field(Annotated[float, MultipleOf(0.5)], enforced=True) == NumberField(*LABEL)
    assert field(Annotated[str, Field(pattern=r"(a)\1")], enforced=True).pattern == r"(a)\1"
