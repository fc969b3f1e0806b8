"""What must hold: of each end of a process, and of everything when all is calm."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from giftsim.engine.log.inputs import AttemptCompleted, DeliveriesResent
from giftsim.engine.log.journal_contents import Contents, verify_whole_lines
from giftsim.engine.server.threads import SPARE
from giftsim.engine.url_paths import CONTROL
from tests.properties.world_checks import check_entries
from tests.simulation.client import Client
from tests.simulation.exchange import Violation
from tests.simulation.machine import JOURNAL
from tests.simulation.network import Listener, Selector
from tests.simulation.plan import Event
from tests.simulation.workload import DEFAULT, KEY, check_order
from tests.support.moves import ORDERS

if TYPE_CHECKING:
    from tests.simulation.run import Run

CALM_S = 3.0  # after which no thread is left that has nothing to do
STOP_S = 30.0
MOST_THREADS = 2 + SPARE + 3  # the main thread, the ticker, the leader, the followers, one that rejoins, one started


def check_at_end(run: Run) -> None:
    """When all is calm: check the world, start again from the disk, and check that it is the same; then stop."""
    client = Client(run, Event(9_999, 0.0, "check"))
    for world in worlds_of(client):
        client.insist("PUT", f"{world}/clock", {"mode": "manual"})
        client.insist("DELETE", f"{world}/faults")
        client.insist("GET", f"{world}/deliveries", waits=True)
    run.scheduler.sleep(CALM_S)
    check_threads(run)
    check_descriptors(run)
    check_orders(client)
    check_books(client)
    check_sendings(client)
    before = fingerprints(client)
    _start_again(run, client)
    if before != (after := fingerprints(client)):
        raise Violation(f"after a start the worlds are {after}, and were {before}", "not the same")
    check_orders(client)
    _stop(run)


def _start_again(run: Run, client: Client) -> None:
    """End the process, in one of the ways after which nothing that was answered may be lost."""
    if client.random.random() < 0.5:
        _stop(run)
        if not run.machine.disk.failed_syncs:
            run.machine.lose_power(client.random)
    run.deaths += 1
    run.machine.kill()
    run.machine.start()
    client.insist("GET", f"{CONTROL}/health")


def _stop(run: Run) -> None:
    """Stop the process, which ends in time and leaves nothing open."""
    process = run.machine.process
    assert process is not None
    run.deaths += 1
    run.machine.stop()
    until_s = run.scheduler.now_s + STOP_S
    while not process.has_ended:
        run.scheduler.sleep(0.05)
        if run.scheduler.now_s > until_s:
            raise Violation(f"the process has not ended {STOP_S:g} s after SIGTERM", "no end")
    if process.refusal is not None:
        raise Violation(f"the process ended with {process.refusal!r}", "no clean end")
    if process.left_open:
        raise Violation(f"the process ended with {process.left_open} open", "descriptor")


def fingerprints(client: Client) -> Any:
    """The worlds by name, and what each is."""
    return {world: client.insist("GET", f"{world}/fingerprint", waits=True).json() for world in worlds_of(client)}


def worlds_of(client: Client) -> list[str]:
    """The paths of all worlds."""
    return [f"{CONTROL}/worlds/{row['id']}" for row in client.insist("GET", f"{CONTROL}/worlds").json()["worlds"]]


def check_threads(run: Run) -> None:
    """No more threads than the server keeps; none of the courier, which are idle."""
    process = run.machine.process
    assert process is not None
    names = Counter(task.name.partition("-")[0] for task in process.owner.tasks.values())
    if names.total() > MOST_THREADS or names["courier"]:
        raise Violation(f"threads are left: {dict(names)}", "thread")


def check_descriptors(run: Run) -> None:
    """Open are the listener, the selector, its two wake-up sockets, the journal, and the courier's idle connections."""
    process = run.machine.process
    assert process is not None
    assert process.simulator is not None
    idle = {id(connection.sock) for connection in process.simulator.registry.runtime.courier._idle}
    opened = [each for each in run.machine.network.descriptors_of(process.owner).open.values() if id(each) not in idle]
    kinds = Counter(type(each).__name__ for each in opened)
    if kinds != {Listener.__name__: 1, Selector.__name__: 1, "Socket": 2, "SimulatedFile": 1}:
        raise Violation(f"descriptors are left: {dict(kinds)}", "descriptor")


def check_orders(client: Client) -> None:
    """Every acknowledged order is there, once; one that was not acknowledged is there at most once."""
    expected = client.run.expected
    rows = rows_of(client, DEFAULT, "orders")
    for known in expected.orders.values():
        check_order(client.insist("GET", f"{ORDERS}/{known.number}", key=KEY), known.number, known.reference)
    found = Counter(row["reference"] for row in rows if row["reference"] in expected.tried)
    if twice := [reference for reference, count in found.items() if count > 1]:
        raise Violation(f"these orders exist twice: {twice}", "charged twice")
    paid = Counter(row["team_order_id"] for row in rows_of(client, DEFAULT, "payments") if row["status"] == "paid")
    for row in rows:
        if row["reference"] in expected.tried and paid[row["id"]] != 1:
            raise Violation(f"the order {row['reference']} was charged {paid[row['id']]} times", "charged twice")


def check_books(client: Client) -> None:
    """The entries balance, and wallets are what they add up to, in every world."""
    for world in worlds_of(client):
        try:
            check_entries(rows_of(client, world, "ledger"), rows_of(client, world, "accounts"))
        except AssertionError as error:
            raise Violation(f"the books of {world} do not balance: {error}", "books") from None


def check_sendings(client: Client) -> None:
    """Each attempt of the default world was sent once, or again where a former process may have sent it."""
    run = client.run
    file = run.machine.disk.files[str(JOURNAL)]
    end, checksum = verify_whole_lines(file, file.size())
    completed, again = set[int](), Counter[int]()
    for world, record in Contents(JOURNAL, file, None, end, checksum).records():
        if world == "default" and isinstance(record, AttemptCompleted):
            completed.add(record.attempt)
        elif world == "default" and isinstance(record, DeliveriesResent):
            again.update(record.attempts)
            if twice := completed.intersection(record.attempts):
                raise Violation(f"the attempts {sorted(twice)} had an outcome, and were sent again", "sent twice")
    most = Counter[str]()
    delivered = Counter[str]()
    for row in rows_of(client, DEFAULT, "deliveries"):
        most[row["event_id"]] += 1 + again[row["seq"] - 1]
        delivered[row["event_id"]] += row["outcome"] == "delivered"
    received = run.receivers.received
    for event_id in most:
        if not delivered[event_id] <= received[event_id] <= most[event_id]:
            text = f"{event_id} was received {received[event_id]} times, of {most[event_id]} that may have been sent"
            raise Violation(f"{text} and {delivered[event_id]} that were delivered", "sent twice")


def rows_of(client: Client, world: str, what: str) -> list[Any]:
    """All rows of a list of the control API."""
    rows: list[Any] = []
    after = ""
    while True:
        answer = client.insist("GET", f"{world}/{what}?limit=1000{after}", waits=True).json()
        rows += answer[what]
        if answer.get("next") is None:
            return rows
        after = f"&after={answer['next']}"
