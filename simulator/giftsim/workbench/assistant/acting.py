"""Tools that act: calls as an app makes them, time, people, faults, worlds, scenarios, and a trace to keep."""

from __future__ import annotations

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from giftsim.engine.client.control import query_text, quote_segment, refusal_error
from giftsim.engine.client.world import goal_of
from giftsim.workbench.assistant.reading import REHEARSE, fault_line
from giftsim.workbench.assistant.result_text import Lines, attempt_line, cut_value, titled_block
from giftsim.workbench.assistant.running_simulator import RunningSimulator, Unusable

MOST_BODY = 3000
MOST_STEPS = 60
YAML = {"Content-Type": "application/yaml"}


class Acting:
    """The tools; each method is one, and its docstring is what an assistant reads about it."""

    def __init__(self, running: RunningSimulator) -> None:
        self._running = running

    def call(
        self, method: str, path: str, body: dict[str, Any] | None = None, credential: str = "partner.prepaid",
        headers: dict[str, str] | None = None, world: str = "",
    ) -> Lines:  # fmt: skip
        """Make a call to the simulated service, as the app would: path such as /api/external/team-orders, credential by
        its name. A call can delete what the service lets an app delete. The result is the status and the body of the
        response; `calls` and `explain_call` say more.
        """
        sent = {**(self._running.headers_of(world, credential) if credential else {}), **(headers or {})}
        try:
            answer = self._running.client.call(method.upper(), path, body=body, headers=sent)
        except ConnectionError as error:
            return [f"no response: {error}"]
        return [str(answer.status), cut_value(answer.text, MOST_BODY)]

    def advance(self, goal: str, dry_run: bool = False, world: str = "") -> Lines:
        """Move the clock: by a duration (90s, 15m, 3h, 2d, 1w), to an instant (2027-01-04T09:00:00Z), to `next`, or
        until `idle`. Everything due happens, webhooks are sent. With `dry_run` nothing changes.
        """
        report = self._running.world(world).advance(goal_of(goal), dry_run=dry_run)
        changed = (
            f"{row['at']}  {cut_value(row['subject'], 60)}: {', '.join(row['kinds'])}" for row in report["changed"]
        )
        return [
            f"{report['from']} -> {report['to']}{' (dry run)' if dry_run else ''}, next due {report['next_due']}",
            *titled_block("what happened", changed, "nothing changed"),
            *titled_block("webhooks", map(_planned if dry_run else attempt_line, report["deliveries"])),
        ]

    def claim(self, order_id: int | str, recipient: int = 0, world: str = "") -> Lines:
        """Claim a gift of an order as its recipient would, with an address that is made up. `recipient` is its position
        in the order.
        """
        return self.act("claim", {"team_order_id": order_id, "recipient": recipient}, world)

    def decide(self, approval_id: int, approve: bool = True, note: str = "", world: str = "") -> Lines:
        """Approve or reject an approval that waits, as an approver of the team would."""
        body = {"approval_id": approval_id, "decision": "approve" if approve else "reject"}
        return self.act("approval", {**body, **({"note": note} if note else {})}, world)

    def act(self, verb: str, body: dict[str, Any], world: str = "") -> Lines:
        """Let a person or the outside world act: `moves` and `acts` list the verbs and their bodies, for example verb
        `shipment` with {"team_order_id": 1028, "to": "delivered"}. The verb `rehearse` lets what users fear happen:
        {"name": "parcel-lost", "team_order_id": 1028}.
        """
        path = "/rehearse" if verb == REHEARSE else f"/simulate/{quote_segment(verb)}"
        return [cut_value(self._running.world(world).send("POST", path, body), 1000)]

    def undo(self, count: int = 1, world: str = "") -> Lines:
        """Undo the last things that were done in the world: calls, acts, moves of the clock."""
        part = self._running.world(world)
        done = part.send("GET", "/undo", query={"all": True, "limit": count})["undo"]
        if len(done) < count:
            raise Unusable(f"there are {len(done)} things to undo, not {count}")
        now = part.send("POST", "/undo", {"to": done[-1]["to"]})["now"]
        return titled_block(f"it is {now} again; undone", (f"{row['at']}  {row['summary']}" for row in done))

    def redo(self, world: str = "") -> Lines:
        """Bring back what the last undo took away, if nothing new has happened since."""
        part = self._running.world(world)
        lost = part.send("GET", "/undo", query={"limit": 1})["redo"]
        now = part.send("POST", "/redo")["now"]
        return [f"it is {now}; back: {lost['summary'] if lost else 'nothing'}"]

    def inject_fault(
        self, effect: dict[str, Any], match: dict[str, Any] | None = None, when: dict[str, Any] | None = None,
        world: str = "",
    ) -> Lines:  # fmt: skip
        """Inject a fault. `effect`: {"status": 503}, {"drop": "after"} (carried out, response lost), {"charge":
        "card_charge_failed"}, {"webhook": "duplicate"}. `match`: {"operation": "createTeamOrder"}; `when`: {"first":
        1}.
        """
        body = {"effect": effect, "match": match or {}, "when": when or {}}
        return [fault_line(self._running.world(world).send("POST", "/faults", body))]

    def end_faults(self, fault_id: str = "", world: str = "") -> Lines:
        """End one fault, or all of a world."""
        part = self._running.world(world)
        return [cut_value(part.send("DELETE", f"/faults/{quote_segment(fault_id)}" if fault_id else "/faults"))]

    def create_world(self, world: str, fixture: str = "default", seed: int = 1) -> Lines:
        """Create a world with its clock stopped. The fixture `default` has orders and teams; `bare` has almost none."""
        made = self._running.control.send("POST", "/worlds", {"id": world, "fixture": fixture, "seed": seed})
        return [f"world {made['id']} at {made['now']}; `credentials` lists its credentials"]

    def fork_world(self, new_world: str, world: str = "") -> Lines:
        """Fork a world into a new one with the same state and the same future, to try something."""
        made = self._running.world(world).send("POST", "/fork", {"id": new_world})
        return [f"world {made['id']} at {made['now']}"]

    def reset_world(self, world: str = "") -> Lines:
        """Put a world back to the state in which it was created. What happened in it is lost."""
        made = self._running.world(world).send("POST", "/reset")
        return [f"world {made['id']} is as it was made, at {made['now']}"]

    def delete_world(self, world: str) -> Lines:
        """Delete a world."""
        self._running.world(world).send("DELETE")
        return [f"deleted {world}"]

    def play(self, scenario: str, keep: bool = False) -> Lines:
        """Play a scenario in a world of its own: the name of one of the library (`scenarios` lists them), or YAML. Each
        step is a line with what it found. With `keep` the world stays, to look at it.
        """
        control, is_text = self._running.control, "\n" in scenario.strip()
        made = control.call(
            "POST",
            f"/scenarios/sessions{query_text({'name': None if is_text else scenario.strip()})}",
            scenario if is_text else None,
            headers=YAML if is_text else {},
        )
        if not made.is_success:
            raise refusal_error(made)
        session = f"/scenarios/sessions/{quote_segment(made.json()['id'])}"
        try:
            played = control.send("POST", f"{session}/step", {"to": "end"}, query={"limit": MOST_STEPS})
        finally:
            control.call("DELETE", f"{session}{query_text({'keep': keep})}")
        kept = [f"its world is {played['world']}"] if keep else []
        return [f"{played['scenario']}: {played['state']}", *kept, *titled_block("steps", map(_step, played["steps"]))]

    def write_trace(self, file: str, world: str = "") -> Lines:
        """Write everything that happened to a world into an HTML file for a person, who opens it in a browser. An
        existing file is replaced only if it is a trace.
        """
        path = Path(file)
        _check_place(path)
        _write(path, self._running.world(world).trace())
        return [f"wrote {path.absolute()}"]


def _check_place(path: Path) -> None:
    """Unusable if a trace cannot be written there, or would replace something else."""
    from giftsim.workbench.trace.file import UnreadableTrace, unpack_page

    if path.suffix != ".html":
        raise Unusable(f"{path} does not end in .html")
    if path.is_symlink():
        raise Unusable(f"{path} is a link, which is not followed; name the file itself")
    if not path.exists():
        return
    if not path.is_file():
        raise Unusable(f"{path} is not a file")
    try:
        unpack_page(path.read_bytes())
    except (OSError, UnreadableTrace) as error:
        raise Unusable(f"{path} is there and is not replaced: {error}; choose a new name") from None


def _write(path: Path, page: bytes) -> None:
    """Write a file whole or not at all; a link that is there by now is replaced, not followed. Unusable."""
    try:
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(page)
        Path(file.name).replace(path)
    except OSError as error:
        raise Unusable(f"{path} cannot be written: {error.strerror}") from None


def _planned(row: Any) -> str:
    return f"{row['at']}  {row['type']} to {row['url']}"


def _step(row: Any) -> str:
    detail = cut_value(row["detail"] or "", 200)
    return f"{row['step']}. {row['title']}: {row['outcome'] or 'not played'} {detail}".rstrip()
