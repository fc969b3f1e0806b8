"""Check the URLs in bodies: public https, by the rules of webhook URLs (B48, T-2.27, T-2.40).

Messages name the rule and never repeat the URL (A8.6).
"""

from __future__ import annotations

from collections.abc import Iterator

from giftsim.domain.team.problem import FieldError
from giftsim.gateway.call import Call
from giftsim.webhooks.endpoint import check_target
from giftsim.webhooks.url_rules import TO_LOCALHOST, InvalidUrl, Rule

FIELD = "url"


def url_errors(call: Call) -> Iterator[FieldError]:
    """Check the text of the member `url`, then the addresses that its host resolves to in this world."""
    try:
        check_target(call.state, call.body[FIELD])
    except InvalidUrl as error:
        yield _error(error.rule)


def webhook_url_errors(call: Call) -> Iterator[FieldError]:
    """Check like `url_errors`; the message also says how to deliver to localhost, where that helps (G27)."""
    try:
        check_target(call.state, call.body[FIELD])
    except InvalidUrl as error:
        yield _error(error.rule, f". {TO_LOCALHOST}" if error.rule.local else "")


def _error(rule: Rule, hint: str = "") -> FieldError:
    return FieldError(FIELD, f"must be a public https URL: {rule.text}{hint}")
