"""Members: the users of a team who can sign in (A4.1, G36)."""

from __future__ import annotations

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.team.team import Team
from giftsim.services.secrets import SESSION

FIRST_ID = 5_001
OWNER, APPROVER, MEMBER = "owner", "approver", "member"


class MemberNotFound(Problem, status=404, code="member_not_found"):
    """The team has no such user."""


class Member(Record, frozen=True, gc=False):
    """A user of a team; `user` is the name to sign in with."""

    id: int
    team: int
    user: str
    display_name: str
    role: str
    created_ms: int

    @property
    def email(self) -> str:
        """The address that mails to this user go to (G61)."""
        return f"{self.user}@example.com"

    @property
    def may_approve(self) -> bool:
        return self.role in (OWNER, APPROVER)


MEMBERS: TableSpec[Member] = TableSpec(
    "team.member",
    Member,
    unique={"id": "id", "user": lambda row: f"{row.team} {row.user}"},
    groups={"team": "team"},
)


def add_member(state: State, team: Team, user: str, display_name: str, role: str, created_ms: int) -> Member:
    """Add a user to a team."""
    n = state[MEMBERS].next_n
    return state[MEMBERS].add(Member(n, FIRST_ID + n, team.n, user, display_name, role, created_ms))


def default_approver(state: State, team: int) -> Member | None:
    """The user who approves where none is named: the first approver of a team (a slot), else its owner, else None."""
    members = state[MEMBERS].rows_in("team", team)
    return next((each for role in (APPROVER, OWNER) for each in members if each.role == role), None)


def find_member(state: State, team: Team, user: str) -> Member:
    """The member with a user name. MemberNotFound lists the members that exist."""
    member = state[MEMBERS].find("user", f"{team.n} {user}")
    if member is None:
        known = ", ".join(each.user for each in state[MEMBERS].rows_in("team", team.n))
        raise MemberNotFound(f"team {team.id} has no user {user[:60]!r}; its users are {known or 'none'}")
    return member


class Session(Record, frozen=True, gc=False):
    """One session; `label` is its name in the list of credentials, empty if it is not from the fixture."""

    name: str
    member: int
    made_ms: int
    label: str = ""


SESSIONS: TableSpec[Session] = TableSpec("team.session", Session, unique={"name": "name"})


def sign_in(state: State, member: Member, name: str | None = None, label: str = "") -> Session:
    """Create a session of a member, with a random name if none is given."""
    table, name = state[SESSIONS], name or state.token("session", SESSION.drawn)
    return table.add(Session(table.next_n, name, member.n, state.now_ms, label))


def find_session(state: State, name: str) -> Session | None:
    """The session with a name, or None."""
    return state[SESSIONS].find("name", name)
