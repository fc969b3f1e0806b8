"""Properties of deliveries under random actions: one state per event and endpoint, exact times (G26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import cycle, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim.engine.kernel.serializer import fingerprint
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks import delivery, dispatch, endpoint, receiver
from giftsim.engine.webhooks.attempt import in_flight
from giftsim.engine.webhooks.delivery import LADDER_MS
from giftsim.engine.webhooks.fan_out import ping_endpoint
from giftsim.engine.webhooks.outgoing import Outcome, is_key_missing, remove_signing_key
from giftsim.services.gifting.domain.webhook_kinds import PARTNER_KINDS
from tests.support.webhook_world import WebhookWorld

HOSTS = ("a.partner.example", "b.partner.example")
OUTCOMES = (Outcome("delivered", 204, 0, 0.1), Outcome("http_status", 500, 0, 0.1), Outcome("timeout", None, 0, 10.0))
SPANS = ("0s", "4m", "5m", "41m", "1h", "1h", "5h", "3d", "3d")
STEPS: tuple[dict[str, object], ...] = ({"status": 200}, {"status": 500}, {"timeout": True})

Action = Callable[[WebhookWorld], None]
hosts = st.sampled_from(HOSTS)
steps = st.sampled_from(STEPS)


def subscribe(host: str, kind: str) -> Action:
    return lambda world: ignore(
        endpoint.create_endpoint(
            world.state, owner="account 0", key="k", url=f"https://{host}/", kinds=[kind], known=PARTNER_KINDS
        )
    )


def emit(kind: str) -> Action:
    return lambda world: world.state.emit(kind, "account 0", 0)


def script(host: str, answers: list[dict[str, object]], then: dict[str, object]) -> Action:
    entry = {"script": answers, "then": then}
    return lambda world: ignore(receiver.set_receiver(world.state, host, entry, start_ms=world.start_ms))


def forward(host: str) -> Action:
    entry = {"mode": "forward", "to": "http://127.0.0.1:9000"}
    return lambda world: ignore(receiver.set_receiver(world.state, host, entry, start_ms=world.start_ms))


def disable(n: int) -> Action:
    return lambda world: ignore(
        delivery.disable_endpoint(world.state, endpoint.find_endpoint(world.state, "account 0", n))
    )


def send_ping(n: int) -> Action:
    return lambda world: ignore(ping_endpoint(world.state, endpoint.find_enabled(world.state, "account 0", n)))


def resend(seq: int) -> Action:
    return lambda world: ignore(dispatch.resend(world.state, seq))


def remove_key(world: WebhookWorld) -> None:
    remove_signing_key(world.state)


def restore_key(world: WebhookWorld) -> None:
    dispatch.restore_signing_key(world.state)


def ignore(_: object) -> None:
    """Drop the result of an action."""


kinds = st.sampled_from(PARTNER_KINDS[:2])
actions = st.one_of(
    st.builds(subscribe, hosts, kinds),
    st.builds(script, hosts, st.lists(steps, max_size=4), steps),
    st.builds(forward, hosts),
    st.builds(disable, st.integers(1, 3)),
    st.builds(send_ping, st.integers(1, 3)),
    st.builds(resend, st.integers(1, 6)),
    st.builds(resend, st.integers(1, 40)),
    st.just(remove_key),
    st.just(restore_key),
)
emissions, spans = st.builds(emit, kinds), st.sampled_from(SPANS)
courses = st.lists(st.one_of(actions, actions, emissions, spans, spans), min_size=15, max_size=40)
outcome_index_lists = st.lists(st.integers(0, 2), min_size=1, max_size=9)


class RolledBack(Exception):
    """Raised to roll back a transaction."""


def check_rollback_and_run(world: WebhookWorld, action: Action) -> None:
    """Run an action and roll it back, check that the state is unchanged, then run it again and keep the result."""
    before = fingerprint(world.state)
    try:
        with world.state.transaction():
            action(world)
            raise RolledBack
    except (Problem, RolledBack) as end:
        assert fingerprint(world.state) == before
        if not isinstance(end, RolledBack):
            return
    with world.state.transaction():
        action(world)
    world.send_due()


def run_course(course: list[Action | str], outcome_indexes: list[int]) -> WebhookWorld:
    world = WebhookWorld()
    answers = cycle(outcome_indexes)
    world.courier = lambda _: OUTCOMES[next(answers)]
    for host in HOSTS:
        world.subscribe(*PARTNER_KINDS[:2], url=f"https://{host}/", key="k")
        world.set_receiver(host, then=STEPS[outcome_indexes[0]])
    continue_course(world, course)
    return world


def continue_course(world: WebhookWorld, course: list[Action | str]) -> None:
    """Run the actions and advances in a world, with a check after each."""
    for step in course:
        if isinstance(step, str):
            world.advance(step)
        else:
            check_rollback_and_run(world, step)
        check(world)


def check(world: WebhookWorld) -> None:
    """Check what must be true between any two calls."""
    pairs = Counter((row.event, row.endpoint) for row in world.deliveries)
    assert set(pairs.values()) <= {1}
    counts = Counter((row.endpoint, row.status) for row in world.deliveries)
    for row in world.endpoints:
        assert (row.pending, row.dead) == (counts[row.n, "pending"], counts[row.n, "dead"])
        assert delivery.list_pending(world.state, row.n) == [
            other.n for other in world.deliveries if other.endpoint == row.n and other.status == "pending"
        ]
    suspended = is_key_missing(world.state)
    for each in world.deliveries:
        timers = world.state.timers.owned("delivery", each.n)
        waits = each.status == "pending" and each.next_attempt_ms is not None
        assert [timer.due_ms for timer in timers] == ([each.next_attempt_ms] if waits else [])
        assert waits or each.status != "pending" or suspended
    delivered = {each.delivery for each in world.attempts if each.outcome == "delivered" and each.mark != "ping"}
    assert {world.deliveries[n].status for n in delivered} <= {"delivered", "dropped"}
    assert in_flight(world.state) == []


@given(courses, outcome_index_lists)
def test_the_counts_match_the_states_of_all_deliveries(course: list[Action | str], outcome_indexes: list[int]) -> None:
    world = run_course(course, outcome_indexes)
    world.advance_until_idle()
    check(world)
    if not is_key_missing(world.state):
        assert {row.status for row in world.deliveries} <= {"delivered", "dead", "dropped"}
    check_rollback_and_run(world, restore_key)
    world.advance_until_idle()
    assert {row.status for row in world.deliveries} <= {"delivered", "dead", "dropped"}


@given(courses, outcome_index_lists)
def test_every_retry_follows_after_its_delay_on_the_ladder(
    course: list[Action | str], outcome_indexes: list[int]
) -> None:
    world = run_course([step for step in course if step is not remove_key], outcome_indexes)
    world.advance_until_idle()
    for row in world.deliveries:
        ladder = [each for each in world.attempts if each.delivery == row.n and each.mark == ""]
        times = [each.at_ms for each in ladder]
        gaps = [later - earlier for earlier, later in pairwise(times)]
        assert gaps == list(LADDER_MS[: len(gaps)])
        assert times[:1] in ([], [row.created_ms])
        assert all(each.outcome != "delivered" for each in ladder[:-1])
        assert (row.status == "dead") <= (len(ladder) == 9)
        assert row.attempts == sum(each.delivery == row.n for each in world.attempts)


@settings(max_examples=30)
@given(courses, courses, outcome_index_lists)
def test_a_copied_state_has_the_same_future_and_does_not_change_the_original(
    past: list[Action | str], future: list[Action | str], outcome_indexes: list[int]
) -> None:
    world, twin = run_course(past, outcome_indexes), WebhookWorld()
    twin.state = world.state.share()
    world.courier = twin.courier
    present = fingerprint(world.state)
    continue_course(twin, future)
    assert fingerprint(world.state) == present
    continue_course(world, future)
    assert fingerprint(world.state) == fingerprint(twin.state)
