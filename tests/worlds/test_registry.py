"""The registry: ids, bounds and copies of worlds."""

from __future__ import annotations

import gc
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from weakref import ref

import pytest
from click.testing import CliRunner

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.engine.client.response import Response
from giftsim.engine.courier.courier import Courier
from giftsim.engine.kernel.serializer import fingerprint
from giftsim.engine.log.inputs import WorldConfig
from giftsim.engine.system import SYSTEM
from giftsim.engine.worlds.registry import DEFAULT, START_MS, Registry
from giftsim.engine.worlds.runtime import Runtime
from giftsim.engine.worlds.world_errors import (
    DefaultWorldStays,
    InvalidWorld,
    TooManyWorlds,
    WorldExists,
    WorldNotFound,
)
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.http_receiver import OK_RESPONSE, HttpReceiver, http_receiver, respond_always
from tests.support.orders import address_recipients
from tests.support.responses import created, status_and_code
from tests.support.waiting import wait_until
from tests.support.work import Work
from tests.support.worlds import World

CONFIG = WorldConfig("bare", 7, START_MS)


@pytest.fixture
def registry(simulator: Simulator) -> Registry:
    shared = simulator.registry
    return Registry(shared.make_state, Runtime(shared.runtime.courier), max_worlds=3)


def test_worlds_without_an_id_are_numbered_and_skip_taken_ids(registry: Registry) -> None:
    registry.create(CONFIG, "w2")
    assert [registry.create(CONFIG).id for _ in range(2)] == ["w1", "w3"]


def test_an_id_of_a_recovered_world_is_never_given_again(registry: Registry) -> None:
    registry.ids.reserve("w41")
    registry.ids.reserve("mine")
    assert registry.create(CONFIG).id == "w42"


def test_a_world_is_created_without_a_look_at_the_others(simulator: Simulator) -> None:
    registry = Registry(simulator.registry.make_state, Runtime(simulator.registry.runtime.courier))

    def calls() -> int:
        return sum(Work().count(lambda: registry.create(CONFIG, ttl_s=3600)).functions.values())

    calls()
    first = calls()
    for _ in range(100):
        registry.create(CONFIG, ttl_s=3600)
    assert calls() == first


def test_an_idle_world_that_was_used_is_deleted_later(simulator: Simulator) -> None:
    seconds = [0.0]
    courier = Courier(SYSTEM._replace(monotonic=lambda: seconds[0]))
    registry = Registry(simulator.registry.make_state, Runtime(courier))
    used, idle = (registry.create(CONFIG, ttl_s=10) for _ in range(2))
    found = []
    for now in (6, 10, 16):
        seconds[0] = now
        if now == 6:
            used.touch()
        found.append((registry.delete_expired(), list(registry.worlds)))
    assert found == [(4, [used.id, idle.id]), (6, [used.id]), (None, [])]


def test_worlds_with_a_ttl_that_were_deleted_are_forgotten(simulator: Simulator) -> None:
    registry = Registry(simulator.registry.make_state, Runtime(simulator.registry.runtime.courier))
    worlds = [ref(registry.create(CONFIG, ttl_s=3600)) for _ in range(3)]
    for world in list(registry.worlds.values()):
        registry.delete(world)
    del world
    gc.collect()
    assert [world() for world in worlds] == [None] * 3


@pytest.mark.parametrize("world_id", ["", "Upper", "a b", "x" * 41, "ünicode"])
def test_other_ids_are_refused(registry: Registry, world_id: str) -> None:
    with pytest.raises(InvalidWorld, match="a world's id is 1 to 40 of a-z, 0-9 and '-'"):
        registry.create(CONFIG, world_id)


def test_an_id_is_taken_once_and_the_number_of_worlds_is_bounded(registry: Registry) -> None:
    registry.create(CONFIG, "a")
    with pytest.raises(WorldExists, match=r"^there is a world a already; delete it or take another id$"):
        registry.create(CONFIG, "a")
    registry.create(CONFIG)
    registry.create(CONFIG)
    with pytest.raises(TooManyWorlds, match=r"^3 worlds exist; delete some, or start with a larger --max-worlds$"):
        registry.create(CONFIG)


def test_worlds_of_one_config_are_equal_and_independent(registry: Registry) -> None:
    one, other = registry.create(CONFIG), registry.create(CONFIG)
    assert fingerprint(one.state) == fingerprint(other.state)
    with one.state.transaction():
        one.state.set_setting("partner.prices.rush", 1)
    assert fingerprint(one.state) != fingerprint(other.state)


