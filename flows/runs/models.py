"""The models of a run, checked before a document is read: their profiles must exist, and their keys be set."""

from __future__ import annotations

from collections.abc import Sequence

from flows.settings import Settings
from tasks.drafting.records import Cell
from tasks.drafting.stage import asks_model
from tasks.judging.profiles import judge_profile, models_asked
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.access import ModelAccess
from tasks.models.loading import load_profiles, misuse
from tasks.models.profile import ModelProfile
from tasks.models.routing import candidates_of, find_route, is_route
from tasks.models.transports.hosted import missing_key, unknown_provider
from tasks.retrieval.stage import models_in_force


def models_of(cells: Sequence[Cell], settings: Settings, judge: str | None = None) -> tuple[ModelProfile, ...]:
    """Return the profiles that a run uses, once each: those of its cells, of its search, and of its judge if any.

    Fallbacks and all that a route may choose are among them.

    Where replies are replayed the solver's models are asked nothing.

    Raises:
        SolonError: A name is no profile, or no judge profile; the remedy names those that exist.
    """
    access = ModelAccess(settings.models_file)
    asked: list[ModelProfile] = []
    if judge is not None:
        asked += models_asked(judge_profile(judge, access), access)
    if cells and settings.model_cache != "replay":
        asked += [profile for cell in cells for profile in _of_cell(cell, access)]
        asked += models_in_force(settings.models_file, access)
    return tuple({profile.name: profile for profile in asked}.values())


def models_named(profile: str, settings: Settings) -> tuple[ModelProfile, ...]:
    """Return the chat profile that a flag names, if it names one and it is not replayed.

    Raises:
        SolonError: There is no such chat profile; the remedy names those that exist.
    """
    if not profile or settings.model_cache == "replay":
        return ()
    return (ModelAccess(settings.models_file).profile(profile, "chat"),)


def require_callable(models: Sequence[ModelProfile]) -> None:
    """Refuse to begin if every call of a model would fail in the same way.

    Raises:
        SolonError: No provider is known by its id, or its key is missing; the message names the variable.
    """
    for profile in models:
        if unknown_provider(profile):
            message = f"The model id {profile.model!r} names no provider that is known."
            raise misuse(profile.name, message, _provider_remedy(profile))
    lacking = [(profile, variable) for profile in models if (variable := missing_key(profile))]
    if lacking:
        profile, variable = lacking[0]
        others = "".join(f"; {other.name}: {name}" for other, name in lacking[1:])
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="models",
                subject=profile.name,
                message=f"The key of this model profile is missing: {variable} is not set{others}.",
                remedy=f"Set {variable} in the environment, or choose another profile.",
            )
        )


def _of_cell(cell: Cell, access: ModelAccess) -> Sequence[ModelProfile]:
    if not asks_model(cell):
        return []
    given = cell.options.get("model")
    if isinstance(given, dict):
        name = cell.profile or str(given.get("name", "model"))
        return [load_profiles({name: given})[name]]
    names = find_route(cell.profile, access.source).profiles if is_route(cell.profile) else (cell.profile,)
    return candidates_of([name for name in names if name], access.profiles)


def _provider_remedy(profile: ModelProfile) -> str:
    own = profile.model.rpartition("/")[2]
    if profile.ours:
        return f'Write model = "openai/{own}" in its profile, if its server speaks the OpenAI form.'
    return f'Write model = "PROVIDER/{own}" in its profile, with the provider as litellm calls it.'
