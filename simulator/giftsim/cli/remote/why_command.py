"""The command `why`: one sentence that says why something did not happen, its proof, and the line that changes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from giftsim.cli.remote.output import print_json
from giftsim.cli.remote.simulator_connection import RemoteWorld, with_world
from giftsim.engine.kernel.texts import one_line

INDENT = 10  # of what stands below the sentence


def complete_kinds(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The kinds of questions that begin with what is typed."""
    from giftsim.workbench.why.about import KINDS

    return [CompletionItem(kind) for kind in KINDS if kind.startswith(incomplete)]


@click.command()
@click.argument("kind", shell_complete=complete_kinds)
@click.argument("id_", metavar="ID")
@click.option("--expected", help="The event type, status or HTTP status that was expected.")
@with_world
def why(sim: RemoteWorld, kind: str, id_: str, expected: str | None, as_json: bool) -> None:
    """Say why something did not happen.

    KIND is order, gift, campaign, event, approval or call; a call has its number in the call log. The first sentence
    names the last step that made it impossible. Below it are the entries of the trace that prove it, and the line that
    would change it.
    """
    answer = sim.send("GET", "/why", query={"about": f"{kind}:{id_}", "expected": expected})
    if as_json:
        print_json(answer)
        return
    first, *others = answer["verdicts"]
    for line in (*_first(first), *(_line(f"also {each['kind']}", each["sentence"]) for each in others)):
        click.echo(line)


def _first(verdict: Mapping[str, Any]) -> Iterator[str]:
    yield one_line(f"{verdict['kind']}: {verdict['sentence']}")
    for mark in verdict["marks"]:
        yield _line(f"entry {mark['entry']}", mark["what"])
    for place, text in verdict["mend"].items():
        for number, line in enumerate((text or "").splitlines()):
            yield _line("" if number else place, line)
    if verdict["why_not"] is not None:
        yield _line("no line", verdict["why_not"])


def _line(title: str, text: str) -> str:
    return one_line(f"  {title:{INDENT}}{text}")
