"""The marks of a brief: edges and brackets, wrapped lines, the heads of mails and the names of files."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from string import ascii_lowercase

from tasks.asks.grammar import Grammar
from tasks.legaltext.sentences import Manner, paragraphs, sentence_ends

Span = tuple[int, int]
OPEN = re.compile(r"[^\W_]")  # a letter or a figure
_EDGE = " \t\n\r,;:.?!–—-*#>|_~•·"
_OPENING, _CLOSING = "([{", ")]}"
_LABEL = r"(?:from|sent|to|cc|bcc|date|subject|attachments?|reply-to)\s*:"
_HEAD = re.compile(
    rf"^[> \t]{{0,20}}(?:{_LABEL}.*|on [^\n]{{4,80}} wrote:|-{{2,}} ?(?:original|forwarded)\b.*)$", re.I | re.M
)
_SAID = re.compile(rf"[.?!]\s+(?!{_LABEL})(?=\S+(?:\s+\S+){{5}})", re.I)
"""Where a line goes on with a sentence of six words or more behind its head ("To: you. We act for the buyer of …")."""
_FILE = re.compile(r"[`\"'*(]*[\w.()&+-]{0,120}\.(?:docx?|xlsx?|md|pdf|txt|csv|pptx?)\b[`\"'*)]*", re.I)
_BETWEEN = re.compile(
    r"(?:[\s,;&*-]|\band\b|\bor\b|\d\.(?=\s)|\ban? (?:[\w-]{1,30} ){0,3}(?=[`\"'*(]{0,3}[\w-]{1,60}\.[a-z]{2,4}\b))*"
)
_ENDED = re.compile(r"(?:please\s*)?(?:[.;!]|\Z|(?<=\n))", re.I)
_ENUMERATED = re.compile(r"(?:^|[\s:;,.?!])(\d{1,2})\.$")
_LINES = Manner(lines="all", small=True)
_REFERENCE = re.compile(
    r"\w+ (?:section|clause|article|paragraph|rule|no|exhibit)s? [\w.()]*\d[\w.()]*\.$|\b(?:in|etc)\.$|'s\.$", re.I
)
_WORDING = re.compile(r'(?<![\w"])"(?=\w)[^"\n]{8,2000}[\w.,;!?)]"(?![\w"])')  # words to be written, or another's
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]*)+", re.M)
_INLINE = re.compile(r"(?:(?<=[\s,;:])|^)(?:\(?([a-z]|[ivx]{1,4}|\d{1,2})\)|(\d{1,2})\.)\s+(?=\S)", re.I)
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_WIDEST = 100  # characters; no one breaks lines at a greater width
_WRAPPED = 55  # characters; a shorter line was ended by its writer
_NUMBER_REACH = 8  # characters: two figures with their full stop and what stands before them
_NUMBER_ALONE = 5  # characters of a sentence that is nothing but the number of the next
_BULLET = re.compile(r"[-*•–—·>]|\(?\w{1,3}[.)]\s")


def whole(text: str, start: int, end: int) -> Span:
    """Return a stretch without the blanks and stops at its edges."""
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and text[end - 1] in _EDGE:
        end -= 1
    return start, end


def told_until(text: str, start: int, end: int) -> int:
    """Return where the blanks and stops at the end of a stretch begin."""
    return start + len(text[start:end].rstrip(_EDGE))


def sentences_of(text: str) -> Iterator[Span]:
    """Yield the sentences of a brief; each line ends one, and so does "section 3." in words of a person."""
    for start, end in paragraphs(text, _LINES):
        low, depth = start, depth_of(text, start, end)
        for high in (*(start + e for e in sentence_ends(text[start:end], _LINES, _referred)), end):
            a, b = low, high
            label = _ENUMERATED.search(text[max(start, high - _NUMBER_REACH) : high])
            alone = high - low < _NUMBER_ALONE
            numbered = label and (int(label[1]) < 2 or f"{int(label[1]) - 1}." in text[low:high] or alone)
            if high < end and (numbered or depth[high - start]):
                continue
            while a < b and text[a].isspace():
                a += 1
            while b > a and text[b - 1].isspace():
                b -= 1
            if a < b:
                yield a, b
            low = high


def _referred(words: str) -> bool:
    return bool(_REFERENCE.search(words[-40:]))


def numbers_of(text: str, start: int, end: int) -> list[Span]:
    """Return where the numbers of a list stand in a sentence: "(a) … (b) …", but not in "three (3)"."""
    found: list[Span] = []
    for match in _INLINE.finditer(text, start, end):
        label = (match[1] or match[2]).lower()
        at = len(found)
        if label in (str(at + 1), "".join(_ROMAN[at : at + 1]), ascii_lowercase[at : at + 1]):
            found.append(match.span())
    return found


def depth_of(text: str, start: int, end: int) -> array[int]:
    """Return for each character of a stretch how many brackets and quotations are open there.

    One never closed opens nothing.
    """
    depth = array("i", bytes(4 * (end - start + 1)))
    opened: list[int] = []
    pairs: list[Span] = []
    for at in range(start, end):
        if text[at] in _OPENING:
            opened.append(at)
        elif text[at] in _CLOSING and opened:
            pairs.append((opened.pop(), at))
    pairs += [m.span() for m in _WORDING.finditer(text, start, end)]
    for a, b in pairs:
        depth[a - start] += 1
        depth[b - start] -= 1
    level = 0
    for n in range(end - start):
        level, depth[n] = level + depth[n], level + max(depth[n], 0)
    return depth


def unwrapped(text: str) -> str:
    """Put blanks for line ends where lines were broken at a width, and for the marks of quoted mail."""
    text = _QUOTED.sub(lambda m: " " * len(m.group()), text)
    chars = list(text)
    widest = max((len(line) for line in text.split("\n") if len(line) <= _WIDEST), default=0)
    for match in re.finditer(r"\n(?=[ \t>]*[a-z(])", text):
        at = match.start()
        line = text[text.rfind("\n", 0, at) + 1 : at]
        following = text[at + 1 : at + 30].lstrip(" \t>")
        full = _WRAPPED <= len(line) <= _WIDEST and len(line) + 1 + len(following.partition(" ")[0]) > widest
        if full and line.rstrip()[-1:] not in ".?!:;" and not _BULLET.match(following):
            chars[at] = " "
    return "".join(chars)


def heads_of_mails(text: str) -> Iterator[Span]:
    """Yield the lines that head a mail, of a line that goes on with a message what comes before it."""
    for match in _HEAD.finditer(text):
        if match.group().strip():
            said = _SAID.search(text, match.start(), match.end())
            yield match.start(), said.end() if said else match.end()


def output_files(text: str, grammar: Grammar) -> Iterator[Span]:
    """Yield where a brief names the files of the work product: "Output: a.docx and b.xlsx", "Write it to `a.docx`".

    A sentence that does no more than say where the answer goes asks nothing; if it is all that there is, it stays.
    """
    for match in grammar.words["file"].finditer(text):
        at = _behind_files(text, match.end())
        if at > match.end():
            yield match.start(), at
    filed = [(m.start(), _behind_files(text, m.end())) for m in grammar.words["filed"].finditer(text)]
    filed = [(a, end.end()) for a, b in filed if _FILE.search(text, a, b) and (end := _ENDED.match(text, b))]
    if re.search(r"\w", without(text, iter(filed))[0]):
        yield from filed


def _behind_files(text: str, at: int) -> int:
    """Return where the names of files that begin at a place end."""
    while found := _FILE.match(text, at):
        at = _BETWEEN.match(text, found.end()).end()  # type: ignore[union-attr]
    return at


def without(text: str, spans: Iterator[Span]) -> tuple[str, list[Span]]:
    """Return a text with stretches blanked to line ends, and those stretches."""
    gone = list(spans)
    for a, b in gone:
        text = text[:a] + "\n" * (b - a) + text[b:]
    return text, gone
