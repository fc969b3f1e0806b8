"""Addresses and claim tokens entered by the team interface never appear in its output (T-1.9 to T-1.12)."""

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

from giftsim.engine.client.response import Response
from giftsim.engine.kernel.instants import local_date, parse_instant
from tests.shows import shows
from tests.support.orders import RENO
from tests.support.responses import expect_status
from tests.support.team.clients import TEAM_CONTRACT, TeamClient, TeamClients
from tests.support.team.webhooks import EVENT_TYPES
from tests.support.worlds import World

LOCAL, DOMAIN = "zqsentinel", "leak-domain.example"
CREDENTIALS = ("live_approver", "live_requester", "test", "test_second", "other_team")
READS = [op for op in TEAM_CONTRACT.operations.values() if op.method == "GET"]


class RecordingClient:
    """A client that records the responses of the team interface and the assistant endpoint."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.responses: list[tuple[str, str]] = []

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """One call."""
        response: Response = self.client.call(method, path, body=body, headers=headers)
        if not path.startswith("/_sim/"):
            self.responses.append((f"{method} {path}", _readable(response)))
        return response


class LeakSearch:
    """A world whose secrets are known and whose responses are recorded."""

    def __init__(self, world: World) -> None:
        self.recorder = RecordingClient(world.client)
        world.client = self.recorder  # type: ignore[assignment]
        self.world, self.team, self.count = world, TeamClients(world), 0

    def email(self) -> str:
        """A new email address."""
        self.count += 1
        return f"{LOCAL}+{self.count}@{DOMAIN}"

    def guest(self) -> dict[str, str]:
        """A typed recipient, with addresses in the name too."""
        return {"name": f"Bo <{self.email()}>", "email": self.email()}

    def links(self) -> list[str]:
        """Every claim link in the world's mail."""
        parcels = self.world.call_control("GET", "/parcels?limit=1000")["parcels"]
        mailed = re.findall(r"https?://[^\s\"']+/claim/[^\s\"']+", json.dumps(self.world.mail()))
        return sorted({*mailed, *(row["claim_link"] for row in parcels if row.get("claim_link"))})

    def secrets(self) -> list[str]:
        """What must be nowhere: names and hosts of addresses, links and tokens."""
        links = self.links()
        return [LOCAL, DOMAIN, *links, *(link.rsplit("/", 1)[1] for link in links)]

    def check(self, log: str = "") -> None:
        """Check that no recorded text contains a secret, plain, URL-encoded or in Base64."""
        texts = [*self.recorder.responses, ("log", log)]
        texts += [(row["type"], json.dumps([row["url"], row["request"]])) for row in self.world.deliveries()]
        forms = [form for secret in self.secrets() for form in encodings(secret)]
        pattern = re.compile("|".join(re.escape(form) for form in dict.fromkeys(forms)), re.IGNORECASE)
        leaks = [(where, match[0]) for where, text in texts if (match := pattern.search(text))]
        assert leaks == []


