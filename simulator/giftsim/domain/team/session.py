"""Sessions: a member who is signed in. Its token is made of the world's id and its name on the way out (A4.1, G1)."""

from __future__ import annotations

from giftsim.domain.team.member import Member
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec


class Session(Record, frozen=True, gc=False):
    """One sign-in; `label` is its place in the table of credentials, empty for those made later."""

    name: str
    member: int
    made_ms: int
    label: str = ""


SESSIONS: TableSpec[Session] = TableSpec("team.session", Session, unique={"name": lambda row: row.name})


def sign_in(state: State, member: Member, name: str | None = None, label: str = "") -> Session:
    """A new session of a member, named by the world's chance if no name is given."""
    table = state[SESSIONS]
    return table.add(Session(table.next_n, name or state.token("session", 20), member.n, state.now_ms, label))


def find_session(state: State, name: str) -> Session | None:
    """The session of that name, or None."""
    return state[SESSIONS].find("name", name)
