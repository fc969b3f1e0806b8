"""Sessions of signed-in members. A session's token is made of the world's id and its name (A4.1, G1)."""

from __future__ import annotations

from giftsim.domain.team.member import Member
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec


class Session(Record, frozen=True, gc=False):
    """One session; `label` is its name in the list of credentials, empty if it is not from the fixture."""

    name: str
    member: int
    made_ms: int
    label: str = ""


SESSIONS: TableSpec[Session] = TableSpec("team.session", Session, unique={"name": "name"})


def sign_in(state: State, member: Member, name: str | None = None, label: str = "") -> Session:
    """Create a session of a member, with a random name if none is given."""
    table = state[SESSIONS]
    return table.add(Session(table.next_n, name or state.token("session", 20), member.n, state.now_ms, label))


def find_session(state: State, name: str) -> Session | None:
    """The session with a name, or None."""
    return state[SESSIONS].find("name", name)
