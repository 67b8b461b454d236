"""The information-flow log of an attempt, checked: who was sent what, by hash alone.

What the judge was sent may hold the rubric. Nobody else may be sent any of its messages, and to know that nobody was
takes no word of them: the log has hashes, and hashes are compared. The words of a rubric within a longer message have
another hash; that none gets there is shown by canaries (``tests/flow/test_canary.py``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause
from tasks.models.flow import FlowEntry
from tasks.models.ledger import LedgerEntry
from tasks.tracing.values import bounded_text, count
from warehouse.trace_records import Side

FLOW_STAGE = "flow"
_HASH = re.compile(r"[0-9a-f]{64}")
_LONGEST_ROLE = 100
SIDES: Mapping[str, Side] = MappingProxyType(
    {
        "solver": "solver",
        "chooser": "solver",
        "interrogator": "solver",
        "researcher": "solver",
        "check": "solver",  # of a model, before a run
        "judge": "judge",
        "learner": "learner",
        "proposer": "learner",
    }
)


class RoleMessage(Record):
    """A message that a role was sent, and in how many requests it stood."""

    role: str
    side: Side
    sha256: str
    characters: int
    requests: int


class FlowCheck(Record):
    """Whether a log is sound.

    Attributes:
        leaked: Messages that the judge and another side were sent.
        unlogged: Calls on the account that the log does not know.
        unanswered: Requests of the solver's side without a reply on the account.
        unknown_roles: Requests of roles that are on nobody's side.
        malformed: Entries of messages that are no hashes.
        problems: What is not sound, in sentences of counts; empty where all is.
    """

    requests: int
    leaked: int = 0
    unlogged: int = 0
    unanswered: int = 0
    unknown_roles: int = 0
    malformed: int = 0
    problems: tuple[str, ...] = ()


def messages_sent(log: Sequence[FlowEntry]) -> tuple[RoleMessage, ...]:
    """Return every message once for each role that was sent it, ordered by role and hash.

    A log lies where others may write: what claims to be a hash and is none (words, say) is left out.
    """
    found: dict[tuple[str, str], RoleMessage] = {}
    for entry in log:
        role = bounded_text(entry.role, _LONGEST_ROLE) or "nameless"
        for sha256, characters in {m.sha256: m.characters for m in entry.messages if _HASH.fullmatch(m.sha256)}.items():
            known = found.get((role, sha256))
            found[role, sha256] = RoleMessage(
                role=role,
                side=SIDES.get(entry.role, "unknown"),
                sha256=sha256,
                characters=count(characters),
                requests=(known.requests if known else 0) + 1,
            )
    return tuple(found[key] for key in sorted(found))


def check_flow(log: Sequence[FlowEntry], account: Sequence[LedgerEntry], told: int = 0) -> FlowCheck:
    """Check a log against itself and against the account of the attempt.

    Args:
        log: Requests of all roles.
        account: Calls that were charged to the attempt; lines without a key are replies that were lost.
        told: How many failures and shortenings of the history the attempt tells of: so many requests of the solver's
            side may have had no reply.
    """
    messages = messages_sent(log)
    sides: dict[Side, set[str]] = {"judge": set(), "solver": set(), "learner": set(), "unknown": set()}
    for message in messages:
        if message.characters:  # an empty message tells nothing
            sides[message.side].add(message.sha256)
    leaked = sides["judge"] & (sides["solver"] | sides["learner"] | sides["unknown"])
    asked = {entry.key for entry in log if SIDES.get(entry.role) != "judge"}
    charged = {entry.key for entry in account if entry.key}
    check = FlowCheck(
        requests=len(log),
        leaked=len(leaked),
        unlogged=len(charged - asked),
        unanswered=len({entry.key for entry in log if SIDES.get(entry.role) == "solver"} - charged),
        unknown_roles=sum(entry.role not in SIDES for entry in log),
        malformed=sum(not _HASH.fullmatch(m.sha256) for entry in log for m in entry.messages),
    )
    return check.model_copy(update={"problems": tuple(_problems(check, told))})


def flow_failures(check: FlowCheck, attempt_id: str) -> tuple[Failure, ...]:
    """Return what flags an attempt whose log is not sound; nothing for one that is."""
    if not check.problems:
        return ()
    trust = "trust no score of this attempt" if check.leaked else "see who made the calls"
    remedy = f"{trust}; `solon sql did_anything_leak` lists all such attempts"
    message = f"has an information flow that is not sound: {'; '.join(check.problems)}"
    return (Failure(cause=FailureCause.POLICY, stage=FLOW_STAGE, subject=attempt_id, message=message, remedy=remedy),)


def _problems(check: FlowCheck, told: int) -> list[str]:
    found = [
        (check.leaked, "messages that the judge was sent were sent to others too"),
        (check.unknown_roles, "requests are of a role that is on nobody's side"),
        (check.unlogged, "calls on the account are not in the log"),
        (check.malformed, "messages are told by something that is no hash"),
        (max(0, check.unanswered - told), "requests have no reply on the account and nothing tells of a failure"),
    ]
    return [f"{count} {what}" for count, what in found if count]
