from __future__ import annotations

import gzip
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Iterator

import pytest

from assay_eval import Assay

#: Only for tests that wait for a signal that never comes.
LIMIT = 60.0


class Fake:
    """A server that answers by a function of each request, and records the requests."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.answer: Callable[[dict[str, Any]], tuple[int, Any, dict[str, str]]] = taken
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                text = self.rfile.read(size)
                if self.headers.get("content-encoding") == "gzip":
                    text = gzip.decompress(text)
                request = {
                    "method": self.command,
                    "path": self.path,
                    "headers": {name.lower(): value for name, value in self.headers.items()},
                    "body": json.loads(text) if text else None,
                }
                fake.requests.append(request)
                status, body, headers = fake.answer(request)
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("content-length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                except OSError:
                    # The client went away.
                    return

            do_GET = do_POST = do_PUT = do_DELETE = handle_any

            def log_message(self, *_args: Any) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def turns(self) -> list[dict[str, Any]]:
        return [
            turn
            for request in self.requests
            if request["path"] == "/v1/turns"
            for turn in request["body"]["turns"]
        ]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def taken(request: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
    body = request["body"]
    count = len(body.get("turns") or body.get("outcomes") or []) if isinstance(body, dict) else 0
    return 202, {"accepted": count, "duplicates": 0, "rejected": []}, {}


def unavailable(_request: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
    error = {"code": "unavailable", "message": "storage is away", "request_id": "req_1"}
    return 503, {"error": error}, {}


def until(holds: Callable[[], Any]) -> Any:
    end = time.monotonic() + LIMIT
    while True:
        value = holds()
        if value:
            return value
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@pytest.fixture
def fake() -> Iterator[Fake]:
    server = Fake()
    yield server
    server.close()


@pytest.fixture
def client(fake: Fake) -> Iterator[Assay]:
    with Assay(fake.url, "asy_test", max_age=0.05, backoff=0.01, max_backoff=0.05) as client:
        yield client


@pytest.fixture(scope="session")
def real() -> Iterator[Assay]:
    """A client of the instance that python.int.test.ts started."""
    assert os.environ.get("ASSAY_URL"), "start these tests with python.int.test.ts"
    with Assay() as client:
        yield client
