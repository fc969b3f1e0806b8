"""The bodies of stored responses. Hardly any is read again, so those of 64 keys in a row are packed together."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec

TOGETHER = 64
LARGEST = 16 * 1024  # a larger body stays as it is: its neighbours would take long to read
FAST = 1  # the level of compression
_decoder = msgspec.msgpack.Decoder(list[bytes])


class Pack(msgspec.Struct, frozen=True, gc=False):
    """Bodies that are compressed together."""

    data: bytes


class StoredBody(msgspec.Struct, gc=False, eq=False):
    """The body of a stored response. Its bytes never change, so worlds and forks may share it, packed or not."""

    kept: bytes | Pack
    place: int = 0  # in the pack

    def read(self) -> bytes:
        """The bytes."""
        kept, place = self.kept, self.place
        return kept if isinstance(kept, bytes) else _decoder.decode(zlib.decompress(kept.data))[place]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, StoredBody) and self.read() == other.read())

    def __hash__(self) -> int:
        return hash(self.read())


def pack(bodies: Sequence[StoredBody | None]) -> None:
    """Pack the bodies of consecutive keys. A body has the same place in each world that has it: that of its key."""
    small = {
        place: body
        for place, body in enumerate(bodies)
        if body is not None and isinstance(body.kept, bytes) and len(body.kept) <= LARGEST
    }
    contents = [small[n].kept if n in small else b"" for n in range(len(bodies))]
    packed = Pack(zlib.compress(msgspec.msgpack.encode(contents), FAST))
    for place, body in small.items():
        body.place = place  # before `kept`, because other threads may read the body meanwhile
        body.kept = packed
