from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import inspect
import threading
import time
from typing import Any, Callable, Mapping, Optional

from ._json import to_json

#: Where coroutines run.
Loop = Optional[asyncio.AbstractEventLoop]

_MAX_ERROR_CHARS = 2000


def answer_item(
    task: Callable[[Any], Any],
    item: Mapping[str, Any],
    timeout: float,
    loop: Loop,
    stop: threading.Event,
) -> dict[str, Any]:
    """The members of an output, or its error. The reference stays hidden from the task."""
    shown = {name: value for name, value in item.items() if name != "reference"}
    began = time.monotonic()
    try:
        answered = _in_time(task, shown, timeout, loop, stop)
        latency_ms = round((time.monotonic() - began) * 1000)
        members = {"latency_ms": latency_ms, **_shape_of(answered)}
        if members["output"] is None:
            return {"error": "the task returned nothing"}
        to_json(members)
        return members
    except Exception as error:
        return {"error": (str(error) or type(error).__name__)[:_MAX_ERROR_CHARS]}


def _in_time(
    task: Callable[[Any], Any], item: Any, timeout: float, loop: Loop, stop: threading.Event
) -> Any:
    """Does not wait for a task that takes too long."""
    too_slow = f"no answer within {timeout:g} s"
    if inspect.iscoroutinefunction(task) and loop is not None:
        running = asyncio.run_coroutine_threadsafe(_limited(task(item), timeout, too_slow), loop)
        return _result_of(running, stop)
    result: list[Any] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            result.append(task(item))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(
        target=contextvars.copy_context().run, args=(work,), name="assay-task", daemon=True
    )
    thread.start()
    thread.join(timeout)
    if failure:
        raise RuntimeError(str(failure[0]) or type(failure[0]).__name__)
    if not result:
        raise TimeoutError(too_slow)
    return result[0]


def _result_of(running: concurrent.futures.Future[Any], stop: threading.Event) -> Any:
    while True:
        done, _ = concurrent.futures.wait([running], 0.1)
        if done:
            return running.result()
        if stop.is_set():
            running.cancel()
            raise RuntimeError("it was stopped")


async def _limited(work: Any, timeout: float, too_slow: str) -> Any:
    try:
        return await asyncio.wait_for(work, timeout)
    except asyncio.TimeoutError as error:
        raise TimeoutError(str(error) or too_slow) from error


def _shape_of(answered: Any) -> dict[str, Any]:
    """A mapping with ``output`` may also have the other three; anything else is the output."""
    if not isinstance(answered, Mapping) or "output" not in answered:
        return {"output": answered}
    names = ("output", "tools", "cost_usd", "latency_ms")
    return {
        name: answered[name]
        for name in names
        if name in answered and (name == "output" or answered[name] is not None)
    }
