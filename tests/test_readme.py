"""The README tells the truth: its code runs as it stands there, and its tables are those of the code."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from giftsim.docgen.reference_tables import refreshed

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SOURCE = str(ROOT / "simulator")
BLOCK = re.compile(r"^```(sh|python) test( background)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PORT, RECEIVER_PORT, SHOP_PORT = "8080", "9000", "9100"


def blocks(language: str) -> list[tuple[bool, str]]:
    """The blocks of a language that run, in order, with whether each runs beside the next ones."""
    found = BLOCK.findall(README.read_text(encoding="utf-8"))
    return [(bool(background), code) for kind, background, code in found if kind == language]


def free_port() -> str:
    """A port that nobody listens on just now."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return str(sock.getsockname()[1])


@contextmanager
def served(tmp_path: Path) -> Iterator[str]:
    """The simulator as `make run` starts it, on a free port, with a folder of its own for what the blocks write."""
    for name in ("examples", "scenarios", "fixtures", "simulator", "run_sim.py"):
        (tmp_path / name).symlink_to(ROOT / name)
    command = [sys.executable, str(ROOT / "run_sim.py"), "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield str(json.loads(process.stdout.readline())["port"])
        finally:
            process.terminate()


def script(port: str, receiver_port: str) -> str:
    """All shell blocks as one session: a receiver is waited for by its first line, and everything must succeed."""
    lines = ["set -eu"]
    for background, code in blocks("sh"):
        if background:
            lines.append(f"{code.strip()} > receiver.log &")
            lines.append("RECEIVER=$!\nuntil grep -q listening receiver.log; do :; done")
        else:
            lines.append(code)
    lines.append("kill $RECEIVER")
    return (
        "\n".join(lines)
        .replace(f":{PORT}", f":{port}")
        .replace(RECEIVER_PORT, receiver_port)
        .replace(SHOP_PORT, free_port())
    )


def run(command: list[str], tmp_path: Path, code: str) -> str:
    """Run a program on some code; its output, with all of it in the message where it fails."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command, input=code, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="the recipes are for curl")
def test_the_shell_recipes_run_from_top_to_bottom(tmp_path: Path) -> None:
    with served(tmp_path) as port:
        said = run(["bash"], tmp_path, script(port, free_port()))
    heard = (tmp_path / "receiver.log").read_text()
    assert "genuine team_order.claimed" in heard
    assert "genuine team_order.shipped" in heard
    assert "FORGED" not in heard
    assert "no answer" in said
    assert "dempotent-Replayed: true" in said
    assert "FAILED" not in said
    assert re.findall(r"day \d: \w+", said)[-1] == "day 5: delivered"
    gift = json.loads((tmp_path / "delivered.json").read_text())
    assert (gift["status"], gift["payment_status"]) == ("delivered", "paid")
    assert (tmp_path / "ticket.png").read_bytes().startswith(b"\x89PNG")


def test_the_python_recipes_run(tmp_path: Path) -> None:
    for _, code in blocks("python"):
        run([sys.executable, "-"], tmp_path, f"import sys\nsys.path.insert(0, {SOURCE!r})\n{code}")


@pytest.mark.parametrize("name", ["README.md", "docs/reference.md"])
def test_the_generated_tables_are_fresh(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert refreshed(text) == text, "run `python run_sim.py handbook`"
