"""What the plugin does in the tests of a project: where their reports end, and what it imports."""

from __future__ import annotations

import pytest

from tests.support.pytest_projects import run
from tests.testing.test_plugin_in_projects import WITHOUT


def test_hypothesis_and_faker_work_in_the_tests_of_those_who_have_them(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        from hypothesis import given, strategies as st

        def test_it(giftsim, faker):
            giftsim.actor("one", recipient=faker.email(), claims="2d")
            giftsim.advance("1d")

        @given(st.integers())
        def test_numbers(number):
            assert number - number == 0
        """
    )
    plugins = ("-p", "_hypothesis_pytestplugin", "-p", "faker.contrib.pytest.plugin", "--hypothesis-seed=3")
    run(project, *plugins).assert_outcomes(passed=2)


def test_worlds_need_neither(project: pytest.Pytester) -> None:
    project.makeconftest(WITHOUT)
    project.makepyfile(
        """
        import pytest
        from giftsim.testing.world_for_test import create_world

        @pytest.mark.giftsim(fixture="roster")
        def test_it(giftsim):
            assert giftsim.play("partner/declined_card").outcome == "passed"
            people = {"extends": "empty", "people": [{"team": "northwind", "generated": 2}]}
            assert len(create_world(giftsim.transport, fixture=people).listed("people")) == 2
        """
    )
    run(project).assert_outcomes(passed=1)


FAILING_TESTS = """\
import pytest

def test_webhook(giftsim):
    giftsim.assert_webhook("team_order.shipped")

def test_no_webhook(giftsim):
    giftsim.subscribe("team_order.claimed")
    order = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
             "recipients": [{"name": "Bo", "email": "bo@example.com"}]}
    giftsim.claim(giftsim.call("POST", "/api/external/team-orders", order, credential="partner.prepaid"))
    giftsim.advance("1h")
    giftsim.assert_no_webhook("team_order.claimed")

def test_scenario(giftsim):
    giftsim.play("scenario: A\\nsteps:\\n  - advance: 1d\\n    expect: {events: [team_order.shipped]}\\n")

def test_refused(giftsim):
    giftsim.advance("yesterday")

def test_no_record(giftsim):
    giftsim.claim({"error": {"code": "unauthorized", "message": "no key"}})

def test_not_routed(giftsim):
    import socket
    with giftsim.route("https://vendor.example"):
        socket.create_connection(("vendor.example", 443))

def test_mistake(giftsim, monkeypatch):
    monkeypatch.setattr("giftsim.testing.messages.KINDS", None)
    giftsim.assert_webhook("team_order.shipped")
"""


def test_a_failed_test_ends_at_its_own_line(project: pytest.Pytester) -> None:
    """The frames of the package are hidden for all that tells the test something, and shown for anything else."""
    project.makepyfile(FAILING_TESTS)
    result = run(project, "-p", "no:randomly")
    result.assert_outcomes(failed=7)
    shown, mistake = result.stdout.str().split("_ test_mistake _", 1)
    assert "giftsim/testing" not in shown
    for line in (
        'assert_webhook("team_order.shipped")',
        'assert_no_webhook("team_order.claimed")',
        "play(",
        "advance(",
        "claim(",
    ):
        result.stdout.fnmatch_lines([f">       giftsim.{line.replace('[', '[[]')}*"])
    assert "giftsim/testing/messages.py" in mistake


def test_a_client_library_is_led_in_when_the_application_imports_it(project: pytest.Pytester) -> None:
    """Those that it does not import are not, which would take most of a second."""
    project.makepyfile(
        """
        import importlib
        import sys
        import pytest

        URL = "https://gifts.vendor.example/api/external/team-orders"

        def test_it(giftsim):
            with giftsim.route("https://gifts.vendor.example", "partner.prepaid"):
                assert not {"urllib3", "requests", "httpx", "aiohttp"} & sys.modules.keys()
                import requests
                assert requests.get(URL, timeout=60).status_code == 200
                httpx = importlib.import_module("httpx")
                assert httpx.get(URL).status_code == 200
                assert (httpx.__spec__.loader is httpx.__loader__, httpx.__spec__.parent) == (True, "httpx")
                assert "aiohttp" not in sys.modules
                with pytest.raises(ImportError, match="no_such_library"):
                    import no_such_library
            with giftsim.route("https://gifts.vendor.example", "partner.prepaid"):
                import aiohttp, asyncio

                async def status():
                    async with aiohttp.ClientSession() as session, session.get(URL) as response:
                        return response.status

                assert asyncio.run(status()) == requests.get(URL, timeout=60).status_code == 200
        """
    )
    run(project).assert_outcomes(passed=1)
