"""The ``api`` runtime: one prompt with brief, skill, skeleton and fenced documents; Markdown back; files built."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasks.drafting.api.context import Context, build_context
from tasks.drafting.api.prompt import build_prompt
from tasks.drafting.api.reply import joined, parse_deliverables, parse_edits, without_fences
from tasks.drafting.briefing import marked_source, wanted_file_names
from tasks.drafting.calling import client_of, outcome_of
from tasks.drafting.mechanisms.records import Firing, Moment
from tasks.drafting.records import DraftJob, WorkProduct
from tasks.drafting.redlines import redlines_of
from tasks.drafting.trace import Trace
from tasks.drafting.workspace.collecting import collect
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.client import ModelClient
from tasks.models.records import Reply
from tasks.models.tokens import CHARS_PER_TOKEN

_CONTINUATIONS = 4  # requests for the rest of a reply; bounds a model that never ends
_SHRINKS = 3  # tries with a shorter prompt before the endpoint's refusal counts


class ApiRuntime:
    """Drafts with one model and no tools. Expected failures are outcomes, never exceptions."""

    name = "api"
    model = True
    calls_tools = False

    def draft(self, job: DraftJob) -> WorkProduct:
        """Draft, or revise when the job carries a release report."""
        began = time.monotonic()
        (job.workspace / "output").mkdir(parents=True, exist_ok=True)
        trace = Trace.resume(job.workspace) if job.report else Trace.anew(job.workspace)
        attempt = _Attempt(job, trace, began)
        try:
            attempt.run(client_of(job))
        except SolonError as error:
            attempt.failures.append(error.failure)
        attempt.build()
        return attempt.end()


@dataclass
class _Attempt:
    """One pass: what was asked and said, its files, its failures."""

    job: DraftJob
    trace: Trace
    began: float
    context: Context = field(default_factory=Context)
    budget: int = 0
    files: dict[str, str] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    firings: list[Firing] = field(default_factory=list)
    said: str = ""

    def run(self, client: ModelClient) -> None:
        """Ask for the files, and once more for those that are missing."""
        names = wanted_file_names(self.job)
        self.budget = int(client.prompt_budget * CHARS_PER_TOKEN)
        messages, first = self._fitting(client)
        text = self._whole(client, messages, first)
        self.files = parse_deliverables(text, names)
        missing = [n for n in names if n not in self.files]
        if missing and not self.failures and self.trace.turn < self.job.cell.limits.max_turns:
            asked = self.job.harness.prompts.api_missing.filled(files=", ".join(missing))
            messages = [*messages, {"role": "assistant", "content": text}, _user(asked)]
            if reply := self._more(client, messages):
                self.files.update(parse_deliverables(self._whole(client, messages, reply), missing))

    def _whole(self, client: ModelClient, messages: list[dict[str, Any]], reply: Reply) -> str:
        """Return a reply with its continuations, where it was cut off at its length limit."""
        text, asked = reply.text, _user(self.job.harness.prompts.api_continue.filled())
        for _ in range(_CONTINUATIONS):
            if reply.finish_reason != "length" or self.trace.turn >= self.job.cell.limits.max_turns:
                break
            rest = self._more(client, [*messages, {"role": "assistant", "content": text}, asked])
            if rest is None:
                break
            text, reply = joined(text, rest.text, asked["content"]), rest
        return text

    def _more(self, client: ModelClient, messages: list[dict[str, Any]]) -> Reply | None:
        """Return what follows on a reply; None where nothing can follow: what was written until then is kept.

        A model that has filled its window has had its say, as one that never ends has: its work is judged as it is.
        """
        try:
            return self._ask(client, messages)
        except SolonError as error:
            if error.failure.cause is not FailureCause.CAPACITY:
                self.failures.append(error.failure)
                return None
        note = "The reply was cut off, and its rest does not fit the context window."
        self.firings.append(Firing(mechanism="full_window", moment=Moment.CONTEXT, turn=self.trace.turn, note=note))
        self.trace.fired(self.firings[-1])
        return None

    def _ask(self, client: ModelClient, messages: list[dict[str, Any]]) -> Reply:
        spent = time.monotonic() - self.began
        if spent >= self.job.cell.limits.wall_seconds:
            message = f"The wall time of {self.job.cell.limits.wall_seconds:g} s is used up."
            raise _failure(FailureCause.TIMEOUT, self.job.matter.matter_id, message, "Raise wall_seconds of the cell.")
        reply = client.complete(messages)
        self.trace.assistant(reply, self.context.spans)
        self.said = reply.text
        return reply

    def _fitting(self, client: ModelClient) -> tuple[list[dict[str, Any]], Reply]:
        """Send the first request; if the endpoint finds the prompt too long, send a shorter one."""
        for shrink in range(_SHRINKS):
            messages = self._prompt(self.budget)
            try:
                return messages, self._ask(client, messages)
            except SolonError as error:
                if error.failure.cause is not FailureCause.CAPACITY or shrink == _SHRINKS - 1:
                    raise
            size = sum(len(m["content"]) for m in messages)
            self.budget = min(self.budget, size) * 2 // 3
        raise AssertionError("unreachable: the last try returns or raises")

    def _prompt(self, budget: int) -> list[dict[str, Any]]:
        previous = _previous(self.job) if self.job.report else {}
        empty = build_prompt(self.job, Context(), previous)
        fixed = sum(len(m["content"]) for m in empty)
        if fixed >= budget:
            message = (
                f"Brief, skill and form alone (about {fixed / CHARS_PER_TOKEN:.0f} tokens) fill the context window."
            )
            raise _failure(FailureCause.CAPACITY, self.job.matter.matter_id, message, "Use a model with a larger one.")
        self.context = build_context(self.job, budget - fixed)
        return build_prompt(self.job, self.context, previous)

    def build(self) -> None:
        """Build what was written, even if the attempt broke off later.

        A file that the model did not write is no failure of ours: the work product lacks it, and is judged so.
        """
        for name in wanted_file_names(self.job):
            if name in self.files:
                self._build(name, without_fences(self.files[name], self.context.code))

    def _build(self, name: str, markdown: str) -> None:
        keep = _draft_path(self.job.workspace, name)
        keep.parent.mkdir(parents=True, exist_ok=True)
        keep.write_text(markdown, encoding="utf-8", errors="backslashreplace")
        tool, arguments = self._call(name, markdown)
        try:
            result = self.job.toolbox.call(tool, arguments)
        except SolonError as error:
            self.trace.tool(tool, arguments, error.failure.line())
            self.failures.append(error.failure)
            return
        self.trace.tool(tool, arguments, str(result))
        self.trace.count("files_written")

    def _call(self, name: str, markdown: str) -> tuple[str, dict[str, Any]]:
        """Return the tool that builds a file: a redline from its edits, or from a whole new wording."""
        source = marked_source(self.job)
        if not source or name not in redlines_of(self.job.matter):
            return "build_deliverable", {"path": name, "markdown": markdown}
        edits = parse_edits(markdown)
        return "redline", {"path": name, "source": source, **({"edits": edits} if edits else {"edited": markdown})}

    def end(self) -> WorkProduct:
        """Close the trace and return the work product."""
        total = len(self.job.matter.documents)
        outcome = outcome_of(self.failures)
        seconds = time.monotonic() - self.began
        clean = outcome == "finished" and all(name in self.files for name in wanted_file_names(self.job))
        self.trace.close(clean, seconds, self.context.served, self.context.skipped, total)
        collected = collect(self.job.workspace / "output")
        return WorkProduct(
            files=collected.files,
            outcome=outcome,
            final_message=self.said[-4000:],
            failures=(*self.failures, *collected.refused),
            firings=tuple(self.firings),
        )


def _user(content: str) -> dict[str, str]:
    return {"role": "user", "content": content}


def _draft_path(workspace: Path, name: str) -> Path:
    """Return where the Markdown of a deliverable is kept for a revision pass."""
    return workspace / "draft" / f"{re.sub(r'[^A-Za-z0-9._-]', '_', name)}.md"


def _previous(job: DraftJob) -> dict[str, str]:
    """Return the Markdown of the pass before: our own, or what the reader finds in the files."""
    from tasks.sources.texts import read_file

    drafts = {}
    for name in wanted_file_names(job):
        kept, built = _draft_path(job.workspace, name), job.workspace / "output" / name
        if kept.is_file():
            drafts[name] = kept.read_text(encoding="utf-8")
        elif built.is_file():
            drafts[name] = read_file(built, name).text
    return drafts


def _failed(cause: FailureCause, subject: str, message: str, remedy: str = "") -> Failure:
    return Failure(cause=cause, stage="drafting", subject=subject, message=message, remedy=remedy)


def _failure(cause: FailureCause, subject: str, message: str, remedy: str = "") -> SolonError:
    return SolonError(_failed(cause, subject, message, remedy))


RUNTIME = ApiRuntime()
