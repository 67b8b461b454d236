"""What the learner's proposer is made with: surfaces, folders, and the client of the model that proposes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flows.settings import Settings
from tasks.learning.proposers.proposer import Means
from tasks.learning.records import Surface
from tasks.models.access import ModelAccess
from tasks.models.ledger import Ledger
from tasks.models.profile import ModelProfile

ACCOUNT = "proposer-account.jsonl"


def means_of(settings: Settings, home: Path, surfaces: Sequence[Surface], seed: int = 0) -> Means:
    """Return the means of a learning run.

    Args:
        settings: What is in force; ``proposer_model`` names the model that proposes.
        home: Folder of the learning run, which keeps the account of the proposer and its recorded replies: a step
            that was killed asks for nothing twice.
        surfaces: Surfaces that edits may change.
        seed: Of whatever order a proposer is free to choose.
    """
    name = settings.proposer_model
    access = ModelAccess(
        settings.models_file,
        Ledger(home.name, max_usd=settings.proposer_usd or None, file=home / ACCOUNT),
        cache=home / "proposer-replies",
        mode=settings.model_cache,
        owner=home.name,
        role="proposer",
    )
    client = (lambda: access.client(name)) if name else None
    return Means(
        surfaces=surfaces,
        home=home,
        catalogue=settings.catalogue,
        model=client,
        seed=seed,
        agent=settings.proposer_agent,
    )


def proposing(settings: Settings) -> tuple[ModelProfile, ...]:
    """Return the profiles that propose: their keys are asked for, and they are served, with those of the cell.

    Raises:
        SolonError: The name is no chat profile (``input``).
    """
    if not settings.proposer_model:
        return ()
    client = ModelAccess(settings.models_file).client(settings.proposer_model)
    return (client.profile, *client.fallbacks)
