"""The lines of a journal file: every change of a byte is found, and a torn end is told from damage (G70)."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.log.inputs import Checkpoint, WorldConfig
from giftsim.engine.log.journal_contents import (
    AFTER,
    BEFORE,
    BLOCK,
    Contents,
    Damaged,
    count_lines,
    find_last,
    lines_from,
    make_line,
    verify_whole_lines,
)
from tests.support.journals import Held, end_of, payloads

PAYLOADS = st.lists(st.binary(max_size=40).filter(lambda payload: b"\n" not in payload), min_size=1, max_size=5)


def written(texts: list[bytes]) -> bytes:
    content, checksum = b"", 0
    for payload in texts:
        line, checksum = make_line(payload, checksum)
        content += line
    return content


@given(PAYLOADS, st.data())
def test_whole_lines_are_read_and_a_torn_one_is_not(texts: list[bytes], data: st.DataObject) -> None:
    content = written(texts)
    content = content[: data.draw(st.integers(0, len(content)))]
    end, checksum = end_of(content)
    assert payloads(content) == texts[: content.count(b"\n")]
    assert end_of(content[:end] + make_line(b"more", checksum)[0])[0] > end


@given(PAYLOADS, st.data())
def test_a_line_with_another_byte_is_named(texts: list[bytes], data: st.DataObject) -> None:
    content = written(texts)
    at, change = data.draw(st.integers(0, len(content) - 1)), data.draw(st.integers(1, 255))
    with pytest.raises(Damaged) as damaged:
        end_of(content[:at] + bytes([content[at] ^ change]) + content[at + 1 :])
    assert damaged.value.line == content.count(b"\n", 0, at) + 1
    assert damaged.value.at == content.rfind(b"\n", 0, at) + 1


def test_each_flipped_bit_is_found() -> None:
    content = written([b'["default",{"t":"call","n":1}]', b"", b'["w1",{"t":"deleted"}]'])
    for bit in range(len(content) * 8):
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(Damaged):
            end_of(bytes(flipped))


def test_zeros_at_the_end_are_damage() -> None:
    with pytest.raises(Damaged):
        end_of(written([b"one"]) + bytes(4096))


def test_a_file_is_read_a_block_at_a_time_however_long_it_and_its_lines_are() -> None:
    texts = [b"x" * size for size in (5, BLOCK - 30, BLOCK, 3, 2 * BLOCK + 7, 1)] + [b"y" * 9_999] * 100 + [b"last"]
    file = Reads(written(texts))
    end, _ = verify_whole_lines(file, file.size())
    assert end == file.size()
    assert max(file.sizes) <= BLOCK
    assert [payload for _, payload in lines_from(file, 0, end)] == texts
    assert max(file.sizes) == 2 * BLOCK + 7 + BEFORE + AFTER
    assert find_last(file, b"last", end) == end - AFTER - 4
    assert find_last(file, b"xy", end) == -1
    assert find_last(file, b"xxx", end) == file.content.rfind(b"xxx")
    assert count_lines(file, end) == len(texts)
    damaged = bytearray(file.content)
    damaged[-500_000] ^= 1
    with pytest.raises(Damaged) as found:
        verify_whole_lines(Held(bytes(damaged)), end)
    assert found.value.line == file.content.count(b"\n", 0, end - 500_000) + 1


def test_a_checkpoint_is_read_without_what_follows_it() -> None:
    checkpoint = Checkpoint(3, 1, WorldConfig("default", 1, 0), None, 1, b"state", None, {})
    line = msgspec.json.encode(("default", checkpoint))
    file = Reads(written([b"before", line, b"x" * BLOCK]))
    contents = Contents(Path("journal"), file, None, file.size(), 0)
    assert contents.checkpoint_at(BEFORE + len(b"before") + AFTER) == checkpoint
    assert sum(file.sizes) < len(line) + 100


class Reads(Held):
    """A file in memory that notes how much is read of it at a time."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.sizes: list[int] = []

    def read(self, size: int, at: int) -> bytes:
        """At most `size` bytes from byte `at` on."""
        self.sizes.append(size)
        return super().read(size, at)
