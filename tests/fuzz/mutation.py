"""Bytes that are almost right: changed, cut, repeated, or mixed with tokens that are known to hurt."""

from __future__ import annotations

from random import Random

TOKENS = (
    b"null", b"true", b"-1", b"0", b"1e400", b"1.0", b"NaN", b"9" * 40, b'"', b"'", b"{", b"}", b"[", b"]", b":", b",",
    b"\n", b"\r\n", b"\x00", b"\xff", b"\\u0000", b"\\ud800", b"\xe2\x80\xa8", b"${", b"${start}", b"*a", b"&a ",
    b"<<: ", b"- ", b"? ", b"!!python/none ", b"%00", b"%ff", b"../", b"0001-01-01T00:00:00Z", b"9999-12-31T23:59:59Z",
    b"0000-00-00", b"99999999w", b"-5d", b"x" * 500, b"http://[", b"https://127.0.0.1/", b"\xf0\x9f\x8e\x81", b"$.a..b",
    b"extends", b"sim.body.", b"=1+1",
)  # fmt: skip
MOST_CHANGES = 4


def mutated(content: bytes, chance: Random) -> bytes:
    """The bytes with one to four changes."""
    for _ in range(chance.randint(1, MOST_CHANGES)):
        content = _changed(content, chance)
    return content


def _changed(content: bytes, chance: Random) -> bytes:
    start = chance.randrange(len(content) + 1)
    end = min(len(content), start + chance.choice((0, 1, 2, 8, 64)))
    piece = content[start:end]
    match chance.randrange(6):
        case 0:
            new = bytes([chance.randrange(256)])
        case 1:
            new = b""
        case 2:
            new = piece * chance.choice((2, 3, 20))
        case 3:
            return content[:start]
        case 4:
            source = chance.randrange(len(content) + 1)
            new = content[source : source + chance.choice((4, 16, 100))]
        case _:
            new = chance.choice(TOKENS)
    return content[:start] + new + content[end:]


def mutated_text(text: str, chance: Random) -> str:
    """Text for a header or a path: what a byte can be there, as WSGI decodes it."""
    changed = mutated(text.encode("latin-1", "replace"), chance).replace(b"\r", b"").replace(b"\n", b"")
    return changed.decode("latin-1")
