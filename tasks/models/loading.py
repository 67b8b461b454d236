"""Every profile by name: the built-in ones, those of ``[models.X]`` of solon.toml, and names that need no profile.

``sentence-transformers:NAME`` and ``cross-encoder:NAME`` are any embedder and any reranker of that library; a name
with a slash is a bare litellm model id.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tasks.matter.base import content_hash
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.profile import SCRIPTED, Kind, ModelProfile

MODELS_VARIABLE = "SOLON_MODELS"
_LIBRARY: Mapping[str, Kind] = {"sentence-transformers": "embeddings", "cross-encoder": "reranker"}
_UNKNOWN = "extra_forbidden"
_OLD_TABLES: Mapping[str, Kind] = {"embedders": "embeddings", "rerankers": "reranker"}


def built_in() -> dict[str, ModelProfile]:
    """Return the profiles that need neither network nor configuration, by name."""
    profiles = (
        ModelProfile(name=SCRIPTED, model=SCRIPTED, retries=0),
        ModelProfile(name="wordllama", kind="embeddings", via="wordllama", model="l2_supercat_256", dimensions=256),
        ModelProfile(
            name="bge-small",
            kind="embeddings",
            via="onnx",
            model="BAAI/bge-small-en-v1.5",
            dimensions=384,
            query_prefix="Represent this sentence for searching relevant passages: ",
        ),
        ModelProfile(
            name="minilm-l6",
            kind="embeddings",
            via="onnx",
            model="sentence-transformers/all-MiniLM-L6-v2",
            dimensions=384,
        ),
        ModelProfile(
            name="minilm-reranker", kind="reranker", via="onnx", model="cross-encoder/ms-marco-MiniLM-L-12-v2"
        ),
        ModelProfile(name="law-reader", kind="reranker", via="onnx", model="cross-encoder/ms-marco-MiniLM-L-12-v2"),
    )
    return {profile.name: profile for profile in profiles}


def load_profiles(source: Path | Mapping[str, Any] | None = None) -> dict[str, ModelProfile]:
    """Load profiles by name from a TOML file or a mapping with a ``models`` table.

    Args:
        source: ``[models.<name>]`` tables, or the mapping of names itself. None gives the built-in only.

    Raises:
        SolonError: Where the file or a profile cannot be understood, or a fallback is no chat profile.
    """
    profiles, where = built_in(), str(source) if isinstance(source, Path) else "the configuration of models"
    for name, fields in _tables(source).items():
        if name in profiles and name != SCRIPTED:
            raise misuse(name, "A profile of this name is built in.", f"Choose another name in {where}.")
        profiles[name] = _profile(name, fields, where)
    for profile in profiles.values():
        for fallback in profile.fallbacks:
            if fallback not in profiles or profiles[fallback].kind != "chat":
                message = f"The fallback {fallback} is not a chat profile."
                raise misuse(profile.name, message, f"Correct fallbacks in [models.{profile.name}] in {where}.")
    return profiles


def profiles_in_force(given: Path | Mapping[str, Any] | None = None) -> dict[str, ModelProfile]:
    """Return the profiles handed in; else those of the TOML file that ``SOLON_MODELS`` names, if any."""
    return load_profiles(source_in_force(given))


def source_in_force(given: Path | Mapping[str, Any] | None = None) -> Path | Mapping[str, Any] | None:
    """Return what was handed in; else the TOML file that ``SOLON_MODELS`` names, if any."""
    named = os.environ.get(MODELS_VARIABLE, "")
    return given if given is not None else Path(named) if named else None


def resolve_profile(
    name: str, profiles: Mapping[str, ModelProfile], kind: Kind = "chat"
) -> tuple[ModelProfile, tuple[ModelProfile, ...]]:
    """Return a profile of a kind, and its fallbacks.

    Raises:
        SolonError: Where the profile is unknown, or of another kind.
    """
    library, _, model = name.partition(":")
    if name in profiles:
        profile = profiles[name]
        require_kind(profile, kind)
        return profile, tuple(profiles[f] for f in profile.fallbacks if f in profiles)
    if _LIBRARY.get(library) == kind and model:
        return ModelProfile(name=name, kind=kind, via="sentence-transformers", model=model), ()
    if "/" in name and library not in _LIBRARY:
        return ModelProfile(name=name, kind=kind, model=name), ()
    known = ", ".join(sorted(n for n, p in profiles.items() if p.kind == kind))
    remedy = f'Configure [models.{name}] with kind = "{kind}" in solon.toml, or use one of: {known}.'
    raise misuse(name, f"No such {kind} profile.", remedy)


def require_kind(profile: ModelProfile, kind: Kind) -> None:
    """Refuse a profile of another kind by its name.

    Raises:
        SolonError: It is of another kind.
    """
    if profile.kind != kind:
        message = f"This profile is of kind {profile.kind}, and a model of kind {kind} is needed here."
        raise misuse(profile.name, message, f'Name a profile with kind = "{kind}" here.')


def joint_digest(profile: ModelProfile, fallbacks: tuple[ModelProfile, ...] = ()) -> str:
    """Return the digest of a profile together with those of the fallbacks that may answer in its place."""
    return content_hash([p.digest for p in (profile, *fallbacks)]) if fallbacks else profile.digest


def read_toml(file: Path) -> dict[str, Any]:
    """Read a solon.toml.

    Raises:
        SolonError: The file cannot be read, or has a table of an earlier version.
    """
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise misuse(str(file), f"The file cannot be read: {error}.", f"Correct {file}.") from error
    refuse_old_tables(data, file)
    return data


def refuse_old_tables(data: Mapping[str, Any], file: Path) -> None:
    """Refuse the tables that earlier versions used for embedders and rerankers, and say where they belong now.

    Raises:
        SolonError: One of them is there.
    """
    for old, kind in _OLD_TABLES.items():
        if old in data:
            found = data[old]
            name = next(iter(found), "X") if isinstance(found, Mapping) else "X"
            remedy = (
                f'In {file} call it [models.{name}] and add kind = "{kind}"; '
                'what was kind = "sentence-transformers" is now via = "sentence-transformers".'
            )
            raise misuse(f"{old}.{name}", f"The table [{old}.{name}] is no longer read.", remedy)


def first_problem(error: Exception, known: Iterable[str] = ()) -> str:
    """Return the first error of a table, with its place; an unknown field comes first, since it may be misspelled.

    Args:
        error: What pydantic or the reading of the table raised.
        known: Names of the fields that there are: the nearest is told, or all where none is near.
    """
    if not isinstance(error, ValidationError):
        return str(error).splitlines()[0]
    first = min(error.errors(), key=lambda one: one["type"] != _UNKNOWN)
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == _UNKNOWN:
        fields = sorted(set(known) - {"name"})
        near = get_close_matches(place, fields, n=1)
        hint = f" (is it {near[0]}?)" if near else f" (there are {', '.join(fields)})" if fields else ""
        return f"{place}: there is no such field{hint}"
    return ": ".join(filter(None, (place, first["msg"].removeprefix("Value error, "))))


def misuse(subject: str, message: str, remedy: str) -> SolonError:
    """Return the failure of a configuration of models that cannot be used."""
    failure = Failure(cause=FailureCause.INPUT, stage="models", subject=subject, message=message, remedy=remedy)
    return SolonError(failure)


def _tables(source: Path | Mapping[str, Any] | None) -> Mapping[str, Any]:
    if isinstance(source, Path):
        found = read_toml(source).get("models", {})
        if not isinstance(found, Mapping):
            raise misuse("models", "models is not a table of profiles.", f"Write [models.<name>] in {source}.")
        return found
    nested = (source or {}).get("models")
    return nested if isinstance(nested, Mapping) and "model" not in nested else source or {}


def _profile(name: str, fields: Any, where: str) -> ModelProfile:
    remedy = f"Correct [models.{name}] in {where}."
    try:
        given = fields.model_dump() if isinstance(fields, ModelProfile) else dict(fields)
        profile = ModelProfile.model_validate({**given, "name": name})
    except (ValidationError, TypeError, ValueError) as error:
        message = f"[models.{name}] in {where} cannot be understood: {first_problem(error, ModelProfile.model_fields)}."
        raise misuse(name, message, remedy) from error
    if profile.via not in ("litellm", "sentence-transformers"):
        message = f"[models.{name}] in {where}: models via {profile.via} are built in."
        raise misuse(name, message, "Use via litellm or sentence-transformers, or the built-in profile by its name.")
    return profile
