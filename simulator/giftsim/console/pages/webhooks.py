"""Webhooks: endpoints, events with their attempts and retry ladders, signatures, and what to do about a failure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, redirect, request, url_for

from giftsim.console.control_client import WorldControl, current_world, real_call
from giftsim.console.curl import KEY, curl_command, with_key_line
from giftsim.console.filters import plural
from giftsim.console.ladder import draw
from giftsim.console.listing import DETAIL, PART, Entry, List, Listing, Section, read_listing
from giftsim.console.names import fetch_titles, title_of
from giftsim.console.page import Place, act_and_return, origin, redirect_back, render_page
from giftsim.engine.client.control import ControlRefused, quote_segment
from giftsim.frontend.languages import quote_for_shell
from giftsim.frontend.states import answer_text, tone, words

EVERY_HOST = "*"
KEPT = ("mode", "to", "then", "addresses", "host_header")
PLAIN = {"mode": "capture", "then": {"status": 200}, "host_header": "keep"}


def begin_outage(world: WorldControl, host: str, outage: dict[str, Any]) -> Any:
    """Take a host down from one instant until another."""
    return world.put(f"receivers/{quote_segment(host)}", {**own_members(world, host), "outage": outage})


def end_outage(world: WorldControl, host: str) -> Any:
    """End a host's outage. An entry with nothing but the outage is deleted."""
    members = own_members(world, host)
    if members in ({}, PLAIN):
        return world.delete(f"receivers/{quote_segment(host)}")
    return world.put(f"receivers/{quote_segment(host)}", members)


def receiver_of(world: WorldControl, host: str) -> dict[str, Any] | None:
    """The entry that answers for a host: its own, or that of all hosts."""
    entries = receivers_of(world)
    found: dict[str, Any] | None = entries.get(host.lower()) or entries.get(EVERY_HOST)
    return found


def own_members(world: WorldControl, host: str) -> dict[str, Any]:
    """The members that the entry of a host was set to, without its outage and used steps of its script."""
    entries = world.get("receivers", limit=1000)["receivers"]
    return members_of(next((each for each in entries if each["host"] == host.lower()), None))


def members_of(entry: Mapping[str, Any] | None) -> dict[str, Any]:
    """The members with which an entry is set again, without its outage and used steps of its script."""
    if not entry:
        return {}
    members = {name: entry[name] for name in KEPT if entry[name] is not None}
    rest = entry["script"][entry["used"] :]
    return {**members, "script": rest} if rest else members


BLUEPRINT = Blueprint("webhooks", __name__)
PLACES = (Place("Webhooks", "webhooks.show", "w", "hook", "Integration", 1),)
ROWS, LOOKED_AT, MOST_RESENT = 50, 500, 500  # of a list, of attempts at a time, and of webhooks sent again at a time
TRIED = 10  # endpoints whose last attempt is told in the list
FAILED = ("dead", "pending")
SUBSCRIBER, PATH = "partner.prepaid", "/api/external/webhooks"
FIRST_ENDPOINT = {
    "url": "https://hooks.partner.example/gifts",
    "events": ["team_order.claimed", "team_order.shipped", "team_order.delivered"],
}
NEVER_SENT_ON = ("Host", "Content-Length")


@BLUEPRINT.get("/w/<world>/webhooks")
def show() -> Response:
    """Endpoints and events, those that failed or wait first. The first event is shown beside the list."""
    listing = webhook_listing()
    if listing.first:
        return _show(listing, listing.first["id"])
    world = current_world()
    return render_page(
        "webhooks.html",
        listing=listing,
        call=with_key_line(
            curl_command("POST", origin() + PATH, FIRST_ENDPOINT, key=KEY),
            world.describe()["credentials"].get(SUBSCRIBER),
        ),
    )


@BLUEPRINT.get("/w/<world>/webhooks/<event_id>")
def event(event_id: str) -> Response:
    """One event: for each endpoint its ladder and attempts, and one attempt with all that was sent and answered."""
    return _show(webhook_listing(url_for("webhooks.event", event_id=event_id)), event_id)


