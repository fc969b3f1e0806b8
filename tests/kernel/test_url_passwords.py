"""User names and passwords in URLs are found in any text."""

from __future__ import annotations

import pytest

from giftsim.kernel.url_passwords import hide_url_passwords
from giftsim.problem import Problem


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("https://ada:hush@hooks.example/a", "https://...@hooks.example/a"),
        ("https://hush@hooks.example/a", "https://...@hooks.example/a"),
        ("https://:hush@hooks.example", "https://...@hooks.example"),
        ("https://a@b:hush@hooks.example/x@y", "https://...@hooks.example/x@y"),
        ("https://a:hu%40sh@hooks.example", "https://...@hooks.example"),
        ("POSTGRES://ada:hush@db/x and http://ada:hush@b", "POSTGRES://...@db/x and http://...@b"),
        ("//ada:hush@hooks.example/", "//...@hooks.example/"),
        (r'"https:\/\/ada:hush@hooks.example\/"', r'"https:\/\/...@hooks.example\/"'),
        ("u=https%3a%2F%2Fada%3Ahush%40a.example%2Fx%40y", "u=https%3a%2F%2F...%40a.example%2Fx%40y"),
        ("https://...@hooks.example", "https://...@hooks.example"),
        ("https://cdn.example/logo@2x.png", "https://cdn.example/logo@2x.png"),
        ("see https://a.example or mail bo@example.com", "see https://a.example or mail bo@example.com"),
        ("bo@example.com", "bo@example.com"),
    ],
)
def test_a_url_has_no_user_name_and_password(text: str, hidden: str) -> None:
    assert hide_url_passwords(text) == hidden


def test_the_message_of_a_problem_has_none() -> None:
    problem = Problem("there is no operation at /x/https://ada:hush@hooks.example")
    assert problem.message == str(problem) == "there is no operation at /x/https://...@hooks.example"
