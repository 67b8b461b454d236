"""The model judge: one call per criterion, a structured verdict, and a quote that must be in the work product."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tasks.judging.prompt_files import Fault, judge_prompts, retry_request
from tasks.judging.reading import files_of, our_problems, unread, unscored_verdict, verdict_without_judge
from tasks.judging.records import Verdict
from tasks.matter.failures import FailureCause, SolonError, visible
from tasks.matter.rubric import Criterion
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.models.fencing import inert_text
from tasks.models.parsing import find_objects
from tasks.sources.records import CanonicalText

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_CHARS_PER_TOKEN = 3.0  # on the safe side for English legal text (about 4.3) and for tables (about 3)
SCHEMA: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["reasoning", "verdict", "quote"],
        "properties": {
            "reasoning": {"type": "string", "maxLength": 900},
            "verdict": {"type": "string", "enum": ["pass", "fail"]},
            "quote": {"type": "string", "maxLength": 600},
        },
    }
)


@dataclass(frozen=True)
class ModelJudge:
    """Judges criteria by one model profile.

    Attributes:
        task: Title of the task.
        texts: Canonical texts of the files of ``output/`` by file name.
        redlined: The Word files again with their tracked changes between marks, for criteria that ask about them.
    """

    client: ModelClient
    task: str
    texts: Mapping[str, CanonicalText]
    redlined: Mapping[str, CanonicalText] = field(default_factory=dict)

    def judge(self, criterion: Criterion) -> Verdict:
        """Judge one criterion; whatever keeps the judge from a usable verdict leaves it unscored.

        Raises:
            SolonError: The endpoint refuses the key: it ends the judging.
        """
        early = verdict_without_judge(criterion, self.texts)
        if early is not None:
            return early
        files = files_of(criterion, self.texts)
        verdict = self._ask(criterion, files)
        if verdict.status == "fail":
            problems = our_problems(files, self.texts)
            if problems:
                return unread(criterion, problems[0]).model_copy(update={"usage": verdict.usage})
            unseen = [f for f in files if f.lower().endswith(".docx") and f not in self.redlined]
            if criterion.include_redlines and unseen:
                message = "The criterion asks about tracked changes, which the judge was shown only as accepted text."
                return unscored_verdict(criterion, FailureCause.READER, message).model_copy(
                    update={"usage": verdict.usage}
                )
        return verdict

    def _ask(self, criterion: Criterion, files: Sequence[str]) -> Verdict:
        seen = {**self.texts, **self.redlined} if criterion.include_redlines else self.texts
        said = {f: inert_text(seen[f].text.strip()) for f in files}
        work = "\n\n".join(f"[File: {visible(f)}]\n{text}" for f, text in said.items())
        messages = prompt(self.task, work, criterion)
        size = sum(len(m["content"]) for m in messages) / _CHARS_PER_TOKEN
        window = self.client.prompt_budget
        if size > window:
            message = f"The work product (about {size:.0f} tokens) does not fit the judge's context of {window}."
            return unscored_verdict(criterion, FailureCause.CAPACITY, message)
        spent = Usage()
        fault: Fault | None = None
        for _ in range(2):
            try:
                reply = self.client.complete(messages, schema=SCHEMA)
            except SolonError as error:
                if error.failure.cause is FailureCause.LOGIN:
                    raise  # no later criterion will do better
                return unscored_verdict(criterion, error.failure.cause, error.failure.message).model_copy(
                    update={"usage": spent}
                )
            spent = spent + reply.usage
            answer = _answer(reply.text)
            fault = _fault(answer, "\n\n".join(said.values()))  # without headings of ours
            if answer is not None and fault is None:
                return Verdict(
                    criterion_id=criterion.id,
                    title=criterion.title,
                    status="pass" if answer["verdict"] == "pass" else "fail",
                    reasoning=answer["reasoning"],
                    quote=answer["quote"],
                    usage=spent,
                )
            messages = [
                *messages,
                {"role": "assistant", "content": reply.text[:4000]},
                {"role": "user", "content": retry_request(fault or Fault.NO_OBJECT)},
            ]
        return unscored_verdict(criterion, FailureCause.JUDGE, f"No usable verdict in two tries: {fault}.").model_copy(
            update={"usage": spent}
        )


def prompt(task: str, work: str, criterion: Criterion) -> list[dict[str, Any]]:
    """Return the messages of one call. The work product comes first and is marked: all criteria share that prefix."""
    prompts = judge_prompts()
    asked = prompts["criterion"].filled(
        task=task,
        redlines=prompts["redlines"].filled() if criterion.include_redlines else "",
        code=_nonce(work),
        work=work,
        title=criterion.title,
        rule=criterion.match_criteria,
    )
    shared = asked.index(work) + len(work)
    return [
        {"role": "system", "content": prompts["judge"].filled()},
        {"role": "user", "content": asked, "cache": shared},
    ]


def _nonce(work: str) -> str:
    """Return a code that the work product cannot contain by design: it hangs on every byte of it."""
    for round_ in range(100):
        nonce = hashlib.sha256(f"{round_}/{work}".encode("utf-8", "surrogatepass")).hexdigest()[:20]
        if nonce not in work:
            return nonce
    raise AssertionError("no fence code is free of the text")


def _answer(text: str) -> dict[str, str] | None:
    """Return the three strings of a verdict; None where the reply is not one, or holds verdicts that disagree.

    A judge may repeat a verdict it found in the work product before it gives its own: neither of two is then taken.
    """
    said = [v for v in find_objects(_THINKING.sub("", text)) if "verdict" in v]
    if len({str(v["verdict"]).strip().lower() for v in said}) != 1:
        return None
    value = said[-1]
    if str(value["verdict"]).strip().lower() not in {"pass", "fail"}:
        return None
    return {
        "verdict": str(value["verdict"]).strip().lower(),
        "reasoning": str(value.get("reasoning", ""))[:2000],
        "quote": str(value.get("quote") or "")[:2000],
    }


def _fault(answer: Mapping[str, str] | None, said: str) -> Fault | None:
    """Say what is wrong with a verdict; None when nothing is."""
    if answer is None:
        return Fault.NO_OBJECT
    quote = fold_quotation(answer["quote"])
    if not quote:
        return Fault.NO_QUOTE if answer["verdict"] == "pass" else None
    if len(quote) < 4 and answer["verdict"] == "pass":
        return Fault.SHORT_QUOTE
    return None if quote in fold_quotation(said) else Fault.MISQUOTED


def fold_quotation(text: str) -> str:
    """Fold white space, case, and the typography of quotes and dashes, for comparing quotations."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = re.sub(r"[“”„\"'‘’`]", "", text)
    text = re.sub(r"[‐-―−]", "-", text)
    text = re.sub(r"\s+", " ", text)
    return text.strip(" .…")
