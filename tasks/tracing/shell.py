"""What a shell command does, by the verbs of its segments. It is read, never run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.tracing.names import trace_names
from tasks.tracing.records import Bucket

MAX_COMMAND = 20_000  # characters of a command that are parsed; bounds the time on a hostile one
MAX_DEPTH = 6  # of commands within commands (bash -c "…"); bounds the recursion

_RANK: tuple[Bucket, ...] = ("other", "read", "tool", "write")

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_DURATION = re.compile(r"\d+(\.\d+)?[smhd]?")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)([A-Za-z_][\w.-]*)\1")
_NOT_A_FILE = re.compile(r"&?(\d|-)$|/dev/(null|stderr|stdout|tty)$")


def classify_command(command: str, depth: int = 0) -> Bucket:
    """Return the bucket of a command: of its segments the one of most consequence (write, tool, read, other)."""
    if depth > MAX_DEPTH:
        return "other"
    best: Bucket = "other"
    for words in segments(command[:MAX_COMMAND]):
        best = max(best, _classify_segment(words, depth), key=_RANK.index)
    return best


def simple_commands(command: str, depth: int = 0) -> Iterator[list[str]]:
    """Yield the words of each command that a line runs, unquoted, verbs first, those of inner scripts too."""
    if depth > MAX_DEPTH:
        return
    for words in segments(command[:MAX_COMMAND]):
        for word in words:
            for inner in _substitutions(word):
                yield from simple_commands(inner, depth + 1)
        plain = [_unquote(word) for word in _strip([word for word in words if not _is_redirection(word)])]
        if not plain:
            continue
        verb = plain[0].rsplit("/", 1)[-1].lower()
        script = _inner_script(verb, plain[1:])
        if script is None:
            yield [verb, *plain[1:]]
        else:
            yield from simple_commands(script, depth + 1)


def command_bucket(words: Sequence[str]) -> Bucket:
    """Return the bucket of one simple command, as :func:`simple_commands` yields it."""
    return _verb_bucket(list(words), 1)


def redirects_into_a_file(command: str) -> bool:
    """Whether some part of a command writes its output to a file."""
    return any(_redirects(words) for words in segments(command[:MAX_COMMAND]))


def _classify_segment(words: list[str], depth: int) -> Bucket:
    best: Bucket = "write" if _redirects(words) else "other"
    for word in words:
        for inner in _substitutions(word):
            best = max(best, classify_command(inner, depth + 1), key=_RANK.index)
    plain = _strip([word for word in words if not _is_redirection(word)])
    return max(best, _verb_bucket(plain, depth), key=_RANK.index) if plain else best


def _verb_bucket(words: list[str], depth: int) -> Bucket:
    verb, rest = _unquote(words[0]).rsplit("/", 1)[-1].lower(), [_unquote(word) for word in words[1:]]
    script = _inner_script(verb, rest)
    if script is not None:
        return classify_command(script, depth + 1)
    if verb == "sed" and any(re.match(r"-[a-zA-Z]*i|--in-place", word) for word in rest):
        return "write"
    if verb == "find":
        return _find_bucket(words[1:], rest, depth)
    if verb == "solon" and rest[:1] == ["tool"] and len(rest) > 1:
        bucket = trace_names().tools.bucket(rest[1])
        return "tool" if bucket == "other" else bucket
    known = trace_names().verbs
    if verb in known.write:
        return "write"
    if verb in known.tool or re.fullmatch(r"(python|ruby|perl|node)[\d.]*", verb) or verb.endswith((".sh", ".py")):
        return "tool"
    return "read" if verb in known.read else "other"


def _inner_script(verb: str, rest: list[str]) -> str | None:
    """Return the script of ``bash -lc '…'``, or of ``eval``."""
    if verb == "eval":
        return " ".join(rest)
    if verb in ("bash", "sh", "zsh", "dash", "ksh"):
        for position, word in enumerate(rest[:-1]):
            if re.fullmatch(r"-[a-z]*c", word):
                return rest[position + 1]
            if not word.startswith("-"):
                break
    return None


def _find_bucket(raw: list[str], rest: list[str], depth: int) -> Bucket:
    if "-delete" in rest or "-fprint" in rest:
        return "write"
    for flag in ("-exec", "-execdir", "-ok"):
        if flag in rest:
            inner = raw[rest.index(flag) + 1 :]
            return max("read", _verb_bucket(inner, depth + 1) if inner else "read", key=_RANK.index)
    return "read"


def _strip(words: list[str]) -> list[str]:
    """Take off keywords, assignments and wrappers until the verb stands first."""
    while words:
        word = _unquote(words[0])
        if word in trace_names().verbs.keyword or _ASSIGNMENT.match(words[0]):
            words = words[1:]
        elif word.rsplit("/", 1)[-1] in trace_names().wrappers:
            words = _after_wrapper(word.rsplit("/", 1)[-1], words[1:])
        elif word in ("for", "case", "select", "function"):
            return []
        else:
            return words
    return words


def _after_wrapper(wrapper: str, words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        takes_value = words[0] in trace_names().wrappers[wrapper] and len(words) > 1
        words = words[2:] if takes_value else words[1:]
    if wrapper == "timeout" and words and _DURATION.fullmatch(words[0]):
        words = words[1:]
    return words


def segments(command: str) -> Iterator[list[str]]:
    """Yield the words of each simple command, quotes kept, redirections as words such as ``>out.md``."""
    words: list[str] = []
    for token in _tokens(_without_heredocs(command)):
        if token in _SEPARATORS:
            if words:
                yield words
            words = []
        else:
            words.append(token)
    if words:
        yield words


_SEPARATORS = frozenset({"&&", "||", ";", ";;", "|", "|&", "&", "\n", "(", ")"})
_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r]+|\\\n|(?<![^\s;&|()])\#[^\n]*)
    |(?P<redirect>(?:\d|&)?>>?[|]?(?:&[\d-]|[ \t]*(?:"[^"]*"|'[^']*'|[^\s;&|<>()"']+)*))
    |(?P<input><<<|<)
    |(?P<separator>&&|\|\||;;|\|&|[;|&\n()])
    |(?P<word>(?:\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|`[^`]*`|"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s;&|<>()"'\\`])+)
    |(?P<stray>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def _tokens(command: str) -> Iterator[str]:
    for match in _TOKEN.finditer(command):
        kind = match.lastgroup
        if kind in ("redirect", "separator", "word"):
            yield match.group()


def _without_heredocs(command: str) -> str:
    """Drop the bodies of here-documents: they are data, not commands."""
    if "<<" not in command:
        return command
    kept: list[str] = []
    waiting: list[str] = []
    for line in command.split("\n"):
        if waiting:
            if line.strip() == waiting[0]:
                waiting.pop(0)
            continue
        waiting = [match.group(2) for match in _HEREDOC.finditer(line) if not line[: match.start()].endswith("<")]
        kept.append(_HEREDOC.sub(" ", line) if waiting else line)
    return "\n".join(kept)


def _is_redirection(word: str) -> bool:
    return bool(re.match(r"(\d|&)?>", word))


def _redirects(words: list[str]) -> bool:
    targets = [re.sub(r"^(\d|&)?>>?[|]?\s*", "", word) for word in words if _is_redirection(word)]
    return any(target and not _NOT_A_FILE.fullmatch(_unquote(target)) for target in targets)


def _substitutions(word: str) -> list[str]:
    if word.startswith("'"):
        return []
    found = re.findall(r"\$\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)|`([^`]*)`", word)
    return [inner or ticked for inner, ticked in found]


def _unquote(word: str) -> str:
    if len(word) >= 2 and word[0] == word[-1] and word[0] in "'\"":
        inner = word[1:-1]
        return re.sub(r"\\([\"\\$`])", r"\1", inner) if word[0] == '"' else inner
    return word
