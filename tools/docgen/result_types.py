"""Writes the types of what the pytest fixture's members return, from the contract of the control API.

A row of `RESULTS` or `RECORDS` gives a schema of the contract its name and docstring in Python. Objects inside schemas
that have no row are `dict[str, Any]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from keyword import iskeyword
from pathlib import Path
from typing import Any, Final, NamedTuple

from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract

HEAD = """{docstring}

# Generated from control/contract.yaml: `python -m tools docgen` renews this file.

from typing import {imports}
"""
RESULTS_TEXT = '''"""The types of what the members of the fixture return, as the test-control API documents them.

They are plain dictionaries: a type checker and an IDE know their members. Instants are texts like
`2027-01-04T09:00:00Z`, and amounts are in cents.
"""'''
RECORDS_TEXT = '"""The types of the rows that `listed` returns, as the test-control API documents them."""'
LONGEST_LINE = 120

# Types that are not schemas of the contract.
OTHERS: Final[Mapping[str, Any]] = {
    "Parcels": {
        "required": ["parcels"],
        "properties": {"parcels": {"type": "array", "items": {"$ref": "Parcel"}}},
    },
    "UndoneCall": {
        "required": ["at", "method", "path"],
        "properties": {"at": {"type": "string"}, "method": {"type": "string"}, "path": {"type": "string"}},
    },
    "Subscription": {
        "required": ["secret"],
        "properties": {
            "secret": {"type": "string"},
            "endpoint": {"type": "object"},
            "signature_header": {"type": "string"},
            "id": {"type": "integer"},
            "url": {"type": "string"},
            "events": {"type": "array", "items": {"type": "string"}},
            "balance_threshold_cents": {"type": ["integer", "null"]},
            "livemode": {"type": "boolean"},
            "created_at": {"type": "string"},
        },
    },
}


class Type(NamedTuple):
    """A type: its name, its docstring, and its schema in the contract if that has another name.

    `Team.credit` is the schema of a member of `Team`, or of its items if it is a list.
    """

    name: str
    text: str
    schema: str = ""


OUTCOME = Type("Outcome", "How an attempt ended; None while it is under way.")
RESULTS = (
    OUTCOME,
    Type("RehearsalName", "The word for a situation that can be rehearsed."),
    Type("Parcel", 'What one recipient gets; returned by `claim`, `ship` and `listed("parcels")`.'),
    Type("Approval", 'A request for a yes; returned by `approve`, `reject` and `listed("approvals")`.'),
    Type("Actor", "A person who acts without further calls; returned by `actor`."),
    Type("Account", "A partner key's account; returned by `fund`."),
    Type("Fault", "A fault and how often it was injected; returned by `fault`, `fail_charges` and `faults`."),
    Type("Fired", "A timer that fired.", "Advance.fired"),
    Type("Change", "What happened to one record.", "Advance.changed"),
    Type("Attempt", "An attempt to deliver a webhook.", "Attempted"),
    Type("Advance", "What an advance did; returned by `advance`. `fired` is there on request."),
    Type("Step", "One answer of a scripted receiver."),
    Type("Receiver", "How a host answers webhooks; returned by `receiver`."),
    Type("Key", "A new key; returned by `key`."),
    Type("Event", "A webhook event, with or without subscribers; returned by `events`."),
    Type("Mail", "A mail that the service would send; returned by `mail`."),
    Type("Parcels", "The parcels that `ship` moved."),
    Type("Rehearsal", "A situation that can be rehearsed; returned by `rehearsals`."),
    Type("Rehearsed", "What a rehearsal did, and what to check then; returned by `rehearse`."),
    Type("UndoneCall", "A call that `undo` removed, or `redo` brought back."),
    Type("Mark", "An entry of the world's trace that proves a verdict.", "Verdict.marks"),
    Type("Mend", "The line that would change it, to paste."),
    Type("Verdict", "Why something did not happen, in one sentence; returned by `why`."),
    Type(
        "Subscription",
        "A new webhook endpoint; returned by `subscribe`. A partner's is in `endpoint`, a team's is the object itself.",
    ),
)
RECORDS = (
    Type("Timer", "Something that is due."),
    Type("Order", "An order of any interface."),
    Type("TeamPayment", "A payment of a team."),
    Type("Payment", "A charge of a partner key's account."),
    Type("Posting", "One side of an entry.", "LedgerEntry.postings"),
    Type("LedgerEntry", "An entry in the double-entry book of money."),
    Type("Option", "One choice.", "Product.variations.options"),
    Type("Variation", "What may be chosen of a product.", "Product.variations"),
    Type("Sku", "A product with all its choices made.", "Product.skus"),
    Type("Product", "A product of the catalogue."),
    Type("Credit", "A team's terms.", "Team.credit"),
    Type("Team", "A team."),
    Type("Endpoint", "A webhook endpoint."),
    Type("WebhookRequest", "A request as it was sent."),
    Type("Delivery", "An attempt to deliver a webhook, with the request."),
    Type("LoggedRequest", "The request of a logged call, redacted.", "LoggedCall.request"),
    Type("LoggedCall", "A call of a client."),
)
SCHEMAS: Final = {each.schema or each.name: each.name for each in (*RESULTS, *RECORDS)}
PLAIN: Final = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
    "object": "dict[str, Any]",
}


def result_types(root: Path) -> dict[Path, str]:
    """The text of each module of types in a checkout."""
    testing = root / "simulator" / "giftsim" / "testing"
    source = _Source(Contract.load(CONTRACTS["control"]).published["components"]["schemas"])
    records = source.module(RECORDS_TEXT, RECORDS)
    imported = f"\n\nfrom giftsim.testing.results import {OUTCOME.name}\n\n\n"
    return {
        testing / "results.py": source.module(RESULTS_TEXT, RESULTS),
        testing / "records.py": records.replace("\n\n\n", imported, 1),
    }


class _Source:
    """Writes the types of schemas as Python."""

    def __init__(self, schemas: Mapping[str, Any]) -> None:
        self._schemas = {**schemas, **OTHERS}

    def module(self, docstring: str, types: Sequence[Type]) -> str:
        """The whole text of a module."""
        body = "".join(self._definition(each) for each in types)
        names = [name for name in ("Any", "Literal", "NotRequired", "TypedDict") if name in body]
        return HEAD.format(docstring=docstring, imports=", ".join(names)) + body

    def _definition(self, each: Type) -> str:
        schema = self._find(each.schema or each.name)
        if "enum" in schema:
            return f"\n# {each.text}\n{each.name} = {_literal(schema['enum'])}\n"
        required = schema.get("required", ())
        hints = {
            name: self._hint(member, f"{each.schema or each.name}.{name}")
            for name, member in schema["properties"].items()
        }
        hints = {name: hint if name in required else f"NotRequired[{hint}]" for name, hint in hints.items()}
        if any(map(iskeyword, hints)):
            lines = "".join(f'        "{name}": {hint},\n' for name, hint in hints.items())
            return f'\n\n# {each.text}\n{each.name} = TypedDict(\n    "{each.name}",\n    {{\n{lines}    }},\n)\n'
        lines = "".join(f"    {name}: {_fitted(hint)}\n" for name, hint in hints.items())
        return f'\n\nclass {each.name}(TypedDict):\n    """{each.text}"""\n\n{lines}'

    def _find(self, path: str) -> Any:
        """The schema of a type, or of a part: that of a member, or of the items of a list."""
        name, *members = path.split(".")
        schema = self._schemas[name]
        for member in members:
            schema = schema["properties"][member]
            schema = schema.get("items", schema)
        return schema

    def _hint(self, schema: Mapping[str, Any], path: str) -> str:
        if "$ref" in schema:
            return self._reference(schema["$ref"].rpartition("/")[2], path)
        if "anyOf" in schema:
            return _union(self._hint(each, path) for each in schema["anyOf"])
        if "const" in schema:
            return _literal([schema["const"]])
        if "enum" in schema:
            return _literal(schema["enum"]) + (" | None" if None in schema["enum"] else "")
        if isinstance(schema["type"], list):
            return _union(self._hint({**schema, "type": each}, path) for each in schema["type"])
        if schema["type"] == "array":
            return f"list[{self._hint(schema['items'], path) if 'items' in schema else 'Any'}]"
        if schema["type"] == "object" and path in SCHEMAS:
            return SCHEMAS[path]
        if schema["type"] == "object" and isinstance(schema.get("additionalProperties"), dict):
            return f"dict[str, {self._hint(schema['additionalProperties'], path)}]"
        return PLAIN[schema["type"]]

    def _reference(self, name: str, path: str) -> str:
        if name not in SCHEMAS:
            return self._hint(self._schemas[name], path)
        return SCHEMAS[name] + (" | None" if None in self._schemas[name].get("enum", ()) else "")


def _union(hints: Iterator[str]) -> str:
    return " | ".join(dict.fromkeys(hints))


def _literal(values: Sequence[Any]) -> str:
    texts = ["True" if value is True else f'"{value}"' for value in values if value is not None]
    line = f"Literal[{', '.join(texts)}]"
    if len(line) < LONGEST_LINE - len("    status: "):
        return line
    return "Literal[\n" + "".join(f"    {text},\n" for text in texts) + "]"


def _fitted(hint: str) -> str:
    """A hint as the formatter lays it out below a class: a list that is too long for a line is opened."""
    if "\n" not in hint:
        return hint
    inner = hint.removeprefix("list[").removesuffix("]") if hint.startswith("list[") else hint
    text = inner.replace("\n", "\n        " if inner != hint else "\n    ")
    return f"list[\n        {text}\n    ]" if inner != hint else text
