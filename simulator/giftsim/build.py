"""The composition root: the one module that knows every part and puts them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from giftsim import __version__
from giftsim.engine import url_paths
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.control.access import Access
from giftsim.engine.courier.courier import Courier
from giftsim.engine.gateway.body_schema import Schema
from giftsim.engine.gateway.call import ConnectionDropped, Interface
from giftsim.engine.gateway.cors import with_cors
from giftsim.engine.gateway.json_body import MAX_BYTES
from giftsim.engine.gateway.repeated_headers import separator
from giftsim.engine.gateway.simulated_service import Service
from giftsim.engine.gateway.wsgi_app import WsgiApp, WsgiCallable
from giftsim.engine.kernel.first_use import MadeAtFirstUse
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import Machine
from giftsim.engine.log.inputs import WorldConfig
from giftsim.engine.log.journal_contents import FORMAT, NUMBER, Header
from giftsim.engine.log.journal_file import JournalFile
from giftsim.engine.problem import InvalidFixture, in_fixture
from giftsim.engine.system import SYSTEM, System
from giftsim.engine.webhooks import receiver
from giftsim.engine.worlds.registry import DEFAULT, START_MS, Registry
from giftsim.engine.worlds.runtime import CHECKPOINT_EVERY, Runtime
from giftsim.engine.worlds.ticker import Ticker
from giftsim.engine.worlds.waiters import DEFAULT_LIMITS, WaitLimits
from giftsim.engine.worlds.world import World
from giftsim.services.fixture_loader import describe_fixtures, fixture_hash, fixture_names, read_fixture
from giftsim.services.known import ALL, contracts_of, make_definitions, merged_service, read_services

if TYPE_CHECKING:
    from giftsim.console.mount import WithConsole
    from giftsim.engine.control.services import Coverage
    from giftsim.engine.gateway.contract import Contract
    from giftsim.engine.gateway.documents import Observed
    from giftsim.engine.replay.undo import Undone
    from giftsim.engine.server import ConnectionLimits, Server
    from giftsim.workbench.scenario.session_views import ScenarioViews


class Simulator:
    """The whole simulator in one process. `client` calls it without a socket, through the same code as HTTP.

    `services` are the names of what it simulates, by default all: `gifting` and `museum`. UnknownService.

    The default world is created from `fixture` (a name, a file or data) with its clock at `now_ms`, which defaults to
    2027-01-04T09:00:00Z. The clock is stopped unless `rate` is above 0. `settings` are those of that world. `forward`
    maps webhook hosts to local targets in every world. `forward_allow` allows targets beyond loopback (G25). Other
    worlds can name a fixture file by its stem, unless giftsim has a fixture of that name.

    With `journal`, every event is appended to that file, and a simulator created with the same file continues where the
    last one ended (G5); `recovered` is whether it did. Unreadable is raised if the file was written with other options
    or by another version. Checkpoints of all changed worlds are written after at least `checkpoint_every` lines, less
    often if much has changed. `waits` bounds how long calls wait. `worlds_prefix` begins the ids of worlds that are
    created without one, for several processes behind a proxy (G136). The scenarios in the folder `scenarios` are in the
    library too (G160). `large_files` may take gigabytes (G346). `observed` is what recorded traffic has shown of
    statements and decisions, by their ids (G483). Clocks, threads, sockets and files are `system`'s.
    """

    def __init__(
        self,
        *,
        services: Iterable[str | Service] | None = None,
        fixture: str | dict[str, Any] = "default",
        seed: int = 1,
        now_ms: int = START_MS,
        rate: float = 0.0,
        settings: Mapping[str, Any] = {},
        access: Access | None = None,
        max_worlds: int = 1_000,
        forward: Mapping[str, str] = {},
        forward_allow: tuple[str, ...] = (),
        journal: Path | None = None,
        checkpoint_every: int = CHECKPOINT_EVERY,
        waits: WaitLimits = DEFAULT_LIMITS,
        worlds_prefix: str | None = None,
        scenarios: Path | None = None,
        large_files: bool = False,
        observed: Mapping[str, Observed] = {},
        system: System = SYSTEM,
    ) -> None:
        self._scenario_folder, self._large_files = scenarios, large_files
        self._scenario_views: ScenarioViews | None = None
        self._server: Server | None = None
        self._console: WithConsole | None = None
        self.services = read_services(services)
        self.service = merged_service(self.services).with_observed(observed)
        self.definitions = make_definitions(forward_allow, self.service)
        self.forward, self._forward_allow = forward, sorted(set(forward_allow))
        self._fixture_file = Path(fixture) if isinstance(fixture, str) else None
        runtime = Runtime(Courier(system, forward_allow=forward_allow), limits=waits)
        runtime.checkpoint_every = runtime.checkpoint_at = checkpoint_every
        self.registry = Registry(self._make_state, runtime, max_worlds=max_worlds, prefix=worlds_prefix)
        self._access = access or Access(in_process=True)
        self.wsgi_app = WsgiApp(self.registry, self._interfaces_by_base(), self._make_pages)
        self.recovered = journal is not None and self._recover(JournalFile(journal, system), fixture, seed)
        if not self.recovered:
            self.registry.create(WorldConfig(fixture, seed, now_ms, rate, dict(settings)), DEFAULT)
        self.ticker = Ticker(self.registry)

    @property
    def interfaces(self) -> list[Interface]:
        """All interfaces, also those that no call has used yet: these are made now."""
        return list(self.wsgi_app.interfaces.values())

    @property
    def client(self) -> InProcessClient:
        """A client that calls the simulator without a socket."""
        return InProcessClient(self.wsgi_app)

    def listen(
        self,
        host: str,
        port: int,
        *,
        public_url: str | None = None,
        cors_allow: tuple[str, ...] = (),
        limits: ConnectionLimits | None = None,
    ) -> Server:
        """A server for this simulator, not started yet. Port 0 takes a free port. `public_url` replaces its URL.

        Pages of the origins in `cors_allow` may call it (G102).
        """
        from giftsim.engine.server import Application, Server

        wsgi_app, control = with_cors(self._for_sockets(), cors_allow), f"{url_paths.CONTROL}/"
        facts = ConnectionDropped, MAX_BYTES, separator, control, self.registry.next_request_id
        server = Server(Application(wsgi_app, *facts), host, port, self.registry.runtime.system, limits)
        self.registry.runtime.lend_thread, self.registry.runtime.waiters.can_wait = server.lend, server.can_lend
        self.registry.runtime.origin = public_url or server.origin
        return server

    def _for_sockets(self) -> WsgiCallable:
        """The application as callers over a socket have it."""
        if not self._access.closed:
            return self.wsgi_app
        from giftsim.engine.control.closed import closed

        pages = tuple(page.prefix for page in self.service.pages)
        return closed(self.wsgi_app, self._access.token or "", pages, self.service.mounts)

    def serve_locally(self, port: int = 0) -> None:
        """Serve on this machine, by default on a free port, until `close`; a second time nothing happens. OSError."""
        if self._server is None:
            self._server = self.listen("127.0.0.1", port)
            self._server.start()

    def resend_in_flight(self) -> None:
        """Send again the deliveries that were in flight when a simulator with the same journal file ended (G5)."""
        for world in list(self.registry.worlds.values()):
            world.deliveries.resend()

    def close(self) -> None:
        """Stop the ticker, all background work and `serve_locally`."""
        self.ticker.stop()
        self.registry.runtime.close()
        if self._server is not None:
            self._server.stop()

    def _recover(self, journal_file: JournalFile, fixture: str | dict[str, Any], seed: int) -> bool:
        from giftsim.engine.replay.recover import FORWARD, FORWARD_ALLOW, recover

        self.registry.hash_fixture = lambda fixture: fixture_hash(self._resolve(fixture), large=self._large_files)
        options = {FORWARD: [f"{host}={to}" for host, to in self.forward.items()], FORWARD_ALLOW: self._forward_allow}
        if self.services != tuple(ALL):
            options["services"] = [each if isinstance(each, str) else each.name for each in self.services]
        header = Header(FORMAT, NUMBER, __version__, seed, self.registry.hash_fixture(fixture), options)
        try:
            return recover(self.wsgi_app, self.definitions, journal_file, header)
        except BaseException:
            journal_file.close()
            raise

    def _make_state(self, fixture: str | dict[str, Any], seed_: int, now_ms: int) -> State:
        name = self._resolve(fixture)
        data = read_fixture(name, large=self._large_files)
        if name not in fixture_names():
            for check in self.service.fixture_checks:
                check(data, self._body_schema)
        state = State(self.definitions, seed_, now_ms)
        with state.transaction():
            for setting, raw in _settings_in(data):
                with in_fixture(f"settings.{setting}"):
                    state.set_setting(setting, raw)
            for host, to in self.forward.items():
                receiver.set_receiver(state, host, {"mode": "forward", "to": to}, start_ms=now_ms)
        for seed in self.service.seeds:
            seed(state, data)
        return state

    def _body_schema(self, interface: str, operation: str) -> Schema:
        return (
            self.wsgi_app.interfaces[self.service.interfaces[interface].base]
            .contract.operations[operation]
            .body_schema_for(None)
        )

    def _resolve(self, fixture: str | dict[str, Any]) -> str | dict[str, Any]:
        """The user's fixture file if `fixture` is its stem and no fixture of giftsim has that name, else `fixture`."""
        file = self._fixture_file
        return str(file) if file and fixture == file.stem and fixture not in fixture_names() else fixture

    def _interfaces_by_base(self) -> Mapping[str, Interface]:
        """The interfaces, each imported by its first call."""
        simulated = {each.base: each.make for each in self.service.interfaces.values()}
        return MadeAtFirstUse({**simulated, url_paths.CONTROL: self._control})

    def _simulated(self) -> list[Interface]:
        return [self.wsgi_app.interfaces[each.base] for each in self.service.interfaces.values()]

    def _control(self) -> Interface:
        from giftsim.engine.control.control_interface import control
        from giftsim.engine.control.services import Services

        services = Services(
            version=__version__,
            settings=self.definitions.settings,
            service=self.service,
            simulated=self._simulated,
            play=self._play,
            scenarios=self._scenarios,
            undo_writes=self._undo_writes,
            undo_to=self._undo_to,
            reach_back=self._reach_back,
            record=self._record,
            trace=self._trace,
            why=self._why,
            coverage=self.keep_coverage,
            open_trace=self.open_trace,
            describe_fixtures=partial(describe_fixtures, self._fixture_file, large=self._large_files),
        )
        return control(self._access, services, self.service.areas)

    def _make_pages(self, wsgi_app: WsgiApp) -> WsgiCallable:
        from giftsim.console.mount import WithConsole
        from giftsim.engine.pages.errors import Errors
        from giftsim.engine.pages.pages_app import flask_app
        from giftsim.services.published.blueprint import published

        registry, runtime = wsgi_app.registry, wsgi_app.registry.runtime
        contracts = self._contracts(wsgi_app)
        own = [make(registry) for make in self.service.web]
        pages = (*own[:1], published(runtime, contracts, __version__, schemas, self.service.mounts), *own[1:])
        words = [page.errors() for page in self.service.pages if page.errors is not None]
        app = self._with_mounts(wsgi_app, flask_app(registry, pages, Errors(runtime, contracts, words)))
        origin = lambda: runtime.origin  # noqa: E731
        self._console = WithConsole(app, wsgi_app, __version__, self._access.begin_session, origin)
        return self._console

    def _contracts(self, wsgi_app: WsgiApp) -> Mapping[str, Contract]:
        """The contracts by the names of their interfaces, each of which is imported when it is first read."""

        def contract(base: str) -> Contract:
            return wsgi_app.interfaces[base].contract

        bases = {name: each.base for name, each in self.service.interfaces.items()} | {"control": url_paths.CONTROL}
        return MadeAtFirstUse({name: partial(contract, base) for name, base in bases.items()})

    def prepare_console(self) -> None:
        """Make what the first page of the console needs, in the background: it takes most of a second."""

        def prepare() -> None:
            self.wsgi_app.pages()
            if self._console is not None:
                self._console.prepare()

        self.registry.runtime.system.start_thread(prepare, "first page")

    def _with_mounts(self, wsgi_app: WsgiApp, pages: WsgiCallable) -> WsgiCallable:
        """The pages, and what services have mounted. Each mount is made by its first call, because it loads slowly."""

        def knows_host(environ: Mapping[str, Any]) -> bool:
            return self._access.knows_host(environ, self.registry.runtime.origin)

        makers = self.service.mounts.items()
        mounts = MadeAtFirstUse({path: partial(make, wsgi_app, __version__, knows_host) for path, make in makers})
        return lambda environ, start: (mounts[path] if (path := environ["PATH_INFO"]) in mounts else pages)(
            environ, start
        )

    def _undo_writes(self, world: World, count: int) -> Undone:
        from giftsim.engine.replay.undo import undo_writes

        return undo_writes(self.wsgi_app, world, count)

    def _undo_to(self, world: World, change_n: int, again_ms: int) -> Undone:
        from giftsim.engine.replay.undo import undo_to

        return undo_to(self.wsgi_app, world, change_n, again_ms)

    def _reach_back(self, world: World, is_enough: Callable[[], bool]) -> None:
        from giftsim.engine.replay.undo import reach_back

        reach_back(self.wsgi_app, world, is_enough)

    def _record(self, world: World, state: State) -> str:
        from giftsim.workbench.recording import record_scenario
        from giftsim.workbench.trace.playback import former_states

        return record_scenario(world, state, self.forward, __version__, lambda: former_states(self.wsgi_app, world))

    def _trace(self, world: World, state: State) -> Callable[[bool, Mapping[str, Any]], bytes]:
        from giftsim.workbench.trace.trace import tracer

        control = self.wsgi_app.interfaces[url_paths.CONTROL]
        return tracer(self.wsgi_app, __version__, world, state, self.forward, self._simulated(), control)

    def _why(self, world: World, state: State, asked: Mapping[str, Any]) -> Callable[[], bytes]:
        from giftsim.workbench.trace.trace import explainer

        control = self.wsgi_app.interfaces[url_paths.CONTROL]
        return explainer(self.wsgi_app, __version__, world, state, self._simulated(), control, asked)

    def keep_coverage(self, *, all_worlds: bool = False) -> Coverage:
        """What was met in worlds: in each from the first question about it on, or in `all_worlds` from now on."""
        from giftsim.workbench.coverage.keeper import keeper_of

        return keeper_of(self.registry, self.service, all_worlds=all_worlds)

    def open_trace(self, text: str | bytes, at: int | None, make: Callable[[WorldConfig], World]) -> World:
        """The world after entry `at` of a trace (a file or its data), by default after the last.

        `make` makes the world that the trace begins with. InvalidTrace, TraceDiffers.
        """
        from giftsim.workbench.trace.resume import read_trace, resume

        return resume(self.wsgi_app, self.client, read_trace(text, large=self._large_files), at, make)

    def _scenarios(self) -> ScenarioViews:
        """The scenario library and the stepping sessions; made by the first call that needs them."""
        if self._scenario_views is None:
            from giftsim.workbench.scenario.library import Library
            from giftsim.workbench.scenario.session_views import ScenarioViews
            from giftsim.workbench.scenario.sessions import Sessions

            library = Library(self._scenario_folder)
            self._scenario_views = ScenarioViews(library, Sessions(self.client, library, large=self._large_files))
        return self._scenario_views

    def _play(self, text: str, keep: bool) -> dict[str, Any]:
        from giftsim.workbench.scenario import check_scenario, limits_of, load_scenario, play

        check_scenario(scenario := load_scenario(text, limits=limits_of(large=self._large_files)), self.client)
        return play(scenario, self.client, keep=keep).data


def _settings_in(data: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    settings = data.get("settings", {})
    if not isinstance(settings, Mapping):
        raise InvalidFixture("the fixture's settings: Expected `object`")
    return settings.items()


if TYPE_CHECKING:
    CONTRACTS: dict[str, Path]
    MACHINES: tuple[Machine[Any], ...]


@cache
def schemas() -> Mapping[str, str]:
    """The JSON Schemas of scenarios, of their parts and of fixtures, for editors, as text by name."""
    from giftsim.services.fixture_loader.check import json_schema
    from giftsim.workbench.scenario.editor_schemas import editor_schemas

    with closing(Simulator()) as simulator:
        return editor_schemas(simulator.client, simulator.interfaces, json_schema(), fixture_names())


def __getattr__(name: str) -> Any:
    """The contracts and machines of all services, which are imported when somebody asks."""
    if name == "CONTRACTS":
        return contracts_of(merged_service())
    if name == "MACHINES":
        return merged_service().definitions.machines
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
