"""Receivers of webhooks, and the deliveries sent to them, also those that a receiver holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from hmac import compare_digest
from typing import Any

import msgspec

from giftsim.engine.control.own_searches import ATTEMPT_SEARCH
from giftsim.engine.control.pagination import (
    NEWEST,
    groups_of,
    number_rows,
    respond_with_page,
    rows_of_table,
    select,
    wanted_on_page,
)
from giftsim.engine.control.retry_ladder import places_in_ladder
from giftsim.engine.control.search_fields import searchable
from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import catch_up_and_send, change_state, current_state, settled_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.own_kinds import ENDPOINT, EVENT, event_ref
from giftsim.engine.gateway.problem import InvalidBody
from giftsim.engine.gateway.secret_kinds import REDACTED, WEBHOOK_SECRET
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.instants import SECOND, format_instant
from giftsim.engine.kernel.placeholders import fill_placeholders
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks import receiver
from giftsim.engine.webhooks.attempt import (
    ATTEMPT,
    NO_DELIVERY,
    WIRE_TIMING,
    AppAnswer,
    Attempt,
    AttemptFilter,
    attempt_view,
    attempts_of,
    count_outcomes,
    find_attempt,
    list_attempts,
    request_view,
    signed_s,
)
from giftsim.engine.webhooks.delivery import DELIVERY
from giftsim.engine.webhooks.dispatch import resend
from giftsim.engine.webhooks.event import find_event
from giftsim.engine.webhooks.receiver_script import Answer, answer_of_step, find_answer, read_step
from giftsim.engine.webhooks.signature import HEADER, TOLERANCE_S, signature_digest
from giftsim.engine.webhooks.webhook_settings import SIGNATURE_TIME
from giftsim.engine.worlds.held_deliveries import HeldDelivery
from giftsim.engine.worlds.world import World

ATTEMPT_MEMBERS = ("seq", "at", "url", "event_id", "type", "attempt", "mark", "request")  # of a held delivery
MOST_ANSWERS, MOST_ANSWERED = 10_000, 4_096  # answers of an app to a world's attempts, and characters of each
MASKED_SECRET = f"{WEBHOOK_SECRET.prefix}{REDACTED}"


def list_receivers(call: Call) -> Response:
    """List receivers."""
    with current_state(call.world) as state:
        return respond_with_page(call, "receivers", number_rows(receiver.list_receivers(state)), receiver.receiver_view)


def put_receiver(call: Call) -> Response:
    """Set the receiver of a host. Offsets count from the world's `now` at its creation."""
    with change_state(call) as state:
        entry = receiver.set_receiver(state, call.params["host"], call.body, start_ms=call.world.config.now_ms)
        timed_out = call.world.deliveries.held.time_out(entry.host)
    call.world.deliveries.complete(timed_out)
    return Response(200, receiver.receiver_view(entry))


def delete_receiver(call: Call) -> Response:
    """Delete the receiver of a host."""
    with change_state(call) as state:
        receiver.delete_receiver(state, call.params["host"])
        timed_out = call.world.deliveries.held.time_out(call.params["host"].lower())
    call.world.deliveries.complete(timed_out)
    return Response(200, {"deleted": call.params["host"]})


def list_deliveries(call: Call) -> Response:
    """List attempts once none is in flight. During an advance, or with a held delivery, list them at once."""
    access = current_state if call.world.clock.advancing or call.world.deliveries.held.unanswered else settled_state
    with access(call.world) as state:
        listed = searchable(call.world, state, services_of(call).simulated, ATTEMPT_SEARCH)
        chosen, view = select(call, listed), partial(delivery_view, call.world, state)
        more = groups_of(call, rows_of_table(state[ATTEMPT]), view, listed, chosen)
        if call.query["counts"]:
            more["counts"] = count_outcomes(state)
        keep = wanted_on_page(call, listed, chosen)
        page = list_attempts(state, _wanted(state, call.query), call.query["limit"], keep)
        rows = list(map(view, page.attempts))
    return Response(200, {"deliveries": rows, "next": page.next, **more})


