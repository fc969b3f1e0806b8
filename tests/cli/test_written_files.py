"""The JUnit file of `play`: what CI systems read in it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from tests.scenario.builders import write_files
from tests.support.junit_files import FILES, NASTY


def play(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["play", *map(str, arguments)])


def read(path: Path) -> Xml.Element:
    root = Xml.parse(path).getroot()
    assert root.tag == "testsuites"
    return root


def test_each_file_is_a_test_case_with_its_failure(tmp_path: Path) -> None:
    write_files(tmp_path, **FILES)
    done = play(tmp_path, "--junit", tmp_path / "report.xml")
    assert done.exit_code == 2
    root = read(tmp_path / "report.xml")
    assert set(root.attrib) == {"name", "tests", "failures", "errors"}  # the schema has no others
    [suite] = root
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4", "failures": "2", "errors": "1", "skipped": "0",
    }  # fmt: skip
    passed, failed, _, refused = suite
    assert (passed.get("name"), passed.get("classname")) == ("A day goes by", f"{tmp_path}/a.yaml")
    assert [child.tag for child in passed] == ["system-out"]
    assert "2027-01-04T09:00:00Z  ok" in passed.findtext("system-out", "")
    failure = failed.find("failure")
    assert failure is not None
    assert failure.get("message") == f"{tmp_path}/b.yaml:3: step 1, advance 1d"
    assert "team_order.shipped" in (failure.text or "")
    error = refused.find("error")
    assert error is not None
    assert str(error.get("message")).startswith(f"{tmp_path}/d.yml:3:5: ")


def test_the_same_results_are_the_same_bytes(tmp_path: Path) -> None:
    write_files(tmp_path, **FILES)
    for name in ("one", "two"):
        play(tmp_path, "--junit", tmp_path / name, "--json")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_characters_that_xml_cannot_have_are_replaced(tmp_path: Path) -> None:
    write_files(tmp_path, a__yaml=NASTY)
    play(tmp_path / "a.yaml", "--junit", tmp_path / "report.xml")
    [[case]] = read(tmp_path / "report.xml")
    assert case.get("name") == 'Bell \N{REPLACEMENT CHARACTER} & <tag> "quoted" \N{WRAPPED PRESENT}'


def test_what_is_printed_stays_the_same(tmp_path: Path) -> None:
    write_files(tmp_path, **FILES)
    assert play(tmp_path).stdout == play(tmp_path, "--junit", tmp_path / "report.xml").stdout
    assert len(json.loads(play(tmp_path, "--json", "--junit", tmp_path / "report.xml").stdout)) == 4


@pytest.mark.parametrize("name", ["nowhere/report.xml", "."])
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    write_files(tmp_path, a__yaml=FILES["a__yaml"])
    done = play(tmp_path, "--junit", tmp_path / name)
    assert done.exit_code in (1, 2)
    assert str(tmp_path / name) in done.stderr


def test_record_does_not_touch_a_file_that_has_content(tmp_path: Path) -> None:
    notes, ran = tmp_path / "notes", tmp_path / "ran"
    notes.write_text("buy milk\n")
    arguments = ["record", "--fixture", "bare", "--out", str(notes), "--", "touch", str(ran)]
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, notes.read_text(), ran.exists()) == (2, "buy milk\n", False)
    assert f"{notes} exists already and stays as it is: name another file, or replace it with --force" in result.stderr
    assert CliRunner().invoke(main, ["record", "--force", *arguments[1:]]).exit_code == 0
    assert notes.read_text().startswith("# yaml-language-server:")
