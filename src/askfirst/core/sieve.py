"""A quick look before a careful one: could this text mention a secret at all?

Nearly no text does, and reading one takes a hundred times as long. A text that mentions a term has all of the term's
words in some reading, so it has them squeezed too (`core.folding.squeeze`). One word of each term is looked for.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from .folding import squeeze, squeeze_each
from .mentions import Term, listed_terms

__all__ = ["may_any_mention", "may_mention"]

_TELLING: Final = 4
"""Shorter words are found within too many others: "api" in "capital"."""


def may_mention(text: str) -> bool:
    """False where `core.mentions.mentions` finds nothing in any reading of the text; True says nothing."""
    squeezed = squeeze(text)
    return squeezed is None or _SIEVE.search("\n" + squeezed) is not None


def may_any_mention(texts: Sequence[str]) -> bool:
    """False where `may_mention` is false of each text, in the time that one of them takes; True says nothing."""
    squeezed = squeeze_each(texts)
    return squeezed is None or _SIEVE.search("\n" + squeezed) is not None


def _keys(terms: Iterable[Term]) -> set[str]:
    """A word of each term, the one that most terms share; of words that hold one another, the shorter."""
    plain = (term.words for term in terms if all(map(str.isascii, term.words)))
    spelled = [[squeeze(word) or "" for word in words] for words in plain]
    shared = Counter(word for words in spelled for word in words)

    def telling(word: str) -> tuple[int, int, int]:
        return min(len(word), _TELLING), shared[word], len(word)

    keys = {max(words, key=telling) for words in spelled}
    return {key for key in keys if not any(other in key for other in keys - {key})}


def _by_letter(words: Iterable[str]) -> Iterator[str]:
    """Expressions for words, those of one first letter together: an alternative that can't begin costs nothing."""
    for letter, group in groupby(sorted(words), key=lambda word: word[0]):
        yield f"{letter}(?:{'|'.join(word[1:] for word in group)})"


def _sieve() -> re.Pattern[str]:
    anywhere = _keys(term for term in listed_terms() if term.style != "alone")
    alone = _keys(term for term in listed_terms() if term.style == "alone")
    # A text begins after a line ending: as the first letter of an alternative that costs nothing, other than "^".
    return re.compile("|".join([*_by_letter(anywhere), f"\n(?:{'|'.join(sorted(alone))})"]))


_SIEVE: Final = _sieve()
