"""What the contracts say, in short lists for the reference: operations, verbs, error codes, and where items come from.

The rest, such as the summary, sources and codes of an operation, is in the published contracts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.engine.gateway.sources import OWN, Sources
from tools.docgen.markdown import table
from tools.docgen.member_schemas import VERBS

OWNERS: Final = {"team": "Team API", "partner": "Partner API", "museum": "Museum API", "control": "Test-control API"}


def routes() -> str:
    """Every operation of every interface by its tag: the path once, with the operationId of each method.

    Nothing takes an operationId of the test-control API, so its paths have none.
    """
    parts = []
    for name, path in CONTRACTS.items():
        contract = Contract.load(path)
        parts.append(f"## {OWNERS[name]}\n\nBelow `{contract.prefix}`:")
        by_tag: dict[str, list[Operation]] = {}
        for operation in contract.operations.values():
            by_tag.setdefault(operation.node["tags"][0], []).append(operation)
        calls = _paths if name == "control" else _calls
        parts.append("\n".join(f"- **{tag}**: {', '.join(calls(found))}" for tag, found in by_tag.items()))
    return "\n\n".join(parts)


def _calls(operations: list[Operation]) -> Iterator[str]:
    """Each path with its methods: `` `GET /people` listPeople, `POST` upsertPeople ``."""
    for template, found in _by_path(operations):
        first, *others = found
        yield f"`{first.method} {template}` {_name(first)}"
        yield from (f"`{other.method}` {_name(other)}" for other in others)


def _paths(operations: list[Operation]) -> Iterator[str]:
    """Each path with its methods alone, the verbs once: `` `GET|POST /worlds` ``."""
    lines = (
        f"`{'|'.join(operation.method for operation in found)} {_with_any_verb(template)}`"
        for template, found in _by_path(operations)
    )
    return iter(dict.fromkeys(lines))


def _with_any_verb(template: str) -> str:
    before, verbs, _ = template.partition(VERBS)
    return f"{before}{verbs}VERB" if verbs else template


def _by_path(operations: list[Operation]) -> Iterator[tuple[str, list[Operation]]]:
    in_order = sorted(operations, key=lambda operation: operation.template)
    for template, found in groupby(in_order, lambda operation: operation.template):
        yield template, list(found)


def _name(operation: Operation) -> str:
    return str(operation.node["operationId"])


def verbs() -> str:
    """The verbs of the outside world."""
    found = (op.template.partition(VERBS)[2] for op in Contract.load(CONTRACTS["control"]).operations.values())
    return f"The verbs are {', '.join(f'`{verb}`' for verb in found if verb)}."


def error_list(interface: str) -> str:
    """Every error code of an interface by its status: what it means, and how to cause it."""
    rows = sorted(Contract.load(CONTRACTS[interface]).published["x-errors"], key=lambda row: row["status"])
    parts = []
    for status, found in groupby(rows, lambda row: row["status"]):
        lines = [f"- `{row['code']}`: {row['meaning']}. {row['cause']}" for row in found]
        parts.append("\n".join([f"**{status}**", "", *(" ".join(line.split()) for line in lines)]))
    return "\n\n".join(parts)


def sources() -> str:
    """How many items of each kind are documented in each interface, and how many decided: `35 + 4`."""
    counts: dict[str, Counter[tuple[str, bool]]] = {}
    for name, path in CONTRACTS.items():
        found = Sources(Contract.load(path))
        if OWN not in found.whole:
            counts[name] = Counter((item.kind, item.documented) for item in found.distinct)
    kinds = dict.fromkeys(kind for each in counts.values() for kind, _ in each)
    rows = [(kind, *(f"{each[kind, True]}+{each[kind, False]}" for each in counts.values())) for kind in kinds]
    totals = ([sum(n for (_, known), n in each.items() if known is side) for side in (True, False)]
              for each in counts.values())  # fmt: skip
    rows.append(("**all**", *(f"**{documented}+{decided}**" for documented, decided in totals)))
    return table(("documented+decided", *counts), rows)
