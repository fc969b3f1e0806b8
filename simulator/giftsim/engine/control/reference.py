"""The reference: the routes, errors and events of the interfaces, settings, magic values, and rehearsals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from giftsim.engine.control.call_search import describe_calls
from giftsim.engine.control.machines import source_views
from giftsim.engine.control.pagination import number_rows, respond_with_page, rows_of_list
from giftsim.engine.control.search import text_condition
from giftsim.engine.control.search_fields import describe, names_of_examples
from giftsim.engine.control.services import services_of
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.documents import (
    Documents,
    Selection,
    Settings,
    count_entries,
    with_former_names,
)
from giftsim.engine.gateway.effect_types import operations_with
from giftsim.engine.gateway.member_sources import SOURCE
from giftsim.engine.gateway.simulated_service import Service
from giftsim.engine.gateway.sources import OWN, STATEMENT

ROUTES, ERRORS, EVENTS, SETTINGS, MAGIC = "routes", "errors", "events", "settings", "magic_values"
REHEARSALS = "rehearsals"
Entry = dict[str, Any]


def list_routes(call: Call) -> Response:
    """List every operation of the interfaces."""
    return _list(call, ROUTES, lambda: _each(call, routes))


def list_errors(call: Call) -> Response:
    """List every error of the interfaces."""
    return _list(call, ERRORS, lambda: _each(call, errors))


def list_event_types(call: Call) -> Response:
    """List every webhook event of the interfaces."""
    return _list(call, EVENTS, lambda: _each(call, events))


def list_settings(call: Call) -> Response:
    """List every setting."""
    return _list(call, SETTINGS, lambda: settings(services_of(call).service, services_of(call).settings))


def list_magic_values(call: Call) -> Response:
    """List the magic values."""
    return _list(call, MAGIC, lambda: magic_values(services_of(call).service))


def list_rehearsals(call: Call) -> Response:
    """List the situations that can be rehearsed."""
    return _list(call, REHEARSALS, lambda: rehearsals(services_of(call).service))


def routes(documents: Documents, interface: str, contract: Contract) -> Iterator[Entry]:
    """Every operation of an interface."""
    whole = contract.document.get(SOURCE, ())
    for operation in contract.operations.values():
        yield {
            "interface": interface,
            "operation": operation.id,
            "method": operation.method,
            "path": f"{contract.prefix}{operation.template}",
            "summary": operation.node.get("summary", ""),
            "scopes": list(operation.scopes),
            "idempotency": operation.idempotency,
            "statuses": sorted(operation.documented),
            **_said(documents, operation.node.get(SOURCE, whole)),
        }


def errors(documents: Documents, interface: str, contract: Contract) -> Iterator[Entry]:
    """Every error of an interface: what it means, how to cause it, and the operations that have it."""
    for row in contract.published.get("x-errors", ()):
        yield {
            "interface": interface,
            "status": row["status"],
            "code": row["code"],
            "means": row["meaning"],
            "cause": row["cause"],
            "operations": operations_with(contract, row["code"]),
            **_said(documents, tuple(row.get(SOURCE, ()))),
        }


def events(documents: Documents, interface: str, contract: Contract) -> Iterator[Entry]:
    """Every webhook event of an interface."""
    for kind, item in contract.published.get("webhooks", {}).items():
        node = item["post"]
        yield {
            "interface": interface,
            "type": kind,
            "summary": node["summary"],
            "description": " ".join(node.get("description", "").split()),
            **_said(documents, tuple(node.get(SOURCE, ()))),
        }


def settings(service: Service, definitions: Settings) -> Iterator[Entry]:
    """Every setting, with the decisions that it changes."""
    documents = service.documents
    decisions: dict[str, list[str]] = {}
    for entry in documents.entries(definitions):
        for setting in entry.settings:
            decisions.setdefault(setting.name, []).append(entry.id)
    for each in definitions.values():
        yield {
            "name": each.name,
            "default": each.default,
            "takes": each.takes,
            "means": each.meaning,
            "decisions": source_views(documents, decisions.get(each.name, ())),
        }


def magic_values(service: Service) -> Iterator[Entry]:
    """Every magic value: what to write, where, and its effect."""
    for row in (row for rows in service.magic for row in rows()):
        values = [value.strip().strip("`") for value in row.value.split("`, `")]
        sources = source_views(service.documents, [each.strip() for each in row.source.split(",")])
        yield {"values": values, "found_in": row.found_in, "means": row.means, "decisions": sources}


def rehearsals(service: Service) -> Iterator[Entry]:
    """Every rehearsal: what users fear, what happens, and the calls that let it happen."""
    for row in (row for rows in service.rehearsals for row in rows()):
        yield {
            "name": row.name,
            "about": row.about,
            "fear": row.fear,
            "happens": row.happens,
            "check": row.check,
            "takes": list(row.takes),
            "needs": [list(group) for group in row.needs],
            "steps": [step._asdict() for step in row.steps],
            "decisions": source_views(service.documents, [each.strip() for each in row.source.split(",")]),
        }


def _text(row: Entry) -> str:
    """All texts of a row, in lower case."""
    texts = (
        " ".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in row.items()
        if name != "sources"
    )
    return " ".join(texts).casefold()


def _said(documents: Documents, ids: Sequence[str]) -> Entry:
    """The sources with these ids, and whether it is decided: no document says it, and it is not giftsim's own."""
    documented = any(STATEMENT.fullmatch(each) for each in ids)
    return {"decided": not documented and OWN not in ids, "sources": source_views(documents, ids)}


