from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import threading
from datetime import datetime
from typing import Any

import pytest
from conftest import LIMIT, Fake, taken, unavailable, until

from assay_eval import Assay, AssayError


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_turns_are_sent_in_batches_and_an_outcome_after_its_turn(fake: Fake, client: Assay) -> None:
    ids = [client.send({"output": str(n), "started_at": datetime(2026, 1, 1)}) for n in range(3)]
    client.outcome({"id": "o-1", "turn_id": ids[0], "success": True})
    assert client.flush(LIMIT)
    assert [request["path"] for request in fake.requests] == ["/v1/turns", "/v1/outcomes"]
    assert [turn["id"] for turn in fake.turns()] == ids
    assert datetime.fromisoformat(fake.turns()[0]["started_at"]).tzinfo is not None
    assert fake.requests[0]["headers"]["authorization"] == "Bearer asy_test"
    stats = client.stats()
    assert (stats.taken, stats.accepted, stats.queued, stats.requests) == (4, 4, 0, 2)


def test_large_bodies_are_compressed_for_other_machines(fake: Fake) -> None:
    with Assay(fake.url, "asy_test", compression="gzip") as client:
        client.send({"id": "t-1", "output": "long " * 1000})
        assert client.flush(LIMIT)
    (request,) = fake.requests
    assert request["headers"]["content-encoding"] == "gzip"
    assert request["body"]["turns"][0]["id"] == "t-1"


def test_a_refused_connection_is_retried_until_the_server_is_there() -> None:
    retries: list[Any] = []
    port = free_port()
    with Assay(
        f"http://127.0.0.1:{port}", "k", backoff=0.01, max_backoff=0.05, on_retry=retries.append
    ) as client:
        client.send({"output": "x"})
        assert client.flush(0.2) is False
        until(lambda: len(retries) > 1)
        assert retries[0]["status"] is None
        assert client.stats().queued == 1
        client.close(0)
        assert client.stats().dropped["closed"] == 1


def test_503_is_retried_with_the_same_ids_and_never_before_retry_after(fake: Fake) -> None:
    retries: list[Any] = []

    def answer(request: dict[str, Any]) -> Any:
        if len(fake.requests) == 1:
            status, body, _ = unavailable(request)
            return status, body, {"retry-after": "0.3"}
        return taken(request)

    fake.answer = answer
    with Assay(fake.url, "k", backoff=0.01, on_retry=retries.append) as client:
        id = client.send({"output": "x"})
        assert client.flush(LIMIT)
        assert [turn["id"] for turn in fake.turns()] == [id, id]
        assert retries[0]["wait"] >= 0.3
        assert client.stats().accepted == 1


def test_an_answer_that_is_not_from_assay_is_retried(fake: Fake, client: Assay) -> None:
    fake.answer = lambda request: (
        (200, b"<html>", {}) if len(fake.requests) == 1 else taken(request)
    )
    client.send({"output": "x"})
    assert client.flush(LIMIT)
    assert (client.stats().retried, client.stats().accepted) == (1, 1)


def test_a_batch_that_is_too_large_is_halved(fake: Fake, client: Assay) -> None:
    def answer(request: dict[str, Any]) -> Any:
        return (413, {}, {}) if len(request["body"]["turns"]) > 1 else taken(request)

    fake.answer = answer
    for n in range(4):
        client.send({"id": str(n), "output": "x" * 100})
    assert client.flush(LIMIT)
    assert client.stats().accepted == 4


def test_a_final_refusal_is_reported_by_item(
    fake: Fake, caplog: pytest.LogCaptureFixture
) -> None:
    rejections: list[Any] = []

    def answer(_request: dict[str, Any]) -> Any:
        rejected = [{"index": 1, "code": "invalid", "message": "cost_usd"}]
        return 202, {"accepted": 1, "duplicates": 0, "rejected": rejected}, {}

    fake.answer = answer
    with Assay(fake.url, "k", on_reject=rejections.append) as client:
        client.send({"id": "good", "output": "x"})
        client.send({"id": "bad", "output": "x"})
        assert client.flush(LIMIT)
        fake.answer = lambda _request: (403, {"error": {"code": "forbidden", "message": "no"}}, {})
        client.send({"id": "later", "output": "x"})
        assert client.flush(LIMIT)
    assert [(each["id"], each["code"]) for each in rejections] == [
        ("bad", "invalid"),
        ("later", "forbidden"),
    ]
    assert caplog.text.count("rejected") == 2


