"""What every row of the warehouse is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, field_validator

from warehouse.columns import CostSource, Count, Money

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Row(BaseModel):
    """A row that can land.

    Attributes:
        table: The table it lands in.
        key: Columns that identify the row.
        owner: Columns that identify the thing the row belongs to; empty for a table that is a set of rows.
        parent: Table that must hold the row's ``attempt_id`` before the row can land; empty for none.
        since: Columns that came after version 1 of the record, with the version that brought them. Rows of two
            versions are compared by the columns that both knew, and what the earlier did not know is filled in.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    table: ClassVar[str]
    key: ClassVar[tuple[str, ...]]
    owner: ClassVar[tuple[str, ...]] = ()
    parent: ClassVar[str] = ""
    since: ClassVar[Mapping[str, int]] = MappingProxyType({})

    schema_version: int = 1

    @field_validator("schema_version")
    @classmethod
    def _known(cls, value: int) -> int:
        """Refuse a row of a later version: what its columns mean may have changed."""
        latest = cls.model_fields["schema_version"].default
        if not 1 <= value <= latest:
            raise ValueError(f"this version knows up to {latest}; land it with the version that wrote it")
        return value

    @field_validator("*", mode="before")
    @classmethod
    def _storable(cls, value: Any) -> Any:
        """Replace what neither UTF-8 nor Parquet can hold: model output may contain anything."""
        return _UNSTORABLE.sub("\ufffd", value) if isinstance(value, str) else value


class UsageRow(Row):
    """A row with usage. Token columns are disjoint; reasoning tokens are a subset of ``output``."""

    input_uncached: Count = 0
    cache_read: Count = 0
    cache_write: Count = 0
    output: Count = 0
    calls: Count = 0
    cost_usd: Money = 0.0
    cost_source: CostSource = "none"
