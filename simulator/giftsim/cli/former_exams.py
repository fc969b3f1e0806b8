"""Former commands that are exams now: `report`, `check-receiver` and `play readiness`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from giftsim.cli.exam import FILE, FOLDER, exam
from giftsim.cli.options import WholeNumber, option
from giftsim.cli.receiver_options import receiver_options
from giftsim.workbench.exam.exam_rule import READINESS

COVERAGE, ASSUMPTIONS = Path(".giftsim/coverage.json"), Path(".giftsim/assumptions.json")
# The options of `report` that `exam` has by the same name or by another one.
REPORT: Final = {
    "out": "out",
    "label": "label",
    "junit": "tests",
    "coverage": "coverage",
    "assumptions": "assumptions",
    "app": "app",
    "receiver": "receiver",
    "secret": "secret",
    "seed": "seed",
    "sign": "sign",
    "verify": "verify",
    "signers": "signers",
}


def hold(options: Mapping[str, Any]) -> None:
    """Run `exam` with these options, of which those without a value are left out."""
    with exam.make_context(
        "exam", list(_arguments(options)), parent=click.get_current_context().find_root()
    ) as context:
        exam.invoke(context)


def _arguments(options: Mapping[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        for each in value if isinstance(value, tuple) else (value,):
            if each is True:
                yield f"--{name}"
            elif each is not None and each is not False:
                yield f"--{name}={each}"


@click.command()
@click.option("--out", type=FOLDER)
@click.option("--title")
@click.option("--label", multiple=True)
@click.option("--at")
@click.option("--junit", multiple=True, type=FILE)
@click.option("--coverage", type=FILE)
@click.option("--assumptions", type=FILE)
@click.option("--app")
@click.option("--receiver")
@option("--secret")
@click.option("--seed", type=WholeNumber(1))
@click.option("--sign", type=FILE)
@click.option("--verify", type=FOLDER)
@click.option("--signers", type=FILE)
def report(**given: Any) -> None:
    """Make the result of an exam, or check one."""
    for name, path in (("coverage", COVERAGE), ("assumptions", ASSUMPTIONS)):
        if given[name] is None and given["verify"] is None and path.is_file():
            given[name] = path
    facts = tuple(f"{name}={given[name]}" for name in ("title", "at") if given[name] is not None)
    options = {now: given[name] for name, now in REPORT.items()}
    hold({**options, "label": (*given["label"], *facts), "only": READINESS if given["app"] else None})


@click.command("check-receiver")
@click.argument("url")
@receiver_options
@click.option("--probe", multiple=True)
@click.option("--seed", type=WholeNumber(1))
@click.option("--json", "as_json", is_flag=True)
def check_receiver(url: str, probe: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Examine a webhook receiver."""
    spelled = {name.strip("_").replace("_", "-"): value for name, value in given.items()}
    hold({**spelled, "receiver": url, "only": probe, "json": as_json})


def play_readiness(options: Mapping[str, Any]) -> None:
    """Examine the app of `play readiness`."""
    same = {name.replace("_", "-"): options[name] for name in ("app", "app_command", "junit")}
    hold({**same, "json": options["as_json"], "only": READINESS})
