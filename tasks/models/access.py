"""What a stage needs to call models: profiles, one ledger, and the recorded replies."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tasks.models.client import CacheMode, ModelClient
from tasks.models.cooling import of_this_process
from tasks.models.ledger import Ledger
from tasks.models.loading import profiles_in_force, resolve_profile, source_in_force
from tasks.models.profile import Kind, ModelProfile
from tasks.models.records import Transport
from tasks.models.routing import RouteChoice, RoutedTask, choose, find_route


@dataclass
class ModelAccess:
    """Makes the clients of one attempt, or of one judging. All of them charge the same ledger.

    Attributes:
        given: Profiles by name, or the solon.toml that holds them; the file that ``SOLON_MODELS`` names when None.
        ledger: Account and budget of all calls of every kind.
        cache: Folder of recorded replies; None keeps none.
        mode: How they are used: ``read_write``, ``replay`` (a miss is a failure) or ``off``.
        owner: Attempt that asks (see :class:`ModelClient`).
        role: On whose behalf the calls are made, where a client is not made for another role.
        flow: Information-flow log of the requests; None keeps none.
        transport: Replaces the transport of every model (tests).
        wait: Called with seconds between retries.
    """

    given: Path | Mapping[str, Any] | None = None
    ledger: Ledger = field(default_factory=lambda: Ledger("models"))
    cache: Path | None = None
    mode: CacheMode = "off"
    owner: str = ""
    role: str = "solver"
    flow: Path | None = None
    transport: Transport | None = None
    wait: Callable[[float], None] = time.sleep

    @cached_property
    def profiles(self) -> dict[str, ModelProfile]:
        """The profiles by name.

        Raises:
            SolonError: They cannot be understood.
        """
        return profiles_in_force(self.given)

    @property
    def source(self) -> Path | Mapping[str, Any] | None:
        """What says which models and routes there are."""
        return source_in_force(self.given)

    def routed(self, name: str, task: RoutedTask) -> RouteChoice:
        """Return what a route chooses for a matter.

        Raises:
            SolonError: There is no such route, or none of its profiles will do.
        """
        return choose(name, find_route(name, self.source), task, self.profiles)

    def profile(self, name: str, kind: Kind) -> ModelProfile:
        """Return a profile of a kind by its name.

        Raises:
            SolonError: There is none, or it is of another kind.
        """
        return resolve_profile(name, self.profiles, kind)[0]

    def client(self, name: str, kind: Kind = "chat", salt: str = "", role: str = "") -> ModelClient:
        """Return the client of a profile; ``role`` where the call is made on behalf of another than the access.

        Raises:
            SolonError: There is no such profile, or it is of another kind.
        """
        profile, fallbacks = resolve_profile(name, self.profiles, kind)
        return ModelClient(
            profile,
            fallbacks,
            self.cache,
            self.mode,
            self.ledger,
            salt,
            self.owner,
            role or self.role,
            self.flow,
            transport=self.transport if profile.hosted else None,
            wait=self.wait,
            cooling=of_this_process(),
        )
