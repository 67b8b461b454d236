"""What the model layer itself says to a model, as files: none of the harness, because it follows from the endpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from skills_repo.template import PromptTemplate, load_templates

_SLOTS = {
    "schema": ("schema",),
    "check_repeat": (),
    "check_tool": ("document", "section"),
    "check_json": ("clause",),
    "check_context": ("lease",),
}


@lru_cache(maxsize=1)
def _prompts() -> Mapping[str, PromptTemplate]:
    return load_templates(files("tasks.models").joinpath("prompts"), _SLOTS)


def schema_in_words(schema: Mapping[str, Any]) -> str:
    """Return the request for a JSON object of a schema, for endpoints that take no schema."""
    return _prompts()["schema"].filled(schema=json.dumps(schema, ensure_ascii=False))


def check_prompt(name: str, **values: str) -> str:
    """Return a question of the check whether a model can be evaluated: repeat, tool, json or context."""
    return _prompts()[f"check_{name}"].filled(**values)
