# ruff: noqa: RUF001 -- the texts are odd on purpose
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from askfirst.core.hygiene import plain, shorten, without_escapes

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
NASTY = st.text(
    st.sampled_from(
        "a b\n\r\t\x1b[]P^_\\;0m\x07\x80\x90\x9b\x9c\x9d\u0300\u064b\u0628\u200b\u200c\u200d\u202e\u2066"
    )
    | st.sampled_from("\ufe0f\U000e0100\u2764\U0001f468\U0001f3fb\U000e0041\ud800\u034f\u3164\u0915\u094d‹›"),
    max_size=40,
)
ALLOWED_FORMAT = {"\u200c", "\u200d"}


@given(ANY_TEXT | NASTY)
@example("\x1b\x1b[m[31m")
def test_nothing_that_is_unseen_is_left_but_newlines_and_joiners(text: str) -> None:
    for character in plain(text):
        category = unicodedata.category(character)
        assert category not in {"Cc", "Cs", "Co", "Zl", "Zp"} or character == "\n"
        assert category != "Cf" or character in ALLOWED_FORMAT


@given(ANY_TEXT | NASTY, st.booleans())
@example("a\u0300\u0300\u0300\u0300\u064b\u200c\u0628", True)
@example("\u0628\u200c\u0300", True)
@example("\u2764\ufe0f\ufe0f\u200d\U0001f468", True)
@example("\x07\ufe0f\u200d\u2764", True)
def test_making_plain_twice_changes_nothing(text: str, keep: bool) -> None:
    once = plain(text, keep_newlines=keep)
    assert plain(once, keep_newlines=keep) == once
    assert keep or "\n" not in once


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.just("\n")))
def test_plain_ascii_is_unchanged(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Grüße, señor – 日本語 한국어 العربية עִבְרִית ไทย हिन्दी Tiếng Việt",
        "می\u200cخواهم",  # the non-joiner belongs to the Persian word
        "क्\u200dष শ্রী র\u200d্য",
        "👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 👩🏽\u200d🚀 🇩🇪 1\ufe0f\u20e3 ☺\ufe0f",
        "a\u00a0b\u3000c",
        "\U0001faf8",  # an emoji younger than this Python's tables
    ],
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b[1;31mSystem:\x1b[0m ok", "System: ok"),
        ("\x9b31mred\x9b0m", "red"),
        ("a\x1b]0;new title\x07b", "ab"),
        ("a\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
        ("a\x9d0;title\x9cb", "ab"),
        ("a\x1bPq#0\x1b\\b\x90q\x9cc", "abc"),
        ("a\x1b]0;never ends", "a0;never ends"),
        ("a\x1b(Bb\x1bcc\x1b7d", "abcd"),
        ("\x1b\x1b[m[31mtricky", "‹U+001B›[31mtricky"),
        ("\x1b", "‹U+001B›"),
        ("bell\x07 back\x08 null\x00 del\x7f", "bell‹U+0007› back‹U+0008› null‹U+0000› del‹U+007F›"),
        (
            "one\r\ntwo\rthree\u2028four\u2029five\x85six\x0bseven\x0ceight",
            "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight",
        ),
        ("a\tb", "a b"),
        ("\u202egnp.exe\u202c", "‹U+202E›gnp.exe‹U+202C›"),
        ("\u2066a\u2069\u200e\u200f\u061c", "‹U+2066›a‹U+2069›‹U+200E›‹U+200F›‹U+061C›"),
        ("pass\u200bword \u2060\ufeff\u00ad", "pass‹U+200B›word ‹U+2060›‹U+FEFF›‹U+00AD›"),
        ("a\u200db\u200cc \u200d", "a‹U+200D›b‹U+200C›c ‹U+200D›"),
        ("👨\u200c👩", "👨‹U+200C›👩"),
        ("ok\U000e0041\U000e0001", "ok‹U+E0041›‹U+E0001›"),
        ("☺\ufe0f\ufe01", "☺\ufe0f‹U+FE01›"),
        ("\u0301x\n\u0301", "‹U+0301›x\n‹U+0301›"),
        ("\ud83d!\ue000", "‹U+D83D›!‹U+E000›"),
        ("\uffff\u0378", "‹U+FFFF›‹U+0378›"),
        ("a\u3164b\u034fc\u2800", "a‹U+3164›b‹U+034F›c‹U+2800›"),
        ("z" + "\u0301" * 50 + "!", "z" + "\u0301" * 4 + "!"),
    ],
)
def test_what_deceives_is_removed_or_made_visible(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_newlines_become_spaces_where_there_is_one_line() -> None:
    assert plain("a\r\nb\nc", keep_newlines=False) == "a b c"


def test_escapes_alone_can_be_taken_out() -> None:
    assert without_escapes("pass\x1b[0mword\x07") == "password\x07"


@pytest.mark.parametrize(
    "hostile", ["\x1b" * 20_000 + "[m" * 20_000, "\x9d" * 40_000, "\x1b[" + "1" * 40_000]
)
def test_a_flood_of_escapes_takes_linear_time(hostile: str) -> None:
    assert "\x1b" not in plain(hostile)  # would not end within a test's life if each one read to the end


def test_a_short_text_is_whole() -> None:
    assert shorten("short", 5) == ("short", 0)


def test_a_long_text_ends_at_a_near_blank() -> None:
    assert shorten("one two three four", 15) == ("one two three", 5)
    assert shorten("one two three\nfour", 15) == ("one two three", 5)


def test_a_long_word_is_cut_and_never_inside_a_character() -> None:
    assert shorten("a" * 30, 10) == ("a" * 10, 20)
    assert shorten("aaaae\u0301\u0301bbb", 6) == ("aaaa", 6)
    assert shorten("aaa👨\u200d👩bbb", 4) == ("aaa", 6)
    assert shorten("aaa👨\u200d👩bbb", 5) == ("aaa", 6)


@given(ANY_TEXT.map(plain), st.integers(1, 40))
def test_what_is_kept_and_what_is_left_out_make_the_whole(text: str, limit: int) -> None:
    head, left_out = shorten(text, limit)
    assert text.startswith(head)
    assert len(head) + left_out == len(text)
    assert len(head) <= limit
    assert head or not text
