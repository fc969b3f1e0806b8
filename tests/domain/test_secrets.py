"""The table of secrets: who makes, reads, finds or hides a secret agrees with all others on what it looks like."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim.engine.gateway.secret_kinds import WEBHOOK_SECRET, SecretKind
from giftsim.services.gifting.interfaces.team import error_envelope
from giftsim.services.secrets import CANDIDATE, CREDENTIALS, KINDS, redact
from giftsim.workbench.recording.secret_variables import SHAPES
from tests.support.api_clients import PartnerClient
from tests.support.orders import email_recipients
from tests.support.worlds import World

WORLD_IDS = st.from_regex(r"[a-z0-9-]{1,40}", fullmatch=True)
AROUND = st.text(' "{}:,\n/', max_size=5)
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.prefix.strip("_/"))


def secrets_of(kind: SecretKind) -> st.SearchStrategy[tuple[str, str]]:
    """Secrets as the simulator draws them, each with its own part."""
    digits = st.text("0123456789abcdef", min_size=kind.drawn, max_size=kind.drawn)
    world = WORLD_IDS if kind.has_world else st.just("")
    mode = st.sampled_from(kind.modes or ("",))
    return st.tuples(digits, world, mode).map(lambda drawn: (kind.make(*drawn), drawn[0]))


@kinds
@settings(max_examples=25)
@given(st.data())
def test_what_is_made_is_read_and_found_as_the_same(kind: SecretKind, data: st.DataObject) -> None:
    secret, own = data.draw(secrets_of(kind))
    read = kind.form.fullmatch(secret)
    assert read is not None
    assert kind.make(read["name"], read.groupdict().get("world", ""), read.groupdict().get("mode", "")) == secret
    [found] = kind.drawn_form.findall(secret)
    assert kind.digits(found) == own
    assert found in CANDIDATE.findall(secret)


@kinds
@settings(max_examples=25)
@given(st.data(), AROUND, AROUND)
def test_everyone_who_hides_secrets_hides_each_kind(
    kind: SecretKind, data: st.DataObject, before: str, after: str
) -> None:
    secret, own = data.draw(secrets_of(kind))
    text = f"{before}{secret}{after}"
    assert own not in redact(text)
    assert own not in redact(msgspec.json.encode(text).decode().replace("/", "\\/"))
    assert own not in error_envelope.redact(text)
    assert any(kind.digits(found) == own for _, shape in SHAPES for found in shape.findall(text))


@pytest.mark.parametrize("kind", [*CREDENTIALS, WEBHOOK_SECRET], ids=lambda kind: kind.prefix)
@settings(max_examples=25)
@given(st.data())
def test_no_part_of_a_credential_is_left_in_a_message(kind: SecretKind, data: st.DataObject) -> None:
    secret = data.draw(st.from_regex(kind.form, fullmatch=True))
    assert error_envelope.redact(f"the key {secret} is revoked") == "the key [removed] is revoked"
    assert redact(f"the key {secret} is revoked").endswith("*** is revoked")


def test_what_a_world_shows_of_itself_has_none_of_its_secrets(world: World, partner: PartnerClient) -> None:
    made: list[Any] = [
        world.call_control("POST", "/keys", {"interface": "partner"}),
        world.call_control("POST", "/keys", {"interface": "team"}),
        partner.subscribe("team_order.shipped"),
        partner.create_order(recipients=email_recipients(1)).json(),
        world.call_control("GET", "/parcels"),
    ]
    text = msgspec.json.encode(made).decode()
    secrets = {kind.digits(found) for kind in KINDS for found in kind.drawn_form.findall(text)}
    assert len(secrets) >= 4
    shown = [f"/{name}" for name in ("calls", "changes", "undo?all=true", "trace?format=json")]
    for path in shown:
        answer = msgspec.json.encode(world.call_control("GET", path)).decode()
        assert not [secret for secret in secrets if secret in answer], path
