"""Text as the words a person would read in it, whatever it is spelled with.

Width, case, accents, invisible characters, letters that only look Latin, digits in the place of letters,
camelCase, snake_case and s p a c e d letters all lead to the same words. Vocabulary and text go through the
same function, so it needs no tables of languages: two spellings match when both fold to one.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, TypeAlias

from .hygiene import without_escapes

__all__ = ["BREAK", "PAUSE", "Words", "fold", "squeeze", "squeeze_each", "words_of_name", "words_of_prose"]

Words: TypeAlias = tuple[str, ...]
"""Folded words in order; `BREAK` stands where a clause ends, and `PAUSE` where that is a comma."""

BREAK: Final = ""
PAUSE: Final = ","
_COMMAS: Final = frozenset(",،、")

_LOOKALIKES: Final = str.maketrans(
    # Cyrillic and Greek letters, capitals too, then letters that have no decomposition.
    "ӏӀаеорсухіјѕԁԛԝһтквмнАЕОРСУХІЈЅТКВМНαορνυικτχΑΒΕΖΗΙΚΜΝΟΡΤΥΧıłđøŁĐØᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "lLaeopcyxijsdqwhtkbmhAEOPCYXIJSTKBMHaopvuiktxABEZHIKMNOPTYXildoLDOabcdeghijklmnoprstuvwyz",
)
_DIGITS_AS_LETTERS: Final = str.maketrans("013457@$", "oieastas")
_ASCII: Final = "".join(map(chr, range(128)))
_SQUEEZED: Final = bytes.maketrans(_ASCII.encode(), _ASCII.casefold().translate(_DIGITS_AS_LETTERS).encode())
_NO_LETTERS: Final = "".join(one for one in _ASCII if not one.isalnum()).encode()
_NO_LETTERS_NOR_LINES: Final = _NO_LETTERS.replace(b"\n", b"")
_UNSEEN_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+(?:[@$]+[^\W_]+)*")
_WORD_OR_BREAK = re.compile(_WORD.pattern + r"|[,،、;:!?؟…。•|()\[\]{}\"«»„“”—\n\r]|\.(?!\w)")


def fold(text: str) -> str:
    """The text with everything taken away that does not change how it is read. Spaces and order stay."""
    return _letters(text).casefold()


def words_of_name(name: str) -> tuple[Words, ...]:
    """The readings of an identifier: as it stands, and split at its humps where it has any. No breaks."""
    return _readings(name, _WORD)


def words_of_prose(text: str) -> tuple[Words, ...]:
    """The readings of a sentence or several, with a `BREAK` or a `PAUSE` where a clause ends."""
    return _readings(text, _WORD_OR_BREAK)


def squeeze(text: str) -> str | None:
    """All letters and digits of a plain text run together, digits read as letters; None where that tells nothing.

    Squeezed likewise, each word of any reading of the text is a part of this, and the first word its beginning.
    Not so with other scripts, with escapes, and with signs that are letters in some places alone.
    """
    return None if _is_ambiguous(text) else text.encode().translate(_SQUEEZED, _NO_LETTERS).decode()


def squeeze_each(texts: Sequence[str]) -> str | None:
    """Several texts squeezed, each on a line of its own; None where that tells nothing of one of them."""
    text = "\n".join(texts)
    if text.count("\n") >= len(texts) or _is_ambiguous(text):
        return None
    return text.encode().translate(_SQUEEZED, _NO_LETTERS_NOR_LINES).decode()


def _is_ambiguous(text: str) -> bool:
    return not text.isascii() or "@" in text or "$" in text or "\x1b" in text


def _letters(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
    text = without_escapes(text)
    if text.isprintable() and text.isascii():
        return text
    return "".join(one for one in text if _is_read(one)).translate(_LOOKALIKES)


def _is_read(character: str) -> bool:
    category = unicodedata.category(character)
    if category in {"Mn", "Mc", "Me", "Cf", "Cs", "Co"} or character in _UNSEEN_LETTERS:
        return False
    return category != "Cc" or character.isspace()


def _readings(text: str, pattern: re.Pattern[str]) -> tuple[Words, ...]:
    letters = _letters(text)
    whole = _words(letters.casefold(), pattern)
    split = _words(_HUMP.sub(" ", letters).casefold(), pattern)
    return (whole,) if whole == split else (whole, split)


def _words(folded: str, pattern: re.Pattern[str]) -> Words:
    found = (
        _spelled(one) if one[0].isalnum() else PAUSE if one in _COMMAS else BREAK
        for one in pattern.findall(folded)
    )
    return tuple(_without_spacing(list(found)))


def _spelled(word: str) -> str:
    """The word with digits read as the letters they resemble, and without a number at its end."""
    if word.isalpha() or not any(one.isalpha() for one in word):
        return word
    bare = word.rstrip("0123456789")
    return (bare if len(bare) >= 4 else word).translate(_DIGITS_AS_LETTERS)


def _without_spacing(words: list[str]) -> list[str]:
    """Three or more single letters in a row are one word: "p a s s", "P.I.N."."""
    joined: list[str] = []
    run: list[str] = []
    for word in [*words, BREAK]:
        if len(word) == 1 and word.isascii() and word.isalpha():
            run.append(word)
            continue
        joined += ["".join(run)] if len(run) >= 3 else run
        run = []
        joined.append(word)
    return joined[:-1]