def delivery_view(world: World, state: State, attempt: Attempt) -> dict[str, Any]:
    """An attempt as the list shows it, with its endpoint and the record that its event is about."""
    view = attempt_view(state, attempt, filler(world), world.runtime.now_s())
    about = event_ref(state, state[EVENT.table].get(attempt.event))
    return {**view, "endpoint": attempt.endpoint + 1, "about": about}


def _wanted(state: State, query: Mapping[str, Any]) -> AttemptFilter:
    event = None if query["event"] is None else find_event(state, query["event"])
    return AttemptFilter(
        after=query["after"],
        before=query["before"],
        newest=query["order"] == NEWEST,
        kind=query["type"],
        host=query["host"],
        event=None if event is None else event.n,
        outcome=query["outcome"],
        endpoint=None if query["endpoint"] is None else query["endpoint"] - 1,
    )


def get_delivery(call: Call) -> Response:
    """One attempt with what answered it and its signature step by step."""
    with current_state(call.world) as state:
        return Response(200, delivery_detail(call.world, state, find_attempt(state, call.params["seq"])))


def verify_delivery(call: Call) -> Response:
    """The steps of verifying the request of an attempt with a secret, by default that of its endpoint."""
    wall_s = call.world.runtime.now_s()
    with current_state(call.world) as state:
        attempt = find_attempt(state, call.params["seq"])
        view = attempt_view(state, attempt, filler(call.world), wall_s)
        own = state[ENDPOINT.table].get(attempt.endpoint).secret
        given = call.body.get("secret", own)
        other = next((each.id for each in state[ENDPOINT.table] if each.secret == given and given != own), None)
        steps = signature(view, given, signed_s(state, attempt, wall_s))
    return Response(200, {**steps, "own_secret": given == own, "secret_of": other})


def resend_delivery(call: Call) -> Response:
    """Send a delivery again. A forwarding receiver gets it after this response."""
    with change_state(call) as state:
        attempt = resend(state, call.params["seq"])
        return Response(201, delivery_view(call.world, state, attempt))


def note_app_answer(call: Call) -> Response:
    """Keep what an app answered to an attempt that was captured and then passed on to it (G349)."""
    with current_state(call.world) as state:
        attempt = find_attempt(state, call.params["seq"])
        body = call.body.get("body", "")[:MOST_ANSWERED]
        if len(call.world.app_answers) < MOST_ANSWERS:
            answer = AppAnswer(attempt.n, call.body["status"], body, state.now_ms, call.body.get("took_ms"))
            call.world.app_answers.append(answer)
    return Response(200, {"seq": attempt.seq, "status": call.body["status"]})


def get_delivery_request(call: Call) -> Response:
    """The request of an attempt, with the signature that was sent or a new one, at the time that the app sees now."""
    runtime = call.world.runtime
    wall_s, seen = runtime.now_s(), runtime.app_now_ms
    with current_state(call.world) as state:
        attempt = find_attempt(state, call.params["seq"])
        app_now_ms = state.now_ms if call.world.app_clock is not None else seen and seen()
        if app_now_ms is None or state.setting(SIGNATURE_TIME) == "wall":
            app_now_ms = wall_s * SECOND
        sent_s = app_now_ms // SECOND if call.query["sign"] == "now" else signed_s(state, attempt, wall_s)
        return Response(200, request_view(state, attempt, filler(call.world), sent_s))


def delivery_detail(world: World, state: State, attempt: Attempt) -> dict[str, Any]:
    """An attempt with what answered it, how long that took, and its signature step by step."""
    view, wall_s = delivery_view(world, state, attempt), world.runtime.now_s()
    wire = state[WIRE_TIMING].find("attempt", attempt.n)
    endpoint = state[ENDPOINT.table].get(attempt.endpoint)
    return {
        **view,
        "rung": _place(state, attempt),
        "took_ms": wire and wire.took_ms,
        "answer": _answer(state, attempt),
        "signature": signature(view, endpoint.secret, signed_s(state, attempt, wall_s)),
    }


