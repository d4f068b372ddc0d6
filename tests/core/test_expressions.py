"""Which expressions can be read, and what they are read as."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.core.expressions import Anchor, CharSet, Either, Look, Repeat, Sequence, parse

A, B = CharSet(((0x61, 0x61),)), CharSet(((0x62, 0x62),))


@pytest.mark.parametrize(
    ("expression", "tree"),
    [
        ("", Sequence(())),
        ("a", A),
        ("ab", Sequence((A, B))),
        ("a|b|", Either((A, B, Sequence(())))),
        ("(a)", A),
        ("(?:a)", A),
        ("(?<name>a)", A),
        ("a*", Repeat(A, 0, None)),
        ("a+?", Repeat(A, 1, None)),
        ("a??", Repeat(A, 0, 1)),
        ("a{3}", Repeat(A, 3, 3)),
        ("a{3,}", Repeat(A, 3, None)),
        ("a{3,40}?", Repeat(A, 3, 40)),
        ("^$", Sequence((Anchor("^"), Anchor("$")))),
        (r"\b\B", Sequence((Anchor("b"), Anchor("B")))),
        ("(?=a)", Look(A, ahead=True, wanted=True)),
        ("(?!a)", Look(A, ahead=True, wanted=False)),
        ("(?<=a)", Look(A, ahead=False, wanted=True)),
        ("(?<!a)", Look(A, ahead=False, wanted=False)),
    ],
)
def test_an_expression_becomes_a_tree(expression: str, tree: object) -> None:
    assert parse(expression) == tree


@pytest.mark.parametrize(
    ("expression", "inside", "outside"),
    [
        (".", "aé😀 ", "\n\r\u2028\u2029"),
        (r"\d", "09", "a٣/:"),
        (r"\D", "a٣", "5"),
        (r"\w", "aZ_9", "é- "),
        (r"\W", "é-", "a_"),
        (r"\s", " \t\u00a0\u2003\u3000\ufeff\v\f\n\r", "a\u200b\x1c"),
        (r"\S", "a", " "),
        ("[a-c]", "abc", "d-`"),
        ("[^a-c]", "d-", "b"),
        ("[^]", "a\n", ""),
        ("[]", "", "a\n"),
        ("[a-]", "a-", "b"),
        ("[-a]", "a-", "b"),
        (r"[\w-.]", "a-.", ","),
        (r"[a-\d]", "a-5", "b"),
        (r"[\b]", "\b", "b"),
        ("[[a]", "[a", "]"),
        (r"[\]\\]", "]\\", "["),
        (r"[\u{1F600}-\u{1F64F}]", "😀", "a"),
        ("[😀-🙏]", "😃", "a"),
        (r"\uD83D\uDE00", "😀", "\ud83d"),
        (r"\u0041", "A", "a"),
        (r"\x41", "A", "a"),
        (r"\0", "\0", "0"),
        (r"\t", "\t", "t"),
        (r"\.", ".", "a"),
        (r"\-", "-", "a"),
        (r"\_", "_", "a"),
        (r"\/", "/", "a"),
    ],
)
def test_a_set_holds_what_ecma_262_says(expression: str, inside: str, outside: str) -> None:
    tree = parse(expression)
    assert isinstance(tree, CharSet)
    assert [one for one in inside if not tree.holds(ord(one))] == []
    assert [one for one in outside if tree.holds(ord(one))] == []


def test_half_a_pair_stays_alone() -> None:
    for expression in (r"\uD83D\u0041", r"\uD83D\u{41}"):
        assert parse(expression) == Sequence((CharSet(((0xD83D, 0xD83D),)), CharSet(((0x41, 0x41),))))


@pytest.mark.parametrize(
    "expression",
    [
        r"(a)\1",
        r"\k<a>",
        r"\p{L}",
        r"\A",
        r"\Z",
        r"\cA",
        r"\é",
        r"\00",
        r"\x4",
        r"\xg0",
        r"\u12",
        r"\u{}",
        r"\u{110000}",
        r"\u{41",
        r"\u{000000041}",
        "\\",
        "(",
        "(a",
        "a)",
        "(?",
        "(?i)a",
        "(?P<n>a)",
        "(?<1>a)",
        "(?<n",
        "[",
        "[a",
        "]",
        "}",
        "{",
        "a{",
        "a{,3}",
        "a{2",
        "a{2,1}",
        "a{2;3}",
        "a{1234567}",
        "*",
        "a**",
        "a{2}{3}",
        "a++",
        "^*",
        r"\b+",
        "(?=a)*",
        "[b-a]",
        r"[\B]",
        r"[\1]",
    ],
)
def test_what_is_outside_the_subset_is_not_read(expression: str) -> None:
    assert parse(expression) is None


def test_an_expression_too_long_or_too_deep_is_not_read() -> None:
    assert parse("a" * 4000) is not None
    assert parse("a" * 4001) is None
    assert parse("(" * 40 + ")" * 40) is not None
    assert parse("(" * 41 + ")" * 41) is None


@given(st.text(st.sampled_from(r"ab()[]{}|*+?^$.\-,:=!<>019dwsbuxk") | st.characters(), max_size=30))
def test_any_text_is_read_or_refused(expression: str) -> None:
    parse(expression)
