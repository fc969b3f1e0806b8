"""Addresses and claim tokens go into the team interface by every door, and come out by none (T-1.9 to T-1.12)."""

from __future__ import annotations

import io
import json
import logging
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

import pytest
from pypdf import PdfReader

from giftsim.gateway.in_process_client import Response
from giftsim.kernel.instants import local_date, parse_instant
from tests.claims import claims
from tests.support.orders import RENO
from tests.support.responses import expect_status
from tests.support.team.clients import TEAM_CONTRACT, TeamClient, TeamClients
from tests.support.team.webhooks import EVENT_TYPES
from tests.support.worlds import World

LOCAL, DOMAIN = "zqsentinel", "leak-domain.example"
CREDENTIALS = ("live_approver", "live_requester", "test", "test_second", "other_team")
READS = [op for op in TEAM_CONTRACT.operations.values() if op.method == "GET"]


class Tape:
    """A client that keeps what the team interface and the assistant endpoint answer."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.said: list[tuple[str, str]] = []

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """One call."""
        answer: Response = self.client.call(method, path, body=body, headers=headers)
        if not path.startswith("/_sim/"):
            self.said.append((f"{method} {path}", _readable(answer)))
        return answer


class Ward:
    """A world in which everything that must not come out is known, and everything that came out is kept."""

    def __init__(self, world: World) -> None:
        self.tape = Tape(world.client)
        world.client = self.tape  # type: ignore[assignment]
        self.world, self.team, self.count = world, TeamClients(world), 0

    def email(self) -> str:
        """An address that was never told before."""
        self.count += 1
        return f"{LOCAL}+{self.count}@{DOMAIN}"

    def guest(self) -> dict[str, str]:
        """A typed recipient."""
        return {"name": "Bo Berg", "email": self.email()}

    def links(self) -> list[str]:
        """Every claim link there is, whoever was mailed it."""
        parcels = self.world.call_control("GET", "/parcels?limit=1000")["parcels"]
        mailed = re.findall(r"https?://[^\s\"']+/claim/[^\s\"']+", json.dumps(self.world.mail()))
        return sorted({*mailed, *(row["claim_link"] for row in parcels if row.get("claim_link"))})

    def secrets(self) -> list[str]:
        """What must be nowhere: names and hosts of addresses, links and tokens."""
        links = self.links()
        return [LOCAL, DOMAIN, *links, *(link.rsplit("/", 1)[1] for link in links)]

    def check(self, log: str = "") -> None:
        """Nothing that came out holds any of it, plain, for URLs or in Base64."""
        said = [*self.tape.said, ("log", log)]
        said += [(row["type"], json.dumps([row["url"], row["request"]])) for row in self.world.deliveries()]
        forms = [form for secret in self.secrets() for form in spelled(secret)]
        anywhere = re.compile("|".join(re.escape(form) for form in dict.fromkeys(forms)), re.IGNORECASE)
        leaks = [(where, found[0]) for where, text in said if (found := anywhere.search(text))]
        assert leaks == []


def spelled(secret: str) -> Iterator[str]:
    """A secret as it may stand in a text; Base64 at each of its three offsets, without what neighbors change."""
    yield secret
    yield quote(secret, safe="")
    yield json.dumps(secret)[1:-1]
    for encode in (b64encode, urlsafe_b64encode):
        for offset in range(3):
            whole = encode(b"\0" * offset + secret.encode()).decode().rstrip("=")
            yield whole[(offset * 8 + 5) // 6 : -1]


def _readable(answer: Response) -> str:
    said = json.dumps(dict(answer.headers)) + answer.body.decode("latin-1")
    if answer.headers.get("content-type") == "application/pdf":
        said += "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.body)).pages)
    return said


@pytest.fixture
def ward(new_world: Callable[..., World]) -> Ward:
    """A ward over a fresh world, where every live and test key hears of everything."""
    ward = Ward(new_world())
    body = {"url": "https://hooks.team.example/x", "events": list(EVENT_TYPES), "balance_threshold_cents": 10**9}
    for face in (ward.team.live, ward.team.test):
        expect_status(face.post("/webhooks", body), 201)
    return ward


def enter(ward: Ward, face: TeamClient) -> dict[str, list[Any]]:
    """Addresses by every door that a key has; the ids of what was made."""
    person = face.post_json("/people", {"people": [{"work_email": ward.email(), "first_name": "Cy"}]})["data"][0]["id"]
    kit = {"collection_slug": "welcome-kit"}
    gifts = [
        face.post_json("/gifts", {"recipients": [who], "gift": kit, "message": "Welcome"})["id"]
        for who in (ward.guest(), {"person_id": person}, *crm(ward, face))
    ]
    order = {"collection": "welcome-kit", "headcount": 2, "recipients": [ward.guest()], "po_number": "PO-7"}
    orders = [face.post_json("/team-orders", order)["id"]]
    stored = face.post_json(
        "/store/orders", {"items": [{"merchant_product_id": 101, "quantity": 1}], "recipients": [ward.guest()]}
    )
    recipients = [ward.guest(), {"person_id": person}]
    campaign = face.post_json("/large-campaigns", {"collection": "welcome-kit", "recipients": recipients}, 202)["id"]
    expect_status(face.patch(f"/people/{person}", {"last_name": "Cole"}), 200)
    return {"person": [person], "gift": gifts, "order": [*orders, stored["id"]], "campaign": [campaign]}


def crm(ward: Ward, face: TeamClient) -> list[Any]:
    """A contact of a CRM, whose address the provider told."""
    upsert = [{"id": "900", "object_type": "contact", "name": "Cim Crm", "email": ward.email()}]
    ward.world.simulate("crm", provider="hubspot", upsert=upsert)
    return [{"crm": {"provider": "hubspot", "id": "900", "object_type": "contact"}}]


def live_on(ward: Ward, made: dict[str, list[Any]]) -> None:
    """What was made live goes on: approved, paid, mailed, claimed, shipped, settled."""
    world, live = ward.world, ward.team.live
    expect_status(live.post(f"/large-campaigns/{made['campaign'][0]}/process", {}), 202)
    for noun, name in (("gift", "gift_id"), ("order", "team_order_id"), ("campaign", "campaign_id")):
        for one in made[noun]:
            world.simulate("approval", decision="approve", **{name: one})
    expect_status(live.post(f"/large-campaigns/{made['campaign'][0]}/process", {}), 202)
    world.simulate("claim", gift_id=made["gift"][0], recipient=0, address=RENO)
    for one in made["gift"][1:]:
        world.simulate("shipment", gift_id=one, to="delivered")
    paid = {"collection": "welcome-kit", "headcount": 1, "recipients": [ward.guest()], "payment_method": "net_terms"}
    made["order"].append(live.post_json("/team-orders", paid)["id"])
    world.advance("12d")


def sweep(face: TeamClient, ids: list[Any], month: str) -> None:
    """Every read there is, with every id there is."""
    for op in READS:
        query = "&".join(f"{each.name}=hubspot" for each in op.query_params if each.required)
        template = op.template.replace("{month}", month)
        paths = [re.sub(r"\{\w+\}", str(one), template) for one in ids] if "{" in template else [template]
        for path in dict.fromkeys(paths):
            face.get(f"{path}?{query}" if query else path)


def everything(ward: Ward, face: TeamClient, made: dict[str, list[Any]]) -> list[Any]:
    """The ids of all that lists show beside what was made."""
    shown = [row["id"] for path in ("/approvals", "/invoices", "/gifts", "/team-orders") for row in face.list_all(path)]
    receipts = [row["receipt_id"] for row in face.list_all("/team-orders") if row["receipt_id"]]
    return list(dict.fromkeys([*shown, *receipts, *(one for ids in made.values() for one in ids)]))


def month_of(world: World) -> str:
    return local_date(parse_instant(world.now), "America/Los_Angeles")[:7]


@claims("T-1.9", "T-1.10", "T-1.11", "T-1.16")
@pytest.mark.parametrize("mode", ["live", "test"])
def test_no_read_export_or_delivery_holds_an_address_a_link_or_a_token(
    ward: Ward, mode: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    face = getattr(ward.team, mode)
    made = enter(ward, face)
    if mode == "live":
        live_on(ward, made)
    else:
        for one in made["gift"]:
            expect_status(face.post("/sandbox/events", {"type": "gift.delivered", "resource_id": one}), 200)
    assert (len(ward.links()) > 3, len(ward.world.mail()) > 3) == ((True, True) if mode == "live" else (True, False))
    ids = everything(ward, face, made)
    for reader in (face, ward.team.owner, ward.team.other):
        sweep(reader, ids, month_of(ward.world))
    assert len([where for where, _ in ward.tape.said if ".pdf" in where or ".csv" in where]) > 6
    ward.check(caplog.text + "".join(capfd.readouterr()))


@claims("T-1.9", "T-1.10")
def test_no_repetition_of_a_call_holds_one(ward: Ward) -> None:
    live = ward.team.live
    doors: dict[str, Any] = {
        "/people": {"people": [{"work_email": ward.email()}]},
        "/gifts": {"recipients": [ward.guest()], "gift": {"collection_slug": "welcome-kit"}},
        "/team-orders": {"collection": "welcome-kit", "headcount": 1, "recipients": [ward.guest()]},
        "/large-campaigns": {"collection": "welcome-kit", "recipients": [ward.guest()]},
    }
    for number, (path, body) in enumerate(doors.items()):
        for answer in [live.post(path, body, Idempotency_Key=f"again-{number}") for _ in range(2)]:
            assert answer.status in (201, 202)
        other = {**body, "note": ward.email()}
        assert live.post(path, other, Idempotency_Key=f"again-{number}").status == 409
    ward.check()


@claims("T-1.12")
@pytest.mark.parametrize("strict", [False, True])
def test_no_refusal_repeats_what_it_refuses(ward: Ward, strict: bool) -> None:
    ward.world.change_settings(strict_bodies=strict)
    live, bad = ward.team.live, f"{LOCAL} at {DOMAIN}"
    kit = {"collection_slug": "welcome-kit"}
    wrong: list[Any] = [bad, ward.email() + "\n", {"of": ward.email()}, [ward.email()], ward.email() * 20]
    for email in wrong:
        who = {"name": "Bo", "email": email}
        live.post("/people", {"people": [{"work_email": email}]})
        live.post("/gifts", {"recipients": [who], "gift": kit})
        live.post("/team-orders", {"collection": "welcome-kit", "headcount": 1, "recipients": [who]})
        live.post("/large-campaigns", {"collection": "welcome-kit", "recipients": [who]})
        live.put("/billing/profile", {"billing_email": email})
    for path in ("/people", "/gifts", "/team-orders", "/large-campaigns", "/webhooks", "/artwork", "/funding"):
        live.post(path, f'{{"email": "{ward.email()}", ')
        live.post(path, {ward.email(): 1, "url": f"https://{bad}/", "recipients": ward.email(), "people": ward.email()})
        live.post(path, {"url": f"https://{LOCAL}:pw@{DOMAIN}/x", "method": bad, "collection": bad, "headcount": bad})
        live.post(path, {}, Idempotency_Key=ward.email() * 9)
        live.get(f"{path}/{quote(ward.email())}")
        live.get(f"{path}?limit={quote(ward.email())}&cursor={quote(ward.email())}&q={quote(ward.email())}")
    TeamClient(ward.world, {"X-API-Key": ward.email()}).get("/team")
    ward.check()


@claims("T-1.12")
def test_what_a_provider_says_in_its_failure_is_told_without_addresses_links_and_tokens(ward: Ward) -> None:
    live = ward.team.live
    made = enter(ward, live)
    live_on(ward, made)
    for secret in (ward.email(), ward.links()[0], ward.links()[0].rsplit("/", 1)[1]):
        for said in (secret, quote(secret, safe=""), b64encode(secret.encode()).decode(), f"<{secret}>,"):
            ward.world.simulate("crm", provider="hubspot", outage=True, message=f"cannot reach {said} (500)")
            assert live.get("/contacts?provider=hubspot").status == 503
            who = {"crm": {"provider": "hubspot", "id": "900", "object_type": "contact"}}
            assert live.post("/gifts", {"recipients": [who], "gift": {"collection_slug": "welcome-kit"}}).status == 503
    ward.check()


@claims("T-1.9", "T-1.10", "T-1.12")
def test_no_tool_tells_an_assistant_of_one(ward: Ward) -> None:
    live_on(ward, made := enter(ward, ward.team.live))
    for number, op in enumerate(READS):
        names = [each.name for each in op.path_params]
        for one in [*made["gift"], *made["order"], *made["campaign"]] if names else [0]:
            needed = {each.name: "hubspot" for each in op.query_params if each.required}
            _tool(ward, number, op.id, dict.fromkeys(names, one) | needed)
    wrong: tuple[dict[str, Any], ...] = (
        {"body": {"recipients": [ward.guest()]}},
        {ward.email(): 1},
        {"body": ward.email()},
    )
    for arguments in wrong:
        _tool(ward, 1, "sendGift", arguments)
        _tool(ward, 1, ward.email(), arguments)
    ward.check()


def _tool(ward: Ward, number: int, name: str, arguments: dict[str, Any]) -> None:
    call = {"name": name, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}
    answer = ward.world.client.call("POST", "/mcp", body=message, headers=ward.team.live.headers)
    assert answer.status == 200, answer.text


LEAKS = (
    f"x {LOCAL}+1@{DOMAIN} y",
    quote(f"a@{DOMAIN}"),
    *(b64encode(f"{'x' * shift}{LOCAL}+1@{DOMAIN}".encode()).decode() for shift in range(3)),
)


@pytest.mark.parametrize("leak", LEAKS)
def test_the_search_itself_finds_what_leaks(ward: Ward, leak: str) -> None:
    ward.tape.said.append(("a leak", leak))
    with pytest.raises(AssertionError):
        ward.check()
