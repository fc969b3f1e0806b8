"""A lending library: a service of the size of a page, which shows that the engine needs nothing of the others."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.call import Call, Interface, Response, handlers_in
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.faults.injection import MAGIC_SOUGHT
from giftsim.engine.gateway.record_kind import Kind
from giftsim.engine.gateway.simulated_service import Credentials, Facts, Owner, Service, Simulated
from giftsim.engine.kernel.definitions import PackageDefinitions
from giftsim.engine.kernel.instants import DAY, format_instant
from giftsim.engine.kernel.signals import connect
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import After, Machine, Row
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import InvalidState, Problem
from giftsim.engine.webhooks import endpoint as endpoints
from giftsim.engine.webhooks.fan_out import ping_endpoint

CONTRACT = Path(__file__).with_name("library.yaml")
SCHEME, OWNER, OVERDUE_EVENT = "Bearer card_", "library 0", "loan.overdue"
LENT, OVERDUE, RETURNED = "lent", "overdue", "returned"


class Loan(Record, frozen=True, gc=False):
    """A book that somebody has borrowed."""

    title: str
    reader: str
    lent_ms: int
    status: str = LENT

    @property
    def id(self) -> int:
        """The public id."""
        return self.n + 1


class NoSuchLoan(Problem, status=404, code="loan_not_found"):
    """The library knows no such loan."""


LOANS: TableSpec[Loan] = TableSpec("library.loan", Loan, groups={"title": "title"})


def _tell(state: State, loan: Loan) -> None:
    state.emit(OVERDUE_EVENT, OWNER, loan.n)


LOAN: Machine[Loan] = Machine(
    "loan",
    LOANS,
    initial=(LENT,),
    final=(RETURNED,),
    rows=[
        Row(LENT, "expire", OVERDUE, After(lambda _, loan: loan.lent_ms + 14 * DAY, 14 * DAY, "two weeks"), do=_tell),
        Row(LENT, "return", RETURNED),
        Row(OVERDUE, "return", RETURNED),
    ],
)


# ---- The interface


def list_books(call: Call) -> Response:
    """The books that were ever lent, and whether they are here."""
    out = {loan.title for loan in call.state[LOANS] if loan.status != RETURNED}
    return Response(200, [{"title": title, "here": title not in out} for title in _titles(call.state)])


def borrow_book(call: Call) -> Response:
    """Lend a book that is here."""
    state, title = call.state, call.body["title"]
    if any(loan.status != RETURNED for loan in state[LOANS].rows_in("title", title)):
        raise InvalidState(f"{title} is lent")
    loan = state[LOANS].add(Loan(state[LOANS].next_n, title, call.body["reader"], state.now_ms))
    LOAN.enter(state, loan)
    return Response(201, loan_view(loan))


def return_book(call: Call) -> Response:
    """Take a book back."""
    loan = call.state[LOANS].at(call.params["id"] - 1)
    if loan is None:
        raise NoSuchLoan(f"there is no loan {call.params['id']}")
    return Response(200, loan_view(LOAN.fire(call.state, loan, "return")))


def loan_view(loan: Loan) -> dict[str, Any]:
    """A loan as JSON."""
    return {"id": loan.id, "title": loan.title, "status": loan.status, "lent_at": format_instant(loan.lent_ms)}


def _titles(state: State) -> list[str]:
    return sorted({loan.title for loan in state[LOANS]})


class Reader(msgspec.Struct, frozen=True):
    """The only kind of caller."""

    name: str = "library"
    scope: str = "library"
    bucket: str = "library"
    plan: str = "sandbox"


def _world_id(call: Call) -> str | None:
    return (call.header("Authorization") or "").removeprefix(SCHEME) or None


def _envelope(call: Call, problem: Problem) -> Response:
    injected = getattr(problem, "injected", (problem.status, call.interface.code(problem), None))
    return Response(injected[0], {"code": injected[1], "message": problem.message})


def library() -> Interface:
    """The interface under `/library`."""
    contract = Contract.load(CONTRACT)
    return Interface(
        name="library",
        contract=contract,
        handlers=handlers_in(contract, sys.modules[__name__]),
        credential_world_id=_world_id,
        authenticate=lambda _call: Reader(),
        envelope=_envelope,
    )


# ---- What it tells the engine


def _credentials(_state: State, world_id: str) -> dict[str, Any]:
    headers = {"Authorization": f"{SCHEME}{world_id}"}
    return {"library": {"type": "bearer", "value": f"card_{world_id}", "headers": headers}}


def _in_headers(_state: State, world_id: str, headers: Mapping[str, str]) -> str | None:
    return "library" if headers.get("Authorization") == f"{SCHEME}{world_id}" else None


def _seed(state: State, data: Mapping[str, Any]) -> None:
    with state.transaction():
        for url in data.get("library", {}).get("webhooks", ("https://hooks.library.example/",)):
            endpoints.create_endpoint(
                state, owner=OWNER, key="library", url=url, kinds=[OVERDUE_EVENT], known=[OVERDUE_EVENT]
            )


def _data(state: State, _kind: str, subject: int, _facts: Facts, _now_ms: int) -> bytes:
    return msgspec.json.encode(loan_view(state[LOANS].get(subject)))


def _magic(call: Call) -> None:
    if isinstance(call.body, dict) and call.body.get("reader") == "Magic Closed":
        call.effect, call.fault = {"status": 503}, "Magic Closed"


LENDER: Final = Owner(
    interface="library",
    data=_data,
    table=lambda _event: LOANS.name,
    tables=(LOANS.name,),
    ids=lambda _state, _owner: {"account_id": None, "team_id": None},
    test=lambda state, endpoint, kind, data: ping_endpoint(state, endpoint, kind=kind or "ping", data=data),
    at_once=True,
)
LIBRARY: Final = Service(
    name="library",
    interfaces={"library": Simulated("/library", CONTRACT, library)},
    definitions=PackageDefinitions(
        tables=(LOANS,),
        machines=(LOAN,),
        timers=LOAN.timer_handlers(),
        connections=(connect(MAGIC_SOUGHT, _magic),),
    ),
    seeds=(_seed,),
    credentials=(Credentials(_credentials, _in_headers),),
    owners={"library": LENDER},
    webhook_kinds=(OVERDUE_EVENT,),
    kinds=(Kind("loan", LOANS, machine=LOAN),),
)
