"""Judge profiles: who judges, how often, by which rule: ``[judges.X]`` of solon.toml, and shorthands for usual ones.

A profile belongs to judging and not to the harness: no learner sees or edits it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from tasks.judging.checklist.asking import prompts_version as checklist_prompts_version
from tasks.judging.checklist.definition import rules_version
from tasks.judging.prompt_files import prompts_version
from tasks.matter.base import Record, content_hash
from tasks.matter.code import code_version
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.access import ModelAccess
from tasks.models.loading import first_problem, joint_digest, read_toml, resolve_profile
from tasks.models.profile import ModelProfile
from tasks.sources.texts import extractor_version

Rule = Literal["all", "majority"]
_OF_MODELS = ("rule", "votes", "temperature", "batch", "canaries")
_COMPARES = tuple(f"tasks.judging.checklist.{module}" for module in ("comparing", "filled_in", "offline", "verdicts"))
_SHORTHANDS = (
    "anchor, model:<profile>, model:<one>,<other>, anchor+model:<profile>, checklist or checklist+model:<profile>"
)


def _ladder(seat: Any) -> Any:
    return (seat,) if isinstance(seat, str) else seat


Seat = Annotated[tuple[str, ...], BeforeValidator(_ladder), Field(min_length=1, max_length=2)]
"""One judge of a panel: a model profile, or a small one and the larger one that is asked where the small one fails."""


class JudgeProfile(Record):
    """One way to judge: a table ``[judges.<name>]`` of solon.toml."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    name: str
    """As ``--judge``, ``--profile`` and every score name it."""
    anchors: bool = False
    """Criteria that carry anchors are judged by them, without a model."""
    checklist: bool = False
    """The reference checklist of the matter judges (docs/gavel.md), not its criteria. The first seat reads work
    products, the last one compares values. Without a seat only filled checklists can be read."""
    seats: tuple[Seat, ...] = ()
    """The judges: chat profiles, each by its name or as ``["small", "large"]``."""
    rule: Rule = Field(default_factory=lambda given: "majority" if len(given.get("seats", ())) > 2 else "all")
    """Seats that must pass a criterion: ``all`` (usual for one and two) or the ``majority`` (usual for more)."""
    votes: int = Field(default=1, ge=1, le=9)
    """How often each seat is asked; its majority is its vote."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """Sampling temperature of every model; each model's own where left out."""
    batch: int = Field(default=16, ge=1, le=64)
    """Criteria in one call at most."""
    canaries: bool = True
    """Criteria whose answers are known go with every batch, and a wrong answer to one voids it."""

    @model_validator(mode="after")
    def _can_judge(self) -> JudgeProfile:
        """Refuse a panel that nobody sits on, or one voice that would count twice."""
        if self.checklist:
            return self._can_compare()
        if not self.seats and not self.anchors:
            raise ValueError('nobody judges: name models in seats, e.g. seats = ["local"], or set anchors = true')
        if not self.seats and (idle := sorted(self.model_fields_set & set(_OF_MODELS))):
            raise ValueError(f"{idle[0]} acts on models alone: name them in seats, or leave it out")
        first = [seat[0] for seat in self.seats]
        if twice := [seat[0] for n, seat in enumerate(self.seats) if seat[0] in first[:n]]:
            raise ValueError(f"{twice[0]} would sit twice: to ask a model several times, set votes")
        if any(len(set(seat)) < len(seat) for seat in self.seats):
            raise ValueError("a ladder leads to another, larger model: the two of a seat are the same")
        return self

    def _can_compare(self) -> JudgeProfile:
        """Refuse for a checklist what only criteria are judged by."""
        if self.anchors or len(self.seats) > 2 or any(len(seat) > 1 for seat in self.seats):
            raise ValueError(
                "a checklist has no anchors, and two seats without ladders at most: who reads, who compares"
            )
        if given := sorted(self.model_fields_set & set(_OF_MODELS)):
            raise ValueError(f"{given[0]} is of criteria, and a checklist judges none")
        return self

    @property
    def models(self) -> tuple[str, ...]:
        """The model profiles of all seats, once each."""
        return tuple(dict.fromkeys(model for seat in self.seats for model in seat))


def judge_profile(name: str, access: ModelAccess) -> JudgeProfile:
    """Return the judge profile of a name: a table ``[judges.X]``, or one of the shorthands.

    Args:
        name: ``anchor``, ``model:<profile>``, ``model:<one>,<other>`` (both must pass), ``anchor+model:<profile>``,
            ``checklist``, ``checklist+model:<profile>``, ``checklist+model:<reads>,<compares>``, or the name of a
            table.
        access: Which models there are, and where the tables stand.

    Raises:
        SolonError: There is none of this name, it cannot be understood, or it names what is no chat profile.
    """
    table = judge_tables(access.source)
    return _configured(name, table[name], access) if name in table else _shorthand(name, table, access)


