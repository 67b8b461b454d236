"""What the learner sees, what it proposes, and what is decided of it."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from pydantic import AwareDatetime, Field

from tasks.learning import scores as score
from tasks.learning.scores import Counts, Floats
from tasks.matter.base import Record, content_hash
from tasks.matter.failures import Failure
from tasks.matter.reasons import Failed, Reason

LONGEST_PATH: Final = 200  # characters of the path of an edit
Surface = Literal["knowledge", "tools", "skills", "agents"]


class Observation(Record):
    """One scored attempt before redaction. Never leaves the driver; never shown to a proposer.

    Attributes:
        matter_key: Opaque key of the matter (a hash); pairs attempts of two harness versions.
        skill_id: The routed skill, which is public harness content.
        final_message: Last message of the solver, as it was.
        tool_uses: Number of actions by bucket (read, tool, write, other).
        release_status: How its release gates let it go; empty where it did not come to them.
    """

    matter_key: str
    work_type: str
    document_suffixes: tuple[str, ...]
    deliverable_suffixes: tuple[str, ...]
    skill_id: str
    passed: int
    failed: tuple[Failed, ...]
    unscored: int
    final_message: str = ""
    tool_uses: dict[str, int] = Field(default_factory=dict)
    tokens: int = 0
    release_status: str = ""


class Signal(Record):
    """One scored attempt as a proposer may see it: shape, buckets, counts, de-identified reasons."""

    work_type: str
    documents: str
    document_formats: tuple[str, ...]
    deliverable_formats: tuple[str, ...]
    skill_id: str
    tool_uses: dict[str, str]
    passed: int
    failed: int
    unscored: int
    reasons: dict[Reason, int]
    final_message: str


class LearnerInput(Record):
    """Everything a proposer receives in one step.

    Attributes:
        sentences: What each reason of the signals says, for whoever reads them.
        skills: Text of the routed skills by id.
        history: What was tried before and how it ended, one line each.
        knowledge: Text of the tables of words and cues by path; public harness content.
        agents: Text of the prompts and gate settings that may be edited, by path; public harness content.
        tools: Text of the learned tools and mechanisms by path.
        classes: Matter classes (``<area>/<work type>``) that were met and have no skill of their own.
        matters: Of which matter each signal is, as a number from 1: a matter that was tried more than once has several.
        observed: What the slices of earlier candidates showed when they were run, one line each.
    """

    schema_version: int = 3
    signals: tuple[Signal, ...]
    sentences: dict[Reason, str] = Field(default_factory=dict)
    skills: dict[str, str]
    history: tuple[str, ...]
    knowledge: dict[str, str] = Field(default_factory=dict)
    agents: dict[str, str] = Field(default_factory=dict)
    tools: dict[str, str] = Field(default_factory=dict)
    classes: tuple[str, ...] = ()
    matters: tuple[int, ...] = ()
    observed: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Opaque keys of the matters, by which a proposer names slices: one for each, whatever its attempts."""
        return tuple(f"s{n:02d}" for n in range(1, max(self.matters, default=0) + 1))


class Claim(Record):
    """What a proposer says that its edit does, before anybody runs it.

    Attributes:
        hypothesis: Why it should help.
        fix: Keys of matters that it should mend.
        regression: Keys of others that it must not harm.
        observed: What the proposer looked at, in its own words.
    """

    hypothesis: str
    fix: tuple[str, ...]
    regression: tuple[str, ...]
    observed: str


