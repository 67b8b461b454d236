"""Profiles of embedders and rerankers: the built-in ones, and those of ``[embedders.X]`` and ``[rerankers.X]``.

A name is resolved in this order: built-in; a table of the TOML file that ``SOLON_MODELS`` names (the solon.toml in
force); ``sentence-transformers:NAME`` or ``cross-encoder:NAME``, any model of that library; a name with a slash, a
bare litellm model id.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from tasks.matter.base import Record, content_hash
from tasks.models.search.vectors import failed

MODELS_VARIABLE = "SOLON_MODELS"
Kind = Literal["none", "static", "onnx", "sentence-transformers", "api"]
Role = Literal["embedders", "rerankers"]


class RetrievalModel(Record):
    """One way to call one embedder or reranker.

    Attributes:
        name: As index profiles refer to it.
        kind: How it is run; ``api`` goes through litellm.
        model: Model id: of litellm, of sentence-transformers, or of the embedded weights.
        version: Part of the key under which vectors are kept: raise it when a server changes its weights.
        dimensions: Asked of an endpoint that can shorten its vectors; 0 leaves that to the model.
        batch: Texts in one request.
        api_base: Endpoint of an OpenAI-compatible server; empty for the provider's own.
        api_key_env: Name of the environment variable that holds the key. The key itself is never stored.
        query_prefix, passage_prefix: Put before texts that ask, and before those that state.
        device: For sentence-transformers: ``cpu``, ``cuda``; empty lets the library choose.
        retries: Further tries of a failed request, with growing waits.
    """

    name: str
    kind: Kind = "api"
    model: str
    version: str = "1"
    dimensions: int = Field(default=0, ge=0)
    batch: int = Field(default=64, gt=0, le=2048)
    api_base: str = ""
    api_key_env: str = ""
    query_prefix: str = ""
    passage_prefix: str = ""
    device: str = ""
    timeout_seconds: float = Field(default=120.0, gt=0)
    retries: int = Field(default=3, ge=0, le=10)

    @property
    def key(self) -> str:
        """Return what vectors of this profile are kept under: whatever changes them, and nothing else."""
        if self.kind in ("none", "static", "onnx"):
            return f"{self.name}@{self.version}" if self.version != "1" else self.name
        parts = [self.kind, self.model, self.version, self.dimensions, self.query_prefix, self.passage_prefix]
        return f"{self.name}-{content_hash([*parts, self.api_base])[:16]}"


def built_in(role: Role) -> dict[str, RetrievalModel]:
    """Return the profiles that need no network and no configuration, by name."""
    if role == "rerankers":
        models = [RetrievalModel(name="minilm-reranker", kind="onnx", model="cross-encoder/ms-marco-MiniLM-L-12-v2")]
    else:
        models = [
            RetrievalModel(name="none", kind="none", model="none"),
            RetrievalModel(name="wordllama", kind="static", model="l2_supercat_256", dimensions=256),
            RetrievalModel(
                name="bge-small",
                kind="onnx",
                model="BAAI/bge-small-en-v1.5",
                dimensions=384,
                query_prefix="Represent this sentence for searching relevant passages: ",
            ),
            RetrievalModel(
                name="minilm-l6", kind="onnx", model="sentence-transformers/all-MiniLM-L6-v2", dimensions=384
            ),
        ]
    return {model.name: model for model in models}


def find_model(name: str, role: Role, source: Path | Mapping[str, Any] | None = None) -> RetrievalModel:
    """Return a profile by name.

    Args:
        name: Name of the profile.
        role: Whether it embeds or reranks.
        source: TOML file, or mapping with a table of that role; the file that ``SOLON_MODELS`` names when None.

    Raises:
        SolonError: No such profile, or one that cannot be understood.
    """
    known = built_in(role)
    if name in known:
        return known[name]
    table = _table(source, role)
    if name in table:
        return _checked(name, table[name], role)
    library, _, model = name.partition(":")
    if library == ("sentence-transformers" if role == "embedders" else "cross-encoder") and model:
        return RetrievalModel(name=name, kind="sentence-transformers", model=model)
    if "/" in name and ":" not in name:
        return RetrievalModel(name=name, model=name)
    names = ", ".join([*known, *sorted(table)])
    what = {"embedders": "embedding profile", "rerankers": "reranker profile"}[role]
    raise failed(name, f"There is no {what} of this name.", f"Configure [{role}.{name}] in solon.toml, or use {names}.")


def _checked(name: str, fields: Any, role: Role) -> RetrievalModel:
    try:
        model = RetrievalModel.model_validate({**dict(fields), "name": name})
    except (ValidationError, TypeError, ValueError) as error:
        said = str(error).splitlines()[0]
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            said = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
        raise failed(name, f"The profile cannot be understood: {said}.", f"Correct [{role}.{name}].") from error
    if model.kind not in ("api", "sentence-transformers"):
        raise failed(name, f"kind {model.kind!r} is built in.", "Use kind api or sentence-transformers.")
    return model


def _table(source: Path | Mapping[str, Any] | None, role: Role) -> Mapping[str, Any]:
    if source is None:
        named = os.environ.get(MODELS_VARIABLE, "")
        if not named:
            return {}
        source = Path(named)
    if isinstance(source, Path):
        try:
            source = tomllib.loads(source.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise failed(str(source), f"The file of profiles cannot be read: {error}.", "Correct the file.") from error
    found = source.get(role, {})
    return found if isinstance(found, Mapping) else {}
