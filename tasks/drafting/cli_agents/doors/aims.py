"""Who answers at the door of the model: the profile of the cell, and its fallbacks in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.drafting.cli_agents.doors.pricing import priced
from tasks.drafting.cli_agents.doors.target import Target, target_of
from tasks.drafting.cli_agents.records import Speech
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile

# After these another model may do better: too much asked at once, too slow, or broken. A refused key ends the run.
_PASSING = frozenset({408, 409, 425, 429})
_LONGEST_WAIT = 3600.0


@dataclass(frozen=True)
class Aim:
    """One model that may answer, with the endpoint where it is asked."""

    profile: ModelProfile
    target: Target

    def priced(self, usage: Usage) -> Usage:
        """Return a usage with what it costs by this profile."""
        return priced(self.profile, usage)


def aims_of(client: ModelClient, speech: Speech) -> tuple[Aim, ...]:
    """Return who may answer an agent that speaks one protocol: the profile of a client, then its fallbacks.

    Raises:
        SolonError: The provider of one of them does not speak it (``input``).
    """
    return aims_among((client.profile, *client.fallbacks), speech)


def aims_among(profiles: Sequence[ModelProfile], speech: Speech) -> tuple[Aim, ...]:
    """Return the aims of profiles; raises as :func:`aims_of`."""
    return tuple(Aim(profile, target_of(profile, speech)) for profile in profiles)


def passes(status: int) -> bool:
    """Whether an answer of this status tells of a failure of the endpoint that another may not have."""
    return status in _PASSING or status >= 500


def asked_wait(value: str | None) -> float:
    """Return the seconds of a Retry-After header; a date, or nonsense, counts as none."""
    try:
        seconds = float(value or 0)
    except ValueError:
        return 0.0
    return min(seconds, _LONGEST_WAIT) if seconds > 0 else 0.0