def _each(call: Call, rows: Callable[[Documents, str, Contract], Iterable[Entry]]) -> Iterator[Entry]:
    services = services_of(call)
    contracts = {each.name: each.contract for each in (*services.simulated(), call.interface)}
    return (
        row
        for interface, contract in contracts.items()
        for row in rows(services.service.documents, interface, contract)
    )


def _list(call: Call, name: str, make: Callable[[], Iterable[Entry]]) -> Response:
    """A list, whose rows the first call makes; `interface` selects an interface, `q` the rows with a text."""
    kept = services_of(call).reference
    if name not in kept:
        kept[name] = list(make())
    interface, has_words = call.query.get("interface"), text_condition(call.query.get("q"))
    asked = (
        (number, row)
        for number, row in rows_of_list(kept[name]).rows_of_page(call)
        if interface in (None, row.get("interface")) and (has_words is None or has_words(_text(row)))
    )
    return respond_with_page(call, name, asked, dict)


def list_searches(call: Call) -> Response:
    """List how each list of a world is searched."""
    service, simulated = services_of(call).service, services_of(call).simulated()
    names = names_of_examples(service, simulated)
    searches = [describe(each, names) for make in service.searches for each in make()]
    rows = sorted([describe_calls(names), *searches], key=lambda row: str(row["list"]))
    return respond_with_page(call, "lists", number_rows(rows), dict)


def list_statements(call: Call) -> Response:
    """List statements and decisions, under their former path with the former names of members too."""
    services = services_of(call)
    found = _selection(call.query).of(services.service.entries(services.settings))
    listed = respond_with_page(
        call, "statements", number_rows(found), to_builtins, summary=to_builtins(count_entries(found))
    )
    former = services.service.documents.former_name
    if not former or not call.path.endswith(f"/{former}"):
        return listed
    return replace(listed, body=with_former_names(listed.body, former))


def list_fixtures(call: Call) -> Response:
    """List the fixtures, each with a sentence."""
    return respond_with_page(call, "fixtures", number_rows(services_of(call).describe_fixtures()), dict)


def _selection(query: Mapping[str, Any]) -> Selection:
    """The conditions of a query; each names one value."""
    names = {"ids": "id", "families": "about", "kinds": "kind", "bases": "basis", "outcomes": "outcome"}
    given = {member: (query[name],) for member, name in names.items() if query.get(name) is not None}
    return Selection(
        **given, decided=query.get("decided"), without_test=query["without_test"], text=query.get("text") or ""
    )


_VERBS = "/worlds/{w}/simulate/"


def list_verbs(call: Call) -> Response:
    """List the verbs of the contract with their schemas."""
    operations = call.interface.contract.operations.values()
    verbs = [
        {"verb": op.template.removeprefix(_VERBS), "summary": op.node["summary"], "schema": op.body_schema.document}
        for op in operations
        if op.template.startswith(_VERBS) and op.body_schema
    ]
    return respond_with_page(call, "verbs", number_rows(verbs), dict)
