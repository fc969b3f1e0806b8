"""The lines of a journal file: every change of a byte is found, and a torn end is told from damage (G70)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.event_log.journal_contents import Damaged, make_line, payloads, verify

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
    end, checksum = verify(content)
    found = list(payloads(content, end))
    assert found == texts[: content.count(b"\n")]
    assert verify(content[:end] + make_line(b"more", checksum)[0])[0] > end


@given(PAYLOADS, st.data())
def test_a_line_with_another_byte_is_named(texts: list[bytes], data: st.DataObject) -> None:
    content = written(texts)
    at, change = data.draw(st.integers(0, len(content) - 1)), data.draw(st.integers(1, 255))
    with pytest.raises(Damaged) as damaged:
        verify(content[:at] + bytes([content[at] ^ change]) + content[at + 1 :])
    assert damaged.value.line == content.count(b"\n", 0, at) + 1
    assert damaged.value.at == content.rfind(b"\n", 0, at) + 1


def test_each_flipped_bit_is_found() -> None:
    content = written([b'["default",{"t":"call","n":1}]', b"", b'["w1",{"t":"deleted"}]'])
    for bit in range(len(content) * 8):
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(Damaged):
            verify(bytes(flipped))


def test_zeros_at_the_end_are_damage() -> None:
    with pytest.raises(Damaged):
        verify(written([b"one"]) + bytes(4096))
