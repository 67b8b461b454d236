"""JSON: indented, keys in file order, characters unescaped."""

from __future__ import annotations

import json

from tasks.matter.failures import FailureCause
from tasks.sources.builder import Reading, TextBuilder
from tasks.sources.readers import Source
from tasks.sources.readers.plain import decode
from tasks.sources.records import SegmentKind

_MAX_PARSED = 20_000_000  # characters; bounds the memory of the parsed tree


def read(source: Source) -> Reading:
    """Read JSON; what does not parse is kept as plain text, with a problem."""
    out = TextBuilder()
    text = decode(source.data)
    if len(text) > _MAX_PARSED:
        message = f"The file has {len(text)} characters: it was not parsed, and its beginning was read as text."
        out.fail(FailureCause.CAPACITY, message, "Split it.")
        out.block(text)
        return out.build()
    try:
        value = json.loads(text)
        shown = json.dumps(value, indent=2, ensure_ascii=False)
    except (ValueError, RecursionError) as error:
        out.fail(FailureCause.INPUT, f"The file is not valid JSON ({error}); it was read as text.", "Ask for it again.")
        out.block(text)
        return out.build()
    if isinstance(value, dict):
        # One segment a top-level key, so that a value can be cited by its key.
        lines = shown.split("\n")
        out.write("{")
        for block in _top_level(lines[1:-1]):
            out.gap(1)
            with out.segment(SegmentKind.PARAGRAPH, block.split(":", 1)[0].strip().strip('"')):
                out.write(block)
        out.write("\n}" if len(lines) > 1 else "}")
    else:
        out.block(shown)
    return out.build()


def _top_level(lines: list[str]) -> list[str]:
    blocks: list[list[str]] = []
    for line in lines:
        if line.startswith('  "') or not blocks:
            blocks.append([])
        blocks[-1].append(line)
    return ["\n".join(block) for block in blocks]
