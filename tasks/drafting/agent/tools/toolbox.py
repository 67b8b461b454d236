"""The tools of the toolbox by function calling."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tasks.drafting.agent.tools.records import Shown
from tasks.drafting.agent.tools.room import AgentDesk
from tasks.drafting.records import Toolbox
from tasks.sources.records import CanonicalText, Span

WRITERS = frozenset({"build_deliverable", "redline"})
_FOLDER = "sources"  # a folder of documents, for calls outside a matter; models fill it with words where it is offered
_OURS = re.compile(rf"^ *(?:desk|{_FOLDER}):.*(?:\n|$)", re.MULTILINE)  # no arguments of a caller within a matter


@dataclass(frozen=True)
class BoxTool:
    """A tool of the toolbox, its paths said as the room says them."""

    name: str
    toolbox: Toolbox
    desk: AgentDesk

    def schema(self) -> dict[str, Any]:
        """Return the schema of the arguments."""
        schema = dict(self.toolbox.schema(self.name))
        offered = {name: what for name, what in schema.get("properties", {}).items() if name != _FOLDER}
        said = _OURS.sub("", str(schema.get("description", ""))).strip()
        return {**schema, "properties": offered, "description": said}

    def call(self, arguments: Mapping[str, Any]) -> Shown:
        """Call it; its result is shown as JSON without empty values."""
        given = {k: self._named(v) for k, v in arguments.items() if k != _FOLDER}
        result = self.toolbox.call(self.name, given)
        told = _json(_full(result)).replace(f"{self.desk.room.output.parent}/", "")  # no path of this machine
        shown = self.desk.bounded(told, f"{self.name}.json")
        stretches = dict(_stretches(result, self.desk.served.texts))
        served = tuple(span for span, words in stretches.items() if _json(words)[1:-1] in shown)
        self.desk.served.add(served)
        return Shown(shown, served=served, counted="files_written" if self.name in WRITERS else "")

    def _named(self, value: Any) -> Any:
        """Return an argument with paths of the room as the toolbox takes them."""
        if isinstance(value, str) and value.startswith(("/matter/", "./", "documents/", "text/")):
            return self.desk.document_name(value)
        return [self._named(v) for v in value] if isinstance(value, list) else value


def _full(value: Any) -> Any:
    """Return a result without what is empty."""
    if isinstance(value, Mapping):
        kept = {k: _full(v) for k, v in value.items()}
        return {k: v for k, v in kept.items() if v not in (None, "", [], {})}
    return [_full(v) for v in value] if isinstance(value, list | tuple) else value


def _stretches(value: Any, texts: Mapping[str, CanonicalText]) -> Iterator[tuple[Span, str]]:
    """Yield the stretches of documents that a result holds with their words."""
    if isinstance(value, Mapping):
        place = value["span"] if isinstance(value.get("span"), Mapping) else value
        name, start, end = (place.get(k) for k in ("document", "start", "end"))
        if isinstance(start, int) and isinstance(end, int) and 0 <= start < end and str(name) in texts:
            words = texts[str(name)].text[start:end]
            yield Span(document=str(name), start=start, end=start + len(words)), words
        for inner in value.values():
            yield from _stretches(inner, texts)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _stretches(inner, texts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
