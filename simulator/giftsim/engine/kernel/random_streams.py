"""Seeded random streams: a stream is a name and a counter, so copying or undoing one costs an integer."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b


def draw_number(seed: int, stream: str, counter: int) -> int:
    """The 64-bit value number `counter` of a stream."""
    return int.from_bytes(blake2b(f"{seed}|{stream}|{counter}".encode(), digest_size=8).digest())


def draw_token(seed: int, stream: str, counter: int, length: int) -> str:
    """Token number `counter` of a stream: `length` (1 to 64) hexadecimal digits."""
    digest = _begun(seed, stream).copy()
    digest.update(str(counter).encode())
    return digest.hexdigest()[:length]


@lru_cache(256)  # a copy of a hash that has begun takes half the time of a new one
def _begun(seed: int, stream: str) -> blake2b:
    """The hash of a stream's tokens, up to the number."""
    return blake2b(f"{seed}|{stream}|".encode(), digest_size=32)


def draw_fraction(seed: int, stream: str, counter: int) -> float:
    """Number `counter` of a stream, from 0 (included) to 1 (excluded)."""
    return draw_number(seed, stream, counter) / 2**64
