"""One reader of the tables ``[retrieval]`` and ``[retrieval.X]`` of the file that is in force."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from tasks.models.loading import MODELS_VARIABLE, first_problem, misuse, read_toml

Read = TypeVar("Read")


def read_table(name: str, read: Callable[[dict[str, Any]], Read], source: Path | None) -> Read:
    """Return what ``read`` makes of a table of a TOML file; of an empty one where no file or table is there.

    Args:
        name: ``retrieval``, or ``retrieval.`` and the name of a part of it.
        read: Takes the table, its own copy; raises ValueError for what it cannot understand.
        source: The file; the one that ``SOLON_MODELS`` names when None.

    Raises:
        SolonError: The file or the table cannot be understood.
    """
    named = str(source or os.environ.get(MODELS_VARIABLE, ""))
    if not named:
        return read({})
    try:
        table: Any = read_toml(Path(named))
        for part in name.split("."):
            table = table.get(part, {})
        return read(dict(table))
    except (ValidationError, TypeError, ValueError, AttributeError) as error:
        message = f"The table cannot be understood: {first_problem(error)}."
        raise misuse(name, message, f"Correct [{name}] in {named}.") from error
