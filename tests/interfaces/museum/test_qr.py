"""The QR code of a ticket: an image that a scanner can read, with the same bytes each time."""

from __future__ import annotations

import io

import zxingcpp
from PIL import Image

from giftsim.client.response import Response
from tests.claims import claims
from tests.support.api_clients import UNKNOWN_ID
from tests.support.museum import MuseumClient, problem_title


def read_image(response: Response) -> Image.Image:
    """The image in a response, decoded by an independent library."""
    assert response.headers["content-type"] == "image/png"
    image = Image.open(io.BytesIO(response.body), formats=["PNG"])
    image.load()
    return image


def read_code(response: Response) -> str:
    """The text of the one code in the response's image."""
    (code,) = zxingcpp.read_barcodes(read_image(response))
    assert code.format == zxingcpp.BarcodeFormat.QRCode
    return code.text


@claims("M-4.9", "M-4.10")
def test_the_code_contains_the_ticket_id_and_its_confirmation_code(museum: MuseumClient) -> None:
    event = museum.create_event()["eventId"]
    for ticket in (museum.buy_ticket(), museum.buy_ticket(ticketType="event", eventId=event)):
        response = museum.get_qr(ticket["ticketId"])
        assert response.status == 200
        assert read_code(response) == f"museum-ticket:{ticket['ticketId']}:{ticket['confirmationCode']}"


@claims("M-4.10")
def test_two_tickets_have_different_codes(museum: MuseumClient) -> None:
    assert read_code(museum.get_qr(museum.buy_ticket()["ticketId"])) != read_code(
        museum.get_qr(museum.buy_ticket()["ticketId"])
    )


def test_the_image_is_wide_enough_and_has_a_quiet_zone(museum: MuseumClient) -> None:
    image = read_image(museum.get_qr(museum.buy_ticket()["ticketId"])).convert("L")
    assert image.width == image.height
    assert image.width >= 200
    dark = image.point(lambda value: 255 - value).getbbox()
    assert dark is not None
    module = (dark[2] - dark[0]) // 37
    assert dark == (4 * module, 4 * module, image.width - 4 * module, image.height - 4 * module)


def test_the_bytes_are_the_same_each_time(museum: MuseumClient) -> None:
    ticket = museum.buy_ticket()["ticketId"]
    first = museum.get_qr(ticket).body
    museum.world.advance("30d")
    assert museum.get_qr(ticket.upper()).body == first


@claims("M-4.9")
def test_an_unknown_ticket_has_no_code(museum: MuseumClient) -> None:
    assert UNKNOWN_ID in problem_title(museum.get_qr(UNKNOWN_ID), 404, "ticket_not_found")
    assert problem_title(museum.get_qr("nope")) == "Validation failed: ticketId is a UUID, not 'nope'"


def test_a_ticket_keeps_its_code_when_its_event_is_canceled(museum: MuseumClient) -> None:
    event = museum.create_event()["eventId"]
    ticket = museum.buy_ticket(ticketType="event", eventId=event)
    museum.cancel_event(event)
    assert ticket["confirmationCode"] in read_code(museum.get_qr(ticket["ticketId"]))
