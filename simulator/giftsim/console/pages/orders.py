"""Orders, gifts and campaigns: a list of each, and a page for each of them with the moves it can make."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, g, request, url_for
from markupsafe import Markup

from giftsim.console.control_client import WorldControl, current_world, real_call
from giftsim.console.curl import KEY, curl_command, with_key_line
from giftsim.console.filters import money, plural, ref_text
from giftsim.console.journey import read_journey
from giftsim.console.listing import Entry, List, Listing, read_listing
from giftsim.console.mending import account_of, make_again, mend_of, reason
from giftsim.console.page import Place, act_and_return, go_on, origin, read_notice, redirect_back, render_page
from giftsim.console.pages.home import SENDER
from giftsim.console.presets import rehearsals
from giftsim.console.stepper import failed_charge, steps, trouble
from giftsim.engine.client.control import ControlRefused, quote_segment
from giftsim.frontend.states import tone, words

FOLDER = Path(__file__).parents[1] / "static" / "machines"


def drawing(machine: str, states: Iterable[str]) -> Markup:
    """The drawing of a machine, one of the files of this package, in which some states are lit."""
    svg = _file(machine)
    for state in states:
        svg = svg.replace(f'class="state" data-state="{state}"', f'class="state lit" data-state="{state}"')
    return Markup(svg)  # made from the machines' own tables: nothing in it comes from outside


@cache
def _file(machine: str) -> str:
    return next(path for path in FOLDER.iterdir() if path.stem == machine).read_text(encoding="utf-8")


BLUEPRINT = Blueprint("orders", __name__)
PLACES = (
    Place("Orders", "orders.orders", "o", "box", "Gifting", 1, "orders/order/", of="partner"),
    Place("Gifts", "orders.gifts", "g", "gift", "Gifting", 2, "orders/gift/", of="team"),
    Place("Campaigns", "orders.campaigns", "c", "flag", "Gifting", 3, "orders/campaign/", of="team"),
)
NAMED = {"order": "team_order_id", "gift": "gift_id", "campaign": "campaign_id"}
REFS = {"order": "team_order"}  # what answers call a kind, where that differs
LISTS = {"order": "orders", "gift": "gifts", "campaign": "campaigns"}
LEADS = {
    "orders": "Team orders of the partner interface and of teams, wherever they came from.",
    "gifts": "Gift sends of teams: for one to fifty people, held until somebody approves them.",
    "campaigns": "Large campaigns of teams: up to 5,000 people, prepared and paid in batches.",
}
SIDEWAYS = ("delay", "reject", "resend", "fail", "lose", "request_changes")  # moves that are not progress
VERB = re.compile(r"[a-z_]+")
TEAM_API, PARTNER_API = "/api/teams/v1", "/api/external"
CANCELABLE = ("unpaid", "awaiting_approval", "approved", "collecting_addresses", "in_progress")
GUEST = {"name": "Bo Berg", "email": "bo@example.com"}
SAMPLES: Mapping[str, tuple[str, str, dict[str, Any]]] = {
    "gifts": ("Send a gift to Bo", "/gifts", {"recipients": [GUEST], "gift": {"collection_slug": "welcome-kit"}}),
    "campaigns": (
        "Start a campaign for Bo",
        "/large-campaigns",
        {"name": "A first campaign", "collection": "welcome-kit", "recipients": [GUEST]},
    ),
}
TEAM_KEY = "team.live_approver"


@BLUEPRINT.get("/w/<world>/orders")
def orders() -> Response:
    """The orders of all accounts and teams."""
    return _list("orders")


@BLUEPRINT.get("/w/<world>/gifts")
def gifts() -> Response:
    """The gift sends of all teams."""
    return _list("gifts")


@BLUEPRINT.get("/w/<world>/campaigns")
def campaigns() -> Response:
    """The large campaigns of all teams."""
    return _list("campaigns")


@BLUEPRINT.get("/w/<world>/orders/<kind>/<record_id>")
def one(kind: str, record_id: str) -> Response:
    """One order, gift or campaign beside its list; the query's `parcel` chooses one of its recipients.

    If an undo has taken it away, the list.
    """
    name = _list_of(kind)
    try:
        return _show(_listing(name, shown=_path_of(kind, record_id)), kind, record_id)
    except ControlRefused as error:
        if error.status == 404 and read_notice() is not None:
            return go_on(url_for(f"orders.{name}"))
        raise


def _show(listing: Listing, kind: str, record_id: str) -> Response:
    name = LISTS[kind]
    world = current_world()
    read = world.get(f"{name}/{quote_segment(record_id)}")
    record, parcel = read[kind], _chosen_parcel(read["recipients"])
    subject = ("parcel", parcel["order_id"]) if parcel else (kind, record["id"])
    moves = world.get("moves", kind=subject[0], id=subject[1])
    shown = [parcel] if parcel else read["recipients"]
    possible = [{**each, "text": json.dumps(each["body"])} for each in moves["moves"] if each["allowed"]]
    failed = failed_charge(record, read["money"])
    account = account_of(world, record) if failed else None
    journey = read_journey(world, f"{subject[0]}:{subject[1]}")
    return render_page(
        "order.html",
        listing=listing,
        kind=kind,
        name=name,
        record=record,
        parcel=parcel,
        machines=_machines(world, moves),
        claim_path=_claim_path,
        shared_path=_path(record.get("shared_claim_link")),
        claimable=_claimable(shown),
        claim_body=_claim_body(kind, record, read["recipients"], _claimable(shown)),
        journey=journey,
        about=f"{REFS.get(kind, kind)}:{record['id']}",
        steps=steps(record, shown, read["money"], journey.dates),
        trouble=trouble(record, read["recipients"]) if kind == "order" else "",
        decide=[each for each in possible if each["machine"] == "approval"],
        again=[each for each in possible if each["trigger"] == "resend"],
        failed=failed,
        account=account,
        mend=mend_of(failed, account, read["timeline"]) if failed and account else None,
        reason=reason,
        can_cancel=record["status"] in CANCELABLE,
        rehearsals=_rehearsals(kind, record, read["recipients"], parcel),
        **read,
    )


@BLUEPRINT.post("/w/<world>/orders/<kind>/<record_id>/move")
def move(kind: str, record_id: str) -> Response:
    """Make a move that the page shows: a verb with its body."""
    _list_of(kind)
    verb, trigger = request.form.get("verb", ""), request.form.get("trigger", "")
    try:
        body = json.loads(request.form.get("body", ""))
    except ValueError:
        abort(400, "the body of this move is not JSON")
    if not VERB.fullmatch(verb):
        abort(400, f"there is no verb {verb[:40]!r}")
    ref = {"kind": REFS.get(kind, kind), "id": record_id[:40]}
    label = f"{words(trigger or verb).capitalize()} {ref_text(ref)}"
    return act_and_return(label, lambda world: world.post(f"simulate/{verb}", body))


@BLUEPRINT.post("/w/<world>/orders/order/<record_id>/retry")
def retry(record_id: str) -> Response:
    """Let a failed payment succeed: change what its account lacks, and make the app's call again."""
    world = current_world()
    read = world.get(f"orders/{quote_segment(record_id)}")
    record, failed = read["order"], failed_charge(read["order"], read["money"])
    if failed is None:
        return redirect_back(f"{record['title']} is not unpaid any more.", failed=True)
    mend = mend_of(failed, account_of(world, record), read["timeline"])
    alone = f"{'Funded' if 'add_cents' in mend.changes else 'Done'}; the app can try again with the same key."
    return act_and_return(
        f"{mend.label}: {record['title']}",
        lambda world: make_again(world, record, mend),
        said=lambda paid: f"{record['title']} is paid." if paid else alone,
    )


