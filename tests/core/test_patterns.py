"""A server's expressions are run in linear time, and mean what they mean elsewhere."""

import re

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from askfirst.core.patterns import compile_pattern

ZOD_EMAIL = (
    r"^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$"
)


def matches(expression: str, text: str) -> bool | None:
    pattern = compile_pattern(expression)
    assert pattern is not None
    return pattern.search(text).matched


@pytest.mark.parametrize(
    ("expression", "right", "wrong"),
    [
        ("", ["", "a"], []),
        ("b", ["abc"], ["", "ac"]),
        ("^ab$", ["ab"], ["ab\n", "xab", "abx"]),
        ("^(?:a|bc)+$", ["abca"], ["", "abb"]),
        ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]),
        ("^a{0}$", [""], ["a"]),
        ("^a{2,}b?$", ["aa", "aaab"], ["ab", "aabb"]),
        (r"^\d{4}-\d{2}$", ["2026-12"], ["2026-1", "2026-123"]),
        (r"\bcat\b", ["cat", "a cat!"], ["cats", "concat"]),
        (r"a\Bb", ["ab"], ["a b"]),
        (r"^(?=.*\d)(?=.*[a-z]).{4,}$", ["abc1"], ["abcd", "1234", "ab1"]),
        ("a(?!b)", ["ac", "a", "abac"], ["ab"]),
        ("(?<=a)b", ["ab"], ["b", "cb"]),
        ("(?<!a)b", ["b", "cb"], ["ab"]),
        ("(?<=ab.)c", ["abxc"], ["axbc"]),
        ("^(?=(?!b)..$)", ["ac"], ["bc", "a"]),
        ("^(?:(?=a)a|b)+$", ["abab"], ["abc"]),
        ("(?=ab|ac)a.d", ["abd", "acd"], ["aed"]),
        ("(?=a(?:b|c)*d)a", ["abcbd"], ["abcb"]),
        (ZOD_EMAIL, ["ada@example.com"], ["ada@localhost", ".a@b.co", "a..b@b.co", "a@b.c"]),
        ("^.$", ["😀"], ["e\u0301"]),
    ],
)
def test_an_expression_matches_what_ecma_262_says(
    expression: str, right: list[str], wrong: list[str]
) -> None:
    assert [text for text in right if not matches(expression, text)] == []
    assert [text for text in wrong if matches(expression, text) is not False] == []


@pytest.mark.parametrize(
    "expression",
    [
        r"(a)\1",
        "a{1001}{2}",
        "(a{99}){99}",
        "(){100000}",
        "(a{0}){999999}",
        "((a{500}){500}){500}",
        "(?=a{2001})",
    ],
)
def test_what_can_not_be_read_or_grows_too_large_is_not_checkable(expression: str) -> None:
    assert compile_pattern(expression) is None


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("(a+)+$", "a" * 2000 + "b"),
        ("^(a|aa)+$", "a" * 2000 + "b"),
        ("(x+x+)+y", "x" * 2000),
        ("(.*)*(.*)*(.*)*=", "a" * 2000),
        ("^(?=(a+)+$)(a*)*$", "a" * 2000 + "b"),
    ],
)
def test_an_expression_that_blows_up_elsewhere_takes_a_few_steps_a_character(
    expression: str, text: str
) -> None:
    pattern = compile_pattern(expression)
    assert pattern is not None
    found = pattern.search(text)
    assert found.matched is False
    assert found.steps <= 25 * (len(text) + 1)


@pytest.mark.parametrize("expression", ["^(?:a|b|c)+$", "^(?=(a+)+$)a", "(?<=b)c"])
def test_a_text_too_long_to_decide_stays_undecided(expression: str) -> None:
    pattern = compile_pattern(expression)
    assert pattern is not None
    found = pattern.search("a" * 2000, steps=1000)
    assert found.matched is None
    assert found.steps <= 1100


def test_a_match_near_the_start_of_a_long_text_is_found_at_once() -> None:
    pattern = compile_pattern(r"\S")
    assert pattern is not None
    assert pattern.search("a" * 1_000_000).steps < 10


def test_a_pattern_shows_its_source_and_no_more() -> None:
    assert repr(compile_pattern("a+")) == "Pattern(source='a+')"


def _bracketed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def repeated(text: str, count: str) -> str:
        return f"(?:{text}){count}"

    look = st.sampled_from(["?:", "?=", "?!", ""])
    return (
        st.builds("{}{}".format, inner, inner)
        | st.builds("(?:{}|{})".format, inner, inner)
        | st.builds(
            repeated, inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,1}", "{1,}", "*?", "+?"])
        )
        | st.builds("({}{})".format, look, inner)
    )


ATOMS = st.sampled_from(
    [
        "a",
        "b",
        ".",
        r"\d",
        r"\w",
        r"\S",
        "[ab]",
        "[^a]",
        "[a-c-]",
        "^",
        "$",
        r"\b",
        r"\B",
        r"\.",
        "(?<=a)",
        "(?<!b)",
    ]
)


@given(st.recursive(ATOMS, _bracketed, max_leaves=8), st.text("abc-. 1\n", max_size=8))
def test_it_agrees_with_the_engine_of_python(expression: str, text: str) -> None:
    # Python's `$` stands before a last line feed too, and its `\B` not in an empty text: both said otherwise here.
    python = re.compile(expression.replace("$", r"\Z").replace(r"\B", r"(?!\b)"), re.ASCII)
    pattern = compile_pattern(expression)
    if pattern is None:  # a quantifier after a look, which Python takes
        reject()
    assert pattern.search(text).matched == (python.search(text) is not None)