class Slice(Record):
    """The matters of one slice, run fresh under both harnesses.

    Attributes:
        compared: Matters of which a pair could be compared.
        before, after: Mean pass rate over them without and with the edit; None where there is none.
    """

    compared: int
    before: float | None
    after: float | None

    @property
    def gain(self) -> float | None:
        """The difference; None where nothing could be compared."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def told(self) -> str:
        """The slice in words."""
        if self.before is None or self.after is None:
            return "not comparable"
        return f"{100 * self.before:.1f} -> {100 * self.after:.1f} % over {self.compared} matters"


class Slices(Record):
    """What the two slices of a claim showed."""

    fix: Slice
    regression: Slice

    @property
    def told(self) -> str:
        """Both slices in words."""
        return f"fix slice {self.fix.told}, regression slice {self.regression.told}"


class Edit(Record):
    """A bounded diff on one file of one surface.

    Attributes:
        surface: The surface that it edits.
        path: POSIX path below the surface's folder, e.g. ``skills/other/general/SKILL.md``.
        before, after: The whole text of the file; ``before`` is empty for a new one.
        rationale: Why it should help, in general terms.
        reason: The general reason that it answers; None where its proposer names none.
        tests: The text of the tests that come with a new tool or mechanism; empty for the other surfaces.
        claim: What its proposer says that it does, where it must say so: it is tried on the slices that it names.
    """

    surface: Surface
    path: str
    before: str
    after: str
    rationale: str
    reason: Reason | None = None
    tests: str = ""
    claim: Claim | None = None

    @property
    def digest(self) -> str:
        """Content hash of what the edit changes."""
        return content_hash([self.surface, self.path, self.before, self.after, *([self.tests] if self.tests else [])])


GateName = Literal[
    "scope", "form", "static_safety", "leakage", "generality", "audit", "unit_tests", "similarity", "slices",
    "evaluation", "attribution",
]  # fmt: skip


class GateVerdict(Record):
    """What one gate says of an edit."""

    gate: GateName
    passed: bool
    reason: str = ""


class MatterScore(Record):
    """Counts of one attempt of one matter. ``unscored`` criteria are in neither count."""

    matter_key: str
    passed: int
    failed: int
    unscored: int
    tokens: int = 0

    @property
    def rate(self) -> float | None:
        """Pass rate from 0 to 1, or None where nothing was scored."""
        scored = self.passed + self.failed
        return self.passed / scored if scored else None


class Evaluation(Record):
    """A harness version on a set of matters: stored verdict counts, from which scores are computed anew.

    Where attempts are compared in pairs, the order of ``scores`` is that in which the pairs were drawn.
    """

    harness_version: str
    scores: tuple[MatterScore, ...]

    @property
    def counts(self) -> Counts:
        """The counts as arrays of one axis, in the order of the scores."""
        columns = [(s.passed, s.failed, s.unscored, s.tokens) for s in self.scores]
        return Counts(*np.array(columns, dtype=np.float64).reshape(-1, 4).T)

    @property
    def per_task(self) -> float | None:
        """Mean over matters of the pass rate (0 to 1); matters without a scored criterion are left out."""
        return known(score.per_task(self.counts))

    @property
    def pooled(self) -> float | None:
        """Passed criteria over scored criteria (0 to 1); None where nothing was scored."""
        return known(score.pooled(self.counts))

    @property
    def all_pass(self) -> float:
        """Share of matters whose every criterion passed (0 to 1)."""
        return float(score.all_pass(self.counts))


def known(value: Floats) -> float | None:
    """Return a single score; None for one of which nothing was scored."""
    return None if np.isnan(value) else float(value)


class Sampling(Record):
    """What a policy must be shown of the incumbent and a candidate.

    Attributes:
        draws: ``minibatch``: every matter of the step, once each has been tried ``trials`` times. ``confirm``: pairs on
            matters that no proposer saw, drawn until the policy has decided.
        trials: Attempts of a matter by each of the two, in a cell that samples, where a run names no other number; a
            deterministic cell makes one. The simulator and the loop both read it.
        screen: Training matters on which a candidate must lead before it is compared.
        batch: Pairs that are drawn at once.
        candidates: Comparisons that a learning run may make; None where the policy states no bound over the run.
    """

    draws: Literal["minibatch", "confirm"]
    trials: int = 3
    screen: int = 0
    batch: int = 0
    candidates: int | None = None


class Decision(Record):
    """What an acceptance policy decides, from the evaluations that it was handed.

    Attributes:
        incumbent, candidate: The two scores; None for one of which nothing was scored.
        more: Further pairs that the policy wants to see before it decides; 0 where it has decided.
        pairs: Pairs of attempts that the decision rests on.
        evidence: The wealth of a sequential test (1 at the start); None for a policy that makes no test.
    """

    policy: str
    accepted: bool
    incumbent: float | None
    candidate: float | None
    reason: str
    more: int = 0
    pairs: int = 0
    evidence: float | None = None


class Rates(Record):
    """What a harness passes on matters, from counts over the criteria that are compared; None where none was scored."""

    pooled: float | None
    per_task: float | None
    all_pass: float


class Beside(Record):
    """What stands beside a gain: the same two harnesses on matters that nothing was decided on, and plain sampling.

    Attributes:
        side: The side of the split that was looked at.
        matters, criteria: What was looked at; criteria that both were judged by, of the first attempts.
        before, after: The harness that the learning run began with, and the one it ended with.
        gain: Pooled pass after less before; with its 95 % interval, clustered by matter.
        tokens, evaluations: What all learning of this run has taken so far.
        k: Attempts of a matter that the same budget would have bought with the first harness; 1 at the least.
        k_run: Attempts that were made of them.
        best_of_k: The first harness with the attempt that its release gates like best, without sight of a rubric.
        oracle: The first harness with the attempt that scored best: what no chooser can pass.
        note: What the numbers do not bear.
    """

    side: Literal["test", "giant"]
    matters: int
    criteria: int
    before: Rates
    after: Rates
    gain: float | None
    interval: tuple[float, float] | None
    tokens: int
    evaluations: int
    k: int
    k_run: int
    best_of_k: Rates
    oracle: Rates
    note: str = ""


class LedgerRow(Record):
    """One proposed edit and what became of it. Rows are appended, never changed.

    Attributes:
        proposer, policy: Names of what proposed and of what decided, or would have.
        rationale: Why the edit should help; of a step without an edit, why there was none.
        reason: The reason that the edit answers; None where it answers none, and in a row of an earlier version.
        holdout_before, holdout_after: Pooled pass on matters the step did not learn from, in a row of an earlier
            version, which looked at every promotion.
        beside: What stands beside the gain of the run up to here; in a row of its own, which proposes nothing.
        failure: Why nothing was proposed, where its proposer failed or its iteration was void.
        together: Version of the harness that held the edits of the step that were compared as one; empty where the
            edit was compared alone.
        claim: What the proposer said that the edit does, where it says so; words of a matter are withheld.
        slices: What the slices of the claim showed; None where the edit did not come to be run on them.
        decided_utc: When the row was written; None in a row of an earlier version.
        chain: Of a line of the file alone: a hash over it and the line before (``ledger.py``); empty once it is read.
    """

    schema_version: int = 1
    learn_id: str
    step: int
    minibatch: int
    proposer: str = ""
    policy: str = ""
    base_version: str
    candidate_version: str
    surface: Surface | Literal["none"]
    path: str
    rationale: str
    reason: Reason | None = None
    diff: str
    edit_digest: str
    gates: tuple[GateVerdict, ...]
    decision: Decision | None
    accepted: bool
    holdout_before: float | None = None
    holdout_after: float | None = None
    beside: tuple[Beside, ...] = ()
    failure: Failure | None = None
    together: str = ""
    claim: Claim | None = None
    slices: Slices | None = None
    decided_utc: AwareDatetime | None = None
    chain: str = ""

    @property
    def comparison(self) -> str:
        """What parts the comparison behind the row from others of its run; empty where no pair was drawn."""
        drawn = self.decision is not None and self.decision.pairs > 0
        return f"{self.step}:{self.together or self.edit_digest}" if drawn else ""

    @property
    def told(self) -> str:
        """The rationale with the reason that it answers, as people read it."""
        return f"{self.rationale} (answers: {self.reason.sentence})" if self.reason else self.rationale
