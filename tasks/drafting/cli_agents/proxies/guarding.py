"""What a request to the model may hold. The agent is confined, but the provider is not.

A provider that searches the web, fetches an address or calls a server of somebody's would carry the data room out of
the sandbox on the word of a hostile document, and so would a picture that it fetches from an address. Stored answers
and files of the account are other people's matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tasks.models.fencing import inert_text

# Tools that the agent itself runs, in the sandbox. All others are run by the provider.
_OWN_TOOLS = frozenset({"", "function", "custom", "namespace", "local_shell"})
_DROPPED = (
    "mcp_servers", "container", "background", "previous_response_id", "conversation", "web_search_options", "prompt",
    "service_tier", "user", "metadata", "client_metadata", "safety_identifier", "extra_body", "n", "best_of",
)  # fmt: skip
_LENGTHS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
_TALK = ("messages", "input", "system")
_REMOTE = ("file_id", "file_url", "image_url", "url")
_FREE = ("arguments", "input")  # of a tool call: what the agent says to its own tools


def guarded(body: Mapping[str, Any], longest_reply: int) -> tuple[dict[str, Any], list[str]]:
    """Return a request without features that the provider would run or look up itself, and the names of those removed.

    Args:
        body: As the agent sent it.
        longest_reply: Tokens that one reply may have, whatever the agent asks for.
    """
    kept = {k: v for k, v in body.items() if k not in _DROPPED}
    taken = [k for k in _DROPPED if k in body and k not in ("metadata", "client_metadata", "user", "service_tier")]
    if isinstance(tools := kept.get("tools"), list):
        kept["tools"], gone = _own(tools)
        taken += gone
        if not kept["tools"]:
            for name in ("tools", "tool_choice"):
                kept.pop(name, None)
    if "store" in kept:
        kept["store"] = False
    for limit in _LENGTHS:
        if isinstance(kept.get(limit), int):
            kept[limit] = min(kept[limit], longest_reply)
    for place in _TALK:
        if place in kept:
            kept[place] = _with_inert_results(kept[place])
    return kept, taken


def names_offered(body: Mapping[str, Any]) -> set[str]:
    """Return the names of the tools that a request offers the model, those within a namespace too."""
    given = _objects(body.get("tools"))
    inner = [tool for space in given for tool in _objects(space.get("tools"))]
    named = [held for tool in (*given, *inner) for held in (tool, *_objects([tool.get("function")]))]
    return {name for held in named if isinstance(name := held.get("name"), str)}


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def remote(body: Mapping[str, Any]) -> str:
    """Return what a request refers to outside itself; empty where it refers to nothing."""
    for place in _TALK:
        for found in _references(body.get(place)):
            return found
    return ""


def _with_inert_results(talk: Any) -> Any:
    """Return a conversation in which what tools returned holds no control token of a chat template.

    An agent reads documents by itself, with its own tools; this is the one place where all of that passes.
    """
    if isinstance(talk, list):
        return [_with_inert_results(part) for part in talk]
    if not isinstance(talk, Mapping):
        return talk
    if talk.get("role") == "tool" or talk.get("type") == "tool_result":
        return {**talk, "content": _inert(talk.get("content"))}
    if str(talk.get("type") or "").endswith("_output") and "output" in talk:
        return {**talk, "output": _inert(talk["output"])}
    return {**talk, "content": _with_inert_results(talk["content"])} if "content" in talk else talk


def _inert(value: Any) -> Any:
    if isinstance(value, str):
        return inert_text(value)
    if isinstance(value, list):
        return [_inert(part) for part in value]
    if isinstance(value, Mapping):
        return {k: inert_text(v) if k == "text" and isinstance(v, str) else v for k, v in value.items()}
    return value


def _own(tools: list[Any]) -> tuple[list[Any], list[str]]:
    kept, taken = [], []
    for tool in tools:
        kind = str(tool.get("type") or "") if isinstance(tool, Mapping) else "?"
        # Anthropic's own names of tools that a client runs (bash, text editor) bear a date; servers run the others.
        if kind in _OWN_TOOLS or kind.startswith(("bash_", "text_editor_")):
            kept.append(tool)
        else:
            taken.append(kind)
    return kept, taken


def _references(value: Any) -> Iterator[str]:
    """Yield every address and file id in a conversation, but not those in the arguments of tool calls."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting.extend(part)
        elif isinstance(part, Mapping):
            call = part.get("type") in ("tool_use", "function", "function_call", "custom_tool_call")
            for name, inner in part.items():
                if name in _REMOTE and isinstance(inner, str) and inner and not inner.startswith("data:"):
                    yield f"{name} {inner[:80]}"
                elif not (call and name in _FREE):
                    waiting.append(inner)
