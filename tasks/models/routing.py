"""Routes: which of several profiles solves a matter, by its area and kind of work, its length, and what is wanted.

A cell names a route where it would name a profile: ``api:route:house``. The route is resolved once for each attempt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from tasks.matter.base import Record, content_hash
from tasks.matter.usage import Usage
from tasks.models.loading import first_problem, joint_digest, misuse, read_toml, resolve_profile
from tasks.models.profile import ModelProfile

PREFIX = "route:"
ROUTE_NAME = "route.json"


class RoutingRule(Record):
    """For which matters a route asks for something else than usual. What is left out holds for all."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    area: str = "*"
    """Practice area of the matter; ``*`` stands for any letters."""
    work_type: str = "*"
    """Kind of work; ``*`` stands for any letters."""
    longer_than: int = Field(default=0, ge=0)
    """Tokens that the documents must have, about."""
    profile: str = ""
    """The profile that solves them; empty to choose as the route does."""
    quality: int | None = Field(default=None, ge=0)
    """Least grade wanted for them."""
    max_usd: float | None = Field(default=None, gt=0)
    """Most that one of them may cost to read once."""

    def holds(self, task: RoutedTask) -> bool:
        """Whether the rule is one for this matter."""
        alike = all(
            fnmatchcase(said.lower(), wanted.lower())
            for said, wanted in ((task.area, self.area), (task.work_type, self.work_type))
        )
        return alike and task.tokens >= self.longer_than


class Route(Record):
    """One route: a table ``[routing.<name>]`` of solon.toml. The first rule that holds goes before the route's own."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    among: tuple[str, ...] = Field(min_length=1)
    """Profiles to choose from: the cheapest that will do; of equal ones the first."""
    quality: int = Field(default=0, ge=0)
    """Least grade wanted (``quality`` of a profile)."""
    max_usd: float | None = Field(default=None, gt=0)
    """Most that a matter may cost to read once, by the prices of a profile."""
    rules: tuple[RoutingRule, ...] = ()
    """Exceptions, in order."""

    @property
    def profiles(self) -> tuple[str, ...]:
        """The names of all profiles it may choose."""
        return tuple(dict.fromkeys((*self.among, *(rule.profile for rule in self.rules if rule.profile))))


@dataclass(frozen=True)
class RoutedTask:
    """What a route is asked about a matter; ``tokens`` are those of its documents, about."""

    area: str
    work_type: str
    tokens: int


class RouteChoice(Record):
    """What a route chose, as it is kept in the attempt's folder.

    Attributes:
        rule: Number of the rule that held, from 1; 0 where none did.
        passed_over: The other profiles, each with the reason.
    """

    route: str
    profile: str
    tokens: int
    rule: int = 0
    passed_over: dict[str, str] = Field(default_factory=dict)


def is_route(name: str) -> bool:
    """Whether a cell's profile names a route."""
    return name.startswith(PREFIX)


def find_route(name: str, source: Path | Mapping[str, Any] | None) -> Route:
    """Return the route that a cell names, from the ``routing`` table of a TOML file or of a mapping.

    Raises:
        SolonError: There is none of this name, or it cannot be understood.
    """
    short = name.removeprefix(PREFIX)
    tables = (read_toml(source) if isinstance(source, Path) else source or {}).get("routing", {})
    if short not in tables:
        known = ", ".join(sorted(tables)) or "none"
        raise misuse(name, "No such route.", f"Configure [routing.{short}] in solon.toml, or use one of: {known}.")
    try:
        return Route.model_validate(tables[short])
    except ValidationError as error:
        message = f"[routing.{short}] cannot be understood: {first_problem(error, Route.model_fields)}."
        raise misuse(name, message, f"Correct [routing.{short}] in solon.toml.") from error


def route_digest(route: Route, profiles: Mapping[str, ModelProfile]) -> str:
    """Return the content hash of a route and of every profile that it may choose.

    Raises:
        SolonError: It names what is no chat profile.
    """
    parts = {name: joint_digest(*resolve_profile(name, profiles)) for name in route.profiles}
    marks = {name: [profiles[name].quality, profiles[name].prices] for name in route.among if name in profiles}
    return content_hash([route.model_dump(mode="json"), parts, str(marks)])


def choose(name: str, route: Route, task: RoutedTask, profiles: Mapping[str, ModelProfile]) -> RouteChoice:
    """Choose the profile for a matter: the one that its rule names, or the cheapest that will do.

    Raises:
        SolonError: None will do; the message says why each will not.
    """
    number = next((n for n, rule in enumerate(route.rules, start=1) if rule.holds(task)), 0)
    rule = route.rules[number - 1] if number else RoutingRule()
    made = {"route": name, "tokens": task.tokens, "rule": number}
    if rule.profile:
        return RouteChoice.model_validate({**made, "profile": rule.profile})
    quality = route.quality if rule.quality is None else rule.quality
    most = route.max_usd if rule.max_usd is None else rule.max_usd
    candidates = [resolve_profile(candidate, profiles)[0] for candidate in route.among]
    passed = {p.name: reason for p in candidates if (reason := _unfit(p, task, quality, most))}
    fit = [p for p in candidates if p.name not in passed]
    if not fit:
        said = "; ".join(f"{who}: {why}" for who, why in passed.items())
        raise misuse(name, f"No profile of the route will do ({said}).", "Add a profile or ask for less.")
    best = min(fit, key=lambda p: reading_usd(p, task.tokens))
    dearer = {p.name: f"${reading_usd(p, task.tokens):.4f} to read it" for p in fit if p is not best}
    return RouteChoice.model_validate({**made, "profile": best.name, "passed_over": passed | dearer})


def reading_usd(profile: ModelProfile, tokens: int) -> float:
    """Return what it costs to read a matter once and write the longest reply; nothing where no prices are given."""
    once = Usage(input_uncached=tokens, output=profile.max_output_tokens, calls=1)
    return profile.prices.cost(once) if profile.prices else 0.0


def _unfit(profile: ModelProfile, task: RoutedTask, quality: int, most: float | None) -> str:
    if profile.quality < quality:
        return f"grade {profile.quality} of {quality}"
    if profile.prompt_budget < task.tokens:
        return f"room for {profile.prompt_budget} of {task.tokens} tokens"
    if most is not None and (usd := reading_usd(profile, task.tokens)) > most:
        return f"${usd:.4f} of ${most:.4f}"
    return ""


def candidates_of(names: Sequence[str], profiles: Mapping[str, ModelProfile]) -> list[ModelProfile]:
    """Return chat profiles by name, each followed by its fallbacks.

    Raises:
        SolonError: A name is none of a chat profile.
    """
    return [p for name in names for found in [resolve_profile(name, profiles)] for p in (found[0], *found[1])]
