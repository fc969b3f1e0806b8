"""The composition root: the one module that knows every part and puts them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from simulator import __version__
from simulator.control import naming
from simulator.control.access import Access
from simulator.control.interface import Acts, control
from simulator.courier import Courier
from simulator.domain import laws as domain_laws
from simulator.domain import seed
from simulator.domain.actors import laws as actor_laws
from simulator.domain.museum import laws as museum_laws
from simulator.domain.museum import seed as museum_seed
from simulator.domain.team import laws as team_laws
from simulator.fixture import fixture_print, names, read_fixture
from simulator.gateway import idempotency, limits, parameter, stranger
from simulator.gateway.app import Front, Wsgi
from simulator.gateway.client import InProcessClient
from simulator.gateway.faults.delivering import BOUND, on_delivery
from simulator.gateway.faults.table import FAULTS
from simulator.gateway.interface import Interface
from simulator.gateway.recovery import carry_on, recover
from simulator.gateway.undo import undo
from simulator.interfaces.museum.interface import museum
from simulator.interfaces.partner import facts as partner_facts
from simulator.interfaces.partner.envelope import ERROR_SHAPE
from simulator.interfaces.partner.interface import partner
from simulator.interfaces.team import facts as team_facts
from simulator.interfaces.team.interface import team
from simulator.kernel.state import Laws, State
from simulator.magic import laws as magic_laws
from simulator.webhooks import laws as webhook_laws
from simulator.webhooks import receiver
from simulator.worlds import wall
from simulator.worlds.birth import Birth
from simulator.worlds.house import BEGINNING_MS, DEFAULT, EVERY, House
from simulator.worlds.input import Called
from simulator.worlds.ledger import FORMAT, NUMBER, Header, Ledger, Unreadable
from simulator.worlds.ticker import Ticker
from simulator.worlds.world import World

if TYPE_CHECKING:
    from simulator.gateway.server import Server


def make_laws(forward_allow: tuple[str, ...] = ()) -> Laws:
    """Everything that is the same in every world."""
    settings = [
        *domain_laws.SETTINGS, *webhook_laws.SETTINGS.values(), ERROR_SHAPE, *museum_laws.SETTINGS,
        *team_laws.SETTINGS, *limits.SETTINGS.values(), idempotency.LIFETIME, parameter.CLAMP_LIMITS,
        stranger.STRICT_BODIES, *magic_laws.SETTINGS,
    ]  # fmt: skip
    return Laws(
        specs=[
            *(
                spec
                for room in (domain_laws, museum_laws, team_laws, actor_laws, magic_laws, webhook_laws)
                for spec in room.SPECS
            ),
            *(idempotency.MEMORIES, FAULTS, BOUND),
        ],
        timers={
            **domain_laws.TIMERS,
            **team_laws.TIMERS,
            **actor_laws.TIMERS,
            **magic_laws.TIMERS,
            **webhook_laws.TIMERS,
        },
        perpetual=team_laws.PERPETUAL,
        settings={setting.name: setting for setting in settings},
        hooks={
            **domain_laws.HOOKS,
            **team_laws.HOOKS,
            **actor_laws.HOOKS,
            **magic_laws.HOOKS,
            **webhook_laws.HOOKS,
            **naming.HOOKS,
            "describe": _describe,
            "prompt": lambda _kind, owner: not owner.startswith("account "),
            "webhook_fault": on_delivery,
            "event_table": _event_table,
            "event_tables": lambda: (partner_facts.SUBJECT, *team_facts.SUBJECTS.values()),
            "forward_allowed": lambda: forward_allow,
        },
    )


def _describe(state: State, owner: str, kind: str, subject: int, facts: Mapping[str, Any], now_ms: int) -> bytes:
    """What the webhooks of an owner tell of a fact: an account's as partners hear it, a space's as teams do (D18)."""
    if owner.startswith("account "):
        return partner_facts.describe(state, subject, facts, now_ms)
    return team_facts.describe(state, kind, subject, facts)


def _event_table(kind: str, owner: str) -> str:
    """The name of the table that the subject of an event stands in."""
    return partner_facts.SUBJECT if owner.startswith("account ") else team_facts.SUBJECTS[kind.partition(".")[0]]


class Simulator:
    """The whole simulator in process: `client` calls it on the same path as HTTP, without a socket.

    The default world comes from `fixture` (a name, a file or a mapping) at `now` (the 4th of January 2027, 09:00 UTC)
    with a clock that stands, unless `rate` makes it run. `forward` maps hosts to where deliveries for them go, in every
    world; `forward_allow` names targets beyond loopback (G25). A file gives later worlds its stem as the name of a
    fixture, unless one comes with the simulator by that name.

    With `journal` every input is appended to that file, and a simulator made with the same file is where the last one
    was (G5); Unreadable where it does not fit. The whole state of a world goes into it once in `checkpoint_every`
    inputs, or more rarely where the world is large.
    """

    def __init__(
        self, *, fixture: str | dict[str, Any] = "default", seed: int = 1, now_ms: int = BEGINNING_MS,
        rate: float = 0.0, access: Access | None = None, max_worlds: int = 1_000,
        forward: Mapping[str, str] = MappingProxyType({}), forward_allow: tuple[str, ...] = (),
        journal: Path | None = None, checkpoint_every: int = EVERY,
    ) -> None:  # fmt: skip
        self.laws = make_laws(forward_allow)
        self.forward = forward
        self._own = Path(fixture) if isinstance(fixture, str) else None
        self.house = House(self.laws, self._sow, Courier(wall=wall.seconds, monotonic=wall.monotonic), most=max_worlds)
        self.house.checkpoint_every = checkpoint_every
        self.interfaces = self._faces(access or Access(in_process=True))
        self.front = Front(self.house, self.interfaces, self._pages)
        if journal is None or not self._recovered(Ledger(journal), fixture, seed):
            self.house.make(Birth(fixture, seed, now_ms, rate), DEFAULT)
        self.ticker = Ticker(self.house)

    @property
    def client(self) -> InProcessClient:
        """A client that calls the simulator without a socket."""
        return InProcessClient(self.front)

    def listen(self, host: str, port: int, *, public_url: str | None = None) -> Server:
        """A server for this simulator, not running yet, on a free port for 0; links lead to it, or to `public_url`."""
        from simulator.gateway.server import Server

        server = Server(self.front, host, port)
        self.house.lend = server.lend
        for world in self.house.worlds.values():
            world.gate.lend = server.lend
        shown = f"[{server.host}]" if ":" in server.host else server.host
        self.house.origin = public_url or f"http://{shown}:{server.port}"
        return server

    def carry_on(self) -> None:
        """Send again what was under way when a simulator with the same journal ended (G5)."""
        carry_on(self.house)

    def close(self) -> None:
        """End what runs beside the calls."""
        self.ticker.stop()
        self.house.close()

    def _recovered(self, ledger: Ledger, fixture: str | dict[str, Any], seed: int) -> bool:
        self.house.print_of = lambda fixture: fixture_print(self._meant(fixture))
        told = [f"{host}={to}" for host, to in self.forward.items()]
        header = Header(FORMAT, NUMBER, __version__, seed, fixture_print(fixture), {"forward": told})
        try:
            return recover(self.front, ledger, header)
        except Unreadable:
            ledger.close()
            raise

    def _sow(self, fixture: str | dict[str, Any], seed_: int, now_ms: int) -> State:
        data = read_fixture(self._meant(fixture))
        state = State(self.laws, seed_, now_ms)
        seed.plant(state, data)
        with state.transaction():
            museum_seed.plant(state, data.get("museum", {}))
            for host, to in self.forward.items():
                receiver.put(state, host, {"mode": "forward", "to": to}, start_ms=now_ms)
        team_laws.plant(state, data)
        return state

    def _meant(self, fixture: str | dict[str, Any]) -> str | dict[str, Any]:
        own = self._own
        return str(own) if own and fixture == own.stem and fixture not in names() else fixture

    def _faces(self, access: Access) -> list[Interface]:
        modelled = [team(), partner(), museum()]
        acts = Acts(self._play, self._undo, self._record)
        return [*modelled, control(self.laws, access, acts, modelled, version=__version__)]

    def _pages(self, front: Front) -> Wsgi:
        from simulator.interfaces.claim.pages import pages
        from simulator.interfaces.team.images import images

        app = pages(front.house, CONTRACTS)
        app.register_blueprint(images(front.house))
        return self._beside(front, app)

    def _beside(self, front: Front, pages: Wsgi) -> Wsgi:
        """The pages, with the assistant endpoint, which is made when it is first called: its types take a while."""

        @cache
        def assistant() -> Wsgi:
            from simulator.interfaces.team.assistant import Assistant

            team_face = next(face for face in self.interfaces if face.name == "team")
            return Assistant(front, team_face, __version__)

        return lambda environ, start: (assistant() if environ["PATH_INFO"] == "/mcp" else pages)(environ, start)

    def _undo(self, world: World, count: int) -> Sequence[Called]:
        return undo(self.front, world, count)

    def _record(self, world: World, state: State) -> str:
        from simulator.recording import record

        return record(world, state, self.forward)

    def _play(self, text: str, keep: bool) -> dict[str, Any]:
        from simulator.scenario import load, play

        return play(load(text), self.client, keep=keep).data


MACHINES = (*domain_laws.MACHINES, *team_laws.MACHINES, *webhook_laws.MACHINES)
CONTRACTS = {
    name: Path(__file__).parent / place
    for name, place in {
        "team": "interfaces/team/contract/index.yaml",
        "partner": "interfaces/partner/contract.yaml",
        "museum": "interfaces/museum/contract.yaml",
        "control": "control/contract.yaml",
    }.items()
}