def test_a_deleted_world_is_not_found_and_the_default_world_stays(registry: Registry) -> None:
    world = registry.create(CONFIG, "a")
    registry.delete(world)
    with pytest.raises(WorldNotFound, match=r"^there is no world 'a'$"):
        registry.find("a")
    with pytest.raises(DefaultWorldStays):
        registry.delete(registry.create(CONFIG, DEFAULT))


@pytest.fixture
def process() -> Iterator[Simulator]:
    with closing(Simulator(fixture="bare", worlds_prefix="p2")) as simulator:
        yield simulator


def fork(world: World, **body: str) -> str:
    return str(world.call_control("POST", "/fork", body)["id"])


def test_worlds_without_an_id_begin_with_the_prefix_of_their_process(process: Simulator) -> None:
    assert [World(process, fixture="bare").id for _ in range(2)] == ["p2--w1", "p2--w2"]
    assert World(process, fixture="bare", id="mine").id == "mine"


def test_a_fork_begins_as_its_parent_does(process: Simulator) -> None:
    mine = World(process, fixture="bare", id="mine")
    assert (fork(mine), fork(mine, id="mine--copy")) == ("mine--w1", "mine--copy")
    assert mine.json_of(mine.control.post("/worlds/mine--w1/fork", {}))["id"] == "mine--w2"
    assert World(process, fixture="bare").id == "p2--w3"


def test_a_fork_with_an_id_that_leads_to_another_process_is_refused(process: Simulator) -> None:
    mine = World(process, fixture="bare", id="mine")
    refused = mine.control.post("/worlds/mine/fork", {"id": "copy"})
    assert status_and_code(refused) == (400, "invalid_world")
    assert "its id begins with mine--, like mine--copy" in refused.json()["error"]["message"]
    assert status_and_code(mine.control.get("/worlds/copy")) == (404, "world_not_found")


def test_a_fork_of_an_id_without_space_for_more_is_refused(process: Simulator) -> None:
    long = World(process, fixture="bare", id="x" * 38)
    refused = long.control.post(f"/worlds/{long.id}/fork")
    assert status_and_code(refused) == (400, "invalid_world")
    assert "longer than 40" in refused.json()["error"]["message"]


def test_in_a_process_that_is_alone_ids_are_free(simulator: Simulator) -> None:
    alone = World(simulator, fixture="bare", id="alone-in-its-process")
    assert fork(alone, id="with-another-root") == "with-another-root"
    assert "process" not in alone.json_of(alone.control.get("/worlds"))
    assert "process" not in alone.json_of(alone.control.get("/health"))


def test_the_list_of_worlds_and_the_health_name_the_process_that_they_show(process: Simulator) -> None:
    control = World(process, fixture="bare").control
    assert (control.get("/worlds").json()["process"], control.get("/health").json()["process"]) == ("p2", "p2")


def test_a_scenario_that_forks_plays_in_such_a_process(process: Simulator) -> None:
    scenario = "scenario: Two copies\nfixture: bare\nsteps:\n- fork: copy\n- advance: 1h\n  in: copy\n"
    report = World(process, fixture="bare").control.call(
        "POST", "/scenarios/play", scenario, Content_Type="application/yaml"
    )
    assert (report.status, report.json()["outcome"]) == (200, "passed")


def test_after_a_restart_generated_ids_go_on_and_forks_are_found(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with closing(Simulator(fixture="bare", worlds_prefix="p2", journal=journal)) as before:
        fork(World(before, fixture="bare"))
    with closing(Simulator(fixture="bare", worlds_prefix="p3", journal=journal)) as after:
        assert sorted(after.registry.worlds) == ["default", "p2--w1", "p2--w2"]
        assert World(after, fixture="bare").id == "p3--w3"


@pytest.mark.parametrize("prefix", ["", "P2", "a--b", "-a", "a-", "x" * 21, "a_b"])
def test_other_prefixes_are_refused(prefix: str) -> None:
    run = CliRunner().invoke(main, ["--port", "0", "--worlds-prefix", prefix])
    assert run.exit_code == 2
    assert "--worlds-prefix is 1 to 20 of a-z and 0-9" in run.stderr


NewWorld = Callable[..., World]
PATIENCE_S = 8  # less than the time-out of a forwarded delivery


def hang(connection: socket.socket, receiver: HttpReceiver) -> None:
    """Read the request and answer nothing until the test is over."""
    receiver.read(connection)
    receiver.released.wait(60)


@contextmanager
def world_at_a_hanging_receiver(new_world: NewWorld, orders: int = 1) -> Iterator[tuple[World, HttpReceiver]]:
    """A world with so many events to deliver in the next hour, to a receiver that hangs."""
    world = new_world()
    partner = world.partner()
    partner.subscribe("team_order.shipped", "order.shipped", "team_order.claimed")
    for n in range(orders):
        order = created(partner.create_order(idempotency_key=f"order {n}"))
        world.simulate("claim", team_order_id=order["team_order"]["id"], recipient=0)
    with http_receiver(hang) as receiver:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
        yield world, receiver


def advance_four_days(world: World) -> Response:
    """Advance a world; the response."""
    return world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "4d"})


