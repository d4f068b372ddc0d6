"""What a posting is found by: a token that nobody guesses, and a code that a person reads out."""

import secrets
from typing import Final

__all__ = ["new_code", "new_token"]

_CODE_CHARACTERS: Final = "23456789BCDFGHJKLMNPQRSTVWXZ"
"""None that is taken for another (0 and O, 1 and I), and no vowels: a code spells no word."""


def new_token() -> str:
    """256 random bits, as text for an address."""
    return secrets.token_urlsafe(32)


def new_code() -> str:
    """Four characters that a person can read out."""
    return "".join(secrets.choice(_CODE_CHARACTERS) for _ in range(4))
