from __future__ import annotations

import email.utils
import gzip
import http.client
import random
import re
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any, Mapping
from urllib.parse import urlencode

from ._errors import AssayError, error_of, parse_object
from ._json import to_json
from ._settings import Settings

#: Every other response is final, as in OTLP/HTTP.
_RETRYABLE = frozenset((429, 502, 503, 504))
_LONGEST_WAIT = 300.0
#: Below this size, gzip costs more than it saves.
_MIN_GZIP_BYTES = 1024


@dataclass(frozen=True)
class Answer:
    status: int
    text: str
    retry_after: float | None


@dataclass(frozen=True)
class Fault:
    """No answer, or an incomplete one: the server may or may not have acted."""

    message: str


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirected POST would arrive as a GET, or at another server."""

    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


def exchange(
    settings: Settings,
    method: str,
    path: str,
    body: str | bytes | None = None,
    *,
    timeout: float,
    headers: Mapping[str, str] | None = None,
) -> Answer | Fault:
    """One request. Never raises: a failure is a return value."""
    sent = {"authorization": f"Bearer {settings.key}", "user-agent": "assay-eval-python"}
    data: bytes | None = None
    if body is not None:
        data = body.encode("utf-8") if isinstance(body, str) else body
        sent["content-type"] = "application/json"
        if settings.compress and len(data) >= _MIN_GZIP_BYTES:
            data = gzip.compress(data, 6)
            sent["content-encoding"] = "gzip"
    sent.update(headers or {})
    end = time.monotonic() + timeout
    try:
        request = urllib.request.Request(settings.url + path, data, sent, method=method)
        # A proxy of the environment cannot reach a server on this machine.
        proxies = [urllib.request.ProxyHandler({})] if settings.is_loopback else []
        opener = urllib.request.build_opener(_NoRedirect, *proxies)
        try:
            response = opener.open(request, timeout=max(0.001, timeout))
        except urllib.error.HTTPError as error:
            response = error
        with response:
            raw = _read_until(response, end, timeout)
            return Answer(
                int(response.status or 0),
                raw.decode("utf-8", "replace"),
                read_retry_after(response.headers.get("retry-after")),
            )
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        return Fault(str(reason) or type(error).__name__)


def _read_until(response: Any, end: float, timeout: float) -> bytes:
    """The socket's timeout restarts with each byte of a slow server."""
    chunks: list[bytes] = []
    while True:
        chunk = response.read1(65536) if hasattr(response, "read1") else response.read(65536)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        if time.monotonic() > end:
            raise OSError(f"no complete answer within {timeout:g} s")


def is_retryable(status: int) -> bool:
    return status in _RETRYABLE


def read_retry_after(value: str | None) -> float | None:
    """``Retry-After`` in seconds; None if it is missing or unreadable."""
    if value is None:
        return None
    text = value.strip()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        seconds = float(text)
    else:
        try:
            seconds = email.utils.parsedate_to_datetime(text).timestamp() - time.time()
        except (TypeError, ValueError, IndexError):
            return None
    return min(max(seconds, 0.0), _LONGEST_WAIT)


def backoff(settings: Settings, attempt: int, retry_after: float | None) -> float:
    """Doubles with each failure; its upper half is random; never below the server's request."""
    full = min(settings.max_backoff, settings.backoff * 2.0 ** min(attempt - 1, 30))
    return max(retry_after or 0.0, full / 2 + full / 2 * random.random())


def ask(
    settings: Settings,
    method: str,
    path: str,
    body: Any = None,
    *,
    query: Mapping[str, Any] | None = None,
    timeout: float | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """An answer of any status but those that are retried until ``timeout``.

    An ``Idempotency-Key`` makes a repeated POST one request. Raises AssayError without an answer.
    """
    if settings.misconfigured is not None:
        raise AssayError("misconfigured", settings.misconfigured)
    try:
        text = None if body is None else body if isinstance(body, str) else to_json(body)
    except (TypeError, ValueError, RecursionError) as error:
        raise AssayError("not_json", f"the body is not JSON: {error}") from error
    named = {name: value for name, value in (query or {}).items() if value is not None}
    if named:
        path = f"{path}?{urlencode(named)}"
    sent = dict(headers or {})
    if method == "POST":
        sent.setdefault("idempotency-key", str(uuid.uuid4()))
    end = time.monotonic() + (settings.request_timeout if timeout is None else timeout)
    attempt = 0
    last: Answer | None = None
    while True:
        attempt += 1
        left = max(0.001, end - time.monotonic())
        tried = exchange(settings, method, path, text, timeout=left, headers=sent)
        if isinstance(tried, Answer) and not is_retryable(tried.status):
            return tried
        last = tried if isinstance(tried, Answer) else last
        after = tried.retry_after if isinstance(tried, Answer) else None
        pause = backoff(settings, attempt, after)
        if time.monotonic() + pause >= end:
            if last is not None:
                return last
            message = tried.message if isinstance(tried, Fault) else ""
            raise AssayError(
                "unreachable",
                f"{settings.url} does not answer ({message}); check `url` or ASSAY_URL, "
                "and that the server is running",
            )
        time.sleep(pause)


def call(
    settings: Settings, method: str, path: str, body: Any = None, **how: Any
) -> dict[str, Any]:
    """The body of a 2xx answer. Raises AssayError for any other."""
    answer = ask(settings, method, path, body, **how)
    if not 200 <= answer.status <= 299:
        raise error_of(answer.text, answer.status)
    reply = parse_object(answer.text)
    if reply is None:
        raise AssayError(
            "unreachable",
            f"{settings.url} answers, but it is not an Assay server; check `url` or ASSAY_URL",
            status=answer.status,
        )
    return reply
