"""Whether a text says not to give a secret: "never enter your password", also as one thing of a list.

Part of `core.mentions`. A no right before the secret counts, and so does one that denies the verb of giving nearest
before it: at the head of a list, the whole list is denied. A verb of giving that is not denied, or a "but", ends what
a no reaches. In languages that deny at the end the no is looked for behind. Each look is at a few words.
"""

from collections.abc import Sequence
from typing import Final

from .folding import BREAK, PAUSE, Words, fold
from .vocabulary import (
    ALTERNATIVES,
    ASKING,
    CONTRASTS,
    FILLERS,
    GIVING,
    JOINERS,
    NEGATIONS,
    NEGATIONS_BEHIND_VERBS,
    NOT_GIVING,
    RUN_ON_ALTERNATIVES,
    RUN_ON_ASKING,
    RUN_ON_NEGATIONS,
    RUN_ON_NOT_GIVING,
    VERB_ENDS,
)

__all__ = ["asks", "is_denied"]


def _folded(words: str) -> frozenset[str]:
    return frozenset(fold(words).split())


_NO: Final = _folded(NEGATIONS)
_NO_BEHIND: Final = _folded(NEGATIONS_BEHIND_VERBS)
_NOT_GIVING: Final = _folded(NOT_GIVING)
_ASKING: Final = _folded(ASKING)
_GIVING: Final = _ASKING | _folded(GIVING)
_LINKS: Final = _folded(FILLERS) | _folded(JOINERS)
_ALTERNATIVES: Final = _folded(ALTERNATIVES)
_CONTRASTS: Final = _folded(CONTRASTS)
_VERB_ENDS: Final = _folded(VERB_ENDS) | {BREAK}
_RUN_ON_ALTERNATIVES: Final = tuple(sorted(_folded(RUN_ON_ALTERNATIVES)))
_RUN_ON_ASKING: Final = tuple(sorted(_folded(RUN_ON_ASKING)))
_RUN_ON_NO: Final = tuple(sorted(_folded(RUN_ON_NEGATIONS)))
_RUN_ON_NOT_GIVING: Final = tuple(sorted(_folded(RUN_ON_NOT_GIVING)))

_REACH: Final = 20
"""Words that are looked at on either side of the secret."""
_ITEM: Final = 5
"""Words from a denied verb to a secret that is no part of a list."""


def asks(word: str) -> bool:
    """Whether a word asks for something to be typed in, or has one within it that does."""
    return word in _ASKING or _runs_on(word, _RUN_ON_ASKING)


def is_denied(words: Words, start: int, stop: int, after: str) -> bool:
    """Whether what stands from `start` to `stop` is what must not be given; `after` is the rest of its last word."""
    before = _until_break(words[max(0, start - _REACH) : start][::-1])[::-1]
    behind = _until_break(words[stop : stop + _REACH])
    return _right_before(before) or _by_a_verb(before, [after, *behind]) or _at_the_end([after, *behind])


def _until_break(words: Sequence[str]) -> list[str]:
    whole = [*words]
    return whole[: whole.index(BREAK)] if BREAK in whole else whole


def _right_before(before: Sequence[str]) -> bool:
    """A no, over one more word at most: "never enter your password"."""
    unknown = 0
    for word in reversed(before[-5:]):
        if word in _NO:
            return True
        unknown += word not in _LINKS
        if word == PAUSE or unknown > 1:
            return False
    return False


def _by_a_verb(before: Sequence[str], behind: Sequence[str]) -> bool:
    """The nearest verb of giving is denied, and what stands between may be the beginning of a list."""
    verbs = [at for at, word in enumerate(before) if word in _GIVING or asks(word)]
    if not verbs or not _is_denied_verb(before, verbs[-1]):
        return False
    between = before[verbs[-1] + 1 :]
    if any(word in _CONTRASTS for word in between):
        return False
    if PAUSE not in between and len(between) <= _ITEM:
        return True
    return any(word in _ALTERNATIVES or _runs_on(word, _RUN_ON_ALTERNATIVES) for word in (*between, *behind))


def _is_denied_verb(words: Sequence[str], at: int) -> bool:
    if _runs_on(words[at], _RUN_ON_NO):
        return True
    ahead = words[max(0, at - 2) : at]
    follows = words[at + 1 : at + 4]
    if PAUSE in ahead:
        ahead = ahead[len(ahead) - [*ahead][::-1].index(PAUSE) :]
    if PAUSE in follows:
        follows = follows[: [*follows].index(PAUSE)]
    return any(word in _NO for word in ahead) or any(word in _NO_BEHIND for word in follows)


def _at_the_end(behind: Sequence[str]) -> bool:
    """The first verb behind is denied, as in German, Turkish, Hindi, Japanese and Korean; or a lone "nicht" is."""
    for at, word in enumerate(behind):
        following = behind[at + 1] if at + 1 < len(behind) else BREAK
        if word in _NOT_GIVING or _runs_on(word, _RUN_ON_NOT_GIVING):
            return not _gives_first(word)
        if word in _NO_BEHIND and (following in _VERB_ENDS or asks(following)):
            return True
        if asks(word):
            return following in _NO
        if word in _CONTRASTS:
            return False
    return False


def _gives_first(word: str) -> bool:
    """Whether a run of letters asks before it denies: "enter it, do not enter ..." without a comma."""
    asked = [at for one in _RUN_ON_ASKING if (at := word.find(one)) >= 0]
    denied = [at for one in _RUN_ON_NOT_GIVING if (at := word.find(one)) >= 0]
    return bool(asked) and bool(denied) and min(asked) < min(denied)


def _runs_on(word: str, parts: Sequence[str]) -> bool:
    return not word.isascii() and any(one in word for one in parts)
