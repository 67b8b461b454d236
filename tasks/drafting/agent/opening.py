"""The first messages to an agent, as detailed as its model's context window allows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from skills_repo.agent_settings import Opening
from tasks.drafting.agent.hands import Hands
from tasks.drafting.briefing import (
    leads,
    marked_source,
    numbered_asks,
    skeletons,
    table_of_asks,
    unread_documents,
    wanted_file_names,
)
from tasks.drafting.fences import fence_code, fenced, one_line
from tasks.drafting.records import DraftJob
from tasks.drafting.redlines import redlines_of
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.fencing import inert_text

OPTION = "opening"
_MOST_UNREAD = 1200  # characters of the list of documents that cannot be read
_PART = re.compile(r"^## (?:\d\. )?(.+?)\s*$", re.MULTILINE)
Counted = Callable[[Sequence[dict[str, Any]], Sequence[dict[str, Any]]], int]


@dataclass(frozen=True)
class Opened:
    """The opening of a conversation.

    Attributes:
        size: Which of the harness's openings it is.
        tokens: Of messages and tools together.
    """

    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    size: str
    tokens: int


def open_conversation(job: DraftJob, hands: Hands, budget: int, counted: Counted) -> Opened:
    """Return the most detailed opening that fits its share of the prompt, or the one that the cell names.

    Args:
        job: The matter with its harness.
        hands: The tools there are.
        budget: Tokens of a prompt.
        counted: Counts the tokens of messages and tools.

    Raises:
        SolonError: The cell wants an opening that there is not (``input``); even the least fills the window
            (``capacity``).
    """
    settings = job.harness.agent
    for size in _sizes(job):
        messages, tools = _opening(job, hands, settings.openings[size])
        tokens = counted(messages, tools)
        if tokens <= settings.share * budget:
            break
    if tokens > budget:
        message = f"Brief, skill and tools alone (about {tokens} tokens) fill the context window."
        raise _failure(FailureCause.CAPACITY, job.matter.matter_id, message, "Use a model with a larger one.")
    return Opened(messages, tools, size, tokens)


def demanded_tools(job: DraftJob) -> tuple[str, ...]:
    """Return the tools that the skill demands and that the toolbox has."""
    there = set(job.toolbox.names())
    return tuple(name for name in job.pack.skill.mandatory_tools if name in there)


def _sizes(job: DraftJob) -> tuple[str, ...]:
    known, wanted = tuple(job.harness.agent.openings), job.cell.options.get(OPTION)
    if wanted is not None and wanted not in known:
        subject = f"cells.{job.cell.name}.options.{OPTION}"
        raise _failure(FailureCause.INPUT, subject, f"{wanted!r} is no opening", f"Use one of {', '.join(known)}.")
    return known if wanted is None else (str(wanted),)


def _opening(job: DraftJob, hands: Hands, size: Opening) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    messages = [
        {"role": "system", "content": system_message(job, size)},
        {"role": "user", "content": _matter(job, size)},
    ]
    few = dict.fromkeys([*job.harness.agent.few_tools, *demanded_tools(job), *_marking(job)])
    return messages, hands.definitions(hands.tools if size.every_tool else few, brief=not size.every_tool)


def _marking(job: DraftJob) -> tuple[str, ...]:
    return ("redline",) if marked_source(job) else ()


def system_message(job: DraftJob, size: Opening) -> str:
    """Return how to work: the rules, the form, the skill, the leads of the harness."""
    skill, source = job.pack.skill, marked_source(job)
    return job.harness.prompts.agent.filled(
        files=", ".join(wanted_file_names(job)),
        table_of_asks=table_of_asks(job),
        redlines=", ".join(redlines_of(job.matter)) if source else "",
        source=inert_text(one_line(source)),
        mandatory=", ".join(demanded_tools(job)),
        skill_name=skill.name,
        skill_description=skill.description,
        skill=_parts(skill.body, size.parts),
        skeletons=skeletons(job),
        leads=leads(job, size.leads) if size.leads else "",
    )


def _parts(body: str, wanted: Sequence[str]) -> str:
    """Return the wanted parts of a skill's body; a body without parts as it stands."""
    pieces = _PART.split(body)
    if len(pieces) < 3:  # of one part: what stands before it, its name and its body
        return body.strip()
    named = zip(pieces[1::2], pieces[2::2], strict=True)
    return "\n\n".join(f"{name}\n{text.strip()}" for name, text in named if name in wanted)


def _matter(job: DraftJob, size: Opening) -> str:
    """Return the first user message; the brief is fenced, since it repeats words of third parties."""
    brief = f"Matter: {job.matter.title}\n{job.matter.instructions.strip()}"
    code = fence_code([brief, *(text.sha256 for text in job.texts.values())])
    unread = "; ".join(f"{one_line(n)} ({why})" if why else one_line(n) for n, why in unread_documents(job).items())
    readable = [name for name in sorted(job.texts) if job.texts[name].text.strip()]
    return job.harness.prompts.agent_matter.filled(
        documents="\n".join(_listed(job, name, size.first_words) for name in readable[: size.documents]),
        more=str(max(0, len(readable) - size.documents) or ""),
        unread=unread[:_MOST_UNREAD],
        code=code,
        brief=fenced("BRIEF", brief, code),
        asks=numbered_asks(job),
    )


def _listed(job: DraftJob, name: str, words: int) -> str:
    text = job.texts[name].text
    begins = inert_text(" ".join(text[: 4 * words].split()))[:words]
    lines = f"{one_line(name)}, {text.count(chr(10)) + 1} lines"
    return f"- {lines}: {one_line(begins)}" if begins else f"- {lines}"


def _failure(cause: FailureCause, subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=cause, stage="drafting", subject=subject, message=message, remedy=remedy))
