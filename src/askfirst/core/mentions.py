"""Where a text mentions a secret, and whether it only speaks about one.

Works on folded words (`core.folding`) with the terms of `core.vocabulary`. Every step looks at a few words around a
mention, so the time grows with the length of the text alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, TypeAlias

from .folding import BREAK, PAUSE, Words, fold
from .negations import asks, is_denied
from .vocabulary import (
    ABOUT_AFTER,
    ABOUT_BEFORE,
    FILLERS,
    HANDLING,
    JOINERS,
    MAKING,
    OTHER_MEANING,
    RUN_ON_AFTER,
    RUN_ON_BEFORE,
    TERMS,
    Kind,
)

__all__ = ["Mention", "Term", "listed_terms", "mentions", "other_meaning"]

_Style: TypeAlias = Literal["words", "part", "joined", "common", "alone"]
_MARKS: Final[dict[str, _Style]] = {"~": "part", "?": "common", "=": "alone"}


@dataclass(frozen=True, slots=True)
class Term:
    """One way to name a secret: its folded words, and which of them are `open`, so that they may go on."""

    kind: Kind
    shown: str
    style: _Style
    words: tuple[str, ...]
    open: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """One term met in a text.

    `kind` and `word` say which, `harmless` that the text only speaks about it, `common` that the word alone often
    means something else, `asked` that the clause asks for something, `length` how many words the clause has.
    """

    kind: Kind
    word: str
    harmless: bool
    common: bool
    asked: bool
    length: int


@dataclass(frozen=True, slots=True)
class _Clause:
    start: int
    length: int
    asked: bool


@dataclass(frozen=True, slots=True)
class _Place:
    term: Term
    start: int
    stop: int
    before: str = ""  # what the first word has in front of the term
    after: str = ""


def _folded(words: str) -> frozenset[str]:
    return frozenset(fold(words).split())


_AFTER: Final = _folded(ABOUT_AFTER)
_OF: Final = _folded(ABOUT_BEFORE["of"])
_DIRECT: Final = _folded(ABOUT_BEFORE["direct"]) | _folded(HANDLING)
_MAKING: Final = _folded(MAKING)
_MADE: Final = frozenset({Kind.KEY, Kind.TOKEN, Kind.SECRET})
_FILLERS: Final = _folded(FILLERS)
_JOINERS: Final = _folded(JOINERS)
_LINKS: Final = _FILLERS | _JOINERS
_OTHER: Final = {kind: _folded(words) for kind, words in OTHER_MEANING.items()}
_RUN_ON_AFTER: Final = tuple(
    particle + word
    for word in sorted(_folded(RUN_ON_AFTER))
    for particle in ("", "的", fold("の"), fold("의"))
)
_RUN_ON_BEFORE: Final = tuple(sorted(_folded(RUN_ON_BEFORE)))
_ENDS: Final = (BREAK, PAUSE)
_COMMON_GOES_ON: Final = _JOINERS | {
    *_ENDS,
    "is",
    "here",
    "now",
    "again",
    "below",
    "please",
    "and",
    "or",
    "you",
    "from",
}
_NEAR: Final = 20
"""Letters that are looked at on both sides of a term within a longer word."""

_VALUE: Final = frozenset({"", "s", "value", "text", "string", "input"})
"""What may follow several words run together: "apikeyvalue"."""


def listed_terms() -> Iterator[Term]:
    """Every term of the vocabulary, and those of several words once more as one."""
    for kind, listed in TERMS.items():
        for entry in (piece.strip() for piece in listed.split(",")):
            style = _MARKS.get(entry[0], "words")
            shown = entry.lstrip("~?=").replace("*", "")
            pieces = entry.lstrip("~?=").split()
            words = tuple(fold(piece.rstrip("*")) for piece in pieces)
            goes_on = tuple(piece.endswith("*") for piece in pieces)
            yield Term(kind, shown, style, words, goes_on)
            joined = "".join(words)
            if style == "words" and len(words) > 1 and len(joined) >= 7 and not any(goes_on):
                yield Term(kind, shown, "joined", (joined,), (True,))


def _by_beginning(terms: Iterable[Term]) -> dict[str, list[Term]]:
    index: dict[str, list[Term]] = {}
    for term in terms:
        index.setdefault(term.words[0][:2], []).append(term)
    return index


_IN_ROW: Final = _by_beginning(term for term in listed_terms() if term.style not in {"part", "joined"})
_IN_WORD: Final = _by_beginning(term for term in listed_terms() if term.style in {"part", "joined"})


def mentions(readings: tuple[Words, ...]) -> list[Mention]:
    """Every mention in a text, from its readings (`words_of_name` or `words_of_prose`).

    Where humps split a word, the finer reading decides; the coarser one adds only kinds of secret that the finer
    one does not have at all ("PaSsWoRd").
    """
    found: list[Mention] = []
    for words in reversed(readings):
        seen = {one.kind for one in found}
        found += [one for one in _judged(words) if one.kind not in seen]
    return found


def other_meaning(kind: Kind, readings: tuple[Words, ...]) -> bool:
    """Whether a text has a word with which the terms of this kind mean something harmless."""
    return any(word in _OTHER[kind] for words in readings for word in words)


def _judged(words: Words) -> Iterator[Mention]:
    places = list(_places(words))
    clauses = _clauses(words) if places else []
    negated_until = -9
    for place in places:
        clause = clauses[place.start]
        denied = is_denied(words, place.start, place.stop, place.after)
        negated = denied or clause.start <= negated_until >= place.start - 3
        if negated:
            negated_until = place.stop
        yield Mention(
            kind=place.term.kind,
            word=place.term.shown,
            harmless=negated or _is_about(words, place) or not _means_it(words, place),
            common=place.term.style == "common",
            asked=clause.asked,
            length=clause.length,
        )


def _clauses(words: Words) -> list[_Clause]:
    """The clause that each word belongs to."""
    clauses: list[_Clause] = []
    for is_end, group in groupby(words, _ENDS.__contains__):
        clause = list(group)
        asked = not is_end and any(map(asks, clause))
        clauses += [_Clause(len(clauses), len(clause), asked)] * len(clause)
    return clauses


def _places(words: Words) -> Iterator[_Place]:
    for at, word in enumerate(words):
        for term in _IN_ROW.get(word[:2], ()):
            if _stands_at(words, at, term):
                yield _Place(term, at, at + len(term.words))
        for within in range(len(word) - 1):
            for term in _IN_WORD.get(word[within : within + 2], ()):
                if word.startswith(term.words[0], within):
                    end = within + len(term.words[0])
                    after = word[end : end + _NEAR]
                    if term.style == "part" or after in _VALUE:
                        yield _Place(term, at, at + 1, word[max(0, within - _NEAR) : within], after)


def _stands_at(words: Words, at: int, term: Term) -> bool:
    stop = at + len(term.words)
    if stop > len(words) or (term.style == "alone" and len(words) != len(term.words)):
        return False
    *most, last = zip(words[at:stop], term.words, term.open, strict=True)
    plural = term.style != "common" and last[0] == last[1] + "s"  # "tokens" are counted, "api keys" typed in
    return all(_is_word(*one) for one in most) and (_is_word(*last) or plural)


def _is_word(word: str, wanted: str, goes_on: bool) -> bool:
    return word.startswith(wanted) if goes_on else word == wanted


def _is_about(words: Words, place: _Place) -> bool:
    """Whether something about the secret is meant: its name, its length, that it is reset."""
    if place.after in _AFTER or place.after.startswith(_RUN_ON_AFTER):
        return True
    if any(one in place.before for one in _RUN_ON_BEFORE):
        return True
    following = place.stop + 1 if _word(words, place.stop) == "s" else place.stop
    after = _word(words, following)
    return after in _AFTER or after.startswith(_RUN_ON_AFTER) or _is_object(words, place)


def _is_object(words: Words, place: _Place) -> bool:
    """Whether the words before make it one: "name of the", "reset the", "delete the old", "длина"."""
    linked, unknown = False, 0
    for at in range(place.start - 1, max(-1, place.start - 7), -1):
        word = words[at]
        if word in _DIRECT or (word in _OF and linked) or (word in _MAKING and place.term.kind in _MADE):
            return True
        if word in _LINKS:
            linked = linked or word in _JOINERS
            continue
        unknown += 1
        if word in _ENDS or asks(word) or unknown > 1:
            return False
    return False


def _means_it(words: Words, place: _Place) -> bool:
    """Whether the term means a secret in this place, and not something else that has the same name."""
    other = _OTHER.get(place.term.kind, frozenset())
    previous = _word(words, place.start - 1)
    if previous in other or place.before in other:
        return False
    if place.term.style != "common":
        return True
    following = _word(words, place.stop)
    if following in {"to", "in"} and previous not in _FILLERS:
        return False  # "pin to dashboard", "which secret to rotate"
    return following in _COMMON_GOES_ON


def _word(words: Words, at: int) -> str:
    return words[at] if 0 <= at < len(words) else BREAK
