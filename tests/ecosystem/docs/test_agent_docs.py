"""Agents read the documentation: the public checks (npm: `afdocs`) of the site and of a simulator pass."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import DOCS, ROOT
from tests.support.node_packages import node_project, run_node
from tests.support.served_simulator import serve_simulator

OPTIONS = (
    "--format=json", "--quiet", "--sampling=deterministic", "--max-links=200", "--network-context=ci",
    "--request-delay=0", "--max-concurrency=8",
)  # fmt: skip
# What these checks cannot say of pages that all may read, and of a simulator, which no search engine visits.
OPEN = {"auth-alternative-access"}
UNMAPPED = {"llms-txt-coverage"}


class Host(SimpleHTTPRequestHandler):
    """What the site asks of its host: the type of Markdown, and a page's Markdown for who accepts that."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".md": "text/markdown"}  # noqa: RUF012  its base's

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name it has in the base class
        """Print nothing."""

    def end_headers(self) -> None:
        """Say what the answer depends on."""
        self.send_header("Vary", "Accept")
        super().end_headers()

    def translate_path(self, path: str) -> str:
        """The file of an address."""
        file = Path(super().translate_path(path))
        file = file / "index.html" if file.is_dir() else file
        wanted = file.with_suffix(".md") if "text/markdown" in self.headers.get("Accept", "") else file
        return str(wanted if file.suffix == ".html" and wanted.is_file() else file)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, built for it."""
    if find_spec("sphinx") is None:
        pytest.skip("the site cannot be built here: run `make docs`")
    folder = tmp_path_factory.mktemp("site")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=folder / "html")) as server:
        address = f"http://127.0.0.1:{server.server_port}"
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-d",
            f"{folder}/trees",
            "-b",
            "html",
            f"{DOCS}",
            f"{folder}/html",
        ]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "GIFTSIM_DOCS_URL": address}, check=True, timeout=500)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield address
        server.shutdown()


def check(address: str, folder: Path, *options: str) -> dict[str, dict[str, Any]]:
    """What each check says, by its name; AssertionError if one fails."""
    said = run_node(node_project(folder), "afdocs", "check", address, *OPTIONS, *options)
    results = {each["id"]: each for each in json.loads(said)["results"]}
    assert len(results) > 25
    assert results["llms-txt-directive-html"]["details"]["testedPages"] > 40
    return results


def named(results: dict[str, dict[str, Any]], status: str) -> set[str]:
    """The checks with a status."""
    return {name for name, result in results.items() if result["status"] == status}


def test_the_site_passes_the_checks_for_agents(site: str, tmp_path: Path) -> None:
    results = check(site, tmp_path, "--url-path-pattern=html")
    assert named(results, "skip") == OPEN
    assert named(results, "warn") | named(results, "fail") == set()


def test_the_pages_of_a_simulator_pass_the_checks_for_agents(tmp_path: Path) -> None:
    with serve_simulator() as served:
        port = served.client.port
        results = check(f"http://127.0.0.1:{port}/console/docs/", tmp_path)
    assert named(results, "skip") == OPEN | UNMAPPED
    assert named(results, "warn") | named(results, "fail") == set()
