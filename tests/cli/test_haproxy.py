"""The command `serve haproxy`: its options, and the prefixes that lead back to their process."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.haproxy import prefix_of, process_of
from giftsim.cli.main import main
from giftsim.engine.worlds.registry import is_prefix


def haproxy(*options: str) -> Result:
    return CliRunner().invoke(main, ["serve", "haproxy", *options])


@pytest.mark.parametrize("many", [1, 2, 3, 7, 64])
def test_a_prefix_leads_to_its_process(many: int) -> None:
    prefixes = [prefix_of(number, many) for number in range(1, many + 1)]
    assert len(set(prefixes)) == many
    assert all(map(is_prefix, prefixes))
    assert [process_of(prefix, many) for prefix in prefixes] == list(range(1, many + 1))


def test_the_commands_of_the_processes_have_their_own_ports_and_journals_and_common_options() -> None:
    options = ("--processes", "2", "--journals", "kept files", "--commands", "--", "--clock", "manual")
    assert haproxy(*options).stdout.splitlines() == [
        (
            "giftsim serve --port 8081 --worlds-prefix p1a --public-url http://127.0.0.1:8080"
            " --journal 'kept files/p1a.journal' --clock manual &"
        ),
        (
            "giftsim serve --port 8082 --worlds-prefix p2 --public-url http://127.0.0.1:8080"
            " --journal 'kept files/p2.journal' --clock manual &"
        ),
    ]


def test_the_configuration_says_how_it_is_used() -> None:
    text = haproxy("--processes", "2", "--bind", "127.0.0.1:9090").stdout
    assert "#   giftsim serve --port 8081 --worlds-prefix p1a --public-url http://127.0.0.1:9090 &" in text
    assert "#   haproxy -f haproxy.cfg" in text
    assert "    bind 127.0.0.1:9090\n" in text
    assert "@" not in text


def test_processes_on_other_machines_are_named_and_looked_up() -> None:
    options = ("--at", "a.internal:8080", "--at", "[2001:db8::7]:9090", "--public-url", "http://gifts.internal:8080")
    text = haproxy(*options, "--", "--control-token-file", "token").stdout
    assert "#   a.internal$ giftsim serve --host 0.0.0.0 --port 8080 --worlds-prefix p1a --public-url" in text
    assert (
        "    server process1 a.internal:8080 check inter 500ms fall 2 rise 1 resolvers system init-addr last," in text
    )
    assert "    server process2 [2001:db8::7]:9090 check inter 500ms fall 2 rise 1\n" in text
    assert "\nresolvers system\n" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--processes", "0"], "--processes"),
        (["--processes", "65"], "--processes"),
        (["--processes", "2", "--clock", "manual"], "No such option"),
        (["--processes", "2", "--bind", "8080"], "--bind is HOST:PORT"),
        (["--processes", "2", "--bind", "127.0.0.1:"], "--bind is HOST:PORT"),
        (["--processes", "2", "--bind", "127.0.0.1:70000"], "--bind is HOST:PORT"),
        (["--processes", "2", "--bind", "127.0.0.1:8082"], "the same port 8082"),
        (["--processes", "2", "--public-url", "gifts"], "--public-url"),
        ([], "name the processes: --processes N on this machine, or --at HOST:PORT once for each"),
        (["--processes", "2", "--at", "a:8080"], "name the processes: --processes N on this machine, or --at"),
        (["--at", "a"], "--at is HOST:PORT"),
        (["--at", "a:8080"], "--at is reachable from other machines: it requires --public-url, and a token"),
        (["--at", "a:8080", "--at", "a:8080"], "--at names a process twice"),
        (["--processes", "2", "--bind", "0.0.0.0:8080"], "requires --public-url, and a token"),
        (["--processes", "2", "--bind", "0.0.0.0:8080", "--public-url", "http://a.example"], "requires --public-url"),
    ],
)
def test_what_cannot_work_is_refused(options: list[str], message: str) -> None:
    run = haproxy(*options)
    assert run.exit_code == 2
    assert message in run.stderr


def test_another_address_than_loopback_takes_a_public_url_and_a_token() -> None:
    options = (
        "--bind",
        "0.0.0.0:8080",
        "--public-url",
        "http://gifts.example",
        "--",
        "--control-token-file",
        "token.txt",
    )
    assert "    bind 0.0.0.0:8080\n" in haproxy("--processes", "2", *options).stdout
