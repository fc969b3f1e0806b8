"""Check the URLs in bodies: public https, by the rules of webhook URLs (B48, T-2.27, T-2.40).

Messages name the rule and never repeat the URL (A8.6).
"""

from __future__ import annotations

from collections.abc import Iterator

from giftsim.domain.team.problem import FieldError
from giftsim.gateway.call import Call
from giftsim.webhooks.receiver import resolve
from giftsim.webhooks.settings import URL_PORTS
from giftsim.webhooks.url_rules import InvalidUrl, check_addresses, check_url

FIELD = "url"
NOT_PUBLIC = "must be a public https URL: no other scheme, IP address, local name, user or fragment"
PRIVATE_ADDRESS = "must be on a public host: in this world, its host resolves to an address that is not public"


def url_errors(call: Call) -> Iterator[FieldError]:
    """Check the text of the member `url`."""
    try:
        check_url(call.body[FIELD], ports=call.state.setting(URL_PORTS))
    except InvalidUrl:
        yield FieldError(FIELD, NOT_PUBLIC)


def resolved_url_errors(call: Call) -> Iterator[FieldError]:
    """Check the text of the member `url`, then the addresses that its host resolves to in this world."""
    try:
        host = check_url(call.body[FIELD], ports=call.state.setting(URL_PORTS)).host
    except InvalidUrl:
        yield FieldError(FIELD, NOT_PUBLIC)
        return
    try:
        check_addresses(host, resolve(call.state, host))
    except InvalidUrl:
        yield FieldError(FIELD, PRIVATE_ADDRESS)
