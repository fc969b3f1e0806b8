"""URLs in bodies: public https, by the rules of webhook URLs, in words that echo nothing of them (B48, A8.6)."""

from __future__ import annotations

from collections.abc import Iterator

from giftsim.domain.team.problem import Wrong
from giftsim.gateway.call import Call
from giftsim.webhooks.settings import URL_PORTS
from giftsim.webhooks.url_rules import InvalidUrl, check_url


def wrong_url(call: Call) -> Iterator[Wrong]:
    """What is wrong with the member `url` of a body that fits its schema."""
    try:
        check_url(call.body["url"], ports=call.state.setting(URL_PORTS))
    except InvalidUrl:
        yield Wrong("url", "must be a public https URL: no other scheme, IP address, local name, user or fragment")
