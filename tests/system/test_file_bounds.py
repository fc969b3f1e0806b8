"""Files from strangers: whatever they hold, they take bounded memory and are refused with a reason."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.served_simulator import PythonProcess, ServedSimulator

ROOT = Path(__file__).parents[2]
MEBIBYTE = 1024 * 1024
HEAD = "scenario: A\nsteps:\n"
ONE_MISTAKE = f"{HEAD}  - a: 1\n"
MORE_OF_CHECK, MOST_OF_A_SCENARIO, MOST_OF_A_TRACE = 60, 150, 300  # MiB
TEXT = "x" * 300_000
HEADERS = ",".join(f"a{i}: [1]" for i in range(45_000))
SCENARIOS = {
    "many wrong steps": HEAD + "  - a: 1\n" * 40_000,
    "many wrong headers of one step": f"{HEAD}  - {{call: GET /a, headers: {{{HEADERS}}}}}\n",
    "many wrong steps of a delivery": f"{HEAD}  - {{advance: 1d, on_delivery: [{'{a: 1},' * 45_000}]}}\n",
    "a long text that aliases repeat": f"{HEAD}  - {{call: GET /a, as: &a {TEXT}, body: [{'*a,' * 30_000}1]}}\n",
}
FIXTURES = {
    "many wrong rows": "extends: default\nproducts:\n" + "  - {nam: a}\n" * 45_000,
    "a long text that aliases repeat in a fixture": f"products: [&a {{id: {TEXT}}},{'*a,' * 30_000}]\n",
}


def trace_page(data: str) -> str:
    """A trace file with these data, compressed as far as they can be."""
    content = b64encode(gzip.compress(data.encode(), 9, mtime=0)).decode()
    return f'<script type="application/octet-stream;base64" id="giftsim-trace" data-version="1">{content}</script>'


def trace_of(recording: str) -> str:
    """A trace file with this recording."""
    return trace_page(json.dumps({"entries": [], "recording": recording}))


REFUSED = "; --large-files reads more"
# Each is made when a test needs it: together they are 300 MB.
TRACES: dict[str, tuple[Callable[[], str], str]] = {
    "a large text": (
        lambda: trace_of("x" * 70 * MEBIBYTE),
        f"its data have more than 50,331,648 bytes{REFUSED}",
    ),
    "a large recording": (
        lambda: trace_of("x" * 20 * MEBIBYTE),
        f"its recording has more than 16,777,216 bytes{REFUSED}",
    ),
    "many entries": (
        lambda: trace_page(f'{{"entries":[{"{}," * 15_000_000}{{}}]}}'),
        "its data have more than 500,000 objects",
    ),
    "many numbers": (
        lambda: trace_page(f'{{"entries":[],"a":[{"1," * 20_000_000}1]}}'),
        "the trace has no recording",
    ),
    "deep nesting": (lambda: trace_page('{"a":' + "[" * 100_000 + "]" * 100_000 + "}"), "its data are damaged: "),
    "entries that are none": (
        lambda: trace_page('{"recording":"a","entries":[1]}'),
        "its data are damaged: Expected `object`",
    ),
    "wrong steps": (lambda: trace_of(HEAD + "  - a: 1\n" * 100_000), '"a" is not a kind of step'),
}
needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to read a peak of memory from")


def peak_of(*arguments: object) -> tuple[int, str]:
    """The most memory that a command took, in MiB, and its output. A small parent starts it, as it begins as a copy."""
    program = (
        "import resource, subprocess, sys; subprocess.call(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"
    )
    command = [sys.executable, "-I", "-S", "-c", program, sys.executable, "run_sim.py", *map(str, arguments)]
    done = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True, timeout=300)
    *lines, peak = done.stdout.splitlines()
    return int(peak), "\n".join([*lines, done.stderr])


@pytest.fixture(scope="module")
def one_mistake(tmp_path_factory: pytest.TempPathFactory) -> int:
    """What `check` takes for a file with one mistake, in MiB."""
    file = tmp_path_factory.mktemp("one") / "one.yaml"
    file.write_text(ONE_MISTAKE)
    return peak_of("check", file)[0]


@needs_proc
@pytest.mark.parametrize("name", [*SCENARIOS, *FIXTURES])
def test_check_takes_little_more_memory_than_for_one_mistake(tmp_path: Path, one_mistake: int, name: str) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text({**SCENARIOS, **FIXTURES}[name])
    peak, output = peak_of("check", file)
    assert f"{file}:" in output, output
    assert len(output.splitlines()) <= 22
    assert peak <= one_mistake + MORE_OF_CHECK


@pytest.mark.parametrize("command", ["check", "play", "play --exact"])
def test_a_file_of_three_gigabytes_is_refused_by_its_size(tmp_path: Path, one_mistake: int, command: str) -> None:
    file = tmp_path / "large.yaml"
    with file.open("wb") as large:
        large.write(ONE_MISTAKE.encode())
        large.truncate(3 << 30)
    peak, output = peak_of(*command.split(), file)
    assert "the file has 3,221,225,472 bytes; the limit is " in output
    assert "; --large-files reads more" in output
    assert peak <= one_mistake + MORE_OF_CHECK


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device without an end")
def test_a_device_without_an_end_is_refused(one_mistake: int) -> None:
    peak, output = peak_of("check", "/dev/zero")
    assert "the file has more than 1,048,576 bytes; --large-files reads more" in output
    assert peak <= one_mistake + MORE_OF_CHECK


class Server(PythonProcess):
    """A server, and the most memory that it took."""

    def peak(self) -> int:
        """In MiB."""
        status = Path(f"/proc/{self.child.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmHWM:\s+(\d+)", status)
        assert found
        return int(found[1]) // 1024


@pytest.fixture
def server() -> Iterator[tuple[Server, ServedSimulator]]:
    """A new server."""
    process = Server("run_sim.py", "--port", "0", "--json", "--fixture", "bare")
    try:
        yield process, ServedSimulator(process)
    finally:
        process.end()


@needs_proc
def test_a_server_takes_little_memory_for_wrong_scenarios(server: tuple[Server, ServedSimulator]) -> None:
    process, served = server
    for name, text in SCENARIOS.items():
        response = served.client.call("POST", "/_sim/v1/scenarios/play", body=text.encode())
        assert (response.status, response.json()["error"]["code"]) == (400, "invalid_scenario"), name
        assert process.peak() <= MOST_OF_A_SCENARIO, name


@needs_proc
def test_a_server_takes_bounded_memory_for_traces(server: tuple[Server, ServedSimulator]) -> None:
    process, served = server
    for name, (page, message) in TRACES.items():
        response = served.client.call("POST", "/_sim/v1/worlds", body={"trace": page()})
        assert response.status == 400, name
        assert message in response.json()["error"]["message"], name
        assert process.peak() <= MOST_OF_A_TRACE, name


def test_large_files_are_read_on_demand(tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    file.write_text(f"# {'x' * 2 * MEBIBYTE}\n{HEAD}  - advance: 1d\n")
    assert "; --large-files reads more" in peak_of("check", file)[1]
    assert peak_of("check", "--large-files", file)[1] == "no mistakes in 1 file\n"
    assert peak_of("play", "--large-files", file)[1].startswith("ok  A ")
