"""The command `check`: the mistakes in scenario and fixture files, with their places; what a journal holds."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from giftsim.cli.options import large_files_option, refuse_unused
from giftsim.cli.terminal import print_text
from giftsim.engine.kernel.texts import one_line

if TYPE_CHECKING:
    from giftsim.engine.client.response import Client
    from giftsim.workbench.scenario import InvalidScenario, Scenario
    from giftsim.workbench.scenario.compiled_scenario import Step
    from giftsim.workbench.scenario.yaml_source import Source, YamlPath

LANGUAGE: Final = "docs/reference/scenario-language.md"
INTERVAL_S: Final = 0.3
MOST_MISTAKES: Final = 20  # of a file
_PLACE: Final = re.compile(r"([a-z_]\w*(?:\.\w+|\[\d+\])*)(?: has no member '([^']*)')?", re.ASCII)
_FIXTURE: Final = re.compile(r"^the fixture(?:'s |: | [^:]*: )")
_ROW: Final = re.compile(r"^([a-z_]+)\[(\d+)\]", re.ASCII)
_EXPECTED: Final = ("expect", "recorded", "save")  # members of a step that are not sent
_SECTION: Final = re.compile(r"a fixture has no section '([^']*)'")
Stamp = tuple[int, int] | None
Wait = Callable[[float], object]


class Mistake(NamedTuple):
    """A mistake in a file; line and column are counted from 1."""

    file: str
    line: int
    column: int
    message: str

    @property
    def text(self) -> str:
        """As editors and CI systems read it."""
        return one_line(f"{self.file}:{self.line}:{self.column}: {self.message}")

    @property
    def annotation(self) -> str:
        """As GitHub shows it beside the line."""
        message, file = (one_line(_escaped(each)) for each in (self.message, self.file))
        place = f"file={file.replace(':', '%3A').replace(',', '%2C')},line={self.line},col={self.column}"
        return f"::error {place}::{message}"


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.option("--github", is_flag=True, help="Print annotations, which GitHub Actions shows beside the lines.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl+C.")
@large_files_option
def check(files: tuple[Path, ...], as_json: bool, github: bool, watch: bool, large_files: bool) -> None:
    """Find the mistakes in scenario files, the files that they include, and fixtures, without playing them.

    Each is one line: FILE:LINE:COLUMN: MESSAGE. In a folder, all scenarios are checked. The exit status is 1 if there
    is a mistake. It finds all that `play` would refuse: members, verbs, credentials, paths, variables; and texts that
    are almost magic values. Of a file with more than twenty mistakes, it prints the first twenty.

    A journal of `serve --journal` is checked by itself: every byte is verified, and what it holds is printed. The file
    stays as it is, and a simulator may be using it. The exit status is 2 if a journal is damaged; a torn last line,
    which the next start drops, is told.
    """
    from giftsim.cli.journal import check_journal, is_journal

    if journals := [file for file in files if is_journal(file)]:
        refuse_unused(("github", "watch"), f"{journals[0]} is a journal")
        if len(files) > 1:
            raise click.UsageError(f"{journals[0]} is a journal, which is checked by itself")
        check_journal(files[0], as_json=as_json)
        return
    from giftsim.build import Simulator
    from giftsim.cli.play import WITHOUT_SCENARIO

    refuse_unused(("github", "watch") if as_json else (), "--json prints one report")
    paths = _paths(files)
    if not paths and not watch:
        raise click.UsageError(f"{files[0]} {WITHOUT_SCENARIO}")
    simulator = Simulator(fixture="bare", large_files=large_files)
    try:
        if watch:
            watch_files(files, simulator.client, threading.Event().wait, github=github, large=large_files)
        mistakes = [each for path in paths for each in mistakes_in(path, simulator.client, large=large_files)]
    finally:
        simulator.close()
    if as_json:
        click.echo(json.dumps({"files": [str(path) for path in paths], "mistakes": [m._asdict() for m in mistakes]}))
    else:
        _show(mistakes, len(paths), github=github)
    raise SystemExit(bool(mistakes))


def watch_files(
    files: Sequence[Path], client: Client, wait: Wait, *, github: bool = False, large: bool = False
) -> None:
    """Check files whenever one of them changes. `wait` sleeps for the real seconds that it is given. A
    KeyboardInterrupt ends the watching.

    Modification times are polled: that needs no library, and works on every file system.
    """
    stamps: Mapping[Path, Stamp] = {}
    try:
        while True:
            present = {path: _stamp(path) for path in _paths(files)}
            if present != stamps:
                mistakes = [each for path in present for each in mistakes_in(path, client, large=large)]
                _show(mistakes, len(present), github=github)
                stamps = present
            wait(INTERVAL_S)
    except KeyboardInterrupt:
        raise SystemExit(0) from None


def mistakes_in(path: Path, client: Client, *, large: bool = False) -> list[Mistake]:
    """The mistakes in a file. A mapping with steps is a scenario, or is included by some; any other is a fixture."""
    from giftsim.workbench.scenario import InvalidScenario, limits_of
    from giftsim.workbench.scenario.yaml_source import read_path

    found: list[InvalidScenario] = []
    try:
        source = read_path(path, str(path), limits_of(large=large))
        if not _has_steps(source.data):
            return list(_fixture_mistakes(path, source, client, large=large))
        found.extend(_scenario_errors(source, client))
    except InvalidScenario as error:
        found.append(error)
    except OSError as error:
        return [Mistake(str(path), 1, 1, f"the file cannot be read: {error.strerror}")]
    return [Mistake(each.file, each.line, each.column, each.message) for each in found[:MOST_MISTAKES]]


def _scenario_errors(source: Source, client: Client) -> Iterator[InvalidScenario]:
    from giftsim.workbench.scenario import check_scenario as check_with
    from giftsim.workbench.scenario.compiler import compile_scenario
    from giftsim.workbench.scenario.schema import schema_errors

    is_part = "scenario" not in source.data
    found = schema_errors(source, "part" if is_part else "scenario")
    yield from found
    yield from _misspelt_values(source)
    if found or is_part:
        return
    scenario = compile_scenario(source)
    if scenario.settings.get("magic_values") is not False:
        for included in {step.file: step.source for step in _steps(scenario) if step.file != source.file}.values():
            yield from _misspelt_values(included)
    check_with(scenario, client)


def _steps(scenario: Scenario) -> Iterator[Step]:
    return (each for step in scenario.steps for each in (step, *step.nested))


def _misspelt_values(source: Source) -> Iterator[InvalidScenario]:
    """Values that are almost magic; those are ordinary, so nothing refuses them."""
    from giftsim.services.gifting.magic.spelling import misspelt_values

    found = misspelt_values(source.data, lambda path: path == ("scenario",) or _is_expected(path))
    return (source.error(path, message) for path, message in found[:MOST_MISTAKES])


def _is_expected(path: YamlPath) -> bool:
    return len(path) > 2 and path[-3] == "steps" and isinstance(path[-2], int) and path[-1] in _EXPECTED


def _fixture_mistakes(path: Path, source: Source, client: Client, *, large: bool) -> Iterator[Mistake]:
    """What a world of the fixture is refused for, only the first such thing; else its values that are almost magic."""
    from giftsim.engine.client.control import Control, refusal_error
    from giftsim.engine.worlds.world_errors import InvalidWorld
    from giftsim.services.fixture_loader import read_fixture

    whole: Mapping[str, Any] = {}
    control = Control(client)
    try:
        whole = {name: value for name, value in read_fixture(str(path), large=large).items() if name != "extends"}
    except InvalidWorld as problem:
        message = problem.message
    else:
        response = control.call("POST", "/worlds", {"fixture": whole})
        if response.is_success:
            control.send("DELETE", f"/worlds/{response.json()['id']}")
            for each in _misspelt_values(source):
                yield Mistake(each.file, each.line, each.column, each.message)
            return
        message = refusal_error(response).message
    message = _ROW.sub(lambda match: _own_row(match, source.data, whole), _FIXTURE.sub("", message))
    yield Mistake(source.file, *_position(source, message), message)


def _own_row(match: re.Match[str], data: Any, whole: Mapping[str, Any]) -> str:
    """`orders[11]` as the file counts its rows: those of a fixture that it extends come first in the whole one."""
    name, own = match[1], data.get(match[1], ()) if isinstance(data, dict) else ()
    index = int(match[2]) - len(whole.get(name, own)) + len(own)
    return f"{name}[{index}]" if index >= 0 else match[0]


def _position(source: Source, message: str) -> tuple[int, int]:
    """The place of what a message about a fixture names, such as `orders[0].key`."""
    if section := _SECTION.match(message):
        return source.position((section[1],), name=True)
    if message.startswith("there is no "):
        return source.position(("extends",))
    found = _PLACE.match(message)
    path: YamlPath = tuple(
        int(part) if part.isdecimal() else part for part in (re.findall(r"\w+", found[1]) if found else ())
    )
    member = found[2] if found else None
    return source.position((*path, member), name=True) if member else source.position(path)


def _paths(files: Sequence[Path]) -> list[Path]:
    from giftsim.workbench.scenario import find_scenarios

    return [path for file in files for path in (find_scenarios(file) if file.is_dir() else [file])]


def _has_steps(data: Any) -> bool:
    return isinstance(data, dict) and ("steps" in data or "scenario" in data)


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _show(mistakes: Sequence[Mistake], files: int, *, github: bool) -> None:
    for mistake in mistakes:
        if github:
            click.echo(mistake.annotation)  # GitHub reads it whole
        else:
            print_text(mistake.text)
    for file, number in Counter(mistake.file for mistake in mistakes).items():
        if number == MOST_MISTAKES:
            click.echo(f"{file}: {MOST_MISTAKES} mistakes were found, and then no more were looked for", err=True)
    count = f"{files} file{'' if files == 1 else 's'}"
    wrong = f"{len(mistakes)} mistake{'' if len(mistakes) == 1 else 's'} in {count}"
    click.echo(f"{wrong} (see {LANGUAGE})" if mistakes else f"no mistakes in {count}", err=True)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
