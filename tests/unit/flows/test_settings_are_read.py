"""Every setting changes something: what nobody reads is refused, and every field of a configuration has a reader."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from flows.runs.cells import resolve_cell
from flows.settings import Settings, load_settings
from skills_repo.agent_settings import AgentSettings
from tasks.drafting.cli_agents import records as agents
from tasks.drafting.records import Cell, Limits
from tasks.drafting.stage import options_of, runtime_names
from tasks.judging import profiles as judges
from tasks.matter.failures import SolonError
from tasks.models import routing
from tasks.models.profile import ModelProfile

ROOT = Path(__file__).parents[3]
# Fields that no attribute reads, each with who does.
READ_OTHERWISE = {
    "Settings.ray_address": "flows/runs/plan.py: the address of the plane in force, by its name",
    "Settings.dask_address": "flows/runs/plan.py: the address of the plane in force, by its name",
    "ModelProfile.schema_version": "what a later layout is told apart by",
}


def kinds() -> Iterator[type[BaseModel]]:
    """Yield the records that somebody writes a configuration in."""
    yield from (Settings, Cell, Limits, ModelProfile, routing.Route, routing.RoutingRule, AgentSettings)
    for module in (agents, judges):
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if issubclass(kind, BaseModel) and kind.__module__ == module.__name__ and kind is not agents.ProgramFound:
                yield kind


def sources() -> Iterator[str]:
    for folder in ("flows", "tasks", "skills_repo"):
        yield from (p.read_text(encoding="utf-8") for p in sorted((ROOT / folder).rglob("*.py")))


@lru_cache(maxsize=1)
def unread() -> frozenset[str]:
    """Return the fields that no attribute reads; what a record reads of itself counts, for a validator acts.

    A file is parsed only where it names a field that was not found before.
    """
    left = {field for kind in kinds() for field in kind.model_fields}
    for text in sources():
        if left & set(re.findall(r"\.\s*(\w+)", text)):
            nodes = ast.walk(ast.parse(text))
            left -= {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)}
    return frozenset(left)


def options_read() -> set[str]:
    """Return the names of options that code looks up in a cell."""
    found = set()
    for node in (node for text in sources() if ".options" in text for node in ast.walk(ast.parse(text))):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="options"), attr="get"), args=[first, *_]):
                named: ast.expr = first
            case ast.Compare(left=first, ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute(attr="options")]):
                named = first
            case _:
                continue
        if isinstance(named, ast.Constant):
            found.add(str(named.value))
    return found


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_every_field_of_a_configuration_has_a_reader(kind: type[BaseModel]) -> None:
    named = {f"{kind.__name__}.{field}" for field in kind.model_fields if field in unread()}
    assert named == {name for name in READ_OTHERWISE if name.startswith(f"{kind.__name__}.")}


def test_every_option_that_code_looks_up_is_one_that_a_cell_may_have() -> None:
    taken = {option for name in runtime_names() for option in options_of(name)}
    assert options_read() <= taken
    assert taken - options_read() <= {"mechanisms", "opening", "method", "parts", "checklist"}  # under a name of theirs


def cell(tmp_path: Path, table: dict[str, Any]) -> Cell:
    (tmp_path / "solon.toml").write_text('[models.m]\nmodel = "openai/x"\n')
    settings = load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})
    return resolve_cell("c", settings.model_copy(update={"cells": {"c": table}}))


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ({"runtime": "extractive", "options": {"sandbx": "any"}}, "sandbx is no option of the runtime extractive"),
        ({"runtime": "extractive", "options": {"method": "agent"}}, "method is no option"),
        ({"runtime": "extractive", "options": {"salt": "x"}}, "salt is no option"),
        ({"runtime": "api", "profile": "m", "options": {"checklist": "case"}}, "checklist is no option"),
        ({"runtime": "guided", "profile": "m", "options": {"mechanisms": {"landing": True}}}, "no place in the"),
        ({"runtime": "codex", "profile": "m", "options": {"mechanisms": {"reassembly": True}}}, "no place in the"),
        (
            {"runtime": "extractive", "profile": "m"},
            "asks no model here, and the model profile 'm' would",
        ),
        ({"runtime": "interrogator", "effort": "high"}, "and the effort 'high' would change nothing"),
    ],
)
def test_what_would_change_nothing_is_refused_with_what_there_is(
    tmp_path: Path, table: dict[str, Any], named: str
) -> None:
    with pytest.raises(SolonError, match=named) as told:
        cell(tmp_path, table)
    assert told.value.failure.remedy


@pytest.mark.parametrize(
    "table",
    [
        {"runtime": "api", "profile": "m", "effort": "low", "options": {"salt": "x", "resources": {"llm_slot": 1}}},
        {"runtime": "extract", "profile": "m", "options": {"method": "chunks", "parts": "groups", "checklist": "case"}},
        {"runtime": "basic", "profile": "m", "options": {"mechanisms": {"landing": False}, "opening": "whole"}},
        {"runtime": "interrogator", "profile": "m", "effort": "low"},
        {"runtime": "extractive", "options": {"without_tools": ["search"]}},
    ],
)
def test_what_is_read_is_taken(tmp_path: Path, table: dict[str, Any]) -> None:
    assert cell(tmp_path, table).options.items() >= table.get("options", {}).items()
