"""Path and query parameters of a call: parsed by its contract, refused as its interface documents."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qsl

from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.parameter import CLAMP_LIMITS, InvalidValue, Parameter
from giftsim.engine.gateway.problem import InvalidParameter, RouteNotFound
from giftsim.engine.kernel.texts import suggest_name


def parse_query(call: Call) -> None:
    """Fill `call.query`. An InvalidParameter names every invalid parameter and has the code of the first.

    Simulated interfaces ignore unknown parameters; the control API refuses them by name.
    """
    given: dict[str, list[str]] = {}
    if call.query_string:
        for name, value in parse_qsl(call.query_string, keep_blank_values=True):
            given.setdefault(name, []).append(value)
    declared = call.operation.query_params
    problems: list[InvalidParameter] = []
    for parameter in declared:
        try:
            call.query[parameter.name] = _single_value(call, parameter, given.get(parameter.name, []))
        except InvalidParameter as problem:
            problems.append(problem)
    if problems:
        raise InvalidParameter("; ".join(problem.message for problem in problems), code=problems[0].code)
    if not call.interface.simulated:
        _refuse_unknown(list(given), [parameter.name for parameter in declared])


def parse_path(call: Call) -> None:
    """Turn the texts in `call.params` into values. A malformed id is a 404, or a 400 where the interface says so."""
    not_found = call.interface.malformed_id_is_404
    for parameter in call.operation.path_params:
        text = call.params[parameter.name].replace("%2F", "/")  # it did not separate (`decode_path`)
        call.params[parameter.name] = _parsed_value(call, parameter, text, not_found=not_found)


def _single_value(call: Call, parameter: Parameter, texts: Sequence[str]) -> object:
    if len(texts) > 1:
        raise InvalidParameter(f"the parameter {parameter.name} is given {len(texts)} times")
    if not texts and parameter.name == "limit" and call.interface.page_size is not None:
        return call.state.setting(call.interface.page_size)
    return _parsed_value(call, parameter, texts[0] if texts else None)


def _parsed_value(call: Call, parameter: Parameter, text: str | None, not_found: bool = False) -> object:
    clamp = parameter.name == "limit" and call.interface.simulated and call.state.setting(CLAMP_LIMITS)
    try:
        return parameter.parse(text, clamp=clamp)
    except InvalidValue as error:
        message = str(error) if call.interface.echoes_input else error.expected
        problem = RouteNotFound if not_found else InvalidParameter
        raise problem(message, code=parameter.code) from None


def _refuse_unknown(given: Sequence[str], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            raise InvalidParameter(f"unknown parameter {name[:60]!r}; {suggest_name(name, known)}")
