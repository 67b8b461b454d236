"""How an agent program ended: finished, or with which typed failure.

What the proxies saw goes before what the program says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tasks.drafting.cli_agents.proxies.model import ModelProxy
from tasks.drafting.cli_agents.proxies.tools import ToolProxy
from tasks.drafting.cli_agents.records import Adapter, House
from tasks.drafting.cli_agents.stream_reader import StreamReader
from tasks.drafting.cli_agents.watching import End, Watched
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.secrets import redact_keys


@dataclass(frozen=True)
class Seen:
    """All that is known of a run that has ended."""

    adapter: Adapter
    house: House
    watched: Watched
    reading: StreamReader
    model: ModelProxy
    tools: ToolProxy
    stderr: str


def failure_of(seen: Seen) -> Failure | None:
    """Return why a run did not end well; None where it did.

    A run ended well where its last event came, no event says that it failed, and its model was asked at all. The exit
    code alone says nothing: programs leave with 0 after an error, and with another after good work.
    """
    if seen.model.stop is not None:
        return seen.model.stop
    return _cut_short(seen) or _failed_by_its_words(seen) or _not_ended(seen) or _without_tools(seen)


def _cut_short(seen: Seen) -> Failure | None:
    name, limits, seconds = seen.adapter.program, seen.adapter.watch, seen.watched.seconds
    if seen.watched.end in (End.TIME, End.SILENT) and seen.model.last is not None:
        return seen.model.last  # it waits to ask again, and says nothing of it
    if seen.watched.end is End.TIME:
        message = f"{name} was ended at the wall time of the cell, after {seconds:.0f} s."
        return _failure(seen, FailureCause.TIMEOUT, message, "Raise wall_seconds of the cell.")
    if seen.watched.end is End.FLOODED:
        message = f"{name} wrote more than {limits.stream_mb} MiB to standard output."
        return _failure(seen, FailureCause.CAPACITY, message, "Read the beginning of the transcript.")
    if seen.watched.end is not End.SILENT:
        return None
    message = f"{name} hung: for {limits.idle_seconds:g} s it wrote nothing and asked nothing."
    return _failure(seen, FailureCause.TIMEOUT, message, "See stderr.txt of the attempt.")


def _failed_by_its_words(seen: Seen) -> Failure | None:
    if seen.reading.error is None:
        return None
    if seen.model.last is not None:
        return seen.model.last
    said = redact_keys(" ".join(seen.reading.error.split()), seen.model.keys)[:300]
    known = next((c for c in seen.house.causes if re.search(c.pattern, said)), None)
    cause, remedy = (known.cause, known.remedy) if known else (FailureCause.UNKNOWN, "See the transcript.")
    return _failure(seen, cause, f"{seen.adapter.program} reports that it failed: {said}", remedy)


def _not_ended(seen: Seen) -> Failure | None:
    name, code = seen.adapter.program, seen.watched.exit_code
    if seen.reading.ended and seen.model.calls:
        return None
    if seen.model.last is not None:
        return seen.model.last
    if seen.reading.ended:
        return _failure(seen, FailureCause.UNKNOWN, f"{name} says that it finished, but never asked its model.", "")
    tail = redact_keys(" ".join(seen.stderr.split()), seen.model.keys)[-300:]
    how = f"with exit code {code}" if code is not None else "by our hand"
    said = f" It said: {tail}" if tail else ""
    known = next((c for c in seen.house.causes if tail and re.search(c.pattern, tail)), None)
    by_code = seen.adapter.exits.get(str(code), FailureCause.UNKNOWN)
    cause, remedy = (known.cause, known.remedy) if known else (by_code, "See stderr.txt of the attempt.")
    return _failure(seen, cause, f"{name} ended {how} and without its last event.{said}", remedy)


def _without_tools(seen: Seen) -> Failure | None:
    """Tell whether it worked without ever being offered the toolbox: then another cell was tested."""
    if seen.tools.listed or seen.tools.used:
        return None
    message = f"{seen.adapter.program} never asked for Solon's tools: it worked without them."
    return _failure(
        seen, FailureCause.SANDBOX, message, "See stderr.txt of the attempt: its MCP client did not connect."
    )


def _failure(seen: Seen, cause: FailureCause, message: str, remedy: str) -> Failure:
    return Failure(cause=cause, stage="drafting", subject=seen.adapter.name, message=message, remedy=remedy)
