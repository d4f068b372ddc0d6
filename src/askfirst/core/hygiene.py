# ruff: noqa: RUF001, RUF002 -- the angle marks are meant: they are no mistaken comparison signs
"""Text from the other side, made showable: nothing in it can move the cursor, hide, or turn its direction.

The specification leaves drawing to clients; what a server writes is hostile all the same. Terminal escape
sequences are removed, everything else that can't be seen becomes a mark such as ‹U+202E›, and what people
really write (any script, emoji, flags of countries) stays as it is.

Three invisible characters carry meaning and stay where they do: ZERO WIDTH JOINER between two emoji or
between letters of a script that joins, ZERO WIDTH NON-JOINER between such letters (Persian and most scripts of India
need both), and a variation selector directly after the character it varies. Anywhere else they are marks.
Tag characters are marks everywhere, at the price of three regional flags: they can carry a whole hidden text.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

__all__ = ["plain", "shorten", "without_escapes"]

_ESCAPE: Final = re.compile(
    # Strings that run to BEL or ST: OSC, DCS, SOS, PM, APC. An unfinished one loses only its introducer, so
    # that it can't swallow the rest of a message. A body ends at any introducer: a flood stays linear.
    r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI
    r"|\x1b[ -/]*[0-~]"  # two-character escapes and charset choices
)
_ENDING: Final = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")

_STACK: Final = 4
"""Combining marks kept on one character. Vietnamese and Hebrew need three; more climbs over other lines."""

_ZWNJ, _ZWJ = "\u200c", "\u200d"

_JOINING: Final = (
    (0x0600, 0x08FF),  # Arabic, Syriac, N'Ko, Mandaic
    (0x0900, 0x0DFF),  # the scripts of India and Sri Lanka
    (0x0F00, 0x109F),  # Tibetan, Myanmar
    (0x1780, 0x18AF),  # Khmer, Mongolian
    (0xFB50, 0xFDFF),  # Arabic presentation forms
)
_DRAWN_AS_NOTHING: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
"""Letters, marks and symbols by category that nobody can see."""

_NEW_EMOJI: Final = range(0x1F300, 0x1FB00)
"""Where younger versions of Unicode add emoji: one that this Python doesn't know yet is no attack."""


def without_escapes(text: str) -> str:
    """The text without terminal escape sequences, 7-bit and 8-bit. Nothing else changes."""
    return _ESCAPE.sub("", text)


def plain(text: str, *, keep_newlines: bool = True) -> str:
    """Text that can be put into a terminal or a page as it is.

    Plain ASCII stays unchanged; the result is the same when it is made plain again. A tab becomes a space,
    every line ending one newline, or a space unless `keep_newlines`. Of a tall stack of combining marks the
    lowest four stay.

    Args:
        text: Anything, lone surrogates included.
        keep_newlines: Whether the place it goes to holds more than one line.
    """
    text = _ENDING.sub("\n", without_escapes(text)).replace("\t", " ")
    if not keep_newlines:
        text = text.replace("\n", " ")
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    text = "".join(_without_stacks(text))
    return "".join(one if _may_stay(text, at) else f"‹U+{ord(one):04X}›" for at, one in enumerate(text))


def shorten(text: str, limit: int) -> tuple[str, int]:
    """The beginning of a plain text, and how many characters were left out; 0 when it fits.

    It ends before a space or newline where one is near, and never inside a character that marks combine with.

    Args:
        text: What `plain` returned.
        limit: The greatest number of code points to keep, at least 1.
    """
    if len(text) <= limit:
        return text, 0
    cut = limit
    while cut > 1 and (_is_mark(text[cut]) or _ZWJ in text[cut - 1 : cut + 1]):
        cut -= 1
    blank = max(text.rfind(" ", 0, cut + 1), text.rfind("\n", 0, cut + 1))
    if blank > cut - limit // 5:
        cut = blank
    return text[:cut], len(text) - cut


def _without_stacks(text: str) -> Iterator[str]:
    height = 0
    for character in text:
        height = height + 1 if _is_mark(character) else 0
        if height <= _STACK:
            yield character


def _may_stay(text: str, at: int) -> bool:
    character = text[at]
    if character in _DRAWN_AS_NOTHING:
        return False
    if character in {_ZWJ, _ZWNJ}:
        return _joins(text, at)
    if _is_mark(character):
        return _has_base(text, at)
    category = unicodedata.category(character)
    # Spaces of every width (Zs) have a width; the line and paragraph separators are newlines by now.
    return character == "\n" or category[0] != "C" or (category == "Cn" and ord(character) in _NEW_EMOJI)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in {"Mn", "Me"}


def _is_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _has_base(text: str, at: int) -> bool:
    """Whether a combining mark has something to sit on; a variation selector needs the character itself."""
    if at == 0 or text[at - 1] == "\n":
        return False
    before = text[at - 1]
    if _is_mark(before) and _is_selector(text[at]):
        return False
    return _is_mark(before) or _may_stay(text, at - 1)


def _joins(text: str, at: int) -> bool:
    """Whether a joiner or non-joiner at this place changes how its neighbours are drawn."""
    if not 0 < at < len(text) - 1:
        return False
    before, after = text[at - 1], text[at + 1]
    if _joining(before) and _joining(after):
        return True
    if before == "\ufe0f" and at > 1:
        before = text[at - 2]
    return text[at] == _ZWJ and _pictured(before) and _pictured(after)


def _joining(character: str) -> bool:
    code = ord(character)
    return any(low <= code <= high for low, high in _JOINING) and unicodedata.category(character)[0] in "LM"


def _pictured(character: str) -> bool:
    return unicodedata.category(character) == "So" or "\U0001f3fb" <= character <= "\U0001f3ff"
