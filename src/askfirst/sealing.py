"""Secrets while they wait in a store: sealed with AES-GCM, each to the posting it belongs to."""

import os
from base64 import b64decode, b64encode
from typing import Final

from askfirst.core.errors import StoreFault

__all__ = ["seal", "unseal"]

_NONCE: Final = 12
"""Bytes; random for each seal, as NIST SP 800-38D (section 8.2.2) allows for as many as a desk will ever hold."""


def seal(key: bytes, text: str, token: str) -> str:
    """The text, readable only with the key (32 bytes) and for this token."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # only a desk with a secret pays for it

    nonce = os.urandom(_NONCE)
    return b64encode(nonce + AESGCM(key).encrypt(nonce, text.encode(), token.encode())).decode()


def unseal(key: bytes, sealed: str, token: str) -> str:
    """The inverse of `seal`.

    Raises:
        StoreFault: Another key, another token, or sealed text that was changed.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        whole = b64decode(sealed)
        return AESGCM(key).decrypt(whole[:_NONCE], whole[_NONCE:], token.encode()).decode()
    except (InvalidTag, ValueError):
        raise StoreFault(
            "a secret in the store can't be opened with the store's key; the key file was replaced since it was "
            "given, or the row was changed: ask for it again"
        ) from None
