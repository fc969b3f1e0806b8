"""The cases, in groups."""

from collections.abc import Mapping

from tools.conformance.case import Case
from tools.conformance.cases import answers, chunks, connections, fields, lengths, request_line, targets

GROUPS: Mapping[str, tuple[Case, ...]] = {
    "Request line": request_line.CASES,
    "Forms of the target": targets.FORMS,
    "Host": targets.HOSTS,
    "Header fields": fields.CASES,
    "Content-Length": lengths.LENGTHS,
    "Transfer-Encoding": lengths.CODINGS,
    "Chunks": chunks.CASES,
    "Connections": connections.PERSISTENCE,
    "Expect and Upgrade": connections.EXPECTATIONS,
    "Answers": answers.CASES,
    "Limits": answers.LIMITS,
}
