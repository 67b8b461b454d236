"""A tool as an agent sees it, and what a call shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from tasks.drafting.agent.tools.schemas import compact, first_sentence
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.sources.records import Span


class Arguments(BaseModel):
    """Arguments of one of our own tools; unknown arguments are refused."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Shown:
    """What a call shows the model.

    Attributes:
        served: Stretches of documents that the text shows.
        counted: What LAB counts of it, by LAB's name; empty for nothing.
    """

    text: str
    failed: bool = False
    served: tuple[Span, ...] = ()
    counted: str = ""


class AgentTool(Protocol):
    """One thing that an agent may do."""

    @property
    def name(self) -> str:
        """Name under which it is called."""
        ...

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the arguments, with a ``description``."""
        ...

    def call(self, arguments: Mapping[str, Any]) -> Shown:
        """Do it.

        Raises:
            SolonError: It cannot be done; the model is told the failure.
        """
        ...


@dataclass(frozen=True)
class OwnTool:
    """A tool of the agent: a model of its arguments, and the function, whose docstring the agent reads."""

    name: str
    arguments: type[Arguments]
    run: Callable[[Any], Shown]

    def schema(self) -> dict[str, Any]:
        """Return the schema of the arguments."""
        return {**_schema(self.arguments), "description": " ".join((self.run.__doc__ or "").split())}

    def call(self, arguments: Mapping[str, Any]) -> Shown:
        """Check the arguments and run."""
        try:
            given = self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "arguments"
            known = ", ".join(self.arguments.model_fields)
            raise refused(self.name, f"{where}: {first['msg']}", f"its arguments are {known}") from None
        return self.run(given)


@cache
def _schema(arguments: type[Arguments]) -> Mapping[str, Any]:
    return arguments.model_json_schema()


def definition(name: str, schema: Mapping[str, Any], brief: bool) -> dict[str, Any]:
    """Return a tool as a model is offered it, in the OpenAI form.

    Args:
        name: Of the tool.
        schema: Of its arguments, with a ``description``.
        brief: For a small window: one sentence, and the arguments by name and type alone.
    """
    said = str(schema.get("description", ""))
    told = {"name": name, "description": first_sentence(said) if brief else said}
    return {"type": "function", "function": {**told, "parameters": compact(schema, described=not brief)}}


def refused(subject: str, message: str, remedy: str = "") -> SolonError:
    """Return the failure for a call that cannot be carried out as asked."""
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="agent", subject=subject[:300], message=message, remedy=remedy)
    )
