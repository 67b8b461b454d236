"""What the model layer itself says to a model, as files: none of the harness, because it follows from the endpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from skills_repo.template import PromptTemplate, load_templates


@lru_cache(maxsize=1)
def _prompts() -> Mapping[str, PromptTemplate]:
    return load_templates(files("tasks.models").joinpath("prompts"), {"schema": ("schema",)})


def schema_in_words(schema: Mapping[str, Any]) -> str:
    """Return the request for a JSON object of a schema, for endpoints that take no schema."""
    return _prompts()["schema"].filled(schema=json.dumps(schema, ensure_ascii=False))
