"""Whatever happens in whatever order: every pair of event and endpoint is in one state, and time is exact (G26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import cycle, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim.kernel.fingerprint import fingerprint
from giftsim.problem import Problem
from giftsim.webhooks import delivery, dispatch, endpoint, receiver, signing_key
from giftsim.webhooks.attempt import in_flight
from giftsim.webhooks.delivery import LADDER_MS
from giftsim.webhooks.event import PARTNER_KINDS
from giftsim.webhooks.outgoing import Outcome
from giftsim.webhooks.ping import ping
from tests.support.webhook_world import WebhookWorld

HOSTS = ("a.partner.example", "b.partner.example")
OUTCOMES = (Outcome("delivered", 204, 0, 0.1), Outcome("http_status", 500, 0, 0.1), Outcome("timeout", None, 0, 10.0))
SPANS = ("0s", "4m", "5m", "41m", "1h", "1h", "5h", "3d", "3d")
STEPS: tuple[dict[str, object], ...] = ({"status": 200}, {"status": 500}, {"timeout": True})

Deed = Callable[[WebhookWorld], None]
hosts = st.sampled_from(HOSTS)
steps = st.sampled_from(STEPS)


def subscribe(host: str, kind: str) -> Deed:
    return lambda scene: void(
        endpoint.create(
            scene.state, owner="account 0", key="k", url=f"https://{host}/", kinds=[kind], known=PARTNER_KINDS
        )
    )


def happen(kind: str) -> Deed:
    return lambda scene: scene.state.emit(kind, "account 0", 0)


def script(host: str, answers: list[dict[str, object]], then: dict[str, object]) -> Deed:
    entry = {"script": answers, "then": then}
    return lambda scene: void(receiver.set_receiver(scene.state, host, entry, start_ms=scene.start_ms))


def forward(host: str) -> Deed:
    entry = {"mode": "forward", "to": "http://127.0.0.1:9000"}
    return lambda scene: void(receiver.set_receiver(scene.state, host, entry, start_ms=scene.start_ms))


def disable(n: int) -> Deed:
    return lambda scene: void(delivery.disable_endpoint(scene.state, endpoint.find(scene.state, "account 0", n)))


def pinged(n: int) -> Deed:
    return lambda scene: void(ping(scene.state, endpoint.find_enabled(scene.state, "account 0", n)))


def resend(seq: int) -> Deed:
    return lambda scene: void(dispatch.resend(scene.state, seq))


def lose_key(scene: WebhookWorld) -> None:
    signing_key.remove(scene.state)


def find_key(scene: WebhookWorld) -> None:
    dispatch.restore_signing_key(scene.state)


def void(_: object) -> None:
    """A verb's result is not wanted."""


kinds = st.sampled_from(PARTNER_KINDS[:2])
deeds = st.one_of(
    st.builds(subscribe, hosts, kinds),
    st.builds(script, hosts, st.lists(steps, max_size=4), steps),
    st.builds(forward, hosts),
    st.builds(disable, st.integers(1, 3)),
    st.builds(pinged, st.integers(1, 3)),
    st.builds(resend, st.integers(1, 6)),
    st.builds(resend, st.integers(1, 40)),
    st.just(lose_key),
    st.just(find_key),
)
facts, spans = st.builds(happen, kinds), st.sampled_from(SPANS)
courses = st.lists(st.one_of(deeds, deeds, facts, spans, spans), min_size=15, max_size=40)
returns = st.lists(st.integers(0, 2), min_size=1, max_size=9)


class Undone(Exception):
    """A transaction that a test gives up."""


def do(scene: WebhookWorld, deed: Deed) -> None:
    """Do it, undo it and see that nothing is left of it, then do it for good."""
    before = fingerprint(scene.state)
    try:
        with scene.state.transaction():
            deed(scene)
            raise Undone
    except (Problem, Undone) as end:
        assert fingerprint(scene.state) == before
        if not isinstance(end, Undone):
            return
    with scene.state.transaction():
        deed(scene)
    scene.send_due()


