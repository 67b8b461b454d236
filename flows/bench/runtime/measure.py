"""The agent's loop beside a bare one: CPU of a turn, and how many attempts one process holds in flight."""

from __future__ import annotations

import json
import resource
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from flows.bench.runtime.matter import Metronome, job_at
from tasks.drafting.agent.hands import Hands, spoken
from tasks.drafting.agent.opening import open_conversation
from tasks.drafting.agent.tools.files import file_tools
from tasks.drafting.agent.tools.finding import finding_tools
from tasks.drafting.agent.tools.room import AgentDesk
from tasks.drafting.agent.tools.serving import Served
from tasks.drafting.agent.tools.toolbox import BoxTool
from tasks.drafting.calling import client_of
from tasks.drafting.records import DraftJob
from tasks.drafting.runtimes.basic import BasicRuntime
from tasks.drafting.workspace.room import open_room
from tasks.models.client import ModelClient
from tasks.models.records import Reply, Request

SHORT, LONG = 20, 80  # turns; what an attempt costs at its beginning and end falls out of their difference
ROUNDS = 5  # each beside a bare loop; the median of them is told
ATTEMPTS = 200  # at once, as the aim is stated
LATENCY = 1.0
TURNS_AT_ONCE = 12  # long enough that the first still work when the last begin, also on a slow machine
MOST_RATIO = 1.5  # processor time of our loop to that of a bare one: what the loop adds stays below half
_SAMPLED = 0.05  # seconds between two looks at the memory


def measure_runtime(attempts: int = ATTEMPTS, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Measure both.

    Returns:
        Milliseconds of CPU a turn of either loop and their ratio, and of the same bare loop without the client
        (``direct_ms``: no account, no keys of requests); attempts in flight, seconds and memory of many at
        once; ``broke``, the number of promises that did not hold.
    """
    with TemporaryDirectory(prefix="solon-bench-") as folder:
        place = Path(folder)
        one = _turns(place)
        loops = ", ".join(f"{name} {one[f'{name}_ms']:.3f} ms" for name in ("agent", "bare", "direct"))
        say(f"a turn: {loops}")
        many = _at_once(place, attempts)
    held = (one["ratio"] <= MOST_RATIO, many["in_flight"] == attempts, many["finished"] == attempts)
    return {**one, **many, "broke": sum(not promise for promise in held)}


def _turns(place: Path) -> dict[str, Any]:
    """Run both loops in turn, so that what else the machine does meets both; the first round warms them up."""
    rounds = [_round(place / str(number)) for number in range(ROUNDS + 1)][1:]
    agent, bare, direct, fixed = (median(row[n] for row in rounds) for n in range(4))
    return {
        "turns": LONG - SHORT,
        "rounds": ROUNDS,
        "agent_ms": agent,
        "bare_ms": bare,
        "direct_ms": direct,
        "ratio": agent / bare,
        "agent_start_and_end_ms": fixed,
    }


def _round(place: Path) -> tuple[float, float, float, float]:
    """Return the milliseconds of a turn of each loop, and what an attempt of the agent costs beside its turns."""
    loops = (_agent, _bare, _direct)
    spent = {(n, loop): _spent(loop, place / f"{loop.__name__}-{n}", n) for n in (SHORT, LONG) for loop in loops}
    agent, bare, direct = ((spent[LONG, loop] - spent[SHORT, loop]) / (LONG - SHORT) for loop in loops)
    return agent, bare, direct, spent[SHORT, _agent] - SHORT * agent


def _spent(loop: Callable[[DraftJob], None], place: Path, turns: int) -> float:
    job = job_at(place, Metronome(turns))
    began = time.process_time()
    loop(job)
    return (time.process_time() - began) * 1000


def _agent(job: DraftJob) -> None:
    product = BasicRuntime().draft(job)
    if product.outcome != "finished" or not product.files:
        raise RuntimeError(f"the scripted attempt ended otherwise: {product.outcome} {product.failures}")


def _bare(job: DraftJob) -> None:
    """Send the same requests with the same client, do the same calls, and nothing else: what any loop has to do."""
    client = client_of(job)
    _loop(job, client, lambda messages, tools: client.complete(messages, tools=tools))


def _direct(job: DraftJob) -> None:
    """Do the same without the client, which names each request by its content, keeps the account and asks again."""
    client, model = client_of(job), job.models.transport
    assert model is not None
    _loop(job, client, lambda messages, tools: model.send(client.profile, Request(messages=messages, tools=tools)))


def _loop(job: DraftJob, client: ModelClient, ask: Callable[[list[Any], list[Any]], Reply]) -> None:
    room = open_room(job.matter, job.texts, job.workspace)
    desk = AgentDesk(room, Served(job.texts), 24_000)
    tools = {tool.name: tool for tool in (*file_tools(desk), *finding_tools(desk))}
    box = [BoxTool(name, job.toolbox, desk) for name in job.toolbox.names()]
    hands = Hands.of([*tools.values(), *box])
    opened = open_conversation(job, hands, client.prompt_budget, client.tokens_of)
    messages, offered = opened.messages, opened.tools
    while True:
        reply = ask(messages, offered)
        messages.append(
            {"role": "assistant", "content": reply.text, "tool_calls": [spoken(c) for c in reply.tool_calls]}
        )
        if not reply.tool_calls:
            break
        for call in reply.tool_calls:
            shown = tools[call.name].call(json.loads(call.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": shown.text})
    shutil.rmtree(room.documents)


def _at_once(place: Path, attempts: int) -> dict[str, Any]:
    """Run many attempts in threads of one process; each waits for its model most of the time."""
    model = Metronome(TURNS_AT_ONCE, LATENCY)
    jobs = [job_at(place / f"many-{n}", model) for n in range(attempts)]
    before = _memory()
    with _peak() as peak, ThreadPoolExecutor(attempts) as pool:
        began, cpu = time.monotonic(), time.process_time()
        products = list(pool.map(BasicRuntime().draft, jobs))
        seconds, spent = time.monotonic() - began, time.process_time() - cpu
    return {
        "attempts": attempts,
        "latency_seconds": LATENCY,
        "turns_each": TURNS_AT_ONCE,
        "in_flight": model.most,
        "finished": sum(p.outcome == "finished" for p in products),
        "seconds": seconds,
        "cpu_seconds": spent,
        "memory_before_mb": before,
        "memory_peak_mb": peak[0],
        "memory_per_attempt_mb": (peak[0] - before) / attempts,
    }


@contextmanager
def _peak() -> Iterator[list[float]]:
    """Sample the memory of this process until the end of the block."""
    found, ended = [0.0], threading.Event()

    def sample() -> None:
        while not ended.wait(_SAMPLED):
            found[0] = max(found[0], _memory())

    watch = threading.Thread(target=sample, daemon=True)
    watch.start()
    try:
        yield found
    finally:
        ended.set()
        watch.join()


def _memory() -> float:
    """Return the resident memory of this process in MB; where the system does not tell, its peak so far."""
    status = Path("/proc/self/statm")
    if status.is_file():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
