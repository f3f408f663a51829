from __future__ import annotations

import json
from typing import Any


class AssayError(Exception):
    """A call that awaits an answer failed. Recording never raises it.

    ``code`` is the server's code, or ``unreachable``, ``misconfigured``, ``not_json``, ``invalid``.
    ``status`` is None if there was no answer. ``details`` has one entry per refused field, with
    ``path`` and ``message``. ``request_id`` finds the request in the server's log.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        details: list[dict[str, str]] | None = None,
        request_id: str | None = None,
    ) -> None:
        self.code = code
        self.message = message
        self.status = status
        self.details = details or []
        self.request_id = request_id
        super().__init__(message)

    def __str__(self) -> str:
        fields = [f"{each.get('path')}: {each.get('message')}" for each in self.details]
        where = [] if self.request_id is None else [f"request {self.request_id}"]
        more = "; ".join(fields + where)
        text = f"{self.code}: {self.message}"
        return f"{text} ({more})" if more else text


def error_of(text: str, status: int) -> AssayError:
    """The error of a response; for other responses (a proxy's page) their status."""
    reply = parse_object(text) or {}
    error = reply.get("error")
    members: dict[str, Any] = error if isinstance(error, dict) else {}
    details = members.get("details")
    return AssayError(
        str(members.get("code") or f"http_{status}"),
        str(members.get("message") or f"The server answered with the status {status}."),
        status=status,
        details=[each for each in details if isinstance(each, dict)]
        if isinstance(details, list)
        else [],
        request_id=members.get("request_id"),
    )


def parse_object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
