"""Tools that only read: worlds, calls, orders, webhooks, mail, moves, faults, coverage and the scenario library."""

from __future__ import annotations

from typing import Any

from giftsim.engine.client.control import quote_segment
from giftsim.workbench.assistant.result_text import (
    Lines,
    attempt_line,
    call_line,
    cut_value,
    money,
    named,
    order_line,
    pairs,
    titled_block,
)
from giftsim.workbench.assistant.running_simulator import RunningSimulator, Unusable

REHEARSE = "rehearse"  # a verb of the tools: what users fear, by one word


class Reading:
    """The tools; each method is one, and its docstring is what an assistant reads about it."""

    def __init__(self, running: RunningSimulator) -> None:
        self._running = running

    def worlds(self) -> Lines:
        """List the worlds of the simulator and its address, which is the base URL for the app under test. A test has a
        world of its own; a credential belongs to one world and so selects it.
        """
        rows = self._running.control.send("GET", "/worlds")["worlds"]
        lines = (
            f"{row['id']}{named(row['name'])}  fixture {row['fixture']}  {row['now']}  clock {row['clock']['mode']}"
            f"  {row['counts']['orders']} orders"
            for row in rows
        )
        usual = f"Tools use {self._running.world_id} unless they are given `world`."
        return [f"Simulator at {self._running.url}. {usual}", *titled_block("worlds", lines)]

    def look(self, world: str = "") -> Lines:
        """Look at a world: its time, what is due next, the newest calls that failed, webhooks that failed, faults,
        approvals that wait. Begin here.
        """
        running, part = self._running, self._running.world(world)
        about = part.send("GET")
        calls = part.send("GET", "/calls", query={"limit": 1, "bodies": False, "counts": True})["counts"]
        failed = [row for kind in ("dropped", "5xx", "4xx") for row in running.newest(world, "calls", 3, status=kind)]
        waiting = running.newest(world, "approvals", 5, status="pending")
        clock = f"{about['now']}, clock {about['clock']['mode']}"
        attempts = map(attempt_line, running.newest(world, "deliveries", 5, outcome="failed"))
        return [
            f"world {about['id']}{named(about['name'])}: {clock}, fixture {about['fixture']}",
            f"calls: {pairs(calls)}",
            *titled_block("calls that failed", map(call_line, sorted(failed, key=lambda row: -int(row["seq"])))),
            *titled_block("webhook attempts that failed", attempts),
            *titled_block("orders, newest first", map(order_line, running.newest(world, "orders", 5))),
            *titled_block("approvals that wait", map(_approval, waiting)),
            *self.faults(world),
            *titled_block("due next", map(_timer, part.send("GET", "/timers", query={"limit": 5})["timers"])),
            f"console for a person: {running.url}/w/{quote_segment(running.name(world))}/",
        ]

    def credentials(self, world: str = "") -> Lines:
        """List a world's credentials with the headers that select them, and the base URLs: for the app's settings."""
        about = self._running.world(world).send("GET")
        lines = (f"{name}  {pairs(each['headers'])}" for name, each in about["credentials"].items())
        return [f"base URLs: {pairs(about['urls'])}", *titled_block("credentials", lines)]

    def calls(
        self, status: str = "", operation: str = "", credential: str = "", text: str = "", limit: int = 20,
        world: str = "",
    ) -> Lines:  # fmt: skip
        """List calls that the app made, newest first. `status` is a number, 2xx, 4xx, 5xx or `dropped`; `operation` an
        operationId such as createTeamOrder; `text` a part of the path or of a body.
        """
        found = self._running.newest(
            world, "calls", limit, status=status, operation=operation, credential=credential, q=text
        )
        return titled_block("calls, newest first", map(call_line, found), "no such calls")

    def orders(self, text: str = "", status: str = "", limit: int = 20, world: str = "") -> Lines:
        """List team orders with their money, newest first. `text` searches ids, names, references and recipients."""
        found = self._running.newest(world, "orders", limit, q=text, status=status)
        return titled_block("orders, newest first", map(order_line, found), "no such orders")

    def order(self, order_id: int | str, world: str = "") -> Lines:
        """Show an order: its charges and refunds, its recipients with their parcels, and its timeline, in which each
        step says what caused it: a call, a person or the clock. `explain_call` continues from a call.
        """
        found = self._running.record(world, "orders", order_id)
        return [
            order_line(found["order"]),
            *titled_block("charges", map(_charge, found["money"]["charges"])),
            *titled_block("refunds", (cut_value(row, 200) for row in found["money"]["refunds"])),
            *titled_block("recipients", map(_parcel, found["recipients"])),
            *titled_block("timeline", map(_moment, found["timeline"])),
        ]

    def webhooks(
        self, type: str = "", outcome: str = "", event_id: str = "", limit: int = 20, world: str = ""  # noqa: A002
    ) -> Lines:  # fmt: skip
        """List attempts to deliver webhooks, newest first. `outcome` is delivered, failed, http_status, timeout and so
        on; `type` is an event type such as team_order.shipped.
        """
        found = self._running.newest(world, "deliveries", limit, type=type, outcome=outcome, event=event_id)
        empty = "no such attempts; events without a subscribed endpoint are not sent"
        return titled_block("attempts, newest first", map(attempt_line, found), empty)

    def mail(self, to: str = "", limit: int = 10, world: str = "") -> Lines:
        """List the mail that the service would have sent, with its links (claim links too), newest first."""
        found = self._running.newest(world, "mail", limit, to=to)
        lines = (f"{row['at']}  to {row['to']}: {row['subject']}  {' '.join(row['links'])}" for row in found)
        return titled_block("mail, newest first", lines, "no such mail")

    def moves(self, kind: str, id: int | str, world: str = "") -> Lines:  # noqa: A002 - the word of the control API
        """List what can happen to a record now, with the verb and body for the tool `act`, or why not. `kind` is order,
        gift, campaign, parcel, approval, payment, invoice, certificate, preview or proof.
        """
        rows = self._running.world(world).send("GET", "/moves", query={"kind": kind, "id": id})["moves"]
        return titled_block(f"moves of {kind} {id}", map(_move, rows))

    def acts(self, verb: str = "", world: str = "") -> Lines:
        """List what people and the outside world can do (verbs for the tool `act`); with `verb`, the members of its
        body. The verb `rehearse` lists the situations that users fear.
        """
        if verb == REHEARSE:
            found = self._running.control.send("GET", "/reference/rehearsals", query={"limit": 100})["rehearsals"]
            return titled_block(
                "rehearsals", (f"{row['name']}: {row['fear']} {', '.join(row['takes'])}" for row in found)
            )
        rows = self._running.world(world).rows("/simulate", "verbs")
        if not verb:
            return titled_block("verbs", (f"{row['verb']}: {row['summary']}" for row in rows))
        found = [row for row in rows if row["verb"] == verb]
        if not found:
            raise Unusable(f"there is no verb {verb!r}; there are {', '.join(row['verb'] for row in rows)}")
        return [f"{verb}: {found[0]['summary']}", cut_value(found[0]["schema"], 3000)]

    def faults(self, world: str = "") -> Lines:
        """List the faults of a world and how often each acted."""
        rows = self._running.world(world).rows("/faults", "faults")
        return titled_block("faults", map(fault_line, rows))

    def coverage(self, world: str = "", all_worlds: bool = False, gap: str = "") -> Lines:
        """Say what the app has met of the service and what it has never met, of one world or of all; with `gap`, one
        of the missing items, a test to paste.
        """
        part = self._running.control if all_worlds else self._running.world(world)
        data = part.send("GET", "/coverage")
        if gap:
            return _next_step(data["next"], gap)
        lines = (
            f"{name}: {len(area['met'])} met, {len(area['missing'])} missing:"
            f" {cut_value(', '.join(area['missing']), 300)}"
            for name, area in data["areas"].items()
        )
        return titled_block("coverage", lines)

    def scenarios(self, text: str = "", limit: int = 20) -> Lines:
        """List scenarios of the library for the tool `play`; `text` searches names and titles."""
        query = {"limit": limit, "q": text or None}
        rows = self._running.control.send("GET", "/scenarios", query=query)["scenarios"]
        return titled_block("scenarios", (f"{row['name']}: {row['title']}" for row in rows), "no such scenarios")


