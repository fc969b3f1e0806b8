"""The claims about the service and the decisions, with the tests that show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import to_builtins

from giftsim.claims.entry import Settings, all_entries, summarize
from giftsim.claims.outcomes import NONE, Outcomes, UnreadableOutcomes, outcomes_path, read_outcomes
from giftsim.claims.selection import Selection
from giftsim.control.pagination import numbered, page
from giftsim.gateway.call import Call, Handler, Response


def make_list_claims(settings: Settings) -> Handler:
    """The handler that lists claims and decisions. The files are read when it is first called."""

    def list_claims(call: Call) -> Response:
        found = _selection(call.query).of(all_entries(settings, _outcomes()))
        return page(call, "claims", numbered(found), to_builtins, summary=to_builtins(summarize(found)))

    return list_claims


def _outcomes() -> Outcomes:
    """The outcomes of the checkout's test runs; none if the file has something else."""
    try:
        return read_outcomes(outcomes_path())
    except UnreadableOutcomes:
        return NONE


def _selection(query: Mapping[str, Any]) -> Selection:
    """The conditions of a query; each names one value."""
    names = {"ids": "id", "families": "about", "kinds": "kind", "bases": "basis", "outcomes": "outcome"}
    given = {member: (query[name],) for member, name in names.items() if query.get(name) is not None}
    return Selection(
        **given, decided=query.get("decided"), without_test=query["without_test"], text=query.get("text") or ""
    )
