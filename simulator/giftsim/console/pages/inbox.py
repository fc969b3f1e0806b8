"""The inbox of a world: its mail, and the approvals, proofs and previews that wait for somebody."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from flask import Blueprint, Response, request, url_for

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.filters import money, record_id, ref_text
from giftsim.console.listing import DETAIL, PART, Entry, List, Listing, Section, read_listing
from giftsim.console.names import fetch_titles, title_of
from giftsim.console.page import Place, act_and_return, render_page
from giftsim.console.pages import mail
from giftsim.console.pages.money import team_names
from giftsim.engine.client.control import quote_segment
from giftsim.frontend.states import tone, words

OF_MAIL = "?of=mail"  # of a decision that stands above the mail: its page keeps that list
BLUEPRINT = Blueprint("inbox", __name__)
PLACES = (Place("Inbox", "inbox.show", "i", "inbox", "Gifting", 4, of="team"),)
BOXES = ("approvals", "proofs", "previews")
IDS = {"approvals": "id", "proofs": "proof_id", "previews": "preview_id"}
LEFT_TO_APPS = ("awaiting_version", "changes_requested")  # proofs that wait for the app, and not for a person
DECIDES = "decides"  # the member of the first row that says of which box it is, unless it is a mail
MOST_WAITING = 20  # of each kind, above the mail
Row = Mapping[str, Any]
DECISIONS = {
    "approve": "Approve",
    "reject": "Reject",
    "request_changes": "Ask for changes of",
    "sign": "Sign",
}


@BLUEPRINT.get("/w/<world>/inbox")
def show() -> Response:
    """The mail, after what waits for a decision. The first one is shown beside the list."""
    listing = mail_listing()
    if listing.first is None:
        return render_page("inbox.html", listing=listing, box="mail")
    if DECIDES in listing.first:
        box = listing.first[DECIDES]
        return _show(listing, box, str(listing.first[IDS[box]]))
    return mail.show_mail(listing, listing.first["seq"])


@BLUEPRINT.get("/w/<world>/inbox/<any(approvals, proofs, previews):box>")
def decisions(box: str) -> Response:
    """The approvals, proofs or previews, those that wait first."""
    listing = _listing(box)
    if listing.first is not None:
        return _show(listing, box, str(listing.first[IDS[box]]))
    return render_page("inbox.html", listing=listing, box=box)


@BLUEPRINT.get("/w/<world>/inbox/<any(approvals, proofs, previews):box>/<id>")
def decision(box: str, id: str) -> Response:  # noqa: A002 (the name of the path's parameter)
    """One approval, proof or preview, with the buttons to decide it."""
    shown = url_for("inbox.decision", box=box, id=id)
    listing = mail_listing(shown + OF_MAIL) if request.args.get("of") == "mail" else _listing(box, shown)
    return _show(listing, box, id)


@BLUEPRINT.get("/w/<world>/inbox/mail/<int:seq>")
def one_mail(seq: int) -> Response:
    """One mail, which is read then."""
    current_world().put(f"mail/{seq}/read", {})
    return mail.show_mail(mail_listing(url_for("inbox.one_mail", seq=seq)), seq)


def mail_listing(shown: str | None = None) -> Listing:
    """The list of the mail, after what waits for a decision."""
    of_mail = List("Inbox", url_for("inbox.show"), _mail_entry, about=lambda row: row["about"], plain=True)
    listing = read_listing("mail", of_mail, shown=shown)
    if request.headers.get(PART) == DETAIL or listing.text or request.args.get("before"):
        return listing
    waiting = [(box, row) for box in BOXES for row in _waiting(box)]
    if not waiting:
        return listing
    entries = [each._replace(path=each.path + OF_MAIL) for each in (_entry(box, row) for box, row in waiting)]
    sections = (Section("waiting", "To decide", len(entries), entries), *listing.sections)
    if not listing.is_list:
        return listing._replace(sections=sections)
    box, row = waiting[0]
    return listing._replace(sections=sections, first={**row, DECIDES: box}, shown=entries[0].path)


def _mail_entry(row: Row) -> Entry:
    title = title_of(row["about"]) if row["about"] else "a link that was replaced"
    return Entry(
        path=url_for("inbox.one_mail", seq=row["seq"]),
        title=row["subject"],
        line=f"{'bounced, ' if row['bounced_at'] else ''}to {row['to']}, {title}",
        tone="bad" if row["bounced_at"] else "plain" if row["read"] else "move",
        at=row["at"],
    )


def _waiting(box: str) -> list[Row]:
    page = current_world().get(box, q="is:waiting", order="newest", limit=MOST_WAITING)
    fetch_titles(row.get("about") for row in page[box])
    return [row for row in page[box] if row["status"] not in LEFT_TO_APPS]


def _listing(box: str, shown: str | None = None) -> Listing:
    address = url_for("inbox.decisions", box=box)
    return read_listing(box, List(box.capitalize(), address, partial(_entry, box), about=_about), shown=shown)


def _about(row: Row) -> Row | None:
    return row.get("about")


def _entry(box: str, row: Row) -> Entry:
    """An approval by what is approved, a proof by its item, a preview by its product."""
    about = _about(row)
    named = ref_text(about) if about else ""
    titles = {"approvals": named, "proofs": row.get("item"), "previews": row.get("product")}
    asks = {"approvals": "approval", "proofs": f"proof of {named}", "previews": "preview"}[box]
    return Entry(
        path=url_for("inbox.decision", box=box, id=row[IDS[box]]),
        title=str(titles[box]),
        ident=f"#{row[IDS[box]]}",
        line=f"{asks}, {words(row['status'])}",
        tone=tone(row["status"]),
        end=money(row["amount_cents"]) if box == "approvals" else "",
        at=row.get("created_at"),
    )


def _show(listing: Listing, box: str, id: str) -> Response:  # noqa: A002
    row = current_world().get(f"{box}/{quote_segment(id)}")
    fetch_titles([_about(row)])
    team = team_names(current_world()).get(row["team_id"], f"team {row['team_id']}")
    name = _entry(box, row).title
    return render_page("inbox/decision.html", listing=listing, box=box, row=row, name=name, team=team)


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
