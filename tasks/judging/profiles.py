"""The meaning of a judge profile's name: anchors, a model, or anchors where there are any and a model elsewhere."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tasks.matter.failures import Failure, FailureCause, SolonError


@dataclass(frozen=True)
class JudgeProfile:
    """A parsed judge profile.

    Attributes:
        anchors: Criteria that carry anchors are judged by them.
        models: Model profiles; with two, a criterion passes only when both pass it.
    """

    anchors: bool
    models: tuple[str, ...]


def parse_profile(name: str, profiles: Collection[str] = ()) -> JudgeProfile:
    """Parse ``anchor``, ``model:<profile>``, ``model:<one>,<other>`` or ``anchor+model:<profile>``.

    Args:
        name: The judge profile.
        profiles: Names of chat profiles that the error lists.

    Raises:
        SolonError: Where the name is none of these.
    """
    head, _, tail = name.strip().partition(":")
    models = tuple(part.strip() for part in tail.split(",") if part.strip())
    if head in {"anchor", ""} and not tail:
        return JudgeProfile(True, ())
    if head in {"model", "anchor+model"} and 0 < len(models) <= 2:
        return JudgeProfile(head.startswith("anchor"), models)
    raise SolonError(
        Failure(
            cause=FailureCause.INPUT,
            stage="judging",
            subject=name,
            message="No such judge profile.",
            remedy="Use anchor, model:<profile> or anchor+model:<profile>"
            + (f", where <profile> is one of: {', '.join(sorted(profiles))}." if profiles else "."),
        )
    )