@BLUEPRINT.post("/w/<world>/orders/order/<record_id>/cancel")
def cancel(record_id: str) -> Response:
    """Cancel an order by the call that an app would make."""
    record = current_world().get(f"orders/{quote_segment(record_id)}")["order"]
    key = record["key"] or TEAM_KEY
    base = TEAM_API if key.startswith("team.") else PARTNER_API
    return act_and_return(
        f"Cancel {record['title']}",
        lambda world: real_call(
            world, key, f"{base}/team-orders/{record['id']}/cancel", {}, name=_new_key(world.describe())
        ),
        said=lambda _: f"{record['title']} is canceled.",
    )


@BLUEPRINT.post("/w/<world>/samples/<name>")
def send_sample(name: str) -> Response:
    """Make a first gift or campaign by the call that the empty page shows."""
    if name not in SAMPLES:
        abort(404)
    label, path, body = SAMPLES[name]
    return act_and_return(
        label,
        lambda world: real_call(world, TEAM_KEY, f"{TEAM_API}{path}", body, name=_new_key(world.describe())),
    )


def _list(name: str) -> Response:
    """A list; its detail is that of its first row."""
    listing = _listing(name)
    if listing.first is not None:
        return _show(listing, _kind_of(name), str(listing.first["id"]))
    first = _first(current_world(), name) if listing.is_empty else {}
    return render_page("orders.html", listing=listing, lead=LEADS[name], **first)


def _listing(name: str, shown: str | None = None) -> Listing:
    kind = _kind_of(name)
    entry = partial(_entry, kind)
    return read_listing(name, List(name.capitalize(), url_for(f"orders.{name}"), entry), shown=shown)


def _entry(kind: str, row: Mapping[str, Any]) -> Entry:
    """The two lines of an order, gift or campaign: how it stands, and for how many people."""
    status = row["status"]
    parts = [row.get("standing") or words(status), _people(kind, row), row.get("reference") or row.get("message")]
    return Entry(
        path=_path_of(kind, row["id"]),
        title=row["title"],
        ident=f"#{row['id']}",
        line=", ".join(filter(None, parts)),
        tone=tone(status),
        end=money(row["total_cents"]),
        at=row["created_at"],
    )


