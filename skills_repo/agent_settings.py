"""What ``agent.toml`` says: how much an agent is told at the opening and by a tool, and when it goes in circles."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from skills_repo.schema import PARTS, SkillError

FILE: Final = "agent.toml"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Opening(_Strict):
    """One size of the opening."""

    parts: tuple[str, ...] = Field(description="Parts of the skill's body that are told.")
    every_tool: bool = Field(description="Whether all tools are offered, in full words; else a few, in a line each.")
    leads: int = Field(ge=0, le=100, description="Authorities and deadline regimes of the harness that are told.")
    documents: int = Field(ge=1, le=2000, description="Documents that are listed.")
    first_words: int = Field(ge=0, le=1000, description="Characters of the beginning of each document in the list.")

    @model_validator(mode="after")
    def _has_known_parts(self) -> Opening:
        if strange := [name for name in self.parts if name not in PARTS]:
            raise ValueError(f"no skill has a part {strange[0]!r}")
        return self


class ExtractionSettings(_Strict):
    """How a checklist is filled from a long case."""

    read_most: int = Field(ge=100, le=100_000, description="Tokens that one reading of a document may show.")
    context_least: int = Field(ge=1, le=10_000, description="Tokens around a hit of a search, at least.")
    context_most: int = Field(ge=1, le=10_000, description="And at most.")
    hits: int = Field(ge=1, le=400, description="Hits that one search may show.")
    calls_whole: int = Field(ge=1, le=100, description="Last calls that are told whole.")
    calls_brief: int = Field(ge=0, le=1000, description="Calls before them that are told in a line each.")
    chunk: int = Field(ge=100, le=1_000_000, description="Tokens of a chunk, where documents are read one by one.")
    head: float = Field(ge=0, le=1, description="Of a document that is cut to fit, the share that is its beginning.")
    tries: int = Field(ge=1, le=5, description="Times that one question is asked, where a reply cannot be taken.")

    @model_validator(mode="after")
    def _is_a_range(self) -> ExtractionSettings:
        if self.context_least > self.context_most:
            raise ValueError("context_least is above context_most")
        return self


class AgentSettings(_Strict):
    """The whole file."""

    share: float = Field(gt=0, lt=1, description="Share of the prompt that opening and tools may take, at most.")
    few_tools: tuple[str, ...] = Field(
        min_length=1, description="Tools that are offered where not all are, beside those that the skill demands."
    )
    openings: dict[str, Opening] = Field(min_length=1, description="Sizes of the opening, the fullest first.")
    result_share: float = Field(gt=0, lt=1, description="Share of the prompt that one result of a tool may take.")
    result_most: int = Field(ge=1000, description="Characters that one result may have, whatever the window.")
    same_result: int = Field(ge=2, le=20, description="One call with one result, so often in a row, is a circle.")
    same_error: int = Field(ge=2, le=20, description="And one error of one tool so often in a row.")
    same_rounds: int = Field(ge=2, le=20, description="And a few calls in turn, so many times.")
    round_calls: int = Field(ge=2, le=20, description="How many calls these are at most.")
    last_turns: int = Field(ge=1, le=50, description="Turns that are left after a second circle, to deliver.")
    last_call: float = Field(gt=0, lt=1, description="Share of a limit past which the model is told to deliver.")
    extraction: ExtractionSettings = Field(description="How a checklist is filled from a long case.")


def parse_agent(text: str) -> AgentSettings:
    """Validate the text of ``agent.toml``.

    Raises:
        SkillError: No TOML, an unknown setting, a value out of range, or one left out.
    """
    try:
        return AgentSettings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SkillError(f"{FILE}: is no TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise SkillError(f"{FILE}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def load_agent(folder: Path) -> AgentSettings:
    """Return the settings of ``folder/agent.toml``.

    Raises:
        SkillError: The file is missing or breaks its schema.
    """
    path = folder / FILE
    if not path.is_file():
        raise SkillError(f"{FILE}: is missing")
    return parse_agent(path.read_text(encoding="utf-8"))
