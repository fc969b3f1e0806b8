"""One order, gift or campaign as it is presented: what just happened, the app, giftsim and the recipient, and what
comes next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from giftsim.console.ahead import due_next
from giftsim.console.control_client import WorldControl
from giftsim.console.filters import until
from giftsim.console.flow import shortened
from giftsim.console.journey import Effect, Journey, Moment, journey_of
from giftsim.console.mending import account_of, mend_of
from giftsim.console.names import fetch_titles
from giftsim.console.start import CREDENTIAL
from giftsim.console.stepper import OVER, Step, failed_charge, steps
from giftsim.console.words import coming, whose
from giftsim.engine.client.control import ControlRefused, quote_segment

Row = Mapping[str, Any]
LISTS: Final = {"order": "orders", "gift": "gifts", "campaign": "campaigns"}
KINDS: Final = {"team_order": "order", "gift": "gift", "campaign": "campaign"}
REFS: Final = {"order": "team_order"}
TOLD, ENDPOINTS, MAIL, SHOWN = 6, 100, 50, 3
OPEN_SEAT = "an open seat"  # what the journey calls a recipient without a name
LATELY = 2  # moments that count as just now
SUBJECT = re.compile(r"(order|gift|campaign):(\d+)")
PAGE = re.compile(r"/orders/(order|gift|campaign)/(\d+)")
DULL = ("shipment.expire",)  # steps of the clock that are not worth a story
VERB, PAY, TIME, GIFT = "verb", "pay", "time", "gift"


class Act(NamedTuple):
    """What comes next: in words, when, how it is done, with what, and about which record, "" for a new one."""

    label: str
    when: str
    how: str
    body: Mapping[str, Any]
    about: str


class Said(NamedTuple):
    """What the app said, or was told: what, when, how it went with the tone of that, and what it answered."""

    is_told: bool
    what: str
    at: str
    end: str
    tone: str
    answer: str


class Phone(NamedTuple):
    """What the recipient has: a page in the phone, or a parcel with its state, and mail."""

    name: str
    page: str
    parcel: Row | None
    mail: Sequence[Row]


class Scene(NamedTuple):
    """What is shown of a record."""

    about: str
    record: Row
    journey: Journey
    last: Moment | None
    told: Sequence[Effect]
    said: list[Said]
    steps: list[Step]
    phone: Phone


def read_scene(world: WorldControl, about: str) -> Scene | None:
    """A record, `order:1028`, as it is presented; None if there is none."""
    matched = SUBJECT.fullmatch(about)
    if matched is None:
        return None
    kind, record_id = matched.groups()
    try:
        read, found = world.get(f"{LISTS[kind]}/{record_id}"), world.get("journey", about=about)
    except ControlRefused as error:
        if error.status != 404:
            raise
        return None
    journey, record, rows = journey_of(found), read[kind], read["recipients"]
    last = _told_most(journey.past)
    told = [each for each in last.effects if each.is_code or each.tone or each.path] if last else []
    said = list(_said(world, found["story"], journey.past))[:TOLD]
    return Scene(
        about,
        record,
        journey,
        last,
        told,
        said,
        steps(record, rows, read["money"], journey.dates),
        _phone(world, rows, record.get("shared_claim_link"), {"kind": REFS.get(kind, kind), "id": record["id"]}),
    )


def _told_most(past: Sequence[Moment]) -> Moment | None:
    """The moment that is told in large words: the app was told of it, or it is the newest."""
    newest = list(reversed(past[-LATELY:]))
    told = (each for each in newest if any(effect.is_code for effect in each.effects))
    return next(told, newest[0] if newest else None)


def choose_subject(world: WorldControl, page: str) -> str:
    """The record of the page that one comes from, or the one that something happens to next; "" for none."""
    if found := PAGE.search(urlsplit(page).path):
        return ":".join(found.groups())
    if failed := newest_failure(world):
        return failed
    if act := _soonest(world, ""):
        return act.about
    described = world.describe()
    newest = world.get("orders", order="newest", limit=1)["orders"] if "partner" in described["urls"] else []
    return f"order:{newest[0]['id']}" if newest else ""


def newest_failure(world: WorldControl) -> str:
    """The order that an app's call placed last of those that are not paid; "" for none."""
    needs = [each for each in world.get("attention")["needs"] if any(act["retry"] for act in each["acts"])]
    about = next((each["about"] for each in needs if each["about"] and each["about"]["kind"] in KINDS), None)
    return f"{KINDS[about['kind']]}:{about['id']}" if about else ""


def next_act(world: WorldControl, scene: Scene | None) -> Act | None:
    """What comes next for a record, then for the others, and at last a new gift."""
    if scene and (act := _own_act(world, scene)):
        return act
    if act := _soonest(world, scene.about if scene else ""):
        return act
    return Act("Your app sends a gift", "", GIFT, {}, "") if CREDENTIAL in world.describe()["credentials"] else None


def _own_act(world: WorldControl, scene: Scene) -> Act | None:
    """What somebody has to do, or the next step of the clock that the app is told of."""
    found = world.get("journey", about=scene.about)
    rows, now = found["ahead"], found["now"]
    if not rows:
        return None
    if wait := rows[0]["wait"]:
        if wait["verb"]:
            what = f"{_somebody(rows[0])} says where it goes" if wait["verb"] == "claim" else rows[0]["what"]
            return Act(what, "", VERB, {"verb": wait["verb"], "body": wait["body"]}, scene.about)
        return _payment(world, scene)
    sure = [row for row in rows if not row["wait"] and not row["if"]]
    row = next((row for row in sure if row["events"]), sure[0])
    return Act(row["what"], until(row["at"], now), TIME, {"to": row["at"]}, scene.about)