def _people(kind: str, row: Mapping[str, Any]) -> str:
    """How many recipients something has, and how many of them have it while not all do; "" for one."""
    if kind == "campaign":
        return plural(row["recipient_count"], "recipient")
    total, done = row["summary"]["total"], row["summary"]["delivered"]
    if total == 1:
        return ""
    return f"{done:,} of {total:,} delivered" if 0 < done < total else plural(total, "recipient")


def _path_of(kind: str, record_id: object) -> str:
    return url_for("orders.one", kind=kind, record_id=record_id)


def _kind_of(name: str) -> str:
    return next(kind for kind, each in LISTS.items() if each == name)


def _first(world: WorldControl, name: str) -> dict[str, Any]:
    """How to make a first one: the button's label and address, and the command of the same call."""
    described = world.describe()
    if name == "orders":
        body = {"idempotency_key": "first", "items": [{"sku_code": "MUG-01"}], "recipients": [GUEST]}
        command = curl_command("POST", f"{described['urls']['partner']}/team-orders", body, key=KEY)
        command = with_key_line(command, described["credentials"].get(SENDER))
        return {"label": "Send a gift to Bo", "action": url_for("home.send_first_gift"), "command": command}
    label, path, body = SAMPLES[name]
    headers = {"Idempotency-Key": "first"}
    command = curl_command("POST", f"{described['urls']['team']}{path}", body, key=KEY, headers=headers)
    command = with_key_line(command, described["credentials"].get(TEAM_KEY))
    return {"label": label, "action": url_for("orders.send_sample", name=name), "command": command}


def _rehearsals(
    kind: str, record: Mapping[str, Any], parcels: Sequence[Mapping[str, Any]], parcel: Mapping[str, Any] | None
) -> list[Mapping[str, Any]]:
    """What can go wrong with the record, or with the one of its `parcels` that is shown; each with what names that."""
    whole = {f"{REFS.get(kind, kind)}_id": record["id"]}
    only = parcel or (parcels[0] if len(parcels) == 1 else None)
    found: list[Mapping[str, Any]] = []
    for row in rehearsals():
        if row["about"] == "recipient":
            names = {**whole, "recipient_id": only["recipient_id"]} if only else {}
        else:
            names = {"order_id": parcel["order_id"]} if parcel else whole
        if names and {*names} <= {*row["takes"]}:
            found.append({**row, "names": names})
    return found


def _machines(world: WorldControl, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each machine with its drawing and its possible moves by the record that makes them, and the other ones."""
    base = origin() + world.path("simulate")
    states: dict[str, Counter[str]] = {}
    for row in answer["states"]:
        states.setdefault(row["machine"], Counter()).update(row["states"])
    subjects: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for each in answer["moves"]:
        own = subjects.setdefault(each["machine"], {})
        own.setdefault(f"{each['subject']['kind']} {each['subject']['id']}", []).append(_with_command(each, base))
    machines = [
        {
            "name": machine,
            "states": states.get(machine, {}),
            "drawing": drawing(machine, states.get(machine, {})),
            "subjects": {
                name: sorted((move for move in moves if move["allowed"]), key=lambda move: move["quiet"])
                for name, moves in own.items()
            },
            "impossible": [move for moves in own.values() for move in moves if not move["allowed"]],
            "allowed": any(move["allowed"] for moves in own.values() for move in moves),
        }
        for machine, own in subjects.items()
    ]
    return sorted(machines, key=lambda machine: not machine["allowed"])


def _with_command(each: Mapping[str, Any], base: str) -> dict[str, Any]:
    command = curl_command("POST", f"{base}/{each['verb']}", each["body"]) if each["allowed"] else None
    return {**each, "command": command, "text": json.dumps(each["body"]), "quiet": each["trigger"] in SIDEWAYS}


def _claimable(recipients: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The recipient whose claim page the page leads to first, if any of them can claim on a page."""
    return next((row for row in recipients if _claim_path(row)), None)


def _claim_body(kind: str, record: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], row: Any) -> str:
    """The body of the verb that claims for a recipient of a record, or "" for nobody."""
    return json.dumps({NAMED[kind]: record["id"], "recipient": rows.index(row)}) if row else ""


def _claim_path(row: Mapping[str, Any]) -> str:
    """The path of the claim page of a recipient who waits for an address, else ""."""
    return _path(row["claim_link"]) if row["status"] == "awaiting" and row["claim_expires_at"] else ""


def _path(link: str | None) -> str:
    return urlsplit(link or "").path


def _chosen_parcel(recipients: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The parcel that the query names, if it is one of these."""
    chosen = request.args.get("parcel")
    return next((row for row in recipients if str(row["order_id"]) == chosen), None)


def _list_of(kind: str) -> str:
    return LISTS[kind] if kind in LISTS else abort(404)


def _new_key(described: Mapping[str, Any]) -> str:
    return f"console-{g.world_id}-{described['counts']['calls'] + 1}"
