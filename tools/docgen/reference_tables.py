"""The generated parts of the documentation: `python -m tools docgen` writes them, and a test fails if one is outdated.

A page has a list or a table between `<!-- generated: NAME -->` and `<!-- end -->`; `BLOCKS` has them by their names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from giftsim.build import Simulator
from giftsim.cli.replay import credential_variables
from giftsim.engine.client.control import Control
from giftsim.engine.client.world import ClientWorld
from giftsim.services.gifting.magic.reference_table import rows as magic_rows
from giftsim.services.gifting.rehearsals.rehearsal_table import REHEARSALS
from giftsim.services.known import merged_service
from giftsim.workbench.scenario import json_schema
from tools.__main__ import PROGRAMS
from tools.docgen.catalogue_list import catalogue
from tools.docgen.contract_lists import error_list, routes, sources, verbs
from tools.docgen.event_pages import event_request, events
from tools.docgen.exam_lists import exam_rules, receiver_probes
from tools.docgen.machine_pages import machines, timers
from tools.docgen.markdown import table
from tools.docgen.member_schemas import member_list
from tools.docgen.scenario_index import scenario_index
from tools.docgen.service_page import extension_points
from tools.docgen.setting_lists import settings

_BLOCK = re.compile(r"(<!-- generated: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

NOTHING: Final[Mapping[str, Callable[[], str]]] = {}

# Pages that may have generated tables, relative to the root of the repository.
PAGES = ("README.md", "CONTRIBUTING.md", "docs/**/*.md")

# What each credential is for.
CREDENTIALS: Final = {
    "partner.prepaid": "wallet 5,000.00 and a good default card",
    "partner.no_funds": "empty wallet, no card",
    "partner.net_terms": "credit limit 10,000.00",
    "partner.unbound": "bound to no account",
    "partner.no_capability": "lacks `team_orders`",
    "team.live_approver": "role approver, all scopes, spending ceilings set",
    "team.live_requester": "role requester, all scopes but `orders:pay`",
    "team.test": "a sandbox: role approver, all scopes but `orders:pay`",
    "team.test_second": "a second sandbox of the same team",
    "team.other_team": "approver key of another team",
    "session.owner": "a signed-in owner of the team",
    "session.approver": "a signed-in approver",
    "session.member": "a signed-in member",
    "session.otherowner": "the owner of another team",
    "museum": "user and password; `museum.{w}` in any world but `default`",
}


def pages_with_tables(root: Path) -> list[Path]:
    """The pages below the root of the repository that have a generated table."""
    pages = (path for pattern in PAGES for path in sorted(root.glob(pattern)))
    return [page for page in pages if _BLOCK.search(page.read_text(encoding="utf-8"))]


def refreshed(text: str, page: Path = Path("README.md"), more: Mapping[str, Callable[[], str]] = NOTHING) -> str:
    """The text with every generated block replaced by its current content; KeyError for an unknown name.

    Links lead from `page`, whose path is relative to the root of the repository. `more` adds blocks to `BLOCKS`.
    """
    root = os.path.relpath(".", page.parent)
    prefix = "" if root == "." else f"{root}/"
    blocks = {**BLOCKS, **more}
    return _BLOCK.sub(
        lambda block: f"{block[1]}\n{blocks[block[2]]().replace('](scenarios/', f']({prefix}scenarios/')}\n{block[3]}",
        text,
    )


def credentials() -> str:
    """The named credentials of every world, with `{w}` for its id."""
    world = ClientWorld(Control(Simulator(fixture="bare").client), "default").send("GET")
    rows = []
    for name, entry in world["credentials"].items():
        value = str(entry.get("value") or f"{entry.get('user')} / {entry.get('password')}")
        variables = " ".join(f"`{variable}`" for variable in credential_variables(name, entry))
        rows.append(f"- `{name}` `{value.replace('default', '{w}')}` {variables}: {CREDENTIALS[name]}")
    return "\n".join(rows)


def language() -> str:
    """Every kind of step of a scenario, from the published schema."""
    parts = json_schema()["$defs"]
    kinds = [entry["$ref"].rpartition("/")[2] for entry in parts["step"]["oneOf"]]
    return "\n".join(_step_line(name.removesuffix("_step"), parts[name]) for name in kinds)


def _step_line(kind: str, rules: Mapping[str, Any]) -> str:
    others = ", ".join(f"`{name}`" for name in rules["properties"] if name not in (kind, "in"))
    return f"- `{kind}`: {rules['description']}{f' Also {others}.' if others else ''}"


def faults() -> str:
    """Every effect of a fault, as the test-control API and the header write it."""
    lines = []
    for effect in merged_service().effect_types:
        options = "".join(f" `{name}` is {option.expects}." for name, option in effect.options.items())
        does = effect.does[0].upper() + effect.does[1:]
        lines.append(f"- `{effect.name}`, {effect.expects}: {does}. Acts on {effect.acts_on}.{options}")
    return "\n".join(lines)


def magic() -> str:
    """Every magic value by where it is looked for; an email address is left out if it is spelled like the text."""
    rows = sorted(magic_rows(), key=lambda row: row.found_in)  # stable
    parts = []
    for place, found in groupby(rows, lambda row: row.found_in):
        lines = [f"- {_short(row.value)}: {row.means} ({row.source})" for row in found]
        parts.append("\n".join([f"In {place}:", "", *lines]))
    return "\n\n".join(parts)


def _short(value: str) -> str:
    """A magic text without the email address that says the same."""
    text, _, email = value.partition(", ")
    spelled = text.strip("`").removeprefix("Magic ").lower().replace(" ", "-")
    return text if email == f"`{spelled}@magic.giftsim.example`" else value


def rehearsals() -> str:
    """Every rehearsal, by what users fear."""
    return "".join(f"- `{row.name}`: {row.fear}\n" for row in REHEARSALS)


def programs() -> str:
    """What `python -m tools` lists."""
    return table(("program", "what it does"), [(f"`{name}`", each.line) for name, each in PROGRAMS.items()])


BLOCKS: Final[Mapping[str, Callable[[], str]]] = {
    "routes": routes,
    "verbs": verbs,
    "sources": sources,
    "partner-errors": partial(error_list, "partner"),
    "team-errors": partial(error_list, "team"),
    "museum-errors": partial(error_list, "museum"),
    "credentials": credentials,
    "settings": settings,
    "catalogue": catalogue,
    "machines": machines,
    "timers": timers,
    "event-request": event_request,
    "partner-events": partial(events, "partner"),
    "team-events": partial(events, "team"),
    "language": language,
    "library": partial(scenario_index, Path(__file__).parents[2]),
    "faults": faults,
    "answers": partial(member_list, "answers"),
    "magic": magic,
    "rehearsals": rehearsals,
    "receiver-probes": receiver_probes,
    "exam-rules": exam_rules,
    "programs": programs,
    "extension-points": extension_points,
}
