"""A frozen dataclass that is made quickly is the dataclass it was."""

import inspect
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

from askfirst.core.quick import quick


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    name: str
    title: str | None = None


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Several(Named):
    least: int = 1
    choices: tuple[str, ...]


@quick
@dataclass(frozen=True, slots=True)
class Pair:
    left: str
    right: str | None = None


def test_it_holds_what_it_is_given_and_its_defaults() -> None:
    made = Several(name="a", choices=())
    assert (made.name, made.title, made.least, made.choices) == ("a", None, 1, ())
    assert repr(Several(name="a", title="A", least=2, choices=("x",))) == (
        "Several(name='a', title='A', least=2, choices=('x',))"
    )


def test_arguments_stand_in_order_where_the_dataclass_lets_them() -> None:
    assert Pair("a") == Pair(left="a", right=None)
    assert Pair("a", "b") != Pair("a")
    assert hash(Pair("a", "b")) == hash(Pair("a", "b"))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Several(name="a"),  # type: ignore[call-arg]
        lambda: Several(name="a", choices=(), most=1),  # type: ignore[call-arg]
        lambda: Several("a", choices=()),  # type: ignore[misc]
        lambda: Pair(right="b"),  # type: ignore[call-arg]
    ],
)
def test_other_arguments_are_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        wrong()


def test_it_stays_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Pair("a").left = "b"  # type: ignore[misc]


def test_it_can_be_replaced_matched_and_described() -> None:
    assert replace(Pair("a"), right="b") == Pair("a", "b")
    match Pair("a", "b"):
        case Pair(left, right):
            assert (left, right) == ("a", "b")
    assert str(inspect.signature(Pair)) == "(left: str, right: str | None = None) -> None"
