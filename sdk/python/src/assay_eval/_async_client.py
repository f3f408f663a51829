from __future__ import annotations

import asyncio
import contextvars
import threading
from typing import (
    Any,
    AsyncIterator,
    Callable,
    Iterator,
    Mapping,
    Sequence,
    TypeVar,
    cast,
    overload,
)

from ._client import Assay, Recorder
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
    Override,
    SubjectWork,
    SynthesisWork,
    TaskWork,
    TurnAuditWork,
    Verification,
)

T = TypeVar("T")


class AsyncAssay(Recorder):
    """The same client for asyncio: methods that wait for an answer are coroutines.

    Their requests run in daemon threads of their own, so that long waits for verdicts do not use
    up the threads of the app's default executor.
    """

    def __init__(
        self, url: str | None = None, key: str | None = None, *, max_calls: int = 64, **options: Any
    ) -> None:
        super().__init__(url, key, **options)
        # Shares its settings and queue with this client.
        self._sync = Assay.__new__(Assay)
        self._sync.__dict__.update(self.__dict__)
        self._slots = threading.BoundedSemaphore(max_calls)

    async def __aenter__(self) -> AsyncAssay:
        return self

    async def __aexit__(self, *_error: Any) -> None:
        await self.close()

    async def flush(self, timeout: float = 10.0) -> bool:
        """Sends everything queued; False if the time was not enough. It drops nothing."""
        return await in_thread(lambda: self._sync.flush(timeout))

    async def close(self, timeout: float = 10.0) -> bool:
        """Flushes, drops the rest, and accepts nothing afterwards."""
        return await in_thread(lambda: self._sync.close(timeout))

    async def _run(self, work: Callable[[], T]) -> T:
        def limited() -> T:
            with self._slots:
                return work()

        return await in_thread(limited)

    async def call(
        self, method: str, path: str, body: Any = None, **how: Any
    ) -> dict[str, Any]:
        """Any route of the HTTP API, retried while that may help."""
        return await self._run(lambda: self._sync.call(method, path, body, **how))

    async def pages(
        self, path: str, query: Mapping[str, Any] | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        """All entries of a list, page by page."""
        async for entry in self._each(self._sync.pages(path, query)):
            yield entry

    async def _each(self, entries: Iterator[T]) -> AsyncIterator[T]:
        end = object()
        while True:
            entry = await self._run(lambda: next(entries, end))
            if entry is end:
                return
            yield cast(T, entry)

    @overload
    async def verify(
        self, kind: IntegrityKind, work: IntegrityWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    async def verify(
        self, kind: TaskKind, work: TaskWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    async def verify(
        self, kind: CodeKind, work: CodeWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    async def verify(
        self,
        kind: ConsistencyKind,
        work: ConsistencyWork,
        *,
        timeout: float = ...,
        wait: bool = ...,
    ) -> Verification: ...

    @overload
    async def verify(
        self, kind: MissionKind, work: MissionWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    async def verify(
        self,
        kind: DecompositionKind,
        work: DecompositionWork,
        *,
        timeout: float = ...,
        wait: bool = ...,
    ) -> Verification: ...

    @overload
    async def verify(
        self,
        kind: AgentOutputKind,
        work: AgentOutputWork,
        *,
        timeout: float = ...,
        wait: bool = ...,
    ) -> Verification: ...

    @overload
    async def verify(
        self, kind: SynthesisKind, work: SynthesisWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    async def verify(
        self, kind: TurnKind, work: TurnAuditWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    @overload
    async def verify(
        self, kind: str, work: SubjectWork, *, timeout: float = ..., wait: bool = ...
    ) -> Verification: ...

    async def verify(
        self, kind: str, work: Mapping[str, Any], *, timeout: float = 120.0, wait: bool = True
    ) -> Verification:
        """Verifies work and waits for its verdict; after ``timeout`` it may be ``pending``.

        ``kind`` is a built-in kind or the name of a verifier of the project. The work's ``id``
        makes repeated calls one verification. With ``wait=False`` it returns at once.
        """
        verify = cast(Callable[..., Verification], self._sync.verify)
        return await self._run(lambda: verify(kind, work, timeout=timeout, wait=wait))

    async def contract(self, request: str, *, model: str | None = None) -> dict[str, Any]:
        """The obligations of a request for code; ``prompt_block`` is the text for the model."""
        return await self._run(lambda: self._sync.contract(request, model=model))

    async def verification(self, id: str) -> Verification:
        return await self._run(lambda: self._sync.verification(id))

    def verifications(self, **filters: Any) -> AsyncIterator[Verification]:
        """Newest first; filters as of ``GET /v1/verifications`` (``from_`` for ``from``)."""
        return self._each(self._sync.verifications(**filters))

    async def override(self, verification_id: str, ruling: Override) -> dict[str, Any]:
        """A person's ruling on a verdict."""
        return await self._run(lambda: self._sync.override(verification_id, ruling))

    async def label(self, label: Label) -> dict[str, Any]:
        return await self._run(lambda: self._sync.label(label))

    def datasets(self) -> AsyncIterator[dict[str, Any]]:
        return self._each(self._sync.datasets())

    async def dataset(self, slug: str) -> dict[str, Any]:
        return await self._run(lambda: self._sync.dataset(slug))

    async def put_dataset(
        self, slug: str, *, name: str | None = None, description: str = ""
    ) -> dict[str, Any]:
        """Creates a dataset, or changes its name and description."""
        return await self._run(
            lambda: self._sync.put_dataset(slug, name=name, description=description)
        )

    async def add_items(
        self, slug: str, items: Sequence[NewItem], *, mode: str = "append"
    ) -> dict[str, Any]:
        """Stores items as the next version; ``mode`` ``replace`` removes all others."""
        return await self._run(lambda: self._sync.add_items(slug, items, mode=mode))

    async def items(
        self,
        slug: str,
        *,
        version: int | None = None,
        split: str | None = None,
        tag: str | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """The items of a version; of the latest by default."""
        entries = await self._run(
            lambda: self._sync.items(slug, version=version, split=split, tag=tag)
        )
        async for entry in self._each(entries):
            yield entry

    async def delete_dataset(self, slug: str) -> dict[str, Any]:
        return await self._run(lambda: self._sync.delete_dataset(slug))


async def in_thread(work: Callable[[], T]) -> T:
    """Runs work in a daemon thread; a cancelled caller does not wait for it."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: Any, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def run() -> None:
        result: Any = None
        failure: BaseException | None = None
        try:
            result = context.run(work)
        except BaseException as error:
            failure = error
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:
            # The loop was closed meanwhile.
            return

    threading.Thread(target=run, name="assay-call", daemon=True).start()
    return await done
