from __future__ import annotations

import math
import time
import uuid
from typing import Any, Callable, Iterator, Mapping, Sequence, TypeVar, cast, overload
from urllib.parse import quote

from . import _http
from ._errors import AssayError
from ._json import to_json
from ._record import Record, Recording, record_function, record_tool
from ._queue import QueueLimits, Stats
from ._sender import Listener, Sender
from ._settings import logger, read_settings
from .kinds import (
    AgentOutputKind,
    CodeKind,
    ConsistencyKind,
    DecompositionKind,
    IntegrityKind,
    MissionKind,
    SynthesisKind,
    TaskKind,
    TurnKind,
)
from .wire import (
    AgentOutputWork,
    CodeWork,
    ConsistencyWork,
    DecompositionWork,
    IntegrityWork,
    Label,
    MissionWork,
    NewItem,
    OutcomeReport,
    Override,
    SubjectWork,
    SynthesisWork,
    TaskWork,
    Turn,
    TurnAuditWork,
    Verification,
)

F = TypeVar("F", bound=Callable[..., Any])

#: The longest wait of one verify call; the same call is repeated until the caller's timeout.
_LONGEST_WAIT = 30.0
_PAUSE = 0.25


class Recorder:
    """What both clients have in common: recording, which never waits and never raises."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        max_batch_items: int = 500,
        max_batch_bytes: int = 4 * 1024 * 1024,
        max_age: float = 1.0,
        max_queue_bytes: int = 64 * 1024 * 1024,
        request_timeout: float = 30.0,
        backoff: float = 0.2,
        max_backoff: float = 15.0,
        give_up_after: float | None = None,
        compression: str | None = None,
        flush_on_exit: bool = True,
        exit_flush_timeout: float = 5.0,
        on_reject: Listener | None = None,
        on_drop: Listener | None = None,
        on_retry: Listener | None = None,
    ) -> None:
        self._settings = read_settings(
            url,
            key,
            request_timeout=request_timeout,
            backoff=backoff,
            max_backoff=max_backoff,
            compression=compression,
        )
        self._sender = Sender(
            self._settings,
            QueueLimits(
                max_batch_items=max_batch_items,
                max_batch_bytes=max_batch_bytes,
                max_age=max_age,
                max_queue_bytes=max_queue_bytes,
                give_up_after=give_up_after,
                flush_on_exit=flush_on_exit,
                exit_flush_timeout=exit_flush_timeout,
            ),
            {"on_reject": on_reject, "on_drop": on_drop, "on_retry": on_retry},
        )
        #: Called with the id of each turn that is sent.
        self._watchers: list[Callable[[str], object]] = []

    @property
    def url(self) -> str:
        return self._settings.url

    def send(self, turn: Turn) -> str:
        """Queues a turn and returns its id at once."""
        id = self._take("turns", "t", turn)
        for watcher in self._watchers:
            watcher(id)
        return id

    def outcome(self, report: OutcomeReport) -> str:
        """Queues a report of whether a turn, a verification or a subject succeeded in the end."""
        return self._take("outcomes", "o", report)

    def record(self, **members: Any) -> Record:
        """A block whose ``output`` and tools become a turn. ``members`` are those of a turn."""
        return Record(self._send_recorded, members)

    @overload
    def turn(self, function: F) -> F: ...

    @overload
    def turn(
        self,
        function: None = None,
        *,
        read_input: Callable[..., Any] | None = None,
        read_output: Callable[[Any], Any] | None = None,
        **members: Any,
    ) -> Callable[[F], F]: ...

    def turn(
        self,
        function: Any = None,
        *,
        read_input: Callable[..., Any] | None = None,
        read_output: Callable[[Any], Any] | None = None,
        **members: Any,
    ) -> Any:
        """Decorates a function, coroutine or generator whose result is an answer.

        ``read_input`` gets the arguments and returns the turn's input; ``read_output`` gets the
        result, or all that a generator yielded, and returns the answer. ``members`` are those of a
        turn, such as ``model``, ``session_id`` and ``tags``.
        """
        recording = Recording(self._send_recorded, members, read_input, read_output)
        if function is not None:
            return record_function(function, recording)
        return lambda decorated: record_function(decorated, recording)

    @overload
    def tool(self, function: F) -> F: ...

    @overload
    def tool(self, function: None = None, *, name: str | None = None) -> Callable[[F], F]: ...

    def tool(self, function: Any = None, *, name: str | None = None) -> Any:
        """Decorates a function whose calls are tool calls of the current turn."""
        if function is not None:
            return record_tool(function, name)
        return lambda decorated: record_tool(decorated, name)

    def stats(self) -> Stats:
        return self._sender.stats()

    def _send_recorded(self, turn: Mapping[str, Any]) -> str:
        return self.send(cast(Turn, turn))

    def _take(self, route: str, prefix: str, value: Mapping[str, Any]) -> str:
        id = new_id(value, prefix)
        try:
            if self._settings.misconfigured is not None:
                code, message = "misconfigured", self._settings.misconfigured
                self._sender.reject(route, id, code, message)
                return id
            try:
                text = to_json({**value, "id": id})
            except Exception as error:
                self._sender.reject(route, id, "not_json", str(error))
                return id
            self._sender.offer(route, id, text)
        except Exception:
            logger.debug("%s could not be queued", id, exc_info=True)
        return id


def new_id(value: Any, prefix: str) -> str:
    """The app's own id, or a new one."""
    try:
        given = value.get("id")
    except Exception:
        given = None
    if given is None or given == "":
        return f"{prefix}-{uuid.uuid4()}"
    return str(given)


