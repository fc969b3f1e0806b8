"""The composition root: the one module that knows every part and puts them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from giftsim import __version__
from giftsim.control import labels
from giftsim.control.access import Access
from giftsim.control.interface import Acts, control
from giftsim.courier import Courier
from giftsim.domain import definitions as domain_laws
from giftsim.domain import seed
from giftsim.domain.actors import definitions as actor_laws
from giftsim.domain.museum import definitions as museum_laws
from giftsim.domain.museum import seed as museum_seed
from giftsim.domain.team import definitions as team_laws
from giftsim.event_log.config import WorldConfig
from giftsim.event_log.events import Called
from giftsim.event_log.journal_file import FORMAT, NUMBER, Header, JournalFile, Unreadable
from giftsim.fixture_loader import fixture_print, names, read_fixture
from giftsim.gateway import idempotency, parameter, rate_limits, unknown_fields
from giftsim.gateway.faults.table import FAULTS
from giftsim.gateway.faults.webhook_matching import BOUND, on_delivery
from giftsim.gateway.in_process_client import InProcessClient
from giftsim.gateway.interface import Interface
from giftsim.gateway.wsgi_app import Front, Wsgi
from giftsim.interfaces.museum.interface import museum
from giftsim.interfaces.partner import event_data as partner_facts
from giftsim.interfaces.partner.error_envelope import ERROR_SHAPE
from giftsim.interfaces.partner.interface import partner
from giftsim.interfaces.team import event_data as team_facts
from giftsim.interfaces.team.interface import team
from giftsim.kernel.state import Definitions, State
from giftsim.magic import definitions as magic_laws
from giftsim.replay.recover import carry_on, recover
from giftsim.replay.undo import undo
from giftsim.webhooks import definitions as webhook_laws
from giftsim.webhooks import receiver
from giftsim.worlds import system_clock
from giftsim.worlds.registry import BEGINNING_MS, DEFAULT, EVERY, Registry
from giftsim.worlds.ticker import Ticker
from giftsim.worlds.world import World

if TYPE_CHECKING:
    from giftsim.gateway.http_server import Server


def make_laws(forward_allow: tuple[str, ...] = ()) -> Definitions:
    """Everything that is the same in every world."""
    settings = [
        *domain_laws.SETTINGS, *webhook_laws.SETTINGS.values(), ERROR_SHAPE, *museum_laws.SETTINGS,
        *team_laws.SETTINGS, *rate_limits.SETTINGS.values(), idempotency.LIFETIME, parameter.CLAMP_LIMITS,
        unknown_fields.STRICT_BODIES, *magic_laws.SETTINGS,
    ]  # fmt: skip
    return Definitions(
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
            **labels.HOOKS,
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
        self.definitions = make_laws(forward_allow)
        self.forward = forward
        self._own = Path(fixture) if isinstance(fixture, str) else None
        self.registry = Registry(
            self.definitions,
            self._sow,
            Courier(wall=system_clock.seconds, monotonic=system_clock.monotonic),
            most=max_worlds,
        )
        self.registry.checkpoint_every = checkpoint_every
        self.interfaces = self._faces(access or Access(in_process=True))
        self.front = Front(self.registry, self.interfaces, self._pages)
        if journal is None or not self._recovered(JournalFile(journal), fixture, seed):
            self.registry.make(WorldConfig(fixture, seed, now_ms, rate), DEFAULT)
        self.ticker = Ticker(self.registry)

    @property
    def client(self) -> InProcessClient:
        """A client that calls the simulator without a socket."""
        return InProcessClient(self.front)

    def listen(self, host: str, port: int, *, public_url: str | None = None) -> Server:
        """A server for this simulator, not running yet, on a free port for 0; links lead to it, or to `public_url`."""
        from giftsim.gateway.http_server import Server

        server = Server(self.front, host, port)
        self.registry.lend = server.lend
        for world in self.registry.worlds.values():
            world.lock.lend = server.lend
        shown = f"[{server.host}]" if ":" in server.host else server.host
        self.registry.origin = public_url or f"http://{shown}:{server.port}"
        return server

    def carry_on(self) -> None:
        """Send again what was under way when a simulator with the same journal ended (G5)."""
        carry_on(self.registry)

    def close(self) -> None:
        """End what runs beside the calls."""
        self.ticker.stop()
        self.registry.close()

    def _recovered(self, journal_file: JournalFile, fixture: str | dict[str, Any], seed: int) -> bool:
        self.registry.print_of = lambda fixture: fixture_print(self._meant(fixture))
        told = [f"{host}={to}" for host, to in self.forward.items()]
        header = Header(FORMAT, NUMBER, __version__, seed, fixture_print(fixture), {"forward": told})
        try:
            return recover(self.front, journal_file, header)
        except Unreadable:
            journal_file.close()
            raise

    def _sow(self, fixture: str | dict[str, Any], seed_: int, now_ms: int) -> State:
        data = read_fixture(self._meant(fixture))
        state = State(self.definitions, seed_, now_ms)
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
        return [*modelled, control(self.definitions, access, acts, modelled, version=__version__)]

    def _pages(self, front: Front) -> Wsgi:
        from giftsim.interfaces.claim.pages import pages
        from giftsim.interfaces.team.image_routes import images

        app = pages(front.registry, CONTRACTS)
        app.register_blueprint(images(front.registry))
        return self._beside(front, app)

    def _beside(self, front: Front, pages: Wsgi) -> Wsgi:
        """The pages, with the assistant endpoint, which is made when it is first called: its types take a while."""

        @cache
        def assistant() -> Wsgi:
            from giftsim.interfaces.team.mcp_endpoint import Assistant

            team_face = next(face for face in self.interfaces if face.name == "team")
            return Assistant(front, team_face, __version__)

        return lambda environ, start: (assistant() if environ["PATH_INFO"] == "/mcp" else pages)(environ, start)

    def _undo(self, world: World, count: int) -> Sequence[Called]:
        return undo(self.front, world, count)

    def _record(self, world: World, state: State) -> str:
        from giftsim.recording import record

        return record(world, state, self.forward)

    def _play(self, text: str, keep: bool) -> dict[str, Any]:
        from giftsim.scenario import load, play

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