def _place(state: State, attempt: Attempt) -> int | None:
    if attempt.delivery == NO_DELIVERY:
        return None
    every = attempts_of(state, state[EVENT.table].get(attempt.event))
    own = [other for other in every if other.delivery == attempt.delivery]
    return places_in_ladder(state[DELIVERY].get(attempt.delivery), own).get(attempt.n)


def _answer(state: State, attempt: Attempt) -> dict[str, Any] | None:
    answer = find_answer(state, attempt.n)
    if answer is None:
        return None
    return {"body": service_of(state).secret_table.redact(answer.body.decode("utf-8", "replace")), "cut": answer.cut}


def signature(view: Any, secret: str, sent_s: int) -> dict[str, Any]:
    """The steps of verifying the request of an attempt with a secret, which is not shown."""
    request = view["request"]
    steps: SignatureSteps = check_signature(request["headers"][HEADER], secret, request["body"].encode(), sent_s)
    return {**msgspec.to_builtins(steps), "signed_at": format_instant(steps.timestamp * 1000), "secret": MASKED_SECRET}


class SignatureSteps(msgspec.Struct, frozen=True, gc=False):
    """What a receiver computes: `t` and `v1` of the header, the text that is signed, and its digest with the secret.

    `age_s` is how old the signature was when it was sent. `accepted` says whether a receiver has to take the webhook.
    """

    header: str
    timestamp: int
    given: str
    signed_text: str
    expected: str
    matches: bool
    age_s: int
    tolerance_s: int
    accepted: bool


def check_signature(header: str, secret: str, body: bytes, sent_s: int) -> SignatureSteps:
    """The steps for a header `t=<seconds>,v1=<digest>` that was sent at `sent_s`."""
    members = dict(part.split("=", 1) for part in header.split(","))
    timestamp, given = int(members["t"]), members["v1"]
    expected, age_s = signature_digest(secret, timestamp, body), sent_s - timestamp
    matches = compare_digest(given, expected)
    accepted = matches and abs(age_s) <= TOLERANCE_S
    text = f"{timestamp}.{body.decode()}"
    return SignatureSteps(header, timestamp, given, text, expected, matches, age_s, TOLERANCE_S, accepted)


def list_held(call: Call) -> Response:
    """List held deliveries. With `wait`, wait until there is one or no advance is in progress."""
    catch_up_and_send(call.world)
    if call.query["wait"]:
        call.world.deliveries.wait_until_one_is_held()
    with current_state(call.world) as state:
        rows = ((held.outgoing.attempt + 1, held) for held in call.world.deliveries.held.unanswered)
        return respond_with_page(call, "held", rows, lambda held: _held_view(call.world, state, held))


def answer_delivery(call: Call) -> Response:
    """Answer a held delivery in place of its receiver. An empty body gives the receiver's default answer."""
    with current_state(call.world) as state:
        attempt = find_attempt(state, call.params["seq"])
        held = call.world.deliveries.held.find(attempt.n)
        answer = _read_answer(call.body) if call.body else held.default_answer
        body = _held_view(call.world, state, held)
        held.answer = answer
    call.world.deliveries.complete([held])
    return Response(200, {**body, "outcome": answer.outcome, "status": answer.status})


def _read_answer(body: Mapping[str, Any]) -> Answer:
    try:
        return answer_of_step(read_step(body))
    except ValueError as error:
        raise InvalidBody(str(error)) from None


def _held_view(world: World, state: State, held: HeldDelivery) -> dict[str, Any]:
    attempt = find_attempt(state, held.outgoing.attempt + 1)
    view = attempt_view(state, attempt, filler(world), world.runtime.now_s())
    default = {"outcome": held.default_answer.outcome, "status": held.default_answer.status}
    return {**{name: view[name] for name in ATTEMPT_MEMBERS}, "own": default}


def filler(world: World) -> Callable[[bytes], bytes]:
    """A function that fills the placeholders in a world's stored bytes (G1)."""
    return lambda stored: fill_placeholders(stored, world.runtime.origin, world.id)
