"""Credentials are in nothing that a comparison prints or writes, whatever a service does with them."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest
from click.testing import Result

from tests.compare.planted import MUSEUM, PARTNER, edited, with_header
from tests.compare.service import CREDENTIALS, Change, Reply, compare, run_service

KEY = "pk_live_default_prepaid"
PASSWORD = "museum-pass"
ENCODED = b64encode(f"museum:{PASSWORD}".encode()).decode()
FILES = ["scenarios/museum/whole_visit.yaml", "scenarios/partner/subscriptions.yaml"]
SECRETS = (KEY, PASSWORD, ENCODED, *CREDENTIALS.values())


def echoed(reply: Reply) -> Reply:
    """An error that repeats the credential where values are shown: as its code, and as the name of a member."""
    data = reply.json()
    data["error"] |= {"code": KEY, KEY: 1}
    return reply.with_json(data)


def refused(reply: Reply) -> Reply:
    """A 401 that repeats the credential."""
    return Reply(401, {**reply.headers, "www-authenticate": KEY}, f'{{"error": "{KEY} is unknown"}}'.encode())


ECHOES = [
    Change(f"GET {PARTNER}/webhooks/999999999", (404,), echoed),
    Change(f"GET {PARTNER}/webhooks", (200,), with_header("location", f"https://x.example/?key={KEY}")),
    Change(f"POST {PARTNER}/webhooks", (201,), edited(lambda data: data["endpoint"].update(status=KEY))),
    Change(f"POST {MUSEUM}/tickets", (201,), edited(lambda data: data.update(ticketType=f"Basic {ENCODED}"))),
]


def written(folder: Path, result: Result) -> str:
    """All that a comparison printed and wrote."""
    return "".join((result.output, *(path.read_text() for path in folder.iterdir())))


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_service_that_repeats_credentials_brings_them_into_no_output(tmp_path: Path, form: list[str]) -> None:
    files = ["--out", str(tmp_path / "differences.yaml"), "--record", str(tmp_path / "service.json")]
    with run_service(ECHOES) as service:
        result = compare(service.origin, *form, *files, *FILES)
    text = written(tmp_path, result)
    assert result.exit_code == 1
    assert "***" in text
    assert [secret for secret in SECRETS if secret in text] == []


@pytest.mark.parametrize("path", [f"{MUSEUM}/museum-hours", f"{PARTNER}/webhooks"])
def test_a_credential_that_is_not_accepted_ends_the_comparison_by_its_name(tmp_path: Path, path: str) -> None:
    with run_service([Change(f"(GET|POST) {path}", (200, 201), refused)]) as service:
        result = compare(service.origin, "--record", str(tmp_path / "service.json"), *FILES)
    name = "museum" if "museum" in path else "partner.prepaid"
    assert result.exit_code == 2
    assert result.stderr == (
        f"Error: the service does not accept the credential {name} (401): check its variable and --target\n"
    )
    assert [secret for secret in SECRETS if secret in written(tmp_path, result)] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("option", "message"), [
    (f"partner.prepaid={KEY}", "--credential partner.prepaid=...: behind = stands the name of an environment variable"),
    (KEY, "--credential takes NAME=VARIABLE"),
    ("partner.prepaid=NO_SUCH", "--credential partner.prepaid=NO_SUCH: the environment has no variable NO_SUCH"),
    ("partner.prepaid=BROKEN", "--credential partner.prepaid=BROKEN: the value has characters that no header can have"),
    ("museum=ONE_WORD", "--credential museum=...: the value of the variable must be user:password"),
])  # fmt: skip
def test_a_wrong_credential_is_refused_without_showing_what_was_given(
    monkeypatch: pytest.MonkeyPatch, option: str, message: str
) -> None:
    monkeypatch.setenv("BROKEN", f"{KEY}\nx")
    monkeypatch.setenv("ONE_WORD", KEY)
    result = compare("http://127.0.0.1:1", "--credential", option, credentials={})
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {message}")
    assert KEY not in result.output


def test_a_redirect_is_not_followed_so_that_no_credential_reaches_another_host() -> None:
    with run_service() as elsewhere:
        moved = Change(f"GET {PARTNER}/webhooks/\\d+", (200,), lambda _reply: Reply(
            307, {"location": f"{elsewhere.origin}{PARTNER}/webhooks/1"}, b"",
        ))  # fmt: skip
        with run_service([moved]) as service:
            result = compare(service.origin, FILES[1])
    assert result.exit_code == 1
    assert "status, a redirect, which was not followed: giftsim 200, the service 307" in result.stdout
    assert elsewhere.calls == []


def test_the_service_gets_the_credentials_and_no_header_of_giftsims_own() -> None:
    with run_service() as service:
        compare(service.origin, *FILES)
    names = {name for headers in service.headers for name in headers}
    sent = {headers.get("HTTP_AUTHORIZATION") for headers in service.headers}
    assert sent == {f"Bearer {KEY}", f"Basic {ENCODED}", None}
    assert not any(name.startswith("HTTP_X_SIM") for name in names)
    assert {headers["HTTP_USER_AGENT"].partition("/")[0] for headers in service.headers} == {"giftsim"}
