"""The types of the columns: what a row of the warehouse may hold."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BeforeValidator, Field, StringConstraints

LABEL_LIMIT = 1_024  # characters of a name or an id: longer ones are cut, never refused
PROSE_LIMIT = 20_000  # characters of prose: longer ones are cut, never refused


def _shortened(limit: int) -> BeforeValidator:
    """Cut text that would bloat the warehouse; the run directory keeps the whole."""

    def shorten(value: Any) -> Any:
        return value[: limit - 1] + "…" if isinstance(value, str) and len(value) > limit else value

    return BeforeValidator(shorten)


Name = Annotated[str, StringConstraints(min_length=1, max_length=4096)]
Label = Annotated[str, _shortened(LABEL_LIMIT)]
Prose = Annotated[str, _shortened(PROSE_LIMIT)]
Count = Annotated[int, Field(ge=0, le=10**15)]
Money = Annotated[float, Field(ge=0, le=1e9)]
Seconds = Annotated[float, Field(ge=0, le=1e9)]
# Wide enough for a machine whose clock was never set, and within what every reader of the warehouse can hold.
EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
Moment = Annotated[AwareDatetime, Field(ge=EARLIEST, lt=LATEST)]


CostSource = Literal["reported", "priced", "none"]
Outcome = Literal["finished", "circled", "failed", "timeout", "budget"]
ReleaseStatus = Literal["released", "released_with_open_asks", "released_with_flags", "not_answered", "blocked", ""]
VerdictStatus = Literal["pass", "fail", "unscored"]
