"""A panel of model judges on the criteria of one work product: seats, rounds, ladders, and the verdicts from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tasks.judging.profiles import JudgeProfile
from tasks.judging.reading import files_of, our_problems, unread, unscored_verdict
from tasks.judging.records import Verdict, Vote
from tasks.judging.rubric.batches import Batches, Companions
from tasks.judging.rubric.items import JudgedItem, Work
from tasks.judging.rubric.votes import VoteResult, at_odds, decide, standing
from tasks.matter.failures import FailureCause
from tasks.matter.rubric import Criterion
from tasks.matter.usage import Usage
from tasks.models.access import ModelAccess
from tasks.models.client import ModelClient
from tasks.sources.records import CanonicalText

_CLIMB = frozenset({FailureCause.JUDGE, FailureCause.CAPACITY})  # a larger model may do better; after others none will


@dataclass(frozen=True)
class Panel:
    """Judges criteria by the models of a profile.

    Attributes:
        task: Title of the task.
        texts: Canonical texts of the files of ``output/`` by file name.
        redlined: The Word files again with their tracked changes between marks, for criteria that ask about them.
        companions: What goes with every batch; None for nothing.
    """

    profile: JudgeProfile
    access: ModelAccess
    task: str
    texts: Mapping[str, CanonicalText]
    redlined: Mapping[str, CanonicalText] = field(default_factory=dict)
    companions: Companions | None = None

    def judge(self, criteria: Sequence[Criterion]) -> dict[str, Verdict]:
        """Return a verdict for each criterion, by its id. Their deliverables must be there, with text in them.

        Raises:
            SolonError: An endpoint refuses the key: it ends the judging.
        """
        groups: dict[tuple[tuple[str, ...], bool], list[Criterion]] = {}
        for criterion in criteria:
            place = (tuple(files_of(criterion, self.texts)), criterion.include_redlines)
            groups.setdefault(place, []).append(criterion)
        found: dict[str, Verdict] = {}
        for (files, redlines), of in groups.items():
            seen = {**self.texts, **self.redlined} if redlines else self.texts
            work = Work.of(self.task, files, seen, redlines)
            items = {c.id: work.criterion(c) for c in of}
            votes = self._votes(work, list(items.values()))
            found |= {c.id: self._verdict(c, files, votes[items[c.id].id]) for c in of}
        return found

    def _votes(self, work: Work, items: Sequence[JudgedItem]) -> dict[str, list[Vote]]:
        """Return all votes on each item, by its id."""
        cast: dict[str, list[Vote]] = {item.id: [] for item in items}
        for seat in range(len(self.profile.seats)):
            for round_ in range(self.profile.votes):
                self._ask(cast, work, items, seat, 0, round_)
            if len(self.profile.seats[seat]) > 1:
                for round_ in range(self.profile.votes):
                    climbing = [item for item in items if _climbs(cast[item.id], seat, round_)]
                    self._ask(cast, work, climbing, seat, 1, round_)
        return cast

    def _ask(
        self, cast: Mapping[str, list[Vote]], work: Work, items: Sequence[JudgedItem], seat: int, rung: int, round_: int
    ) -> None:
        client = self._client(self.profile.seats[seat][rung], round_)
        batches = Batches(client, work, self.profile.batch, self.companions, seat, rung, round_)
        for i, vote in batches.votes(items).items():
            cast[i].append(vote)

    def _client(self, model: str, round_: int) -> ModelClient:
        """Return the client of a model; rounds share no recorded reply."""
        client = self.access.client(model, salt=f"vote {round_}" if round_ else "")
        if self.profile.temperature is None:
            return client
        change = {"temperature": self.profile.temperature}
        others = tuple(p.model_copy(update=change) for p in client.fallbacks)
        return replace(client, profile=client.profile.model_copy(update=change), fallbacks=others)

    def _verdict(self, criterion: Criterion, files: Sequence[str], votes: Sequence[Vote]) -> Verdict:
        verdict = self._seen(criterion, files, decide(votes, self.profile.rule), votes)
        return verdict.model_copy(update={"votes": tuple(votes), "usage": sum((vote.usage for vote in votes), Usage())})

    def _seen(self, criterion: Criterion, files: Sequence[str], decision: VoteResult, votes: Sequence[Vote]) -> Verdict:
        """Return the verdict of a decision; a fail on what the judge could not see whole is none."""
        if decision.status == "fail":
            if problems := our_problems(files, self.texts):
                return unread(criterion, problems[0])
            if criterion.include_redlines and any(
                f.lower().endswith(".docx") and f not in self.redlined for f in files
            ):
                message = "The criterion asks about tracked changes, which the judge was shown only as accepted text."
                return unscored_verdict(criterion, FailureCause.READER, message)
        return Verdict(
            criterion_id=criterion.id,
            title=criterion.title,
            status=decision.status,
            cause=decision.cause,
            reasoning=_reasoning(decision, votes),
            quote=decision.decisive.quote if decision.decisive and decision.status != "unscored" else "",
        )


def _climbs(votes: Sequence[Vote], seat: int, round_: int) -> bool:
    """Whether the larger model of a seat is asked: no usable vote came, it did not fit, or the rounds disagree."""
    mine = [vote for vote in votes if vote.seat == seat and vote.rung == 0]
    failed = any(v.status == "unscored" and v.cause in _CLIMB for v in mine if v.round == round_)
    return failed or at_odds(mine)


def _reasoning(decision: VoteResult, votes: Sequence[Vote]) -> str:
    """Return why: the words of the one vote that stands, or of all with what each was."""
    counted = standing(votes)
    if len(counted) == 1:
        return counted[0].reasoning
    said = " / ".join(f"{vote.status}: {vote.reasoning}" for vote in counted)
    tied = decision.status == "unscored" and all(vote.status != "unscored" for vote in counted)
    return f"The votes are tied. {said}" if tied else said
