from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from conftest import Fake, unavailable

from assay_eval import Assay, AssayError, AsyncAssay
from assay_eval._http import read_retry_after

VERDICT = {"id": "ver_1", "state": "settled", "outcome": "passed"}


def test_errors_have_code_fields_and_request_id(fake: Fake, client: Assay) -> None:
    error = {
        "code": "invalid_request",
        "message": "no",
        "details": [{"path": "tags.0", "message": "must be a string"}],
        "request_id": "req_7",
    }
    fake.answer = lambda _request: (400, {"error": error}, {})
    with pytest.raises(AssayError) as caught:
        client.verify("integrity", {"output": "x"})
    raised = caught.value
    assert (raised.code, raised.status, raised.request_id) == ("invalid_request", 400, "req_7")
    assert raised.details == error["details"]
    assert str(raised) == "invalid_request: no (tags.0: must be a string; request req_7)"


def test_a_call_is_retried_with_one_idempotency_key(fake: Fake, client: Assay) -> None:
    def answer(request: dict[str, Any]) -> Any:
        return unavailable(request) if len(fake.requests) < 3 else (201, {"id": "l-1"}, {})

    fake.answer = answer
    assert client.label({"turn_id": "t-1", "verdict": "fail"}) == {"id": "l-1"}
    assert len({each["headers"]["idempotency-key"] for each in fake.requests}) == 1
    assert len({each["body"]["id"] for each in fake.requests}) == 1


def test_a_call_ends_with_the_last_answer_or_unreachable(fake: Fake) -> None:
    fake.answer = unavailable
    with pytest.raises(AssayError) as caught:
        # The pause is longer than the rest of the time.
        Assay(fake.url, "k", backoff=60, max_backoff=60).call("GET", "/v1/datasets", timeout=20)
    assert (caught.value.code, caught.value.status) == ("unavailable", 503)
    away = Assay("http://127.0.0.1:1", "k", backoff=60, max_backoff=60)
    with pytest.raises(AssayError) as caught:
        away.call("GET", "/v1/datasets", timeout=20)
    assert (caught.value.code, caught.value.status) == ("unreachable", None)


def test_other_servers_and_redirects_are_no_answer(fake: Fake, client: Assay) -> None:
    fake.answer = lambda _request: (200, b"hello", {})
    with pytest.raises(AssayError, match="not an Assay server"):
        client.datasets().__next__()
    fake.answer = lambda _request: (302, b"", {"location": "/other"})
    with pytest.raises(AssayError) as caught:
        client.dataset("x")
    assert caught.value.code == "http_302"
    assert len(fake.requests) == 2


def test_a_pending_verdict_is_awaited_by_the_same_call(fake: Fake, client: Assay) -> None:
    pending = {**VERDICT, "state": "pending", "outcome": None}
    fake.answer = lambda _request: (200, pending if len(fake.requests) == 1 else VERDICT, {})
    assert client.verify("task", {"task_output": "x"})["state"] == "settled"
    first, second = (request["body"] for request in fake.requests)
    assert first["id"] == second["id"]
    assert first["mode"] == "sync"
    fake.answer = lambda _request: (202, pending, {})
    assert client.verify("task", {"task_output": "x"}, wait=False)["state"] == "pending"
    assert fake.requests[-1]["body"]["mode"] == "async"
    assert client.verify("task", {"task_output": "x"}, timeout=0.1)["state"] == "pending"


def test_a_list_is_read_page_by_page(fake: Fake, client: Assay) -> None:
    def answer(_request: dict[str, Any]) -> Any:
        is_last = len(fake.requests) == 2
        return 200, {"data": [len(fake.requests)], "next_cursor": None if is_last else "c"}, {}

    fake.answer = answer
    assert list(client.verifications(from_="2026-01-01T00:00:00Z", kind="task")) == [1, 2]
    assert "from=2026" in fake.requests[0]["path"]
    assert "cursor=c" in fake.requests[1]["path"]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [(None, None), ("2", 2.0), ("0.5", 0.5), ("soon", None), ("9999", 300.0), ("-1", None)],
)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert read_retry_after(value) == seconds


def test_retry_after_as_a_date() -> None:
    assert read_retry_after("Thu, 01 Jan 1970 00:00:00 GMT") == 0.0
    assert read_retry_after("Fri, 01 Jan 2100 00:00:00 GMT") == 300.0


def test_async_calls_do_not_block_the_loop(fake: Fake) -> None:
    release = threading.Event()

    def answer(_request: dict[str, Any]) -> Any:
        release.wait(60)
        return 200, VERDICT, {}

    fake.answer = answer

    async def main() -> None:
        async with AsyncAssay(fake.url, "k") as client:
            calls = [
                asyncio.ensure_future(client.verify("integrity", {"output": str(n)}))
                for n in range(20)
            ]
            while len(fake.requests) < 20:
                await asyncio.sleep(0.01)
            release.set()
            assert [each["outcome"] for each in await asyncio.gather(*calls)] == ["passed"] * 20
            fake.answer = lambda _request: (200, {"data": [1, 2], "next_cursor": None}, {})
            assert [each async for each in client.datasets()] == [1, 2]
            fake.answer = lambda _request: (404, {"error": {"code": "not_found"}}, {})
            with pytest.raises(AssayError):
                await client.dataset("none")

    asyncio.run(main())


def test_a_cancelled_async_call_ends_at_once(fake: Fake) -> None:
    release = threading.Event()

    def answer(_request: dict[str, Any]) -> Any:
        release.wait(60)
        return 200, VERDICT, {}

    fake.answer = answer

    async def main() -> None:
        client = AsyncAssay(fake.url, "k")
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.verify("integrity", {"output": "x"}), 0.05)

    asyncio.run(main())
    release.set()