class Assay(Recorder):
    """The client of Assay. ``url`` and ``key`` default to ``ASSAY_URL`` and ``ASSAY_API_KEY``.

    ``send``, ``outcome``, ``turn``, ``tool`` and ``record`` never raise and never wait. The others
    wait for an answer and raise AssayError.
    """

    def __enter__(self) -> Assay:
        return self

    def __exit__(self, *_error: Any) -> None:
        self.close()

    def flush(self, timeout: float = 10.0) -> bool:
        """Sends everything queued; False if the time was not enough. It drops nothing."""
        return self._sender.flush(timeout)

    def close(self, timeout: float = 10.0) -> bool:
        """Flushes, drops the rest, and accepts nothing afterwards."""
        return self._sender.close(timeout)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> dict[str, Any]:
        """Any route of the HTTP API, retried while that may help."""
        headers = {} if idempotency_key is None else {"idempotency-key": idempotency_key}
        return _http.call(
            self._settings, method, path, body, query=query, timeout=timeout, headers=headers
        )

    def pages(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """All entries of a list, page by page."""
        cursor: str | None = None
        while True:
            page = self.call("GET", path, query={"limit": 200, **(query or {}), "cursor": cursor})
            yield from page.get("data") or []
            cursor = page.get("next_cursor")
            if cursor is None:
                return

    @overload
    def verify(
        self, kind: IntegrityKind, work: IntegrityWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    def verify(
        self, kind: TaskKind, work: TaskWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    def verify(
        self, kind: CodeKind, work: CodeWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    def verify(
        self,
        kind: ConsistencyKind,
        work: ConsistencyWork,
        *,
        timeout: float = ...,
        wait: bool = ...,
    ) -> Verification: ...

    @overload
    def verify(
        self, kind: MissionKind, work: MissionWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    def verify(
        self,
        kind: DecompositionKind,
        work: DecompositionWork,
        *,
        timeout: float = ...,
        wait: bool = ...,
    ) -> Verification: ...

    @overload
    def verify(
        self,
        kind: AgentOutputKind,
        work: AgentOutputWork,
        *,
        timeout: float = ...,
        wait: bool = ...,
    ) -> Verification: ...

    @overload
    def verify(
        self, kind: SynthesisKind, work: SynthesisWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    def verify(
        self, kind: TurnKind, work: TurnAuditWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    def verify(
        self, kind: str, work: SubjectWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    def verify(
        self, kind: str, work: Mapping[str, Any], *, timeout: float = 120.0, wait: bool = True
    ) -> Verification:
        """Verifies work and waits for its verdict; after ``timeout`` it may be ``pending``.

        ``kind`` is a built-in kind or the name of a verifier of the project. The work's ``id``
        makes repeated calls one verification. With ``wait=False`` it returns at once.
        """
        calls = max(1, math.ceil(timeout / _LONGEST_WAIT))
        body: dict[str, Any] = {
            **work,
            "id": new_id(work, "v"),
            "mode": "sync" if wait else "async",
            # The same in all calls: another body under one id is a conflict.
            "wait_ms": max(1, int(timeout / calls * 1000)),
        }
        path = f"/v1/verify/{quote(kind, safe='')}"
        end = time.monotonic() + timeout
        while True:
            left = max(0.0, end - time.monotonic())
            reply = self.call("POST", path, body, timeout=left + 5.0)
            if not isinstance(reply.get("id"), str) or not isinstance(reply.get("state"), str):
                raise AssayError("unreachable", "the answer does not come from the Assay API")
            if reply["state"] != "pending" or not wait or time.monotonic() + _PAUSE >= end:
                return cast(Verification, reply)
            time.sleep(_PAUSE)

    def contract(self, request: str, *, model: str | None = None) -> dict[str, Any]:
        """The obligations of a request for code; ``prompt_block`` is the text for the model."""
        body = {"request": request, **({} if model is None else {"model": model})}
        return self.call("POST", "/v1/contracts", body)

    def verification(self, id: str) -> Verification:
        return cast(Verification, self.call("GET", f"/v1/verifications/{quote(id, safe='')}"))

    def verifications(self, **filters: Any) -> Iterator[Verification]:
        """Newest first; filters as of ``GET /v1/verifications`` (``from_`` for ``from``)."""
        return cast(Iterator[Verification], self.pages("/v1/verifications", _named(filters)))

    def override(self, verification_id: str, ruling: Override) -> dict[str, Any]:
        """A person's ruling on a verdict."""
        path = f"/v1/verifications/{quote(verification_id, safe='')}/overrides"
        return self.call("POST", path, {**ruling, "id": new_id(ruling, "r")})

    def label(self, label: Label) -> dict[str, Any]:
        return self.call("POST", "/v1/labels", {**label, "id": new_id(label, "l")})

    def datasets(self) -> Iterator[dict[str, Any]]:
        return self.pages("/v1/datasets")

    def dataset(self, slug: str) -> dict[str, Any]:
        return self.call("GET", _dataset(slug))

    def put_dataset(
        self, slug: str, *, name: str | None = None, description: str = ""
    ) -> dict[str, Any]:
        """Creates a dataset, or changes its name and description."""
        return self.call(
            "PUT", _dataset(slug), {"name": name or slug, "description": description}
        )

    def add_items(
        self, slug: str, items: Sequence[NewItem], *, mode: str = "append"
    ) -> dict[str, Any]:
        """Stores items as the next version; ``mode`` ``replace`` removes all others."""
        path = f"{_dataset(slug)}/items"
        return self.call("POST", path, {"items": list(items)}, query={"mode": mode})

    def items(
        self,
        slug: str,
        *,
        version: int | None = None,
        split: str | None = None,
        tag: str | None = None,
    ) -> Iterator[dict[str, Any]]:
        """The items of a version; of the latest by default."""
        number = self.dataset(slug)["version"] if version is None else version
        path = f"{_dataset(slug)}/versions/{number}/items"
        return self.pages(path, {"split": split, "tag": tag})

    def delete_dataset(self, slug: str) -> dict[str, Any]:
        return self.call("DELETE", _dataset(slug))


def _dataset(slug: str) -> str:
    return f"/v1/datasets/{quote(slug, safe='')}"


def _named(filters: Mapping[str, Any]) -> dict[str, Any]:
    """``from`` is a keyword of Python."""
    return {name.rstrip("_"): value for name, value in filters.items()}
