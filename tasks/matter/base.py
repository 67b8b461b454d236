"""The base of every record that crosses a stage boundary."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen record that rejects unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def content_hash(value: Any) -> str:
    """Hash JSON-able content or records to 64 hex digits, independent of key order."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    data = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()
