"""The inbox of a world: its mail, and the approvals, proofs and previews that wait for somebody."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.filters import record_id, ref_text, words
from giftsim.console.page import Place, act_and_return, choose_parameter, query_members, render_page
from giftsim.engine.client.control import quote_segment

BLUEPRINT = Blueprint("inbox", __name__)
PLACES = (Place("Inbox", "inbox.show", "i", "inbox", "Gifting", 4, of="team"),)
BOXES = ("waiting", "mail", "approvals", "proofs", "previews")
LISTED, CARDS, WAITING_CARDS = 50, 24, 8  # rows of a table, cards of a list, cards of each kind that waits
DECISIONS = {
    "approve": "Approve",
    "reject": "Reject",
    "request_changes": "Ask for changes of",
    "sign": "Sign",
}


@BLUEPRINT.get("/w/<world>/inbox")
def show() -> Response:
    """What waits, or one kind of what is in the inbox."""
    box, world = choose_parameter("box", BOXES), current_world()
    lists = {name: _waiting(world, name) for name in ("approvals", "proofs", "previews")}
    counts = {name: each["counts"] for name, each in lists.items()}
    described = world.describe()
    return render_page(
        "inbox.html",
        box=box,
        counts=counts,
        lists=lists,
        waiting=waiting_count(counts),
        mails=described["counts"]["mail"],
        ready=_proofs(world, "ready_to_sign") if box == "waiting" else [],
        rows=_rows(world, box),
    )


@BLUEPRINT.post("/w/<world>/inbox/approvals/<id>")
def decide_approval(id: str) -> Response:  # noqa: A002 (the name of the path's parameter)
    """Approve or reject."""

    def decide(world: WorldControl) -> Any:
        outdated = world.get(f"approvals/{quote_segment(id)}")["outdated"]
        return {**world.post("simulate/approval", _decision("approval_id", id)), "outdated": outdated}

    return act_and_return(f"{_verb()} approval {id}", decide, said=_approval_words)


@BLUEPRINT.post("/w/<world>/inbox/proofs/<id>")
def decide_proof(id: str) -> Response:  # noqa: A002
    """Approve, refuse or sign the current version of a proof."""
    return act_and_return(
        f"{_verb()} proof {id}",
        lambda world: world.post("simulate/proof", _decision("proof_id", id)),
        said=lambda proof: f"The proof of {proof['item']} is {words(proof['status'])}.",
    )


@BLUEPRINT.post("/w/<world>/inbox/previews/<id>")
def finish_preview(id: str) -> Response:  # noqa: A002
    """Finish a preview, or let it fail."""
    outcome = request.form.get("outcome", "")
    body = {"preview_id": record_id(id), "outcome": outcome}
    return act_and_return(
        f"Finish preview {id}",
        lambda world: world.post("simulate/preview", body),
        said=lambda preview: f"Preview {id} is {preview['status']}.",
    )


def waiting_count(counts: dict[str, dict[str, int]]) -> int:
    """How many approvals, proofs and previews wait for a person or the renderer."""
    proofs = counts["proofs"]["in_review"] + counts["proofs"]["ready_to_sign"]
    return counts["approvals"]["pending"] + proofs + counts["previews"]["pending"]


def _waiting(world: WorldControl, name: str) -> Any:
    status = {"approvals": "pending", "proofs": "in_review", "previews": "pending"}[name]
    return world.get(name, status=status, order="newest", limit=WAITING_CARDS, counts=True)


def _proofs(world: WorldControl, status: str) -> Any:
    return world.get("proofs", status=status, order="newest", limit=WAITING_CARDS)["proofs"]


def _rows(world: WorldControl, box: str) -> Any:
    """The page of a list; None for what waits."""
    if box == "waiting":
        return None
    names = ("q", "before") if box == "mail" else ("status", "before")
    return world.get(box, order="newest", limit=LISTED if box == "mail" else CARDS, **query_members(*names))


def _verb() -> str:
    return DECISIONS.get(request.form.get("decision", ""), "Decide")


def _decision(name: str, text: str) -> dict[str, Any]:
    note = request.form.get("note", "").strip()
    body = {name: record_id(text), "decision": request.form.get("decision", "")}
    return {**body, "note": note} if note else body


def _approval_words(approval: dict[str, Any]) -> str:
    text = f"Approval {approval['id']} of {ref_text(approval['about'])} is {approval['status']}."
    paid_nothing = approval["outdated"] and approval["status"] != "rejected"
    return f"{text} Nothing is paid: the price has changed since it was requested." if paid_nothing else text
