"""What *Use the console* tells of Home, followed by its reader: an app that calls giftsim, and what needs somebody."""

from __future__ import annotations

from tests.support.browser import wait_until_patched
from tests.support.console_reader import Reader
from tests.support.orders import RENO
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift


def point_your_app_here(reader: Reader) -> None:
    """Webhooks go to a port, where nobody listens; address and key stay in the card of the world."""
    reader.open()
    reader.main.get_by_label("Port, or address").fill("1/webhooks")
    reader.click("Send webhooks there")
    reader.main.locator("#start .light.bad", has_text="No answer").wait_for()
    reader.main.locator("#start").get_by_role("button", name=reader.meet("Hide")).click()
    wait_until_patched(reader.page)
    reader.see("This world")
    reader.main.locator("#point > summary").click()
    reader.says(reader.world.credentials["partner.prepaid"]["value"])


def see_what_needs_you(reader: Reader) -> None:
    """Each thing is mended in its row, and what is broken ends by the chip of the time bar."""
    world = reader.world
    reader.partner.subscribe("team_order.shipped")
    world.set_receiver(outage={"from": "+1h", "to": "+30d", "status": 503})
    reader.partner.create_order(recipients=[{"name": "Cy", "address": RENO}])
    world.advance("5d")
    world.partner("partner.no_funds").create_order(idempotency_key="poor")
    create_gift(TeamClients(world).requester)
    reader.open("people")
    reader.go("Home")
    for button in ("End outage and resend", "Fund $26 and retry", "Approve", "Claim as Bo"):
        reader.main.locator("#needs button", has_text=reader.meet(button)).first.click()
        wait_until_patched(reader.page)
    world.set_receiver(outage={"from": world.now, "to": "+30d", "status": 503})
    reader.page.locator("#health summary", has_text="Outage").click()
    health = reader.page.locator("#health")
    assert health.get_by_role("button", name=reader.meet("End")).first.is_visible()
    reader.meet("End all and resend")  # when webhooks wait
    health.get_by_role("button", name="End all").click()
    health.wait_for(state="detached")
    reader.page.get_by_role("status").get_by_role("button", name=reader.meet("Undo")).click()
    health.wait_for()