def webhook_listing(shown: str | None = None) -> Listing:
    """The list of events, below the endpoints and what waits for an answer."""
    of_events = List("Webhooks", url_for("webhooks.show"), _entry, about=lambda row: row["about"])
    listing = read_listing("events", of_events, shown=shown)
    if request.headers.get(PART) == DETAIL or listing.text or request.args.get("before"):
        return listing
    world = current_world()
    endpoints, held = list(_endpoints(world)), list(_held(world))
    if not endpoints:
        return listing
    own = [Section("waiting", "Waiting for your answer", len(held), held)] if held else []
    sections = (*own, Section("endpoints", "Endpoints", len(endpoints), endpoints), *listing.sections)
    return listing._replace(sections=sections, first=listing.first or {})


def _held(world: WorldControl) -> Iterator[Entry]:
    """What receivers in mode `hold` keep waiting for somebody's answer."""
    for row in world.get("deliveries/held", limit=ROWS)["held"]:
        path = url_for("webhooks.event", event_id=row["event_id"], attempt=row["seq"])
        host = urlsplit(row["url"]).hostname or row["url"]
        yield Entry(path, row["type"], line=f"to {host}: answer it", tone="wait", at=row["at"])


def _entry(row: Mapping[str, Any]) -> Entry:
    title = title_of(row["about"]) if row["about"] else ""
    return Entry(
        path=url_for("webhooks.event", event_id=row["id"]),
        title=row["type"],
        line=title or words(row["subject"]),
        tone=tone(row["status"]),
        end=_standing(row.get("standing", ""), row["type"])
        or ("" if row["status"] == "delivered" else words(row["status"])),
        at=row["at"],
    )


def _standing(standing: str, kind: str) -> str:
    """What a group says of its events beside their type: `attempt 5: 503`."""
    return standing.removeprefix(kind).removeprefix(", ")


def _endpoints(world: WorldControl) -> Iterator[Entry]:
    receivers, now = receivers_of(world), world.get("clock")["now"]
    for n, row in enumerate(world.get("endpoints", limit=ROWS)["endpoints"]):
        host = urlsplit(row["url"]).hostname or row["url"]
        receiver = receivers.get(host) or receivers.get(EVERY_HOST)
        outage = receiver["outage"] if receiver else None
        is_down = bool(outage and outage["from"] <= now < outage["to"])
        missing = [
            f"{row[name]:,} {said}" for name, said in (("dead", "given up"), ("pending", "pending")) if row[name]
        ]
        lost = "" if is_down or row["status"] != "active" or n >= TRIED else _last_failure(world, row["id"])
        state = f"outage, answers {outage['status']}" if outage and is_down else lost or words(row["status"])
        owner = row["key"] or f"team {row['team_id']}"
        yield Entry(
            path=url_for("endpoint.show", endpoint_id=row["id"]),
            title=host,
            ident=f"#{row['id']}",
            line=f"{state}, {plural(len(row['events']), 'type')} for {owner}",
            tone="bad" if is_down or lost or row["dead"] else "wait" if row["pending"] else tone(row["status"]),
            end=", ".join(missing),
        )


def _last_failure(world: WorldControl, endpoint: int) -> str:
    """How the last attempt at an endpoint failed; "" if it did not."""
    last = world.get("deliveries", order="newest", endpoint=endpoint, limit=1)["deliveries"]
    if not last or last[0]["outcome"] in (None, "delivered"):
        return ""
    return f"last attempt: {answer_text(last[0]['status'], last[0]['outcome'])}"


def receivers_of(world: WorldControl) -> dict[str, Any]:
    """The entries that answer for hosts, by host."""
    return {each["host"]: each for each in world.get("receivers", limit=1000)["receivers"]}


def _show(listing: Listing, event_id: str) -> Response:
    world = current_world()
    found = world.get(f"events/{quote_segment(event_id)}")
    fetch_titles([found["about"]])
    now, receivers = world.get("clock")["now"], receivers_of(world)
    attempts = [row for each in found["deliveries"] for row in each["attempts"]] + found["pings"]
    chosen = _chosen(attempts)
    attempt = world.get(f"deliveries/{chosen}") if chosen else None
    return render_page(
        "webhooks/event.html",
        listing=listing,
        event=found,
        attempt=attempt,
        held=[row["seq"] for row in world.get("deliveries/held", limit=1000)["held"]],
        now=now,
        drawings=[draw(each, now) for each in found["deliveries"]],
        sent=attempt and _send_command(attempt),
        check=attempt and _check_command(attempt["signature"]),
        down=list(_down(found["deliveries"], receivers, now)),
    )


