"""The journal file: what is written is read back; torn, foreign, damaged and locked files are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from giftsim.event_log.config import WorldConfig
from giftsim.event_log.events import (
    Checkpoint,
    ClientCall,
    EventsUndone,
    JournalRecord,
    TimePassed,
    WorldCreated,
    WorldForked,
)
from giftsim.event_log.journal_file import FORMAT, NUMBER, Header, JournalFile, NotWritten, Unreadable

HEADER = Header(FORMAT, NUMBER, "0.2.0", 1, "abc", {"forward": []})
CONFIG = WorldConfig("default", 1, 0)
RECORDS: list[tuple[str, JournalRecord]] = [
    ("default", WorldCreated(CONFIG, "abc")),
    ("default", ClientCall(n=1, method="POST", path="/x?a=1", headers=(("A", "b"),), body=b"\x00\xff")),
    ("default", TimePassed(n=2, fired=3, to_ms=4)),
    ("w1", WorldForked("default")),
    ("default", EventsUndone(2)),
    ("w1", Checkpoint(3, 1, CONFIG, None, 1, b"state", None, {"a": b"kept"})),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = JournalFile(tmp_path / "journal")
    assert file.read()[0] is None
    file.begin(HEADER)
    for world_id, record in RECORDS:
        file.write(world_id, record)
    file.close()
    return file.path


def refusal(path: Path) -> str:
    file = JournalFile(path)
    with pytest.raises(Unreadable) as refused:
        list(file.read()[1])
    file.close()
    return str(refused.value).replace(str(path), "FILE")


def test_records_are_read_back_in_order(path: Path) -> None:
    header, records = JournalFile(path).read()
    assert header == HEADER
    assert list(records) == RECORDS


def test_only_its_owner_may_read_the_file(path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_torn_last_line_is_cut_off(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:-5])
    assert list(JournalFile(path).read()[1]) == RECORDS[:-1]
    assert path.read_bytes() == content[: content[:-5].rfind(b"\n") + 1]


def test_a_damaged_line_is_named(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b'"call"', b'"cell"')
    path.write_bytes(b"\n".join(lines))
    assert refusal(path).startswith("FILE:3: this line is damaged: ")


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_text("buy milk\n")
    assert refusal(notes) == "FILE:1: this file is not a journal of giftsim"


def test_a_file_of_another_version_is_refused_by_its_version(path: Path) -> None:
    content = path.read_bytes().replace(b'"number":3,"version":"0.2.0"', b'"number":1,"version":"0.1.0"', 1)
    path.write_bytes(content)
    assert refusal(path) == (
        "FILE:1: giftsim 0.1.0 wrote this file in format giftsim-journal 1; this version reads giftsim-journal 3. "
        "Start with a new file, or with that version"
    )


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
