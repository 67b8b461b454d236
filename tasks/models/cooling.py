"""Endpoints that failed lately, passed over for a while by all calls of the process."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from tasks.models.profile import ModelProfile


@dataclass
class Cooling:
    """Until when each endpoint is left alone. Threads may share it.

    Attributes:
        clock: Seconds that only grow.
    """

    clock: Callable[[], float] = time.monotonic
    _until: dict[str, float] = field(default_factory=dict)

    def failed(self, profile: ModelProfile, after: float) -> None:
        """Leave an endpoint alone: as long as its profile says, and as long as itself asks (``after``)."""
        self._until[profile.endpoint] = self.clock() + max(profile.cooldown_seconds, after)

    def order(self, profiles: Sequence[ModelProfile]) -> list[ModelProfile]:
        """Return the profiles in the order to try them: those that cool down last, for all may have failed."""
        now = self.clock()
        return sorted(profiles, key=lambda profile: self._until.get(profile.endpoint, 0.0) > now)


@lru_cache(maxsize=1)
def of_this_process() -> Cooling:
    """Return what all calls of this process share."""
    return Cooling()
