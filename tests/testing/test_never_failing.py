"""What the plugin does besides the tests never changes their outcome, and never ends the run."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.support.pytest_projects import run
from tests.testing.test_traces import names, trace_in

FAILING = """\
import asyncio
import builtins
from pathlib import Path

import pytest

def test_exception_group(giftsim):
    raise ExceptionGroup("two at once", [ValueError("a")])

def test_task_group(giftsim):
    async def fail():
        raise ValueError("x")
    async def work():
        async with asyncio.TaskGroup() as group:
            group.create_task(fail())
    asyncio.run(work())

def test_text_that_is_not_utf_8(giftsim):
    assert "\\ud800" == "x"

def test_long_texts(giftsim):
    print("z" * 8_000_000)
    pytest.fail("y" * 8_000_000)

def test_error_without_a_text(giftsim):
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError
    raise Mute

def test_world_that_ended(giftsim):
    giftsim.end()
    assert False

def test_without_files(giftsim, monkeypatch):
    monkeypatch.setattr(builtins, "open", lambda *_, **__: pytest.fail("no files"))
    monkeypatch.setattr(Path, "mkdir", lambda *_, **__: pytest.fail("no files"))
    assert False

def test_in_parts(giftsim, subtests):
    for n in range(3):
        with subtests.test(n=n):
            assert n == 1

@pytest.fixture
def broken():
    yield
    raise ExceptionGroup("at the end", [ValueError("a")])

def test_teardown(giftsim, broken):
    assert False

def test_after(giftsim):
    giftsim.call("GET", "/api/external/team-orders", credential="partner.prepaid")
"""
TOO_LONG = "… (8,000,001 characters)"


def test_every_failed_test_is_reported_with_a_trace_or_the_reason_why_there_is_none(project: pytest.Pytester) -> None:
    project.makepyfile(test_shop=FAILING)
    result = run(project, "--tb=short")
    result.assert_outcomes(failed=11, passed=1, errors=1)
    untraced = [line for line in result.outlines if line.startswith("trace: none could be written")]
    assert [line.rpartition(": ")[2] for line in untraced] == ["there is no world 'w6'", "no files"]
    group = trace_in(project.path, "test_shop.py-test_exception_group.html")["test"]
    assert group["failure"]["place"] == {"file": "test_shop.py", "line": 8}
    assert group["sources"]["test_shop.py"]["first"] == 7
    text = trace_in(project.path, "test_shop.py-test_text_that_is_not_utf_8.html")["test"]["failure"]["text"]
    assert "\\ud800" in text
    output = trace_in(project.path, "test_shop.py-test_long_texts.html")["test"]["output"]
    assert output["Captured stdout call"].endswith(TOO_LONG)
    parts = [trace_in(project.path, f"test_shop.py-test_in_parts{part}.html") for part in ("", ".2")]
    assert [part["test"]["failure"]["message"] for part in parts] == ["assert 0 == 1", "assert 2 == 1"]


@pytest.mark.parametrize("style", ["native", "line", "no"])
def test_a_failure_has_its_place_in_every_style_of_report(project: pytest.Pytester, style: str) -> None:
    project.makepyfile(test_shop="def test_it(giftsim):\n    giftsim.advance('1h')\n    assert False\n")
    run(project, f"--tb={style}").assert_outcomes(failed=1)
    failure = trace_in(project.path, "test_shop.py-test_it.html")["test"]["failure"]
    assert failure["place"] == {"file": "test_shop.py", "line": 3}


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "1")], ids=["one process", "workers"])
def test_a_folder_that_cannot_be_made_is_said_and_the_run_goes_on(
    project: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    (project.path / ".giftsim").write_text("a file")
    project.makepyfile("def test_fails(giftsim):\n    assert False\ndef test_passes(giftsim):\n    pass\n")
    options = ("--giftsim-coverage", "--giftsim-trace=on", "--junitxml=junit.xml", *workers)
    result = run(project, *options)
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(
        [
            "trace: none could be written: *Error: *.giftsim*",
            "giftsim: trace: none could be written: *Error: *.giftsim*",
            "giftsim: the report on coverage was not finished: FileExistsError: *.giftsim*",
        ]
    )
    suite = ElementTree.parse(project.path / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert len(suite.findall("properties/property")) == 6


def test_a_gate_on_coverage_holds_though_no_report_can_be_written(project: pytest.Pytester) -> None:
    (project.path / ".giftsim").write_text("a file")
    project.makepyfile(
        "def test_it(giftsim):\n    giftsim.call('GET', '/api/external/team-orders', credential='partner.prepaid')\n"
    )
    result = run(project, "--giftsim-coverage-fail-under=100", "--giftsim-trace=off")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["coverage of operations is *, below 100 %"])


def test_a_world_on_a_server_that_ends_before_its_coverage_is_read(project: pytest.Pytester) -> None:
    project.makepyfile("def test_it(giftsim_server):\n    giftsim_server.end()\n")
    project.makeconftest(
        """
        from giftsim import Simulator

        def pytest_configure(config):
            simulator = Simulator(fixture="bare")
            simulator.serve_locally()
            config.option.giftsim_url = simulator.registry.runtime.origin
            config.add_cleanup(simulator.close)
        """
    )
    result = run(project, "--giftsim-coverage")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["giftsim: the coverage of world w1 is not counted: ControlRefused: *"])


def test_a_project_may_name_a_fixture_of_its_own_giftsim(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.fixture
        def giftsim():
            return "mine"

        def test_it(giftsim):
            assert giftsim == "yours"
        """
    )
    result = run(project)
    result.assert_outcomes(failed=1)
    assert names(project.path) == []