def _somebody(row: Row) -> str:
    name = str(row["names"][0]) if row["names"] else ""
    return name if name and name != OPEN_SEAT else "Somebody"


def _payment(world: WorldControl, scene: Scene) -> Act | None:
    """How an order that failed to be paid is paid; None if it cannot be paid from here."""
    kind, record_id = scene.about.split(":")
    read = world.get(f"{LISTS[kind]}/{quote_segment(record_id)}")
    failed = failed_charge(read[kind], read["money"]) if kind == "order" else None
    if failed is None:
        return None
    mend = mend_of(failed, account_of(world, read[kind]), read["timeline"])
    return Act(mend.label, "", PAY, {}, scene.about) if mend.call else None


def _soonest(world: WorldControl, but: str) -> Act | None:
    """What the clock brings next to any other record."""
    due = [row for row in due_next(world) if row["about"] and row["about"]["kind"] in KINDS and row["kind"] not in DULL]
    fetch_titles(timer["about"] for timer in due[:TOLD])
    for timer in due:
        about = f"{KINDS[timer['about']['kind']]}:{timer['about']['id']}"
        if about != but:
            when = until(timer["due"], world.get("clock")["now"])
            return Act(f"{whose(timer)}: {coming(timer).lower()}", when, TIME, {"to": timer["due"]}, about)
    return None


def _said(world: WorldControl, story: Sequence[Row], past: Sequence[Moment]) -> Iterator[Said]:
    """What the app and giftsim said to each other about a record, newest first; the newest webhook with its answer."""
    shows_answer = True
    for row, moment in reversed(list(zip(story, past, strict=True))):
        for effect, raw in _webhooks(row, moment):
            answer = _answer(world, raw["about"]["id"]) if shows_answer and raw["answered"] and raw["about"] else ""
            shows_answer = shows_answer and not answer
            yield Said(True, effect.what, moment.at, effect.end, effect.tone, answer)
        if row["cause"] and row["cause"]["kind"] == "call" and row["cause"]["call"] is not None:
            failed = any(each.tone == "bad" and not each.is_code for each in moment.effects)
            yield Said(False, shortened(row["cause"]["text"]), moment.at, "402" if failed else "", "bad", "")


def _webhooks(row: Row, moment: Moment) -> Iterator[tuple[Effect, Row]]:
    raw = [each for each in row["effects"] if each["kind"] == "webhook"]
    return zip((each for each in moment.effects if each.is_code), raw, strict=True)


def _answer(world: WorldControl, event_id: str) -> str:
    """What the app answered to the last attempt to deliver an event, in one line."""
    sent = world.get(f"events/{quote_segment(event_id)}")["deliveries"]
    attempts = sent[-1]["attempts"] if sent else []
    answer = world.get(f"deliveries/{attempts[-1]['seq']}")["answer"] if attempts else None
    return " ".join(answer["body"].split()) if answer else ""


def _phone(world: WorldControl, rows: Sequence[Row], shared: str | None, about: Row) -> Phone:
    """The phone of the recipient whose turn it is, else of the first one."""
    waiting = next((row for row in rows if row["status"] == "awaiting" and row["claim_expires_at"]), None)
    row = waiting or next((row for row in rows if row["status"] not in OVER), rows[0] if rows else None)
    if row is None:
        return Phone("Nobody yet", "", None, [])
    name = row["name"] or row["email"] or "Somebody"
    if waiting:
        return Phone(name, urlsplit(waiting["claim_link"] or shared or "").path, None, [])
    query = {"q": f'who:"{row["email"]}"', "order": "newest", "limit": MAIL}
    mail = world.get("mail", **query)["mail"] if row["email"] else []
    return Phone(name, "", row, [each for each in mail if each["about"] == about][:SHOWN])


def receiver_of(world: WorldControl, scene: Scene | None) -> tuple[str, str]:
    """The newest endpoint in use that gets what is shown, and where its webhooks are passed on; "" for none."""
    active = [row for row in world.get("endpoints", limit=ENDPOINTS)["endpoints"] if row["status"] == "active"]
    if scene is not None:
        of = "account_id" if scene.record.get("account_id") else "team_id"
        active = [row for row in active if row[of] == scene.record.get(of)]
    if not active:
        return "", ""
    host = urlsplit(active[-1]["url"]).hostname or ""
    receivers = {row["host"]: row for row in world.get("receivers")["receivers"]}
    entry = receivers.get(host) or receivers.get("*")
    passed = entry["to"] if entry and entry["mode"] == "forward" else ""
    return host, (passed or "").partition("//")[2]


def hour_of_webhooks(world: WorldControl, about: str) -> str | None:
    """When the webhook that a record waits for leaves, if one does."""
    story = world.get("journey", about=about)["story"]
    waits = story and any(each["kind"] == "webhook" and not each["attempts"] for each in story[-1]["effects"])
    due = (row["due"] for row in world.get("timers", limit=ENDPOINTS)["timers"] if row["kind"] == "webhooks.source")
    return next(due, None) if waits else None
