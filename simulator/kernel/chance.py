"""Seeded chance: a stream is a name and a counter, so copying and undoing one costs an integer."""

from __future__ import annotations

from hashlib import blake2b

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


def draw(seed: int, stream: str, counter: int) -> int:
    """The 64-bit value number `counter` of a stream."""
    return int.from_bytes(blake2b(f"{seed}|{stream}|{counter}".encode(), digest_size=8).digest())


def token(seed: int, stream: str, counter: int, length: int) -> str:
    """`length` (1 to 64) characters of lower-case base 36, number `counter` of a stream."""
    value = int.from_bytes(blake2b(f"{seed}|{stream}|{counter}".encode(), digest_size=48).digest())
    letters = []
    for _ in range(length):
        value, digit = divmod(value, 36)
        letters.append(ALPHABET[digit])
    return "".join(letters)


def fraction(seed: int, stream: str, counter: int) -> float:
    """A number from 0 (included) to 1 (excluded), number `counter` of a stream."""
    return draw(seed, stream, counter) / 2**64
