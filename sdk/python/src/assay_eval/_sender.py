from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from collections import deque
from dataclasses import replace
from typing import Any, Callable, Deque, Mapping

from ._errors import error_of, parse_object
from ._http import Answer, Fault, backoff, exchange, is_retryable
from ._queue import Item, QueueLimits, Stats
from ._settings import Settings, logger

Listener = Callable[[Mapping[str, Any]], object]


class Sender:
    """Sends queued items in order from a daemon thread, one request at a time.

    Every item ends in exactly one count, and no method raises or waits for the network.
    """

    def __init__(
        self,
        settings: Settings,
        limits: QueueLimits,
        listeners: Mapping[str, Listener | None],
    ) -> None:
        self._settings = settings
        self._limits = limits
        self._listeners = listeners
        self._warned: set[str] = set()
        self._closed = False
        self._reset()
        _senders.add(self)

    def _reset(self) -> None:
        """Also after a fork: the parent sends its own items, and its thread is not in the child."""
        self._lock = threading.Condition(threading.Lock())
        self._queue: Deque[Item] = deque()
        self._flying: list[Item] = []
        self._bytes = 0
        self._stats = Stats()
        self._thread: threading.Thread | None = None
        self._flushers = 0
        self._finished = 0
        self._offered = 0
        self._attempt = 0
        self._failing_since = 0.0
        self._not_before = 0.0
        self._hurry = False
        self._pause_asked = False
        #: Halved when the server, or a proxy in front of it, refuses a batch as too large.
        self._max_bytes = self._limits.max_batch_bytes

    def stats(self) -> Stats:
        with self._lock:
            counts = replace(self._stats, dropped=dict(self._stats.dropped))
            counts.queued = len(self._queue) + len(self._flying)
            counts.queued_bytes = self._bytes
            return counts

    def offer(self, route: str, id: str, text: str) -> None:
        item = Item(route, id, text, len(text.encode("utf-8", "replace")), time.monotonic())
        dropped: list[tuple[Item, str]] = []
        with self._lock:
            self._stats.taken += 1
            if self._closed:
                dropped.append((item, "closed"))
            elif item.size > self._limits.max_queue_bytes:
                dropped.append((item, "too_large"))
            else:
                while self._queue and self._bytes + item.size > self._limits.max_queue_bytes:
                    oldest = self._queue.popleft()
                    self._bytes -= oldest.size
                    self._finished += 1
                    dropped.append((oldest, "queue_full"))
                if self._bytes + item.size > self._limits.max_queue_bytes:
                    # All the rest is in flight.
                    dropped.append((item, "queue_full"))
                else:
                    self._queue.append(item)
                    self._bytes += item.size
                    self._offered += 1
                    self._start()
                    if len(self._queue) == 1 or self._is_full():
                        self._lock.notify_all()
            for _, reason in dropped:
                self._stats.dropped[reason] += 1
        self._report_drops(dropped)

    def reject(self, route: str, id: str, code: str, message: str) -> None:
        """For an item that is never sent."""
        with self._lock:
            self._stats.taken += 1
            self._stats.rejected += 1
        self._report_rejection(route, id, code, message)

    def _report_rejection(self, route: str, id: str, code: str, message: str) -> None:
        self._warn(code, "Assay rejected a %s (%s: %s)", _kind(route), code, message)
        self._notify(
            "on_reject", {"kind": _kind(route), "id": id, "code": code, "message": message}
        )

    def flush(self, timeout: float) -> bool:
        """Whether the server has answered for all items queued so far."""
        end = time.monotonic() + timeout
        with self._lock:
            target = self._offered
            self._flushers += 1
            self._hurry = True
            self._lock.notify_all()
            try:
                while self._finished < target and not self._closed:
                    left = end - time.monotonic()
                    if left <= 0:
                        return False
                    self._lock.wait(left)
                return self._finished >= target
            finally:
                self._flushers -= 1

    def close(self, timeout: float, reason: str = "closed") -> bool:
        """Flushes, drops the rest and accepts nothing more."""
        done = self.flush(timeout)
        with self._lock:
            self._closed = True
            rest = [*self._flying, *self._queue]
            self._queue.clear()
            self._flying = []
            self._bytes = 0
            self._stats.dropped[reason] += len(rest)
            self._lock.notify_all()
        self._report_drops([(item, reason) for item in rest])
        return done

    def at_exit(self) -> None:
        is_flushed = self._limits.flush_on_exit
        self.close(self._limits.exit_flush_timeout if is_flushed else 0.0, "exit")

    def _start(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            thread = threading.Thread(target=self._run, name="assay-sender", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                # No thread can start while the interpreter ends; the next item tries again.
                return
            self._thread = thread

    def _is_full(self) -> bool:
        return len(self._queue) >= self._limits.max_batch_items or self._bytes >= self._max_bytes

    def _run(self) -> None:
        while True:
            try:
                batch = self._next_batch()
                if batch is None:
                    return
                self._send(batch)
            except Exception:
                # A defect here must not end the thread, nor reach the app.
                logger.debug("sending turns failed", exc_info=True)
                self._give_back_after_defect()

    def _give_back_after_defect(self) -> None:
        with self._lock:
            flying, self._flying = self._flying, []
            self._queue.extendleft(reversed(flying))
            self._not_before = time.monotonic() + self._settings.max_backoff

    def _next_batch(self) -> list[Item] | None:
        with self._lock:
            while True:
                if self._closed:
                    return None
                if not self._queue:
                    self._lock.wait()
                    continue
                pause = self._pause(time.monotonic())
                if pause > 0:
                    self._lock.wait(pause)
                    continue
                self._flying = self._take()
                return self._flying

    def _pause(self, now: float) -> float:
        if now < self._not_before:
            if not self._hurry or self._pause_asked:
                return self._not_before - now
            # One attempt per flush: an unavailable server is not called in a loop.
            self._hurry = False
            return 0.0
        if self._flushers > 0 or self._is_full():
            return 0.0
        return self._queue[0].taken_at + self._limits.max_age - now

    def _take(self) -> list[Item]:
        batch: list[Item] = []
        size = 0
        while self._queue and len(batch) < self._limits.max_batch_items:
            item = self._queue[0]
            if batch and (item.route != batch[0].route or size + item.size > self._max_bytes):
                break
            batch.append(self._queue.popleft())
            size += item.size
        return batch

    def _send(self, batch: list[Item]) -> None:
        route = batch[0].route
        body = f'{{"{route}":[{",".join(item.text for item in batch)}]}}'
        with self._lock:
            self._stats.requests += 1
        answer = exchange(
            self._settings,
            "POST",
            f"/v1/{route}",
            body,
            timeout=self._settings.request_timeout,
        )
        if isinstance(answer, Fault):
            return self._retry(batch, None, answer.message, None)
        if 200 <= answer.status <= 299:
            return self._settle(batch, answer)
        error = error_of(answer.text, answer.status)
        if is_retryable(answer.status):
            return self._retry(batch, answer.status, error.message, answer.retry_after)
        if answer.status == 413 and len(batch) > 1:
            with self._lock:
                self._max_bytes = max(1, sum(item.size for item in batch) // 2)
                self._put_back(batch)
            return None
        if self._claim(batch, rejected=len(batch)):
            for item in batch:
                self._report_rejection(route, item.id, error.code, error.message)
            self._finish(batch)
        return None

    def _settle(self, batch: list[Item], answer: Answer) -> None:
        """A reply that does not add up is not from Assay: the batch is sent again."""
        reply = parse_object(answer.text) or {}
        accepted, duplicates, rejected = (
            reply.get(name) for name in ("accepted", "duplicates", "rejected")
        )
        if (
            not isinstance(accepted, int)
            or not isinstance(duplicates, int)
            or not isinstance(rejected, list)
            or accepted + duplicates + len(rejected) != len(batch)
        ):
            message = "the answer does not come from the Assay API"
            return self._retry(batch, answer.status, message, None)
        if not self._claim(batch, accepted, duplicates, len(rejected)):
            return None
        for each in rejected:
            entry = each if isinstance(each, dict) else {}
            index = entry.get("index")
            is_known = isinstance(index, int) and 0 <= index < len(batch)
            self._report_rejection(
                batch[0].route,
                batch[index].id if isinstance(index, int) and is_known else "",
                str(entry.get("code", "rejected")),
                str(entry.get("message", "")),
            )
        return self._finish(batch)

    def _claim(
        self, batch: list[Item], accepted: int = 0, duplicates: int = 0, rejected: int = 0
    ) -> bool:
        """Counts an answered batch; False if it was dropped while it was in flight."""
        with self._lock:
            if self._flying is not batch:
                return False
            self._flying = []
            self._bytes -= sum(item.size for item in batch)
            self._stats.accepted += accepted
            self._stats.duplicates += duplicates
            self._stats.rejected += rejected
            self._attempt = 0
            self._not_before = 0.0
            return True

    def _finish(self, batch: list[Item]) -> None:
        """After the listeners: a caller of `flush` then knows all rejections."""
        with self._lock:
            self._finished += len(batch)
            self._lock.notify_all()

    def _put_back(self, batch: list[Item]) -> None:
        if self._flying is batch:
            self._flying = []
            self._queue.extendleft(reversed(batch))

    def _retry(
        self, batch: list[Item], status: int | None, message: str, retry_after: float | None
    ) -> None:
        now = time.monotonic()
        limit = self._limits.give_up_after
        with self._lock:
            if self._attempt == 0:
                self._failing_since = now
            gives_up = limit is not None and now - self._failing_since >= limit
            if not gives_up:
                self._attempt += 1
                self._stats.retried += 1
                wait = backoff(self._settings, self._attempt, retry_after)
                self._not_before = now + wait
                self._pause_asked = bool(retry_after)
                attempt = self._attempt
                self._put_back(batch)
        if gives_up:
            if self._claim(batch):
                with self._lock:
                    self._stats.dropped["gave_up"] += len(batch)
                self._report_drops([(item, "gave_up") for item in batch])
                self._finish(batch)
            return
        self._notify(
            "on_retry", {"attempt": attempt, "wait": wait, "status": status, "message": message}
        )

    def _report_drops(self, dropped: list[tuple[Item, str]]) -> None:
        for item, reason in dropped:
            self._warn(reason, "Assay dropped a %s: %s", _kind(item.route), reason)
            self._notify("on_drop", {"kind": _kind(item.route), "id": item.id, "reason": reason})

    def _warn(self, code: str, message: str, *values: object) -> None:
        """One warning per reason; `stats()` has the counts."""
        if code not in self._warned:
            self._warned.add(code)
            logger.warning(message + "; further ones are only counted", *values)

    def _notify(self, name: str, event: Mapping[str, Any]) -> None:
        listener = self._listeners.get(name)
        if listener is None:
            return
        try:
            listener(event)
        except Exception:
            logger.debug("a listener raised", exc_info=True)


def _kind(route: str) -> str:
    return "turn" if route == "turns" else "outcome"


_senders: weakref.WeakSet[Sender] = weakref.WeakSet()


def _after_fork() -> None:
    for sender in list(_senders):
        sender._reset()


def _at_exit() -> None:
    for sender in list(_senders):
        sender.at_exit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)
