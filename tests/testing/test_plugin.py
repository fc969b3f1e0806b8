"""The pytest plugin in a project: what it reports, loads and refuses."""

from __future__ import annotations

import pytest

from tests.support.pytest_projects import run


def test_a_failed_tests_report_lists_the_worlds_calls_and_webhooks(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def test_it(giftsim):
            giftsim.call("GET", "/api/external/team-orders/7", credential="partner.prepaid")
            giftsim.assert_webhook("team_order.shipped")
        """
    )
    result = run(project)
    result.stdout.fnmatch_lines(
        [
            "*AssertionError: expected a webhook team_order.shipped, found none",
            "*no webhook was sent up to 2027-01-04T09:00:00Z",
            "*- giftsim: world w1 -*",
            "now: 2027-01-04T09:00:00Z, calls so far: 1",
            "  2027-01-04T09:00:00Z  GET /api/external/team-orders/7 -> 404",
            "webhooks sent: 0",
        ]
    )


def test_a_mistake_in_a_call_of_the_fixture_ends_at_the_line_of_the_test(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def test_event(giftsim):
            giftsim.assert_webhook("team_order.shiped")

        def test_money(giftsim):
            giftsim.fund("partner.prepaid", 100)
        """
    )
    result = run(project, "--giftsim-trace=off")
    result.stdout.fnmatch_lines(
        [
            "*unknown webhook type 'team_order.shiped'; did you mean team_order.shipped?",
            "*fund takes cents, then the credential: fund(100, 'partner.prepaid') adds $1.00",
        ]
    )
    assert "giftsim/testing/" not in result.stdout.str()


def test_the_command_line_names_the_application_of_scenarios(project: pytest.Pytester) -> None:
    (project.path / "app.yaml").write_text(
        "scenario: An application is called\napp: http://127.0.0.1:9\nsteps:\n  - app: GET /health\n"
    )
    result = run(project, "--giftsim-app", "http://127.0.0.1:19")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*http://127.0.0.1:19*"])


def test_a_collection_of_garbage_does_not_look_through_the_simulator(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import gc

        def test_its_objects_are_few(giftsim):
            giftsim.advance("1d")
            assert len(gc.get_objects()) < 40_000
        """
    )
    run(project).assert_outcomes(passed=1)


def test_what_writes_traces_is_loaded_when_a_test_fails(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import sys

        def test_passes(giftsim):
            giftsim.advance("1d")
            assert not [name for name in sys.modules if name.startswith("giftsim.workbench.trace")]
        """
    )
    run(project).assert_outcomes(passed=1)


def test_a_run_without_fixtures_imports_only_the_plugin(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import sys

        def test_it(pytestconfig):
            assert pytestconfig.pluginmanager.has_plugin("giftsim.pytest_plugin")
            ours = [name for name in sys.modules if name.startswith("giftsim")]
            assert sorted(ours) == ["giftsim", "giftsim.pytest_plugin"]
            assert not {"yaml", "msgspec", "flask", "freezegun", "werkzeug"} & sys.modules.keys()
        """
    )
    run(project).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("option", "url", "message"),
    [
        ("--giftsim-url", "localhost:8080", "'localhost:8080' is not the address of a server"),
        ("--giftsim-url", "http://ada:hush@127.0.0.1:9", "'http://...@127.0.0.1:9' is not the address of a server"),
        ("--giftsim-app", "https://app.example", "'https://app.example' is not the address of an app"),
    ],
)
def test_a_url_that_cannot_be_called_is_refused_before_any_test(
    project: pytest.Pytester, option: str, url: str, message: str
) -> None:
    project.makepyfile("def test_nothing(): pass")
    result = run(project, option, url)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"{option}: {message}" in result.stderr.str()
    assert "hush" not in result.stderr.str() + result.stdout.str()


def test_the_report_on_a_receiver_is_shown_whole_with_the_failed_probes_first(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def app(environ, start_response):
            start_response("204 No Content", [])
            return [b""]

        def test_it(giftsim):
            report = giftsim.check_receiver(app, secret="whsec_x")
            assert report.passed, report
        """
    )
    result = run(project, "--giftsim-trace=off")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E * AssertionError: fail *", "E * why:  *", "E *pass     genuine *", "E * probes: * pass, * fail, *"]
    )


def test_a_project_chooses_what_is_simulated(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import sys

        def test_it(giftsim):
            assert [*giftsim.description["credentials"]] == ["museum"]
            assert not [name for name in sys.modules if name.startswith("giftsim.services.gifting.domain")]
        """
    )
    project.makeini("[pytest]\ngiftsim_services = museum\n")
    run(project).assert_outcomes(passed=1)
    project.makeini("[pytest]\ngiftsim_services = opera\n")
    refused = run(project)
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines("*giftsim_services: there is no service 'opera'; *")


LEFT_OF_GIFTING = """
import sys

def pytest_unconfigure(config):
    print("\\nloaded of gifting:", sorted(name for name in sys.modules if name.startswith("giftsim.services.gifting")))
"""
MUSEUM_TESTS = """
def hours(giftsim):
    return giftsim.call("GET", "/v1.1/museum-hours", headers=giftsim.headers("museum"))

def test_passes(giftsim):
    assert hours(giftsim).status == 200

def test_names_a_webhook_of_another_service(giftsim):
    giftsim.assert_no_webhook("team_order.shipped")

def test_is_changed_by_a_fault(giftsim):
    giftsim.fault(status=500, undocumented=True, match={"operation": "getMuseumHours"})
    assert hours(giftsim).status == 200

def test_has_no_cause(giftsim):
    assert hours(giftsim).status == 404
"""


@pytest.mark.parametrize("options", [(), ("--giftsim-coverage",), ("--giftsim-assumptions",)])
def test_a_run_of_the_museum_alone_loads_nothing_of_gifting(project: pytest.Pytester, options: tuple[str, ...]) -> None:
    project.makeini("[pytest]\ngiftsim_services = museum\n")
    project.makeconftest(LEFT_OF_GIFTING)
    project.makepyfile(MUSEUM_TESTS)
    result = run(project, *options)
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines_random(
        ["E *UnknownEventType: unknown webhook type 'team_order.shipped'; *", "E * why: no cause is known; *",
         "E * why: *the fault*", "loaded of gifting: []"]
    )  # fmt: skip
    assert "leans on a guess" not in result.stdout.str()