def play(course: list[Deed | str], back: list[int]) -> WebhookWorld:
    scene = WebhookWorld()
    answers = cycle(back)
    scene.courier = lambda _: OUTCOMES[next(answers)]
    for host in HOSTS:
        scene.subscribe(*PARTNER_KINDS[:2], url=f"https://{host}/", key="k")
        scene.set_receiver(host, then=STEPS[back[0]])
    proceed(scene, course)
    return scene


def proceed(scene: WebhookWorld, course: list[Deed | str]) -> None:
    """Play a course in a world; what must hold is looked at after each step."""
    for step in course:
        if isinstance(step, str):
            scene.advance(step)
        else:
            do(scene, step)
        check(scene)


def check(scene: WebhookWorld) -> None:
    """What holds at any moment between calls."""
    pairs = Counter((row.event, row.endpoint) for row in scene.deliveries)
    assert set(pairs.values()) <= {1}
    counts = Counter((row.endpoint, row.status) for row in scene.deliveries)
    for row in scene.endpoints:
        assert (row.pending, row.dead) == (counts[row.n, "pending"], counts[row.n, "dead"])
        assert delivery.list_pending(scene.state, row.n) == [
            other.n for other in scene.deliveries if other.endpoint == row.n and other.status == "pending"
        ]
    suspended = signing_key.is_missing(scene.state)
    for each in scene.deliveries:
        timers = scene.state.timers.owned("delivery", each.n)
        waits = each.status == "pending" and each.next_attempt_ms is not None
        assert [timer.due_ms for timer in timers] == ([each.next_attempt_ms] if waits else [])
        assert waits or each.status != "pending" or suspended
    taken = {each.delivery for each in scene.attempts if each.outcome == "delivered" and each.mark != "ping"}
    assert {scene.deliveries[n].status for n in taken} <= {"delivered", "dropped"}
    assert in_flight(scene.state) == []


@given(courses, returns)
def test_every_pair_is_in_one_state_and_the_counts_say_so(course: list[Deed | str], back: list[int]) -> None:
    scene = play(course, back)
    scene.advance_until_idle()
    check(scene)
    if not signing_key.is_missing(scene.state):
        assert {row.status for row in scene.deliveries} <= {"delivered", "dead", "dropped"}
    do(scene, find_key)
    scene.advance_until_idle()
    assert {row.status for row in scene.deliveries} <= {"delivered", "dead", "dropped"}


@given(courses, returns)
def test_every_attempt_of_the_ladder_stands_on_its_rung(course: list[Deed | str], back: list[int]) -> None:
    scene = play([step for step in course if step is not lose_key], back)
    scene.advance_until_idle()
    for row in scene.deliveries:
        ladder = [each for each in scene.attempts if each.delivery == row.n and each.mark == ""]
        times = [each.at_ms for each in ladder]
        gaps = [later - earlier for earlier, later in pairwise(times)]
        assert gaps == list(LADDER_MS[: len(gaps)])
        assert times[:1] in ([], [row.created_ms])
        assert all(each.outcome != "delivered" for each in ladder[:-1])
        assert (row.status == "dead") <= (len(ladder) == 9)
        assert row.attempts == sum(each.delivery == row.n for each in scene.attempts)


@settings(max_examples=30)
@given(courses, courses, returns)
def test_a_copy_of_a_world_has_the_same_future_and_leaves_its_original_alone(
    past: list[Deed | str], future: list[Deed | str], back: list[int]
) -> None:
    scene, twin = play(past, back), WebhookWorld()
    twin.state = scene.state.share()
    scene.courier = twin.courier
    present = fingerprint(scene.state)
    proceed(twin, future)
    assert fingerprint(scene.state) == present
    proceed(scene, future)
    assert fingerprint(scene.state) == fingerprint(twin.state)
