"""Members of effects, receivers' answers and actors in the contract of the control API and the schema of scenarios.

The rows are in Python, where they are checked, and the verbs of scenarios in the contract. `python -m tools docgen`
writes the schemas, and a test fails if one is outdated. In the contract the members are between `# generated: NAME` and
`# end`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import indent, wrap
from typing import Any, Final

import yaml

from giftsim.engine.kernel.member import Member
from giftsim.engine.webhooks import receiver_script
from giftsim.services.gifting.domain import actor
from giftsim.services.gifting.rehearsals.rehearsal_table import REHEARSALS
from giftsim.services.known import merged_service

CONTRACT: Final = Path("simulator/giftsim/engine/control/contract.yaml")
SCENARIO: Final = Path("simulator/giftsim/workbench/scenario/schema.json")

EFFECT_TYPES: Final = merged_service().effect_types
ROWS: Final[Mapping[str, Sequence[Member]]] = {
    "effects": EFFECT_TYPES.members,
    "answers": receiver_script.MEMBERS,
    "actors": actor.MEMBERS,
}
# The definitions of scenarios whose members are rows, with what they have besides.
DEFINITIONS: Final = {"effect": "effects", "reaction": "answers", "actor": "actors"}
OPTIONAL: Final = {
    "type": "boolean",
    "default": False,
    "description": "Allows the actor to never act, which otherwise fails the scenario.",
}
MORE: Final[Mapping[str, Mapping[str, Any]]] = {"actor": {"optional": OPTIONAL}}

VERBS: Final = "/simulate/"  # in the path of a verb, before its name

_BLOCK = re.compile(r"^( *)# generated: ([a-z]+)\n.*?^\1# end\n", re.DOTALL | re.MULTILINE)


def member_schemas(root: Path) -> dict[Path, str]:
    """The two files under `root`, with the members of today."""
    contract, schema = root / CONTRACT, root / SCENARIO
    return {
        contract: _with_rehearsals(_BLOCK.sub(_yaml_block, contract.read_text(encoding="utf-8"))),
        schema: _with_verbs(_in_scenario(schema.read_text(encoding="utf-8")), contract),
    }


def member_list(name: str) -> str:
    """The members of some rows, for a page."""
    return "\n".join(f"- `{member.name}`: {member.text}" for member in ROWS[name])


def _yaml_block(block: re.Match[str]) -> str:
    spaces, name = block.groups()
    members = {member.name: member.in_contract() for member in ROWS[name]}
    width = 100 - len(spaces)
    text = yaml.safe_dump(members, sort_keys=False, default_flow_style=None, allow_unicode=True, width=width)
    return f"{spaces}# generated: {name}\n{indent(text, spaces)}{spaces}# end\n"


def _in_scenario(text: str) -> str:
    for name, rows in DEFINITIONS.items():
        members = {**{member.name: member.in_scenario() for member in ROWS[rows]}, **MORE.get(name, {})}
        place = re.compile(rf'^( *)"{name}": \{{\n(?:\1 .*\n)*?\1  "properties": \{{\n()(?:\1   .*\n)*', re.MULTILINE)
        found = place.search(text)
        if found is None:
            raise ValueError(f'the schema of scenarios has no definition "{name}" with properties')
        lines = [f"{found[1]}    {json.dumps(key)}: {json.dumps(value)}" for key, value in members.items()]
        text = text[: found.start(2)] + ",\n".join(lines) + "\n" + text[found.end() :]
    effects = f"one of {', '.join([*EFFECT_TYPES.by_name][:-1])} and {[*EFFECT_TYPES.by_name][-1]}"
    return re.sub(r'("description": "The effect: )one of [^"]*(\.")', rf"\g<1>{effects}\2", text)


def _with_rehearsals(text: str) -> str:
    names = ", ".join(rehearsal.name for rehearsal in REHEARSALS)
    listed = "\n".join(
        wrap(f"enum: [{names}]", 110, initial_indent=" " * 6, subsequent_indent=" " * 12, break_on_hyphens=False)
    )
    return re.sub(
        r"^( *RehearsalName:\n *# [^\n]*\n) *enum: \[[^]]*\]", lambda found: found[1] + listed, text, flags=re.MULTILINE
    )


def _with_verbs(text: str, contract: Path) -> str:
    paths = yaml.load(contract.read_bytes(), yaml.CSafeLoader)["paths"]
    verbs = [path.partition(VERBS)[2] for path in paths if VERBS in path]
    text = re.sub(
        r'("rehearse": \{.*"enum": )\[[^]]*\]',
        lambda found: found[1] + json.dumps([rehearsal.name for rehearsal in REHEARSALS]),
        text,
    )
    return re.sub(r'("simulate": \{.*"enum": )\[[^]]*\]', lambda found: found[1] + json.dumps(verbs), text)
