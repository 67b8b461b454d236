"""The rows that traces give: measures, defects, what mechanisms did, and which role was sent what.

They have tables of their own: a new column of ``attempt`` or ``action`` would make the rows of attempts that landed
earlier contradict new ones. An attempt that an earlier version traced has no rows here.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warehouse.columns import Count, Label, Moment, Name, Prose
from warehouse.row import Row, UsageRow

Side = Literal["solver", "judge", "learner", "unknown"]
DefectName = Literal["D1", "D2", "D3", "D4", "D5", "D6", "D7"]
Dollars = float | None


class MeasureRow(Row):
    """What the trajectory of an attempt was like. Turns of 0 stand for never.

    Attributes:
        words: Of the solver and of its tools together.
        lookups: What the runtime looked up by itself; they are no actions.
        skill_loaded: The skill that the solver itself opened; empty where it opened none.
        characters: Of all documents of the data room.
        served: Of these, how many the solver was shown.
        cached_reads_usd: What cached reads cost of the bill; empty where their rate is not known.
    """

    table = "trajectory_measure"
    key = ("attempt_id",)
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    trace_format: Label
    words: Count = 0
    actions: Count = 0
    lookups: Count = 0
    tool_errors: Count = 0
    first_read_turn: Count = 0
    first_write_turn: Count = 0
    wrote_before_reading: bool = False
    audited_before_finishing: bool = False
    skill_loaded: Label = ""
    documents: Count = 0
    documents_opened: Count = 0
    characters: Count = 0
    served: Count = 0
    cached_reads_usd: Dollars = Field(default=None, ge=0, le=1e9)


class ServedRow(Row):
    """How many characters of a document's canonical text the solver was shown; what was shown twice counts once."""

    table = "document_served"
    key = ("attempt_id", "document")
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    document: Name
    characters: Count
    served: Count


class MandatoryToolRow(Row):
    """How often an attempt called a tool that its skill calls mandatory."""

    table = "mandatory_tool"
    key = ("attempt_id", "tool")
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    tool: Name
    calls: Count


class DefectRow(Row):
    """A defect of B.4 of the paper. The evidence is made of counts and names nothing of the matter."""

    table = "trace_defect"
    key = ("attempt_id", "defect")
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    defect: DefectName
    by_construction: bool = False
    evidence: Prose


class FiringRow(Row):
    """One time that a mechanism of the harness acted. ``files`` are those of the work product that it touched."""

    table = "mechanism_firing"
    key = ("attempt_id", "position")
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    position: Count
    mechanism: Name
    moment: Name
    turn: Count = 0
    note: Prose = ""
    n_files: Count = 0
    files: Prose = ""


class MessageRow(Row):
    """A message that a role was sent during an attempt, by hash and size alone.

    Attributes:
        side: Whose side the role is on.
        requests: In how many requests it stood.
    """

    table = "message_sent"
    key = ("attempt_id", "role", "sha256")
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    role: Name
    side: Side
    sha256: Name
    characters: Count
    requests: Count


class RescoringRow(Row):
    """A message that a role was sent while an ended attempt was judged again, by hash and size alone.

    Attributes:
        judged_utc: Of the judgement that came of it.
        side: Whose side the role is on.
        requests: In how many requests it stood.
    """

    table = "rescoring_message"
    key = ("attempt_id", "judge_profile", "judged_utc", "role", "sha256")
    owner = ("attempt_id", "judge_profile", "judged_utc")
    parent = "attempt"

    attempt_id: Name
    judge_profile: Name
    judged_utc: Moment
    role: Name
    side: Side
    sha256: Name
    characters: Count
    requests: Count


class CallRow(UsageRow):
    """One reply of a model that an attempt was charged with, in the order of its account.

    Attributes:
        role: On whose behalf it was asked: solver, chooser, proposer …
        kind: What kind of model: chat, embeddings, reranker.
        profile: The profile that answered, which after a failover is not the one that was asked first.
        sha256: Content key of the request; empty where it had none.
        replayed: It was a recorded reply: its tokens were not requested again.
    """

    table = "model_call"
    key = ("attempt_id", "position")
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    position: Count
    role: Name
    kind: Literal["chat", "embeddings", "reranker"]
    profile: Label
    sha256: Label = ""
    replayed: bool = False


class FlowCheckRow(Row):
    """Whether the information-flow log of an attempt is sound.

    Attributes:
        leaked: Messages that both the judge and somebody else was sent.
        unlogged: Calls on the account that the log does not know.
        unanswered: Requests of the solver's side without a reply on the account.
        unknown_roles: Requests of roles that are on nobody's side.
        malformed: Entries of messages that are no hashes.
    """

    table = "flow_check"
    key = ("attempt_id",)
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    status: Literal["sound", "violated"]
    requests: Count
    leaked: Count = 0
    unlogged: Count = 0
    unanswered: Count = 0
    unknown_roles: Count = 0
    malformed: Count = 0
    problems: Prose = ""