def _down(deliveries: list[dict[str, Any]], receivers: dict[str, Any], now: str) -> Iterator[tuple[str, Any]]:
    """The hosts at which an event failed so far and that are down now, each with the entry that says so."""
    for host in dict.fromkeys(each["host"] for each in deliveries if each["status"] in FAILED and each["attempts"]):
        entry = receivers.get(host) or receivers.get(EVERY_HOST)
        if entry and entry["outage"] and entry["outage"]["from"] <= now < entry["outage"]["to"]:
            yield host, entry


@BLUEPRINT.get("/w/<world>/deliveries/<int:seq>")
def delivery(seq: int) -> Response:
    """Redirect from an attempt to its event."""
    attempt = current_world().get(f"deliveries/{seq}")
    return redirect(url_for("webhooks.event", event_id=attempt["event_id"], attempt=seq), 302)  # type: ignore[return-value]


@BLUEPRINT.post("/w/<world>/webhooks/subscribe")
def subscribe() -> Response:
    """Create a first endpoint by the call that the page shows."""
    return act_and_return(
        "Create an endpoint",
        lambda world: real_call(world, SUBSCRIBER, PATH, FIRST_ENDPOINT),
        said=lambda made: f"Endpoint {made['endpoint']['id']} has the secret {made['secret']}.",
    )


@BLUEPRINT.post("/w/<world>/deliveries/<int:seq>/resend")
def resend(seq: int) -> Response:
    """Send an event once more, outside its ladder."""
    return act_and_return(
        f"Resend delivery {seq}",
        lambda world: world.post(f"deliveries/{seq}/resend"),
        said=lambda sent: f"Sent again: delivery {sent['seq']} {outcome_text(sent)}.",
        then=lambda sent: url_for("webhooks.event", event_id=sent["event_id"], attempt=sent["seq"]),
    )


@BLUEPRINT.post("/w/<world>/webhooks/resend-all")
def resend_all() -> Response:
    """Send again what was not delivered: everything, of one event, or to one endpoint.

    The form's `end_outages` names hosts whose outages are ended first.
    """
    only = {name: value for name in ("event", "endpoint") if (value := request.form.get(name))}
    hosts = request.form.get("end_outages", "").split()
    label = f"End the {'outage' if len(hosts) == 1 else 'outages'} and resend" if hosts else "Resend all failed"
    return act_and_return(label, lambda world: _resend_all(world, only, hosts), said=_resent)


def _resend_all(world: WorldControl, only: dict[str, str], hosts: list[str]) -> list[Any]:
    """The attempts that were made."""
    for row in world.get("receivers", limit=1000)["receivers"] if hosts else ():
        if row["outage"] and row["host"] in hosts:
            end_outage(world, row["host"])
    return [world.post(f"deliveries/{seq}/resend") for seq in _failed_attempts(world, only)]


def _failed_attempts(world: WorldControl, only: dict[str, str]) -> list[int]:
    """The last attempt of each delivery that failed so far, the newest first; at most MOST_RESENT."""
    found: dict[tuple[int, str], int] = {}
    before = None
    while len(found) < MOST_RESENT:
        page = world.get("deliveries", order="newest", outcome="failed", limit=LOOKED_AT, before=before, **only)
        for row in page["deliveries"]:
            if row["delivery"] in FAILED:
                found.setdefault((row["endpoint"], row["event_id"]), row["seq"])
        before = page["next"]
        if before is None:
            break
    return list(found.values())[:MOST_RESENT]


def _resent(sent: list[Any]) -> str:
    failed = sum(row["outcome"] not in ("delivered", None) for row in sent)
    if not sent:
        return "Nothing was sent again: every webhook with an attempt was delivered."
    return (
        f"Sent again: {plural(len(sent), 'webhook')}, {failed:,} failed."
        if failed
        else (f"Sent again: {plural(len(sent), 'webhook')}, all delivered.")
    )


@BLUEPRINT.post("/w/<world>/deliveries/<int:seq>/answer")
def answer(seq: int) -> Response:
    """Answer a held attempt in place of its receiver."""
    status, body = request.form.get("status", "").strip(), request.form.get("body", "")
    if status and not status.isdigit():
        return redirect_back(
            f"The status {status[:20]!r} is not a number. Give one from 200 to 599, or none.", failed=True
        )
    answered: dict[str, Any] = {"status": int(status), **({"body": body} if body else {})} if status else {}
    return act_and_return(
        f"Answer delivery {seq}",
        lambda world: world.post(f"deliveries/{seq}/answer", answered),
        said=lambda row: f"Answered: delivery {seq} {outcome_text(row)}.",
    )


