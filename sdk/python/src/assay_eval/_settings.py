from __future__ import annotations

import logging
import os
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

logger = logging.getLogger("assay_eval")

DEFAULT_URL = "http://localhost:4318"


@dataclass(frozen=True)
class Settings:
    url: str
    #: Not in tracebacks and logs.
    key: str = field(repr=False)
    #: Why nothing can be sent; None if the settings are usable.
    misconfigured: str | None
    is_loopback: bool
    request_timeout: float
    backoff: float
    max_backoff: float
    compress: bool


def read_settings(
    url: str | None,
    key: str | None,
    *,
    request_timeout: float = 30.0,
    backoff: float = 0.2,
    max_backoff: float = 15.0,
    compression: str | None = None,
) -> Settings:
    """Never raises: a client that cannot send reports that at its first use."""
    address = str(url or os.environ.get("ASSAY_URL") or DEFAULT_URL).strip().rstrip("/")
    secret = str(key or os.environ.get("ASSAY_API_KEY") or "").strip()
    host = _host_of(address)
    is_loopback = host is not None and (host in ("localhost", "::1") or host.startswith("127."))
    return Settings(
        url=address,
        key=secret,
        misconfigured=_why_unusable(host, secret),
        is_loopback=is_loopback,
        request_timeout=request_timeout,
        backoff=backoff,
        max_backoff=max_backoff,
        compress=(compression or ("none" if is_loopback else "gzip")) == "gzip",
    )


def _host_of(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts.hostname if parts.scheme in ("http", "https") else None


def _why_unusable(host: str | None, key: str) -> str | None:
    if not host:
        return "the url is not the address of an HTTP server"
    if key == "":
        return "there is no API key: pass `key`, or set ASSAY_API_KEY"
    if re.fullmatch(r"[\x21-\x7e]+", key) is None:
        return "the API key has invalid characters"
    return None