def in_background(call: Callable[[], Response]) -> tuple[threading.Thread, list[Response]]:
    """Run a call in a thread; the thread and the place for its response."""
    responses: list[Response] = []
    thread = threading.Thread(target=lambda: responses.append(call()), daemon=True)
    thread.start()
    return thread, responses


@pytest.mark.parametrize("orders", [1, 7])
def test_an_advance_that_waits_for_a_hanging_receiver_ends_with_world_gone(new_world: NewWorld, orders: int) -> None:
    with world_at_a_hanging_receiver(new_world, orders) as (world, receiver):
        at_once = min(orders, 4)
        world.change_settings(webhooks__forward_at_once=at_once)
        thread, responses = in_background(lambda: world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "2h"}))
        wait_until(lambda: len(receiver.requests) == at_once)
        assert world.control.delete(f"/worlds/{world.id}").status == 200
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "the advance waits on"
        assert status_and_code(responses[0]) == (409, "world_gone")
        assert "was deleted" in responses[0].json()["error"]["message"]
        assert len(receiver.requests) == at_once, "the rest of the deliveries was sent after all"


def test_a_ping_that_waits_for_a_hanging_receiver_ends_with_world_gone(new_world: NewWorld) -> None:
    with world_at_a_hanging_receiver(new_world, orders=0) as (world, receiver):
        partner = world.partner()
        thread, responses = in_background(lambda: partner.client.call("POST", "/api/external/webhooks/1/test",
                                                                      headers=partner.headers))  # fmt: skip
        wait_until(lambda: len(receiver.requests) == 1)
        world.control.delete(f"/worlds/{world.id}")
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
        assert status_and_code(responses[0]) == (409, "world_gone")


def test_other_worlds_deliveries_to_the_same_receiver_go_on(new_world: NewWorld) -> None:
    gate = threading.Event()

    def answer_when_open(connection: socket.socket, receiver: HttpReceiver) -> None:
        while receiver.read(connection) is not None:
            gate.wait(60)
            connection.sendall(OK_RESPONSE)

    gone, stays = new_world(), new_world()
    with http_receiver(answer_when_open) as receiver:
        for world in (gone, stays):
            partner = world.partner()
            partner.subscribe("team_order.shipped")
            world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
            created(partner.create_order(recipients=address_recipients()))
        advances = ConcurrentCalls([partial(advance_four_days, world) for world in (gone, stays)])
        wait_until(lambda: len(receiver.requests) == 2)
        gone.control.delete(f"/worlds/{gone.id}")
        wait_until(lambda: advances.completed == 1)
        gate.set()
        ended, done = advances.results()
    assert status_and_code(ended) == (409, "world_gone")
    assert [row["outcome"] for row in done.json()["deliveries"]] == ["delivered"]


def test_a_new_world_of_the_same_name_delivers_again(new_world: NewWorld) -> None:
    old = new_world(id="again")
    old.control.delete("/worlds/again")
    world = new_world(id="again")
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        partner = world.partner()
        partner.subscribe("team_order.shipped")
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
        created(partner.create_order(recipients=address_recipients()))
        assert [row["outcome"] for row in world.advance("4d")["deliveries"]] == ["delivered"]


def test_a_call_that_waits_for_a_world_that_is_being_deleted_is_refused() -> None:
    waiting = threading.Semaphore(0)

    @contextmanager
    def lend(*, for_lock: bool = False) -> Iterator[None]:
        waiting.release()
        yield

    with closing(Simulator(fixture="bare")) as simulator:
        world = World(simulator, fixture="empty")
        partner, run_time_world = world.partner(), simulator.registry.worlds[world.id]
        simulator.registry.runtime.lend_thread = lend
        responses: list[Response] = []
        calls = (partial(world.control.delete, f"/worlds/{world.id}"), partner.create_order)
        with run_time_world.lock:  # the deletion is first in the queue, and the order second
            threads = [threading.Thread(target=lambda call=call: responses.append(call())) for call in calls]
            for thread in threads:
                thread.start()
                assert waiting.acquire(timeout=PATIENCE_S)
        for thread in threads:
            thread.join(PATIENCE_S)
    assert [status_and_code(response) for response in responses if response.status >= 300] == [(409, "world_gone")]