def test_a_full_queue_drops_the_oldest_with_one_warning(
    fake: Fake, caplog: pytest.LogCaptureFixture
) -> None:
    drops: list[Any] = []
    with caplog.at_level(logging.WARNING, "assay_eval"), Assay(
        fake.url, "k", max_age=3600, max_queue_bytes=300, on_drop=drops.append
    ) as client:
        for n in range(10):
            client.send({"id": f"t-{n}", "output": "x" * 60})
        stats = client.stats()
        assert stats.queued + stats.dropped["queue_full"] == 10
        assert stats.queued_bytes <= 300
        assert client.flush(LIMIT)
        client.send({"output": "x" * 1000})
        assert client.stats().dropped["too_large"] == 1
    sent = [turn["id"] for turn in fake.turns()]
    assert sent[-1] == "t-9"
    assert [each["id"] for each in drops if each["reason"] == "queue_full"] == [
        f"t-{n}" for n in range(10) if f"t-{n}" not in sent
    ]
    assert caplog.text.count("queue_full") == 1


def test_a_slow_server_does_not_delay_the_app(fake: Fake) -> None:
    release = threading.Event()

    def answer(request: dict[str, Any]) -> Any:
        release.wait(LIMIT)
        return taken(request)

    fake.answer = answer
    with Assay(fake.url, "k", max_age=0.01) as client:
        first = client.send({"output": "x"})
        until(lambda: fake.requests)
        # The server has the first batch and does not answer; these return nevertheless.
        others = [client.send({"output": "y"}) for _ in range(100)]
        assert client.stats().queued == 101
        assert client.flush(0.05) is False
        release.set()
        assert client.flush(LIMIT)
    assert [turn["id"] for turn in fake.turns()] == [first, *others]


def test_a_request_that_takes_too_long_is_sent_again(fake: Fake) -> None:
    release = threading.Event()

    def answer(request: dict[str, Any]) -> Any:
        if len(fake.requests) == 1:
            release.wait(LIMIT)
        return taken(request)

    fake.answer = answer
    with Assay(fake.url, "k", request_timeout=0.1, backoff=0.01) as client:
        client.send({"output": "x"})
        assert client.flush(LIMIT)
        assert client.stats().retried >= 1
    release.set()


def test_give_up_after(fake: Fake) -> None:
    fake.answer = unavailable
    with Assay(fake.url, "k", backoff=0.01, max_backoff=0.02, give_up_after=0.05) as client:
        client.send({"output": "x"})
        until(lambda: client.stats().dropped["gave_up"] == 1)
        assert client.stats().queued == 0


def test_nothing_raises_into_the_app(fake: Fake) -> None:
    def broken(_event: Any) -> None:
        raise RuntimeError("a listener of the app")

    with Assay(fake.url, "k", on_reject=broken) as client:
        cycle: dict[str, Any] = {}
        cycle["metadata"] = cycle
        values: list[Any] = [cycle, {"output": object()}, {"cost_usd": float("nan")}, None, 7]
        for value in values:
            assert client.send(value).startswith("t-")
        assert client.stats().rejected == len(values)
        client.send({"output": "lone \ud800"})
        assert client.flush(LIMIT)
        assert client.stats().accepted == 1
    client.send({"output": "after the end"})
    assert client.stats().dropped["closed"] == 1


def test_without_a_key_recording_rejects_and_calls_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSAY_API_KEY", raising=False)
    for client in (Assay(), Assay("ftp://x", "k"), Assay("http://x:port", "k"), Assay(key="ä")):
        client.send({"output": "x"})
        assert client.stats().rejected == 1
        with pytest.raises(AssayError) as error:
            client.verify("integrity", {"output": "x"})
        assert error.value.code == "misconfigured"


CHILD = """
import os, sys
from assay_eval import Assay
client = Assay(sys.argv[1], "k", max_age=3600)
{body}
"""


def run_program(fake: Fake, body: str) -> str:
    program = CHILD.format(body=body)
    done = subprocess.run(
        [sys.executable, "-c", program, fake.url], timeout=LIMIT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_the_rest_is_sent_at_exit(fake: Fake) -> None:
    assert run_program(fake, 'client.send({"id": "last", "output": "x"})') == ""
    assert [turn["id"] for turn in fake.turns()] == ["last"]


def test_an_unavailable_server_does_not_hold_the_exit(fake: Fake) -> None:
    fake.answer = unavailable
    said = run_program(
        fake,
        'client = Assay(sys.argv[1], "k", max_age=3600, exit_flush_timeout=0.2)\n'
        'client.send({"output": "x"})',
    )
    assert len(fake.turns()) >= 1
    assert "dropped a turn: exit" in said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_sends_each_turn_once(fake: Fake) -> None:
    said = run_program(
        fake,
        """
client.send({"id": "parent-before", "output": "x"})
pid = os.fork()
if pid == 0:
    client.send({"id": "child", "output": "x"})
    os._exit(0 if client.flush(30) else 1)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
client.send({"id": "parent-after", "output": "x"})
""",
    )
    assert said == ""
    assert sorted(turn["id"] for turn in fake.turns()) == [
        "child",
        "parent-after",
        "parent-before",
    ]
