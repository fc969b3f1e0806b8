"""The package installs as the documentation says, works without a checkout, and uninstalls without trace."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.docs.pages import DOCS, ROOT, page

ADDRESS = "https://git.example.com/giftsim.git"
SOURCES = (
    "pyproject.toml",
    "hatch_build.py",
    "locks",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "simulator",
    "fixtures",
    "scenarios",
    "docs",
)
GIT, CHECKOUT, WHEEL, UNINSTALL = (block.code for block in page(DOCS / "how-to" / "install.md").blocks("sh install"))
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_COMPILE": "1"}
TESTS = """
import pathlib
import pytest
import giftsim
import simulator

HOME = pathlib.Path(giftsim.__file__).parent
ORDER = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
         "recipients": [{"name": "Bo", "email": "bo@example.com"}]}


def test_the_installed_package_is_imported_and_so_is_the_projects_own():
    assert HOME.is_relative_to(pathlib.Path(__import__("sys").prefix))
    assert (HOME / "py.typed").is_file()
    assert simulator.OURS
    assert pathlib.Path(simulator.__file__).is_relative_to(pathlib.Path.cwd())


@pytest.mark.parametrize("name", ["bare", "empty", "default", "roster"])
def test_every_fixture_is_installed(giftsim, name):
    assert giftsim.control("GET")["fixture"] == "empty"
    assert giftsim.transport.call("POST", "/_sim/v1/worlds", body={"fixture": name}).status == 201


def test_the_installed_contracts_are_those_of_the_source():
    import yaml
    from giftsim.engine.gateway import yaml_cache

    for path in HOME.rglob("contract*/*.yaml"):
        assert yaml_cache.read_yaml(path) == yaml.load(path.read_bytes(), yaml.CSafeLoader)


def test_the_statements_and_decisions_are_installed(giftsim):
    listed = giftsim.transport.call("GET", "/_sim/v1/statements?limit=1000").json()
    assert listed["summary"]["statements"] == 539
    assert listed["summary"]["decisions"] > 250
    assert all(row["tests"] for row in listed["statements"][:539])
    assert not listed["summary"]["outcomes_known"]


def test_the_documentation_is_installed(giftsim):
    assert giftsim.transport.call("GET", "/console/docs/how-to/move-time").status == 200


def test_a_world_in_process(giftsim):
    giftsim.subscribe("team_order.shipped")
    giftsim.claim(giftsim.call("POST", "/api/external/team-orders", ORDER, credential="partner.prepaid"))
    giftsim.advance("3d")
    giftsim.assert_webhook("team_order.shipped", times=1)


def test_a_world_on_the_server(giftsim_server):
    giftsim_server.advance("3d")
    assert giftsim_server.play("partner/declined_card").outcome == "passed"
    assert giftsim_server.call("GET", "/openapi/team.json").status == 200
"""
METADATA = """
from importlib.metadata import metadata
found = metadata("giftsim")
print(found["License-Expression"], found["License-File"], found["Description-Content-Type"])
print(found["Summary"])
print(found["Description"])
"""


class Environment(NamedTuple):
    """A virtual environment that has what giftsim needs, but neither giftsim nor pip; `folder` is beside it."""

    folder: Path
    home: Path

    @property
    def python(self) -> Path:
        return self.folder / "env" / "bin" / "python"

    def run(self, command: str, cwd: Path | None = None) -> str:
        """The output of a shell command in the environment, without variables of pytest and Python."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
        path = f"{self.python.parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-euc", command], cwd=cwd or self.folder, env={**kept, **OFFLINE, **self.redirected(), "PATH": path},
            capture_output=True, text=True, timeout=180, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    def redirected(self) -> dict[str, str]:
        """What makes git take the documented address from this machine."""
        name = f"url.file://{self.folder}/giftsim.git.insteadOf"
        return {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": name, "GIT_CONFIG_VALUE_0": ADDRESS}

    def files(self) -> set[Path]:
        """What is in the environment."""
        return set((self.folder / "env").rglob("*"))


def lend_dependencies(to: Path, folder: Path) -> None:
    """Link the installed packages except this project, so that no package index is needed."""
    folder.mkdir()
    for home in site.getsitepackages():
        for path in Path(home).iterdir():
            if "giftsim" not in path.name.lower() and path.suffix != ".pth" and not (folder / path.name).exists():
                (folder / path.name).symlink_to(path)
    (to / "lent.pth").write_text(f"{folder}\n")


def publish(folder: Path) -> None:
    """Make a git repository of the sources as they are now."""
    folder.mkdir()
    for source in (ROOT / name for name in SOURCES):
        if source.is_dir():
            shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder)
    commit = "git init -q && git add . && git -c user.name=a -c user.email=a@example.com commit -qm all"
    subprocess.run(["sh", "-c", commit], cwd=folder, check=True)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """One environment for all tests of this file; its `pip` is that of this test run."""
    folder = tmp_path_factory.mktemp("install")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    [home] = (folder / "env").glob("lib/python*/site-packages")
    lend_dependencies(home, folder / "lent")
    pip = folder / "env" / "bin" / "pip"
    pip.write_text(f'#!/bin/sh\nexec {sys.executable} -m pip --python {folder}/env/bin/python "$@"\n')
    pip.chmod(0o755)
    publish(folder / "giftsim.git")
    return Environment(folder, home)


@pytest.fixture
def project(environment: Environment) -> Iterator[Path]:
    """A project with a folder `simulator` of its own."""
    folder = environment.folder / "project"
    (folder / "simulator").mkdir(parents=True)
    (folder / "simulator" / "__init__.py").write_text("OURS = True\n")
    (folder / "test_theirs.py").write_text(TESTS)
    yield folder
    shutil.rmtree(folder)


def test_it_works_from_a_git_address_and_leaves_nothing_behind(environment: Environment, project: Path) -> None:
    before = environment.files()
    environment.run(GIT)
    scenario = environment.home / "giftsim" / "_data" / "scenarios" / "partner" / "declined_card.yaml"
    output = environment.run(f"python -m pytest -W error -p no:cacheprovider -q . {scenario}", project)
    assert "11 passed" in output
    by_name = "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python -m pytest -p giftsim -p no:cacheprovider -q -k in_process"
    assert "1 passed" in environment.run(by_name, project)
    assert "giftsim, version 0.2.0" in environment.run("giftsim --version")
    environment.run(UNINSTALL)
    assert environment.files() - before == set()


def test_it_installs_from_a_checkout_and_from_a_wheel(environment: Environment) -> None:
    before = environment.files()
    environment.run(CHECKOUT)
    licence, summary, *description = environment.run(f"python -c '{METADATA}'").splitlines()
    assert licence == "MIT LICENSE text/markdown"
    assert summary == "A high-fidelity offline sandbox of a corporate-gifting service, with a clock you can hold."
    assert description[0] == "# giftsim"
    environment.run(UNINSTALL)
    environment.run(WHEEL)
    environment.run('python -c "import giftsim_pytest.entry, giftsim.pytest_plugin"')
    environment.run(UNINSTALL)
    assert environment.files() - before == set()
