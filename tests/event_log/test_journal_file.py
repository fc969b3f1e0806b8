"""The journal file: what is written is read back; torn, foreign, damaged and locked files are named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from giftsim.engine.log.inputs import (
    Checkpoint,
    ClientCall,
    InputsUndone,
    JournalRecord,
    TimePassed,
    WorldConfig,
    WorldCreated,
    WorldForked,
)
from giftsim.engine.log.journal_contents import FORMAT, NUMBER, Header, Unreadable, make_line
from giftsim.engine.log.journal_file import JournalFile, NotWritten
from giftsim.engine.system import SYSTEM
from tests.support.journals import end_of
from tests.support.refusing_disk import RefusingDisk

HEADER = Header(FORMAT, NUMBER, "0.2.0", 1, "abc", {"forward": []})
CONFIG = WorldConfig("default", 1, 0)
RECORDS: list[tuple[str, JournalRecord]] = [
    ("default", WorldCreated(CONFIG, "abc")),
    ("default", ClientCall(n=1, method="POST", path="/x?a=1", headers=(("A", "b"),), body=b"\x00\xff")),
    ("default", TimePassed(n=2, fired=3, to_ms=4)),
    ("w1", WorldForked("default")),
    ("default", InputsUndone(2)),
    ("w1", Checkpoint(3, 1, CONFIG, None, 1, b"state", None, {"a": b"kept"})),
]


def written(path: Path, header: Header = HEADER) -> Path:
    """A journal file with RECORDS."""
    file = JournalFile(path)
    assert file.read().header is None
    file.begin(header)
    for world_id, record in RECORDS:
        file.write(world_id, record)
    file.close()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "journal")


def read(path: Path) -> list[tuple[str, JournalRecord]]:
    """The records of a file with the header; [] in a new file. Unreadable."""
    file = JournalFile(path)
    try:
        contents = file.read()
        assert contents.header in (HEADER, None)
        return list(contents.records())
    finally:
        file.close()


def refusal(path: Path) -> str:
    """Why a file is refused, which is not changed by that."""
    before = path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns
    with pytest.raises(Unreadable) as refused:
        read(path)
    assert (path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns) == before
    return str(refused.value).replace(str(path), "FILE")


def test_records_are_read_back_in_order(path: Path) -> None:
    assert read(path) == RECORDS


def test_only_its_owner_may_read_the_file(path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_cut_anywhere_has_the_records_before_the_cut(path: Path) -> None:
    content = path.read_bytes()
    ends = [0, *(at + 1 for at, byte in enumerate(content) if byte == 10)]
    for size in range(19, len(content)):
        path.write_bytes(content[:size])
        whole = sum(end <= size for end in ends) - 1
        assert read(path) == RECORDS[: max(whole - 1, 0)], size


def test_a_torn_last_line_is_cut_off_when_the_file_goes_on(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:-5])
    file = JournalFile(path)
    contents = file.read()
    assert contents.torn == len(content) - 5 - contents.end > 0
    file.go_on(contents)
    assert path.read_bytes() == content[: contents.end]
    file.write(*RECORDS[-1])
    file.close()
    assert path.read_bytes() == content


def test_a_flipped_bit_in_any_byte_is_refused_with_its_line(path: Path) -> None:
    content = path.read_bytes()
    for at in range(len(content)):
        line = content.count(b"\n", 0, at) + 1
        path.write_bytes(content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :])
        with pytest.raises(Unreadable, match=rf"^{path}:{line}: this (line is damaged|file is not a journal)"):
            read(path)


def test_a_damaged_line_is_named_with_its_place(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    at = len(lines[0]) + len(lines[1]) + 2
    lines[2] = lines[2].replace(b'"call"', b'"cell"')
    path.write_bytes(b"\n".join(lines))
    assert refusal(path) == (
        f"FILE:3: this line is damaged (it begins at byte {at}): its checksum does not match. Restore the file from a "
        "copy, or start with a new one"
    )


@pytest.mark.parametrize("change", ["removed", "repeated", "moved"])
def test_a_line_that_is_not_in_its_place_is_named(path: Path, change: str) -> None:
    lines = path.read_bytes().split(b"\n")
    third, fourth = lines[2:4]
    lines[2:4] = {"removed": [fourth], "repeated": [third, third, fourth], "moved": [fourth, third]}[change]
    path.write_bytes(b"\n".join(lines))
    assert refusal(path).startswith(f"FILE:{4 if change == 'repeated' else 3}: this line is damaged ")


def test_a_record_of_another_version_is_named(path: Path) -> None:
    content = path.read_bytes()
    with path.open("ab") as file:
        file.write(make_line(b'["default",{"t":"cell"}]', end_of(content)[1])[0])
    assert refusal(path).startswith("FILE:8: this line is not a record of this version: ")


@pytest.mark.parametrize("content", [b"buy milk\n", b"buy milk", b"\n", b"x" * 100_000, b'{"format":"yaml"}\n'])
def test_a_file_of_something_else_is_refused_and_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    notes = tmp_path / "notes"
    notes.write_bytes(content)
    notes.chmod(0o644)
    assert refusal(notes) == "FILE:1: this file is not a journal of giftsim; it stays as it is"


def test_what_is_not_a_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(Unreadable, match="is not a regular file; a journal is kept in one"):
        JournalFile(pipe)


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch(0o644)
    assert read(written(empty)) == RECORDS
    assert empty.stat().st_mode & 0o777 == 0o600


def test_a_file_of_another_version_is_refused_by_its_version(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text('{"format":"giftsim-journal","number":2,"version":"0.1.0","seed":1,"fixture":"abc"}\n["default"')
    text = (
        "FILE:1: giftsim {} wrote this file in format giftsim-journal {}; this version reads giftsim-journal 4. "
        "Start with a new file, or with that version"
    )
    assert refusal(old) == text.format("0.1.0", 2)
    later = written(tmp_path / "later", Header(FORMAT, NUMBER + 1, "9.0", 1, "abc"))
    assert refusal(later) == text.format("9.0", NUMBER + 1)


def test_one_process_at_a_time_has_the_file_open(path: Path) -> None:
    first = JournalFile(path)
    with pytest.raises(Unreadable, match="is in use by another simulator"):
        JournalFile(path)
    first.close()
    JournalFile(path).close()


def test_a_closed_file_takes_nothing(path: Path) -> None:
    file = JournalFile(path)
    file.close()
    with pytest.raises(NotWritten, match=r"^the journal journal is closed: the simulator has ended$"):
        file.write("default", ClientCall(n=3))


def test_what_could_not_be_taken_back_of_a_line_is_taken_back_before_the_next_one(tmp_path: Path) -> None:
    disk, path = RefusingDisk(), tmp_path / "journal"
    file = JournalFile(path, SYSTEM._replace(open_file=disk.open))
    file.begin(HEADER)
    file.write(*RECORDS[0])
    disk.is_full = disk.is_stuck = True
    for _ in range(2):
        with pytest.raises(NotWritten):
            file.write(*RECORDS[1])
    disk.is_full = disk.is_stuck = False
    for record in RECORDS[1:]:
        file.write(*record)
    file.close()
    assert read(path) == RECORDS


def test_a_file_is_on_the_disk_before_it_is_closed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    disk = RefusingDisk()
    file = JournalFile(tmp_path / "journal", SYSTEM._replace(open_file=disk.open))
    file.begin(HEADER)
    file.close()
    assert (disk.done, caplog.text) == (["sync", "close"], "")
    file = JournalFile(tmp_path / "other", SYSTEM._replace(open_file=disk.open))
    disk.is_stuck = True
    file.close()
    assert disk.done == ["sync", "close"] * 2
    assert "the journal other may not survive a power failure: Input/output error" in caplog.text
