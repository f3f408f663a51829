from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import pathlib
import uuid
from typing import Any


def to_json(value: Any) -> str:
    """JSON text.

    Raises ValueError or TypeError for what JSON cannot express: NaN, a cycle, an unknown class.
    """
    text = json.dumps(value, default=_plain, allow_nan=False, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # Lone surrogates can be written only as escapes.
        return json.dumps(value, default=_plain, allow_nan=False)
    return text


def _plain(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        # Without a time zone it is local time; the API needs one.
        return (value.astimezone() if value.tzinfo is None else value).isoformat()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, (uuid.UUID, pathlib.PurePath)):
        return str(value)
    if isinstance(value, (set, frozenset)):
        return list(value)
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return dump(mode="json")
    raise TypeError(f"{type(value).__name__} is not JSON")


def to_plain(value: Any) -> Any:
    """The value as JSON; parts that JSON cannot express become their ``repr``."""
    try:
        return json.loads(json.dumps(value, default=_plain_or_repr, allow_nan=False))
    except Exception:
        return _repr_of(value)


def _plain_or_repr(value: Any) -> Any:
    try:
        return _plain(value)
    except Exception:
        return _repr_of(value)


def _repr_of(value: Any) -> str:
    try:
        return repr(value)[:2000]
    except Exception:
        return f"<{type(value).__name__}>"
