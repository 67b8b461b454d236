"""Where a model answers that Solon itself has started: its address is known only while the server runs."""

from __future__ import annotations

import json
import os

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.profile import ModelProfile

SERVED = "SOLON_SERVED"
"""Variable with the addresses of the servers that a command started, by profile, as a JSON object."""


def served_addresses() -> dict[str, str]:
    """Return the addresses of the servers that run for this process."""
    found: dict[str, str] = json.loads(os.environ.get(SERVED) or "{}")
    return found


def address_of(profile: ModelProfile) -> str:
    """Return the endpoint of a profile; empty for the provider's own.

    Raises:
        SolonError: Its server has not been started.
    """
    if profile.serve is None:
        return profile.api_base
    address = served_addresses().get(profile.name, "")
    if not address:
        raise SolonError(
            Failure(
                cause=FailureCause.PROVIDER,
                stage="models",
                subject=profile.name,
                message="The server of this model is not running.",
                remedy="`solon run` and `solon matter` start it.",
            )
        )
    return address