def judge_tables(source: Path | Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the tables ``[judges.X]`` of a solon.toml or of a mapping, by name.

    Raises:
        SolonError: ``judges`` is no table of tables.
    """
    found = (read_toml(source) if isinstance(source, Path) else source or {}).get("judges", {})
    if not isinstance(found, Mapping) or not all(isinstance(fields, Mapping) for fields in found.values()):
        raise _misuse("judges", "judges is not a table of profiles.", "Write [judges.<name>] in solon.toml.")
    return found


def judge_version(profile: JudgeProfile, access: ModelAccess) -> str:
    """Return the content hash (12 hex digits) of all that decides the verdicts of a profile.

    That is its models with their temperature, the prompts, the code that reads deliverables and, where it uses them,
    the anchors, the rule, votes, batch and canaries. Scores of two versions are not comparable, whatever their names.
    """
    models = {
        model: joint_digest(*(resolve_profile(model, access.profiles)))  # how a seat overrides them stands below
        for model in profile.models
    }
    unused = {"name"} if profile.seats and not profile.checklist else {"name", *_OF_MODELS}
    shape = profile.model_dump(mode="json", exclude=unused if profile.checklist else {*unused, "checklist"})
    parts = {
        "profile": shape,
        "models": [[models[model] for model in seat] for seat in profile.seats],
        "prompts": judge_prompts_version(profile),
        "extractor": extractor_version(),
        "anchors": code_version("tasks.judging.anchors") if profile.anchors else "",
    }
    if profile.checklist:  # which checklist it is, the matter says, and the version of each score
        parts["checklist"] = [code_version(*_COMPARES), rules_version()]
    return content_hash(parts)[:12]


def judge_prompts_version(profile: JudgeProfile) -> str:
    """Return the content hash of the prompts that a profile's models are asked with; empty where it has none."""
    if not profile.seats:
        return ""
    return checklist_prompts_version() if profile.checklist else prompts_version()


def models_asked(profile: JudgeProfile, access: ModelAccess) -> tuple[ModelProfile, ...]:
    """Return the chat profiles that a judge asks, each followed by its fallbacks.

    Raises:
        SolonError: One of them is no chat profile.
    """
    found = (resolve_profile(model, access.profiles) for model in profile.models)
    return tuple(p for model, fallbacks in found for p in (model, *fallbacks))


def _configured(name: str, fields: Mapping[str, Any], access: ModelAccess) -> JudgeProfile:
    remedy = f"Correct [judges.{name}] in {access.source if isinstance(access.source, Path) else 'solon.toml'}."
    if name in {"anchor", "checklist"} or ":" in name:
        raise _misuse(name, "A judge of this name is built in.", f"Choose another name for [judges.{name}].")
    try:
        profile = JudgeProfile.model_validate({**fields, "name": name})
    except ValidationError as error:
        said = first_problem(error, JudgeProfile.model_fields)
        raise _misuse(name, f"[judges.{name}] cannot be understood: {said}.", remedy) from error
    _require_models(profile, access, f"[judges.{name}] asks")
    return profile


def _shorthand(name: str, table: Mapping[str, Any], access: ModelAccess) -> JudgeProfile:
    head, _, tail = name.strip().partition(":")
    models = tuple(part.strip() for part in tail.split(",") if part.strip())
    if head in {"anchor", ""} and not tail:
        return JudgeProfile(name="anchor", anchors=True)
    if head == "checklist" and not tail:
        return JudgeProfile(name="checklist", checklist=True)
    if head == "checklist+model" and 0 < len(models) <= 2 and len(set(models)) == len(models):
        return JudgeProfile(name=name.strip(), checklist=True, seats=tuple((model,) for model in models))
    if head in {"model", "anchor+model"} and 0 < len(models) <= 2 and len(set(models)) == len(models):
        seats = tuple((model,) for model in models)
        return JudgeProfile(name=name.strip(), anchors=head.startswith("anchor"), seats=seats, canaries=False)
    chat = sorted(n for n, p in access.profiles.items() if p.kind == "chat")
    own = f"one of [judges.X] ({', '.join(sorted(table))}), " if table else ""
    remedy = f"Use {own}{_SHORTHANDS}, where <profile> is one of: {', '.join(chat)}."
    raise _misuse(name, "No such judge profile.", remedy)


def _require_models(profile: JudgeProfile, access: ModelAccess, who: str) -> None:
    for model in profile.models:
        try:
            resolve_profile(model, access.profiles)
        except SolonError as error:
            raise _misuse(profile.name, f"{who} {model}: {error.failure.message}", error.failure.remedy) from error


def _misuse(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="judging", subject=subject, message=message, remedy=remedy)
    )
