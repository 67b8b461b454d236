"""What every row of the knowledge is, and the patterns that rows hold."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict


@lru_cache(maxsize=16_384)
def cue(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of the knowledge, blind to case, once for each process.

    The catalogue holds thousands of patterns, more than the interpreter remembers.
    """
    return re.compile(pattern, re.IGNORECASE)


def _compiles(pattern: str) -> str:
    """Return a regular expression that compiles."""
    try:
        cue(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{pattern!r} is not a valid regular expression: {error}") from error
    return pattern


Expression = Annotated[str, AfterValidator(_compiles)]


class KnowledgeRow(BaseModel):
    """A frozen row that rejects unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
