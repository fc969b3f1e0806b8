"""Webhook bodies in other spellings, and with members that no document mentions, as a receiver gets them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from giftsim.build import CONTRACTS
from giftsim.engine.gateway.wsgi_app import Environ, StartResponse
from giftsim.engine.kernel.unknown_members import FIRST, SECOND
from giftsim.engine.webhooks.spelling import LAYOUTS
from tests.support.listening import server_of
from tests.support.orders import address_recipients
from tests.support.partner.webhooks import is_valid_signature, ship_order
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

Worlds = Callable[..., World]
VARIED = {"webhooks.spelling": "varied", "webhooks.signature_time": "simulated"}
UNKNOWN = {"answers.unknown_members": True}
NAME = "Zoë <Ørsted & 猫> 😀 \\u00e9"


class Got(NamedTuple):
    """A request as a receiver got it."""

    event: str
    signature: str
    body: bytes


class Receiver:
    """A receiver over HTTP, which answers its first requests with an error."""

    def __init__(self, failures: int = 0) -> None:
        self.got: list[Got] = []
        self.failures = failures
        self.server = server_of(self._answer)
        self.server.start()

    def _answer(self, environ: Environ, start_response: StartResponse) -> Sequence[bytes]:
        names = ("HTTP_X_SERVICE_EVENT_ID", "HTTP_X_SERVICE_SIGNATURE")
        event, signature = (environ[name] for name in names)
        self.got.append(Got(event, signature, environ["wsgi.input"].read()))
        status = "500 Down" if len(self.got) <= self.failures else "200 OK"
        start_response(status, [("Content-Length", "0")])
        return ()


@pytest.fixture
def make_receiver() -> Iterator[Callable[..., Receiver]]:
    """Make receivers, which are closed at the end."""
    made: list[Receiver] = []

    def make(failures: int = 0) -> Receiver:
        made.append(Receiver(failures))
        return made[-1]

    yield make
    for each in made:
        each.server.stop()


def deliver(world: World, receiver: Receiver, orders: int = 1) -> str:
    """Ship orders of three, whose news a receiver gets; the secret of its endpoint."""
    partner = world.partner()
    secret: str = partner.subscribe("team_order.shipped", "team_order.delivered")["secret"]
    world.set_receiver(mode="forward", to=receiver.server.origin)
    for _ in range(orders):
        recipients = address_recipients(3)
        recipients[0]["name"] = NAME
        ship_order(world, partner, recipients=recipients)
    world.advance(until="idle")
    return secret


def test_bodies_are_spelled_in_many_ways_and_mean_the_same(
    new_world: Worlds, make_receiver: Callable[..., Receiver]
) -> None:
    plain, varied = make_receiver(), make_receiver()
    deliver(new_world(), plain, 4)
    secret = deliver(new_world(settings=VARIED), varied, 4)
    assert [json.loads(got.body) for got in varied.got] == [json.loads(got.body) for got in plain.got]
    assert all(got.body == compact(json.loads(got.body)) for got in plain.got)
    assert not any(got.body == compact(json.loads(got.body)) for got in varied.got)
    orders = {tuple(json.loads(got.body)) for got in varied.got}
    layouts = {(b"\n" in got.body.strip(), b"\t" in got.body, b"\r" in got.body, got.body[:2]) for got in varied.got}
    assert len(orders) > 3
    assert len(layouts) > 3
    for what in (b"\\/", b"\\u00", "Zoë".encode(), "😀".encode(), b"\\ud83d", b"\\u003c", b'"id" : '):
        assert any(what in got.body for got in varied.got), what
    for got, row in zip(varied.got, plain.got, strict=True):
        assert got.event == row.event
        assert is_valid_signature(secret, got.signature, got.body, int(got.signature[2:].partition(",")[0]))


def compact(value: Any) -> bytes:
    """JSON as `JSON.stringify` writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "write",
    [
        compact,
        lambda value: json.dumps(value).encode(),
        lambda value: json.dumps(value, separators=(",", ":")).encode(),
        lambda value: json.dumps(value, separators=(",", ":"), sort_keys=True).encode(),
        lambda value: json.dumps(value, indent=2).encode(),
    ],
)
def test_a_receiver_that_parses_and_writes_again_refuses_true_webhooks(
    new_world: Worlds, make_receiver: Callable[..., Receiver], write: Callable[[Any], bytes]
) -> None:
    receiver = make_receiver()
    secret = deliver(new_world(settings=VARIED), receiver, 2)
    refused = [
        got
        for got in receiver.got
        if not is_valid_signature(secret, got.signature, write(json.loads(got.body)), signed_s(got))
    ]
    assert len(refused) > len(receiver.got) / 2


def signed_s(got: Got) -> int:
    """When a request was signed."""
    return int(got.signature.partition(",")[0].removeprefix("t="))


