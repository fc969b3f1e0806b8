"""Assertions on responses: success, and refusals by status and code."""

from __future__ import annotations

from typing import Any

from giftsim.engine.client.response import Response


def created(response: Response) -> Any:
    """The JSON of a response that must have status 201."""
    return expect_status(response, 201).json()


def expect_status(response: Response, status: int) -> Response:
    """The response, which must have this status."""
    assert response.status == status, response.text
    return response


def expect_error(response: Response, status: int, code: str) -> Any:
    """The error of a response that must be refused with this status and code."""
    assert error_code(response, status) == code, response.text
    return response.json()["error"]


def error_code(response: Response, status: int = 400) -> str:
    """The error code of a response that must be refused with this status and name its request."""
    assert response.status == status, response.text
    return status_and_code(response)[1]


def status_and_code(response: Response) -> tuple[int, str]:
    """Status and code of a refusal, whose error has a message and names the request."""
    error = response.json()["error"]
    assert error["request_id"] == response.headers["x-request-id"]
    assert error["message"]
    return response.status, str(error["code"])


def invalid_fields(response: Response) -> list[str]:
    """The fields in the details of a response that must be 422 `validation_failed`."""
    return [detail["field"] for detail in expect_error(response, 422, "validation_failed")["details"]]


def invalid_recipient_fields(response: Response) -> dict[int, list[str]]:
    """The fields of each recipient that a 422 `invalid_recipients` names, by the recipient's index."""
    assert error_code(response, 422) == "invalid_recipients"
    rows = response.json()["errors"]
    assert all(error["message"] for row in rows for error in row["errors"])
    return {row["recipient_index"]: sorted({error["field"] for error in row["errors"]}) for row in rows}
