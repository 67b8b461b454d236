"""Foreign text made inert before it goes into a prompt: it may say anything, but it can neither close nor open a fence.

A fence code computed from the text keeps it inside its fence. This module removes the marks that some chat templates
and our own reply form would interpret anywhere.
"""

from __future__ import annotations

import re

# Control tokens of chat templates; tokenizers of local models read them in a user's text too.
_CONTROL = re.compile(
    r"(?P<open><)(?P<rest>\|[^|<>\n]{1,40}\|>|｜[^｜<>\n]{1,40}｜>|/?(?:s|bos|eos|unk|pad|start_of_turn|end_of_turn|"
    r"think|thinking|tool_call|tool_response)>|</?SYS>>)|(?P<bracket>\[)(?P<tail>/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|"
    r"TOOL_RESULTS|AVAILABLE_TOOLS)\])",
    re.IGNORECASE,
)
_MARKER = re.compile(r"={2,}(?=\s*(?:(?:BEGIN\s+)?FILE|END)\b)", re.IGNORECASE)
# Zero-width and bidirectional characters hide an instruction from the lawyer who reads the same document.
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f]")


def inert_text(text: str) -> str:
    """Return a text with control tokens, reply markers and invisible characters disabled; its words stay."""
    text = _UNSEEN.sub("", text)
    text = _CONTROL.sub(lambda m: f"{m['open'] or m['bracket']} {m['rest'] or m['tail']}", text)
    return _MARKER.sub(lambda m: " ".join(m[0]), text)
