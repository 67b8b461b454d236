"""The loop of an agent: ask the model, carry out its calls, show the results, until it stops or reaches a limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from skills_repo.agent_settings import AgentSettings
from skills_repo.prompt_files import Prompts
from tasks.drafting.agent.circles import circle
from tasks.drafting.agent.conversation import Talk
from tasks.drafting.agent.hands import Hands
from tasks.drafting.agent.limits import Clock
from tasks.drafting.mechanisms.records import Compaction, Firing, Guard, Moment, View
from tasks.matter.failures import FailureCause, SolonError
from tasks.models.client import ModelClient
from tasks.models.records import Reply

_REMINDERS = 3  # times that a model is told that its reply was cut off


@dataclass
class Loop:
    """One pass of an agent over its matter.

    Attributes:
        tools: As the model is offered them.
        view: What a mechanism may see now, given the model's last words.
        delivered: Whether anything lies in the output.
        firings: What mechanisms did, in order.
        circled: What the model did again and again, where that ended the work; else empty.
    """

    client: ModelClient
    talk: Talk
    hands: Hands
    tools: Sequence[dict[str, Any]]
    clock: Clock
    settings: AgentSettings
    prompts: Prompts
    files: str
    view: Callable[[str], View]
    delivered: Callable[[], bool]
    guards: Sequence[Guard] = ()
    compactions: Sequence[Compaction] = ()
    said: str = ""
    circled: str = ""
    firings: list[Firing] = field(default_factory=list)
    _told: set[str] = field(default_factory=set)
    _cut: int = 0
    _seen: int = 0  # steps in which a circle was looked for
    _last_turn: int | None = None  # set by a second circle

    @property
    def turn(self) -> int:
        """The turn at hand."""
        return self.talk.trace.turn

    def run(self) -> None:
        """Work until the model stops, or goes on in circles after it was warned: ``circled`` then says how.

        Raises:
            SolonError: A limit is met, or the model cannot be asked.
        """
        while True:
            self.clock.check(self.turn)
            self._warn()
            reply = self._ask()
            calls = self.hands.understood(reply.tool_calls, reply.text, self.turn + 1)
            self.talk.replied(reply, calls)
            self._record(self.hands.fired())
            for number, call in enumerate(calls):
                self.talk.shown(call, self.hands.use(call, self.turn, number, number > 0 and self._full()))
            answer = self._warning() if calls else self._objection(reply)
            if self.circled or not (calls or answer):
                return
            if answer:
                self.talk.say(answer)

    def _ask(self) -> Reply:
        """Return the next reply; a history that does not fit is shortened, again if the endpoint still refuses it."""
        self._shorten(self.client.prompt_budget)
        left, client = self.clock.left, self.client
        if left < client.profile.timeout_seconds:
            client = client.within(left)
        try:
            reply = client.complete(self.talk.asked(), tools=self.tools)
        except SolonError as error:
            if error.failure.cause is FailureCause.TIMEOUT:
                self.clock.check(self.turn)  # where the wall time ended the wait, it is what has to be raised
            held, _ = self.talk.measured(client, self.tools, 0)
            if error.failure.cause is not FailureCause.CAPACITY or not self._shorten(held * 2 // 3):
                raise
            reply = client.complete(self.talk.asked(), tools=self.tools)
        self.said = reply.text or self.said
        return reply

    def _full(self) -> bool:
        """Tell whether one more result may be too much; the opening and the last turn cannot be shortened."""
        budget = self.client.prompt_budget
        return self.talk.fixed(self.client, self.tools) + self.settings.result_share * budget > budget

    def _shorten(self, budget: int) -> bool:
        """Let the compactions bring the history into a budget of tokens; return whether one did anything."""
        tokens, room = self.talk.measured(self.client, self.tools, budget)
        for compaction in self.compactions:
            shorter = compaction.compacted(self.talk.messages, room)
            if shorter is not None:
                self.talk.shortened(shorter)
                now, _ = self.talk.measured(self.client, self.tools, budget)
                note = f"{tokens} tokens of {budget} were brought to {now}"
                self._record([Firing(mechanism=compaction.name, moment=Moment.CONTEXT, turn=self.turn, note=note)])
                return True
        return False

    def _warning(self) -> str:
        """Return what the model is told where it goes in circles, nothing where it does not.

        A first circle is told. At a second the guards say once what is missing, and a few turns are left for it. A
        third, the last of these turns, or a second where nothing is missing, ends the work: ``circled`` is set.
        """
        found = self._circle()
        if not found and (self._last_turn is None or self.turn < self._last_turn):
            return ""
        told = self._once("circle", self.prompts.agent_circle.filled(circle=found)) if found else ""
        missing = "" if told or self._last_turn is not None else self._missing("") or self._idle()
        if missing:
            self._last_turn = self.turn + self.settings.last_turns
            turns = str(self.settings.last_turns)
            told = self.prompts.agent_ends.filled(circle=found, turns=turns, missing=missing)
        self.circled = "" if told else found or f"the {self.settings.last_turns} turns after a second circle are used"
        became = "the work was ended" if self.circled else "it was told what is missing" if missing else "it was told"
        note = f"{self.circled or found}; {became}"[:500]
        self._record([Firing(mechanism="circle", moment=Moment.FINISH, turn=self.turn, note=note)])
        return told

    def _circle(self) -> str:
        """Return the first circle among the calls of this turn, in words; the calls before it are part of it."""
        steps, begun = self.hands.steps, self._seen
        self._seen = len(steps)
        ends = range(begun + 1, len(steps) + 1)
        return next((found for end in ends if (found := circle(steps[:end], self.settings))), "")

    def _objection(self, reply: Reply) -> str:
        """Return the objection when the model stops; empty if it may stop."""
        if reply.finish_reason == "length" and self._cut < _REMINDERS:
            self._cut += 1
            return self.prompts.agent_cut.filled()
        return self._idle() or self._missing(reply.text)

    def _idle(self) -> str:
        return "" if self.delivered() else self._once("idle", self.prompts.agent_idle.filled(files=self.files))

    def _missing(self, said: str) -> str:
        """Return what the guards object to; empty where they let the model go."""
        objections = []
        for guard in self.guards:
            if objection := guard.objection(self.view(said)):
                objections.append(objection)
                note = " ".join(objection.split())[:500]
                self._record([Firing(mechanism=guard.name, moment=Moment.FINISH, turn=self.turn, note=note)])
        return "\n\n".join(objections)

    def _warn(self) -> None:
        """Say once that a limit is near, while nothing is delivered."""
        spent = self.clock.near(self.turn, self.settings.last_call)
        if spent and not self.delivered():
            last = self._once("last", self.prompts.agent_last.filled(spent=spent))
            if last:
                self.talk.say(last)

    def _once(self, what: str, words: str) -> str:
        new = what not in self._told
        self._told.add(what)
        return words if new else ""

    def _record(self, firings: list[Firing]) -> None:
        for firing in firings:
            self.talk.trace.fired(firing)
        self.firings += firings