def test_every_attempt_has_the_same_bytes_also_when_the_setting_changes(
    new_world: Worlds, make_receiver: Callable[..., Receiver]
) -> None:
    receiver, world = make_receiver(failures=2), new_world(settings=VARIED)
    partner = world.partner()
    partner.subscribe("team_order.shipped")
    world.set_receiver(mode="forward", to=receiver.server.origin)
    ship_order(world, partner)
    world.advance("1h")
    world.change_settings(webhooks__spelling="plain")
    world.advance("1d")
    world.call_control("POST", "/deliveries/1/resend")
    world.advance("0s")
    shown = {row["request"]["body"].encode() for row in world.deliveries()}
    assert len(receiver.got) == 4
    assert {got.body for got in receiver.got} == shown
    [body] = shown
    assert body != compact(json.loads(body))


def test_the_seed_decides_how_bodies_are_spelled_and_which_members_are_unknown(
    new_world: Worlds, make_receiver: Callable[..., Receiver]
) -> None:
    sent = []
    for seed in (7, 7, 8):
        receiver, world = make_receiver(), new_world(seed=seed, settings=VARIED | UNKNOWN)
        deliver(world, receiver)
        sent.append(([got.body for got in receiver.got], world.partner().get("/team-orders").body, world.fingerprint()))
    one, same, other = sent
    assert one == same
    assert one[0] != other[0]
    names, others = (unknown_names(json.loads(answers)) for _, answers, _ in (one, other))
    assert names - others
    assert others - names


def test_a_recording_replays_to_the_same_bytes(new_world: Worlds, make_receiver: Callable[..., Receiver]) -> None:
    receiver, world = make_receiver(failures=1), new_world(settings=VARIED | UNKNOWN)
    deliver(world, receiver)
    played = world.client.call(
        "POST",
        "/_sim/v1/scenarios/play?keep=true",
        body=world.recording,
        headers={"Content-Type": "application/yaml"},
    ).json()
    assert played["outcome"] == "passed", played
    again = world.client.call("GET", f"/_sim/v1/worlds/{played['world']}/deliveries").json()["deliveries"]
    world.client.call("DELETE", f"/_sim/v1/worlds/{played['world']}")
    assert [row["request"]["body"].encode() for row in again] == [got.body for got in receiver.got]
    signatures = [row["request"]["headers"]["X-Service-Signature"] for row in again]
    assert signatures == [got.signature for got in receiver.got]


def known_members(value: Any) -> Any:
    """A JSON value without the members that are drawn."""
    if isinstance(value, dict):
        return {name: known_members(each) for name, each in value.items() if not is_unknown(name)}
    return [known_members(each) for each in value] if isinstance(value, list) else value


def unknown_names(value: Any) -> set[str]:
    """The names of the drawn members in a JSON value, at any depth."""
    if isinstance(value, dict):
        return {name for name in value if is_unknown(name)}.union(*map(unknown_names, value.values()))
    return set().union(*map(unknown_names, value)) if isinstance(value, list) else set()


def is_unknown(name: str) -> bool:
    """Whether a member is of those that can be drawn."""
    first, _, second = name.partition("_")
    return first in FIRST and second in SECOND


def has_unknown_everywhere(value: Any) -> bool:
    """Whether each documented object in a JSON value has a drawn member."""
    if isinstance(value, dict):
        own = {name: each for name, each in value.items() if not is_unknown(name)}
        return len(own) < len(value) and all(map(has_unknown_everywhere, own.values()))
    return all(map(has_unknown_everywhere, value)) if isinstance(value, list) else True


def test_answers_and_webhooks_have_members_that_no_document_mentions(new_world: Worlds) -> None:
    answers = []
    for settings in ({}, UNKNOWN):
        world = new_world(settings=settings)
        partner, team = world.partner(), TeamClients(world).live
        partner.subscribe("team_order.shipped")
        order = ship_order(world, partner)
        world.advance("1h")
        partner.post("/webhooks/1/test")
        bodies = [json.loads(row["request"]["body"]) for row in world.deliveries()]
        calls = [partner.get("/team-orders"), partner.get("/nothing"), team.get("/team"), team.get("/gifts/1")]
        answers.append([order, *bodies, *(answer.json() for answer in calls)])
        museum = world.client.call("GET", "/v1.1/museum-hours", headers=world.credentials["museum"]["headers"])
        assert unknown_names(museum.json()) == set()  # its documents list every member
    plain, more = answers
    assert [unknown_names(each) for each in plain] == [set()] * len(plain)
    assert [without_ids(known_members(each)) for each in more] == [without_ids(each) for each in plain]
    assert all(has_unknown_everywhere(each) for each in more)


def without_ids(value: Any) -> Any:
    """An answer without the id of its call."""
    if "error" in value:
        value = {**value, "error": {**value["error"], "request_id": None}}
    return value


def test_a_repeated_call_has_the_same_unknown_members(new_world: Worlds) -> None:
    partner = new_world(settings=UNKNOWN).partner()
    first, again = (partner.create_order(idempotency_key="one") for _ in range(2))
    assert (again.headers["idempotent-replayed"], first.body) == ("true", again.body)


def test_no_document_has_a_member_that_can_be_drawn() -> None:
    documents = "".join(path.read_text() for path in CONTRACTS.values())
    assert [name for first in FIRST for second in SECOND if (name := f"{first}_{second}") in documents] == []


def test_each_layout_differs_from_a_plain_body() -> None:
    assert all(layout.end or layout.indent or (layout.comma, layout.colon) != (",", ":") for layout in LAYOUTS)
