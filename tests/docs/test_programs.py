"""Programs in the documentation run, its scenarios compile, and what it shows is in no showcase record."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml

from giftsim import verify
from giftsim.cli.serve import BANNER
from giftsim.testing import Giftsim
from giftsim.verify import Vector
from giftsim.workbench.scenario import load_scenario
from tests.docs.pages import DOCS, ROOT, pages, pages_with
from tests.docs.shell_session import TIMEOUT_S, environment
from tests.support.worlds import World

VECTORS = [vector for vector in verify.vectors() if vector.tolerance == verify.TOLERANCE_S]
is_genuine = runpy.run_path(str(ROOT / "examples" / "receiver.py"))["is_genuine"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_the_example_receiver_decides_as_the_vector_says(vector: Vector) -> None:
    assert is_genuine(vector.secret, vector.header, vector.body, vector.now) == vector.accepted


INSTALL = re.compile(r"""pip install ((?:'[^']+'|"[^"]+"|\S+)(?: \S+)*)""")
REQUIREMENT = re.compile(r"""'[^']+'|"[^"]+"|\S+""")
FROM_INDEX = re.compile(r"(?<![\w./-])giftsim(\[[\w,]+\])?(?!\[| @|[\w./-])")
FROM_GIT = " @ git+$GIFTSIM_GIT"
MEMBER = re.compile(r"\bgiftsim(?:_server)?\.([a-z_]+)\(")
PROGRAMS = [(page.name, block.code) for page in pages_with("python test") for block in page.blocks("python test")]


def jobs() -> dict[str, Any]:
    """The jobs of the one workflow in the documentation."""
    [text] = [block.code for page in pages_with("yaml job") for block in page.blocks("yaml job")]
    workflow = yaml.safe_load(text)
    assert workflow[True] == "push"  # what YAML 1.1 makes of the word `on`
    jobs: dict[str, Any] = workflow["jobs"]
    return jobs


def project(folder: Path) -> Path:
    """A reader's checkout: the blocks as files that pytest and Node find, named for their pages."""
    for info, pattern in (("python pytest", "test_{}_{}.py"), ("js test", "{}_{}.test.mjs")):
        for page in pages_with(info):
            for number, block in enumerate(page.blocks(info)):
                name = pattern.format(page.path.stem.replace("-", "_"), number)
                (folder / name).write_text(block.code, encoding="utf-8")
    return folder


def execute(command: list[str], folder: Path) -> str:
    """The output of a command; an AssertionError with all of it where it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(folder, active=True),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_tests_of_the_pages_use_members_that_the_fixture_has() -> None:
    """The pages' tests themselves run with `make ecosystem`."""
    blocks = [(page.name, block.code) for page in pages() for block in page.blocks("python", "python pytest")]
    used = {(page, name) for page, code in blocks for name in MEMBER.findall(code)}
    assert len(used) > 30
    assert sorted((page, name) for page, name in used if not hasattr(Giftsim, name)) == []


@pytest.mark.parametrize(("page", "code"), PROGRAMS, ids=[page for page, _ in PROGRAMS])
def test_a_python_program_runs(page: str, code: str, tmp_path: Path) -> None:
    execute([sys.executable, "-c", code], tmp_path)


def test_the_jobs_install_what_there_is() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    installed = [INSTALL.match(step["run"]) for job in jobs().values() for step in job["steps"] if "run" in step]
    named = {each.strip("'\"") for found in installed if found for each in REQUIREMENT.findall(found[1])}
    assert named == {f"giftsim[pytest]{FROM_GIT}", "pytest-xdist", "requests"}
    assert "pytest" in extras


def test_no_page_installs_the_package_from_an_index() -> None:
    """It is on none: an index would have nothing under this name, or something of others."""
    commands = (command for page in pages() for command in re.findall(r"pip install [^`\n]+", page.text))
    assert [command for command in commands if FROM_INDEX.search(command)] == []
    assert FROM_INDEX.search("pip install 'giftsim[pytest]' requests")


SCENARIO, STEPS = "yaml scenario", "yaml steps"
BLOCKS = [
    (page.name, block.info, block.code)
    for page in pages_with(SCENARIO, STEPS)
    for block in page.blocks(SCENARIO, STEPS)
]  # fmt: skip
PEOPLE = "name,email\nBo,bo@example.com\nCy,cy@example.com\n"


@pytest.mark.parametrize(("page", "info", "code"), BLOCKS, ids=[f"{page} {info}" for page, info, _ in BLOCKS])
def test_a_scenario_compiles(page: str, info: str, code: str, tmp_path: Path) -> None:
    text = code if info == SCENARIO else f"scenario: {page}\nsteps:\n{indent(code, '  ')}"
    (tmp_path / "scenario.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    assert load_scenario(tmp_path / "scenario.yaml").steps


def test_the_example_of_the_language_repeats_its_loop_for_each_person(tmp_path: Path) -> None:
    [code] = [code for page, _, code in BLOCKS if page == "docs/reference/scenario-language.md"]
    (tmp_path / "scenario.yaml").write_text(code, encoding="utf-8")
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    assert [step.kind for step in load_scenario(tmp_path / "scenario.yaml").steps] == ["app", "app", "app", "advance"]


EMAIL = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
STREET = re.compile(r'"?address1"?: "?([^",}]+)')
FIXTURES = ("default.yaml", "roster.yaml")


def example_texts() -> str:
    """Every page a user reads, the examples and the banner."""
    pages = [ROOT / "README.md", *sorted(DOCS.rglob("*.md")), *sorted((ROOT / "examples").glob("*.py"))]
    return "\n".join([*(page.read_text(encoding="utf-8") for page in pages), BANNER])


def fixture_texts() -> str:
    """The files from which a default world is made."""
    return "\n".join((ROOT / "fixtures" / name).read_text(encoding="utf-8") for name in FIXTURES)


def test_no_showcase_record_has_an_email_address_of_the_examples(new_world: Callable[..., World]) -> None:
    world = new_world(fixture="default")
    sent = {mail["to"] for mail in world.rows("mail")}
    shipped = {parcel["email"] for parcel in world.rows("parcels") if parcel["email"]}
    showcase = {*EMAIL.findall(fixture_texts()), *sent, *shipped}
    assert len(showcase) > 50
    examples = set(EMAIL.findall(example_texts()))
    assert "bo@example.com" in examples
    assert showcase & examples == set()


def test_no_showcase_record_has_a_street_of_the_examples() -> None:
    examples, showcase = set(STREET.findall(example_texts())), set(STREET.findall(fixture_texts()))
    assert "1 Main St" in examples
    assert len(showcase) > 3
    assert showcase & examples == set()