def encodings(secret: str) -> Iterator[str]:
    """The forms in which a secret may appear in a text, among them Base64 at each of its three offsets."""
    yield secret
    yield quote(secret, safe="")
    yield json.dumps(secret)[1:-1]
    for encode in (b64encode, urlsafe_b64encode):
        for offset in range(3):
            encoded = encode(b"\0" * offset + secret.encode()).decode().rstrip("=")
            yield encoded[(offset * 8 + 5) // 6 : -1]


def _readable(response: Response) -> str:
    text = json.dumps(dict(response.headers)) + response.body.decode("latin-1")
    if response.headers.get("content-type") == "application/pdf":
        text += "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(response.body)).pages)
    return text


@pytest.fixture
def search(new_world: Callable[..., World]) -> LeakSearch:
    """A search over a fresh world in which each live and test key is subscribed to every event."""
    search = LeakSearch(new_world())
    body = {"url": "https://hooks.team.example/x", "events": list(EVENT_TYPES), "balance_threshold_cents": 10**9}
    for client in (search.team.live, search.team.test):
        expect_status(client.post("/webhooks", body), 201)
    return search


def enter_addresses(search: LeakSearch, client: TeamClient) -> dict[str, list[Any]]:
    """Enter addresses by every operation that a key has; the ids of the records."""
    row = {"work_email": search.email(), "first_name": "Cy", "last_name": search.email()}
    person = client.post_json("/people", {"people": [row]})["data"][0]["id"]
    kit = {"collection_slug": "welcome-kit"}
    gifts = [
        client.post_json("/gifts", {"recipients": [who], "gift": kit, "message": f"For {search.email()}"})["id"]
        for who in (search.guest(), {"person_id": person}, *crm(search, client))
    ]
    order = {
        "collection": "welcome-kit", "headcount": 2, "recipients": [search.guest()],
        "po_number": f"PO {search.email()}", "gift_message": f"Ask {quote(search.email())} or {search.email().upper()}",
    }  # fmt: skip
    orders = [client.post_json("/team-orders", order)["id"]]
    stored = client.post_json(
        "/store/orders", {"items": [{"merchant_product_id": 101, "quantity": 1}], "recipients": [search.guest()]}
    )
    recipients = [search.guest(), {"person_id": person}]
    campaign = client.post_json("/large-campaigns", {"collection": "welcome-kit", "recipients": recipients}, 202)["id"]
    expect_status(client.patch(f"/people/{person}", {"department": f"Of {search.email()}"}), 200)
    expect_status(client.put("/billing/profile", {"legal_name": f"Bills to {search.email()}"}), 200)
    return {"person": [person], "gift": gifts, "order": [*orders, stored["id"]], "campaign": [campaign]}


def crm(search: LeakSearch, client: TeamClient) -> list[Any]:
    """A CRM contact with an address from the provider."""
    upsert = [{"id": "900", "object_type": "contact", "name": f"Cim {search.email()}", "email": search.email()}]
    search.world.simulate("crm", provider="hubspot", upsert=upsert)
    return [{"crm": {"provider": "hubspot", "id": "900", "object_type": "contact"}}]


def advance_live_records(search: LeakSearch, made: dict[str, list[Any]]) -> None:
    """Approve, pay, claim, ship and settle the live records."""
    world, live = search.world, search.team.live
    expect_status(live.post(f"/large-campaigns/{made['campaign'][0]}/process", {}), 202)
    for noun, name in (("gift", "gift_id"), ("order", "team_order_id"), ("campaign", "campaign_id")):
        for one in made[noun]:
            world.simulate("approval", decision="approve", note=f"As {search.email()} asked", **{name: one})
    expect_status(live.post(f"/large-campaigns/{made['campaign'][0]}/process", {}), 202)
    world.simulate("claim", gift_id=made["gift"][0], recipient=0, address=RENO)
    for one in made["gift"][1:]:
        world.simulate("shipment", gift_id=one, to="delivered")
    paid = {"collection": "welcome-kit", "headcount": 1, "recipients": [search.guest()], "payment_method": "net_terms"}
    made["order"].append(live.post_json("/team-orders", paid)["id"])
    world.advance("12d")


def read_everything(client: TeamClient, ids: list[Any], month: str) -> None:
    """Call every read operation with every id."""
    for op in READS:
        query = "&".join(f"{each.name}=hubspot" for each in op.query_params if each.required)
        template = op.template.replace("{month}", month)
        paths = [re.sub(r"\{\w+\}", str(one), template) for one in ids] if "{" in template else [template]
        for path in dict.fromkeys(paths):
            client.get(f"{path}?{query}" if query else path)


def listed_ids(search: LeakSearch, client: TeamClient, made: dict[str, list[Any]]) -> list[Any]:
    """The ids in all lists."""
    listed = [
        row["id"] for path in ("/approvals", "/invoices", "/gifts", "/team-orders") for row in client.list_all(path)
    ]
    receipts = [row["receipt_id"] for row in client.list_all("/team-orders") if row["receipt_id"]]
    return list(dict.fromkeys([*listed, *receipts, *(one for ids in made.values() for one in ids)]))


def month_of(world: World) -> str:
    return local_date(parse_instant(world.now), "America/Los_Angeles")[:7]


@shows("T-1.9", "T-1.10", "T-1.11", "T-1.16")
@pytest.mark.parametrize("mode", ["live", "test"])
def test_reads_exports_and_deliveries_contain_no_address_link_or_token(
    search: LeakSearch, mode: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    client = getattr(search.team, mode)
    made = enter_addresses(search, client)
    if mode == "live":
        advance_live_records(search, made)
    else:
        for one in made["gift"]:
            expect_status(client.post("/sandbox/events", {"type": "gift.delivered", "resource_id": one}), 200)
    sends_mail = mode == "live"
    assert (len(search.links()) > 3, len(search.world.mail()) > 3) == (True, sends_mail)
    ids = listed_ids(search, client, made)
    for reader in (client, search.team.owner, search.team.other):
        read_everything(reader, ids, month_of(search.world))
    assert len([where for where, _ in search.recorder.responses if ".pdf" in where or ".csv" in where]) > 6
    search.check(caplog.text + "".join(capfd.readouterr()))


@shows("T-1.9", "T-1.10")
def test_replayed_responses_contain_none(search: LeakSearch) -> None:
    live = search.team.live
    bodies: dict[str, Any] = {
        "/people": {"people": [{"work_email": search.email()}]},
        "/gifts": {"recipients": [search.guest()], "gift": {"collection_slug": "welcome-kit"}},
        "/team-orders": {"collection": "welcome-kit", "headcount": 1, "recipients": [search.guest()]},
        "/large-campaigns": {"collection": "welcome-kit", "recipients": [search.guest()]},
    }
    for number, (path, body) in enumerate(bodies.items()):
        for response in [live.post(path, body, Idempotency_Key=f"again-{number}") for _ in range(2)]:
            assert response.status in (201, 202)
        other = {**body, "note": search.email()}
        assert live.post(path, other, Idempotency_Key=f"again-{number}").status == 409
    search.check()


@shows("T-1.12")
@pytest.mark.parametrize("strict", [False, True])
def test_error_messages_contain_none(search: LeakSearch, strict: bool) -> None:
    search.world.change_settings(strict_bodies=strict)
    live, bad = search.team.live, f"{LOCAL} at {DOMAIN}"
    kit = {"collection_slug": "welcome-kit"}
    wrong: list[Any] = [bad, search.email() + "\n", {"of": search.email()}, [search.email()], search.email() * 20]
    for email in wrong:
        who = {"name": "Bo", "email": email}
        live.post("/people", {"people": [{"work_email": email}]})
        live.post("/gifts", {"recipients": [who], "gift": kit})
        live.post("/team-orders", {"collection": "welcome-kit", "headcount": 1, "recipients": [who]})
        live.post("/large-campaigns", {"collection": "welcome-kit", "recipients": [who]})
        live.put("/billing/profile", {"billing_email": email})
    for path in ("/people", "/gifts", "/team-orders", "/large-campaigns", "/webhooks", "/artwork", "/funding"):
        live.post(path, f'{{"email": "{search.email()}", ')
        live.post(
            path, {search.email(): 1, "url": f"https://{bad}/", "recipients": search.email(), "people": search.email()}
        )
        live.post(path, {"url": f"https://{LOCAL}:pw@{DOMAIN}/x", "method": bad, "collection": bad, "headcount": bad})
        live.post(path, {}, Idempotency_Key=search.email() * 9)
        live.get(f"{path}/{quote(search.email())}")
        live.get(f"{path}?limit={quote(search.email())}&cursor={quote(search.email())}&q={quote(search.email())}")
    TeamClient(search.world, {"X-API-Key": search.email()}).get("/team")
    search.check()


@shows("T-1.12")
def test_provider_error_messages_are_redacted(search: LeakSearch) -> None:
    live = search.team.live
    made = enter_addresses(search, live)
    advance_live_records(search, made)
    for secret in (search.email(), search.links()[0], search.links()[0].rsplit("/", 1)[1]):
        for spelling in (secret, quote(secret, safe=""), b64encode(secret.encode()).decode(), f"<{secret}>,"):
            search.world.simulate("crm", provider="hubspot", outage=True, message=f"cannot reach {spelling} (500)")
            assert live.get("/contacts?provider=hubspot").status == 503
            who = {"crm": {"provider": "hubspot", "id": "900", "object_type": "contact"}}
            assert live.post("/gifts", {"recipients": [who], "gift": {"collection_slug": "welcome-kit"}}).status == 503
    search.check()


@shows("T-1.9", "T-1.10", "T-1.12")
def test_assistant_tools_return_none(search: LeakSearch) -> None:
    advance_live_records(search, made := enter_addresses(search, search.team.live))
    for number, op in enumerate(READS):
        names = [each.name for each in op.path_params]
        for one in [*made["gift"], *made["order"], *made["campaign"]] if names else [0]:
            needed = {each.name: "hubspot" for each in op.query_params if each.required}
            _tool(search, number, op.id, dict.fromkeys(names, one) | needed)
    wrong: tuple[dict[str, Any], ...] = (
        {"body": {"recipients": [search.guest()]}},
        {search.email(): 1},
        {"body": search.email()},
    )
    for arguments in wrong:
        _tool(search, 1, "sendGift", arguments)
        _tool(search, 1, search.email(), arguments)
    search.check()


def _tool(search: LeakSearch, number: int, name: str, arguments: dict[str, Any]) -> None:
    call = {"name": name, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}
    response = search.world.client.call("POST", "/mcp", body=message, headers=search.team.live.headers)
    assert response.status == 200, response.text


LEAKS = (
    f"x {LOCAL}+1@{DOMAIN} y",
    quote(f"a@{DOMAIN}"),
    *(b64encode(f"{'x' * shift}{LOCAL}+1@{DOMAIN}".encode()).decode() for shift in range(3)),
)


@pytest.mark.parametrize("leak", LEAKS)
def test_the_search_finds_leaks(search: LeakSearch, leak: str) -> None:
    search.recorder.responses.append(("a leak", leak))
    with pytest.raises(AssertionError):
        search.check()
