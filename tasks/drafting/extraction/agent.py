"""An agent fills a part of a checklist with six tools; at each step it is shown a snapshot of its work."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from tasks.drafting.agent.hands import Hands
from tasks.drafting.agent.loop import Loop
from tasks.drafting.extraction.snapshot import Snapshot
from tasks.drafting.extraction.tools import case_tools
from tasks.drafting.extraction.work import ItemPart, Work
from tasks.drafting.mechanisms.records import Moment, View
from tasks.matter.failures import SolonError


@dataclass(frozen=True)
class Review:
    """When an agent stops, sends it back once to the empty items."""

    name: ClassVar[str] = "review"
    moment: ClassVar[Moment] = Moment.FINISH
    talk: Snapshot

    def objection(self, view: View) -> str:  # noqa: ARG002  # the state of the work is in the snapshot
        """Return the items to look for again; empty if there are none, or if the agent was already told."""
        empty = [] if self.talk.reviewed else self.talk.sheet.empty()
        self.talk.reviewed = True
        names = ", ".join(item.id for item in empty)
        return self.talk.prompts.extract_review.filled(empty=names) if empty else ""


def by_agent(work: Work, part: ItemPart) -> bool:
    """Let one agent fill a part; return whether further parts are worth a try."""
    state, sheet, papers = work.begin(part), work.sheet(part), work.papers.unseen()

    def save(**more: object) -> None:
        work.saw(papers)
        work.save(part.name, {**talk.kept(), **more})

    talk = Snapshot(work.trace, sheet, papers, work.harness.prompts, work.harness.agent.extraction, save)
    if state:
        talk.resume(state)
    if state.get("done"):
        work.took(sheet)
        return True
    for message in () if state else talk.messages:
        work.trace.told(message["role"], message["content"])
    loop = _loop(work, talk)
    try:
        loop.run()
    except SolonError as error:
        work.took(sheet)
        return work.failed(part, sheet, error)
    finally:
        work.notes += [f"{part.name}: {f.note}" for f in loop.firings if f.mechanism == "circle"]
    work.took(sheet)
    save(done=True)
    return True


def _loop(work: Work, talk: Snapshot) -> Loop:
    """Return the loop of one agent: its tools, its words, its limits."""
    settings, prompts = work.harness.agent, work.harness.prompts
    most = int(work.client.prompt_budget * settings.result_share)
    hands = Hands.of(case_tools(talk.papers, talk.sheet, settings.extraction, most), work.repairs)
    hands.steps += talk.steps()
    return Loop(
        client=work.client,
        talk=talk,
        hands=hands,
        tools=hands.definitions(hands.tools, brief=False),
        clock=work.clock,
        settings=settings,
        prompts=replace(prompts, agent_circle=prompts.extract_circle, agent_cut=prompts.extract_cut),
        files="",
        view=partial(_view, work),
        delivered=lambda: True,  # what was recorded is delivered, however the work ends
        guards=[Review(talk)],
        compactions=[talk],
    )


def _view(work: Work, said: str) -> View:
    nowhere = work.folder / "output"
    return View("", (), work.papers.texts, nowhere, nowhere, said=said, turn=work.trace.turn)
