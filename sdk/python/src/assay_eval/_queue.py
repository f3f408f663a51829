from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Item:
    route: str
    id: str
    text: str
    size: int
    taken_at: float


@dataclass
class Stats:
    """``taken`` = ``queued`` + ``accepted`` + ``duplicates`` + ``rejected`` + all ``dropped``."""

    taken: int = 0
    #: Waiting or in flight, and their bytes of JSON.
    queued: int = 0
    queued_bytes: int = 0
    accepted: int = 0
    #: Items that the server already had: a retry whose first answer was lost.
    duplicates: int = 0
    rejected: int = 0
    requests: int = 0
    retried: int = 0
    dropped: dict[str, int] = field(
        default_factory=lambda: {
            "queue_full": 0,
            "too_large": 0,
            "gave_up": 0,
            "closed": 0,
            "exit": 0,
        }
    )


@dataclass(frozen=True)
class QueueLimits:
    max_batch_items: int = 500
    max_batch_bytes: int = 4 * 1024 * 1024
    max_age: float = 1.0
    max_queue_bytes: int = 64 * 1024 * 1024
    give_up_after: float | None = None
    flush_on_exit: bool = True
    exit_flush_timeout: float = 5.0
