"""The form that the benchmarks ask with: six fields of six kinds, some described, some bounded; and one of one field.

Each class is made anew at every call, for what happens only when a type is first met.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field

__all__ = ["CONTENT", "Named", "booking_dataclass", "booking_model", "one_field_dataclass", "one_field_model"]

CONTENT: dict[str, object] = {
    "name": "Ada Lovelace",
    "party": 4,
    "day": "2027-03-14",
    "seat": "window",
    "courses": ["starter", "main"],
    "vegetarian": True,
}
_Seat = Literal["window", "garden", "bar"]
_Courses = list[Literal["starter", "main", "dessert"]]
_NAME = Field(title="Name", description="Who the table is for.", min_length=1, max_length=80)
_PARTY = Field(description="How many people will come.", ge=1, le=20)
_SEAT = Field(description="Where to sit.")
_COURSES = Field(description="What the kitchen should prepare.")


class Named(BaseModel):
    """What the models have in common."""

    name: str


def booking_model() -> type[Named]:
    """The form as a pydantic model."""

    class Booking(Named):
        name: Annotated[str, _NAME]
        party: Annotated[int, _PARTY]
        day: date
        seat: Annotated[_Seat, _SEAT] = "window"
        courses: Annotated[_Courses, _COURSES] = ["main"]
        vegetarian: bool = False

    return Booking


def booking_dataclass() -> type:
    """The same form as a dataclass."""

    @dataclass
    class Booking:
        name: Annotated[str, _NAME]
        party: Annotated[int, _PARTY]
        day: date
        seat: Annotated[_Seat, _SEAT] = "window"
        courses: Annotated[_Courses, _COURSES] = field(default_factory=lambda: ["main"])
        vegetarian: bool = False

    return Booking


def one_field_model() -> type[Named]:
    """The smallest form, as a pydantic model."""

    class Name(Named):
        pass

    return Name


def one_field_dataclass() -> type:
    """The smallest form, as a dataclass."""

    @dataclass
    class Name:
        name: str

    return Name