def fault_line(fault: Any) -> str:
    """A fault with its hits."""
    return (
        f"{fault['id']}  effect {pairs(fault['effect'])}  match {pairs(fault['match']) or 'every call'}"
        f"  {pairs(fault['when'])}  acted {fault['hits']} times"
    )


def _next_step(steps: list[dict[str, str]], gap: str) -> Lines:
    for step in steps:
        if step["gap"] == gap:
            return [step["why"], "", *step["pytest"].split("\n")]
    raise Unusable(f"{gap!r} is not missing; `coverage` without `gap` lists what is")


def _approval(row: Any) -> str:
    return f"approval {row['id']} of {row['resource_type']} {row['resource_id']}, {money(row['amount_cents'])}"


def _timer(row: Any) -> str:
    return f"{row['due']}  {row['subject']}: {row['because']}"


def _charge(row: Any) -> str:
    return (
        f"{row['id']}  {row['opened_at']}  {money(row['amount_cents'])}  {row['status']}  {row['code'] or ''}".rstrip()
    )


def _parcel(row: Any) -> str:
    tracking = f"  {row['carrier']} {row['tracking_number']}" if row["tracking_number"] else ""
    return f"{row['recipient_id']}  {row['name'] or row['email']}  {row['status']}{tracking}"


def _moment(row: Any) -> str:
    cause = row["cause"]
    number = f" (call {cause['call']})" if cause and cause["call"] else ""
    by = f"  by {cause['kind']}: {cut_value(cause['text'], 80)}{number}" if cause else ""
    return f"{row['at']}  {row['subject']['kind']} {row['subject']['id']}  {row['status']}{by}"


def _move(row: Any) -> str:
    how = (
        f"act verb={row['verb']} body={cut_value(row['body'], 200)}" if row["allowed"] else f"not now: {row['why_not']}"
    )
    due = f"; due {row['due']}" if row["due"] else ""
    return f"{row['machine']} {row['trigger']}: {how}{due}"