@BLUEPRINT.post("/w/<world>/deliveries/<int:seq>/verify")
def verify(seq: int) -> Response:
    """Say whether a secret verifies an attempt."""
    secret = request.form.get("secret", "").strip()
    try:
        steps = current_world().post(f"deliveries/{seq}/verify", {"secret": secret} if secret else {})
    except ControlRefused as error:
        return redirect_back(f"Verify delivery {seq}: {error.message}", failed=True)
    return redirect_back(_verdict(seq, steps), failed=not steps["accepted"])


@BLUEPRINT.post("/w/<world>/webhooks/outage")
def start_outage() -> Response:
    """Take a host down for a while."""
    host = request.form.get("host", "").strip()
    outage: dict[str, Any] = {name: _instant(request.form.get(name, "")) for name in ("from", "to")}
    status = request.form.get("status", "503").strip()
    if not host or not status.isdigit():
        return redirect_back("Say which host is down, and with which status from 200 to 599.", failed=True)
    return act_and_return(
        f"Outage of {host}",
        lambda world: begin_outage(world, host, {**outage, "status": int(status)}),
        said=lambda row: f"{host} answers {status} from {row['outage']['from']} until {row['outage']['to']}.",
    )


@BLUEPRINT.post("/w/<world>/webhooks/outage/end")
def stop_outage() -> Response:
    """End the outage of a host."""
    host = request.form.get("host", "")
    return act_and_return(
        f"End the outage of {host}", lambda world: end_outage(world, host), said=lambda _: f"{host} answers again."
    )


def default_outage(world: WorldControl) -> dict[str, str]:
    """The default of the form: one day from now."""
    now = world.get("clock")["now"]
    end = datetime.fromisoformat(now) + timedelta(days=1)
    return {"from": now, "to": end.strftime("%Y-%m-%dT%H:%M:%SZ"), "status": "503"}


def _instant(text: str) -> str:
    """An instant as the control API takes it; `2027-01-04 09:00:00` is one too."""
    text = text.strip()
    return f"{text.replace(' ', 'T')}{'' if text.endswith('Z') else 'Z'}" if text[:4].isdigit() else text


def _chosen(attempts: list[dict[str, Any]]) -> int | None:
    """The attempt that the query names, or else the last one."""
    numbers = [row["seq"] for row in attempts]
    named = request.args.get("attempt", type=int)
    return named if named in numbers else max(numbers, default=None)


def outcome_text(row: dict[str, Any]) -> str:
    """The outcome of an attempt, as a sentence."""
    if row["outcome"] is None:
        return "is on its way"
    if row["status"] is not None:
        return f"was answered with {row['status']}"
    return f"ended without an answer: {answer_text(None, row['outcome'])}"


def _verdict(seq: int, steps: dict[str, Any]) -> str:
    if steps["accepted"]:
        return f"Delivery {seq} is genuine and recent: this is the endpoint's secret."
    if steps["secret_of"] is not None:
        return f"No match: this is the secret of endpoint {steps['secret_of']}, and delivery {seq} went to another."
    if not steps["own_secret"]:
        return f"No match: delivery {seq} was signed with another secret. Each endpoint has its own."
    if not steps["matches"]:
        return f"The secret is right, but the signature of delivery {seq} is wrong: a fault spoiled it."
    return f"The secret is right, but the signature of delivery {seq} was {steps['age_s']} s old: beyond the tolerance."


def _send_command(attempt: dict[str, Any]) -> str:
    """The request of an attempt, for an app on this machine."""
    headers = {name: value for name, value in attempt["request"]["headers"].items() if name not in NEVER_SENT_ON}
    return curl_command("POST", "http://127.0.0.1:9000/", attempt["request"]["body"], headers=headers)


def _check_command(signature: dict[str, Any]) -> str:
    """The digest by openssl, with the secret as a variable."""
    return f"printf '%s' {quote_for_shell(signature['signed_text'])} |\n  openssl dgst -sha256 -hmac \"$SECRET\""
