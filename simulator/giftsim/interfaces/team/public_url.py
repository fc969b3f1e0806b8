"""URLs of files that callers name: the rules are those of webhook URLs, the words echo nothing (B48, T-2.40)."""

from __future__ import annotations

from collections.abc import Iterator

from giftsim.domain.team.problem import Wrong
from giftsim.gateway.call import Call
from giftsim.webhooks.receiver import resolve
from giftsim.webhooks.settings import URL_PORTS
from giftsim.webhooks.url_rules import InvalidUrl, check_addresses, check_url


def wrong_url(call: Call, field: str = "url") -> Iterator[Wrong]:
    """What is wrong with the URL in a member of the body: no https, no public host, or one that is not public now."""
    try:
        target = check_url(call.body[field], ports=call.state.setting(URL_PORTS))
        check_addresses(target.host, resolve(call.state, target.host))
    except InvalidUrl:
        yield Wrong(field, "must be a public https URL of at most 2048 characters")
