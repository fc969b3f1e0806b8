"""Steps that change the world around the calls: its time, receivers, faults and settings."""

from __future__ import annotations

from giftsim.scenario import on_delivery
from giftsim.scenario.run import Done, Run
from giftsim.scenario.step import Advance, Clear, Expect, Fault, Fork, Receiver, Restore, Settings, Snapshot, Undo
from giftsim.scenario.world_client import segment


def advance(run: Run, step: Advance) -> Done:
    """Time passes."""
    value = run.instant(step.value) if step.how == "to" else run.fill(step.value)
    if step.entries or run.holds:
        return on_delivery.advanced(run, step, {step.how: value})
    answer = run.sandbox.control("POST", "/clock/advance", {step.how: value})
    run.sandbox.now = answer["to"]
    return Done(f"to {answer['to']}")


def receiver(run: Run, step: Receiver) -> Done:
    """Somebody else answers for a host from now on."""
    members = run.fill(step.members)
    if "outage" in members:
        members["outage"] = run.anchored(members["outage"], ("from", "to"))
    run.holds |= members.get("mode") == "hold"
    host = str(run.fill(step.host)).lower()
    run.sandbox.control("PUT", f"/receivers/{segment(host)}", members)
    if members.get("script") and not step.optional:
        run.duties.owe(step, "receiver", host, run.sandbox)
    else:
        run.duties.replaced("receiver", host, run.sandbox)
    return Done()


def fault(run: Run, step: Fault | Clear) -> Done:
    """Something goes wrong from now on, or no longer."""
    if isinstance(step, Clear):
        run.sandbox.control("DELETE", "/faults" if step.fault is None else f"/faults/{segment(run.fill(step.fault))}")
        return Done()
    members = run.fill(step.members)
    if "when" in members:
        members["when"] = run.anchored(members["when"], ("from", "to"))
    made = run.sandbox.control("POST", "/faults", members)
    if not step.optional:
        run.duties.owe(step, "fault", made["id"], run.sandbox)
    return Done()


def settings(run: Run, step: Settings) -> Done:
    """Settings change."""
    run.sandbox.control("PATCH", "/settings", run.fill(step.members))
    return Done()


def snapshot(run: Run, step: Snapshot) -> Done:
    """This moment is kept."""
    run.sandbox.control("POST", "/snapshots", {"name": step.name})
    return Done()


def restore(run: Run, step: Restore) -> Done:
    """A kept moment comes back."""
    run.sandbox.control("POST", f"/snapshots/{segment(step.name)}/restore")
    run.sandbox.rewound()
    return Done(f"to {run.sandbox.now}")


def undo(run: Run, step: Undo) -> Done:
    """The last writes of clients never were."""
    answer = run.sandbox.control("POST", "/undo", {"count": step.count})
    run.sandbox.rewound()
    return Done(f"to {answer['now']}")


def fork(run: Run, step: Fork) -> Done:
    """A second world goes its own way from here; its id is not told, for a story reads the same each time."""
    run.worlds[step.name] = twin = run.sandbox.fork()
    run.duties.forked(run.sandbox, twin)
    return Done()


def expect(_run: Run, _step: Expect) -> Done:
    """Nothing: what is expected of the world is judged after every step alike."""
    return Done()
