"""The clause tree of a document, from its numbering, headings and layout.

The nodes cover the text from the first line to the last: text before the first numbered clause, and the
paragraphs of a document without numbering, are nodes without a number. Offsets are exact. Time is linear
in the length of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tasks.legaltext.sentences import SHORTENED_WORD
from tasks.retrieval.lines import HEADING, HEADING_WORDS, TITLE_WORDS, TextLine, is_title_case, read_lines
from tasks.retrieval.numbering import Marker
from tasks.retrieval.records import Clause
from tasks.sources.records import CanonicalText

_RUN_IN = re.compile(
    r"[\"“]?(?P<head>[A-Z][^.;:\n]{1,88}?)(?P<stop>\.(?=\s|$|[\"”])|:(?=\s|$)|[ \t]?[–—](?=\s)|[ \t]-(?=\s))"
)
_MAX_DEPTH = 12  # bounds a hostile numbering; chosen by eye
_MAX_GAP = 12  # numbers that may be missing between two siblings (OCR, reserved sections); chosen by eye
# Chosen by eye on the development contracts, not measured; lengths in characters.
_ROMAN_GAP = 3  # fewer than of numbers: "(c)" and "(v)" may be letters as well
_HIGHEST_STRAY = 60  # above it, a number at the beginning of a line is an amount or a page
_BLANK = 4  # between "ARTICLE I" and its title: line breaks alone
_FOLLOWS, _SHORTEST = 30, 4  # behind a title that opens its paragraph, and of the title: less is an abbreviation
_WHITE = 200  # of white space that is cut at the end of a clause
_NUMBERED = ("section", "decimal", "integer")
_FILING = re.compile(r"(?:Exhibit|EXHIBIT)[ \t]+\d+\.\d+")


@dataclass
class _Node:
    scheme: str
    number: str
    heading: str
    values: tuple[int, ...]
    level: int
    parent: int
    start: int
    body: int
    path: tuple[str, ...]
    end: int = -1
    roman: bool = False


@dataclass
class _Tree:
    nodes: list[_Node] = field(default_factory=list)
    stack: list[int] = field(default_factory=list)

    def top(self) -> _Node | None:
        return self.nodes[self.stack[-1]] if self.stack else None

    def pop_to(self, depth: int) -> None:
        del self.stack[depth:]

    def push(self, node: _Node) -> None:
        node.parent = self.stack[-1] if self.stack else -1
        node.level = len(self.stack) + 1
        parent_path = self.nodes[node.parent].path if node.parent >= 0 else ()
        node.path = (*parent_path, node.number)
        self.nodes.append(node)
        self.stack.append(len(self.nodes) - 1)


def clause_tree(canonical: CanonicalText) -> list[Clause]:
    """Return the clauses of a document in reading order; ``parent`` indexes into the same list."""
    lines = read_lines(canonical)
    tree = _Tree()
    structured = any(line.marker for line in lines) or sum(line.heading for line in lines) > 2
    for line in lines:
        if line.marker and _admit(tree, line):
            continue
        if line.heading and line.fresh:
            _open_heading(tree, line)
        elif line.marker is None and line.isolated and _titled(line.text):
            _open_titled(tree, line)
        elif not tree.nodes or not structured:
            tree.pop_to(0)
            tree.push(_Node("text", "", "", (), 1, -1, line.start, line.start, ()))
    return _finish(tree, canonical)


def _admit(tree: _Tree, line: TextLine) -> bool:
    """Place a numbered line in the tree; False where its number cannot begin a clause here."""
    marker = line.marker
    if marker is None or not _plausible_text(line, marker):
        return False
    depth, roman = _successor(tree, marker) if line.inline else _depth(tree, marker, line)
    if depth < 0 or depth >= _MAX_DEPTH:
        return False
    tree.pop_to(depth)
    after = line.text[marker.length :]
    body = line.start + marker.length + len(after) - len(after.lstrip())
    values = (marker.roman,) if roman else marker.values
    tree.push(_Node(marker.scheme, marker.number, _heading(after), values, 1, -1, line.start, body, (), roman=roman))
    return True


def _plausible_text(line: TextLine, marker: Marker) -> bool:
    """Tell a clause from a cross-reference or a date that a line break happened to put first."""
    after = line.text[marker.length :].lstrip(" \t.:-–—")
    starts_low = bool(after) and after[0].islower()
    if marker.scheme in ("section", "division"):
        return not starts_low and line.fresh and not after.startswith((",", ";", ")"))
    if marker.scheme == "decimal":
        return line.fresh or not starts_low
    return line.fresh or (marker.scheme.startswith("paren") and not starts_low)


def _same(node: _Node, marker: Marker) -> bool:
    return node.scheme == marker.scheme


def _next_of(node: _Node, marker: Marker) -> tuple[bool, bool]:
    """Return whether a marker follows a node as its sibling, and whether by its Roman reading."""
    if not _same(node, marker) or not node.values:
        return False, False
    if node.roman:
        return 0 < marker.roman - node.values[-1] <= _ROMAN_GAP, True
    return 0 < marker.values[0] - node.values[-1] <= (
        2 if marker.scheme.startswith(("paren", "letter")) else _MAX_GAP
    ), False


def _depth(tree: _Tree, marker: Marker, line: TextLine) -> tuple[int, bool]:
    """Return how many open nodes stay open above a marker, and whether it is read as Roman; -1 to refuse."""
    if marker.scheme == "division":
        # The number that a filing gives an exhibit is no part of the document's own structure.
        return (-1, False) if not tree.nodes and _FILING.match(line.text) else (0, False)
    if marker.scheme in ("section", "decimal"):
        return _section_depth(tree, marker), False
    return _list_depth(tree, marker, line)


def _successor(tree: _Tree, marker: Marker) -> tuple[int, bool]:
    """Place a number found within a line: the very next one of an open run, or the first of a run below; -1 else."""
    for depth in range(len(tree.stack), 0, -1):
        node = tree.nodes[tree.stack[depth - 1]]
        if marker.scheme in _NUMBERED and node.scheme in _NUMBERED:
            if _next_number(node.values, marker.values):
                return depth - 1, False
            if marker.values == (*node.values, 1):
                return depth, False
        elif _same(node, marker) and node.values and _gap(node, marker) == 1:
            return depth - 1, node.roman
    if marker.scheme in _NUMBERED:
        opened = any(tree.nodes[i].scheme in _NUMBERED for i in tree.stack)
        return (-1, False) if opened or marker.values[-1] != 1 else (_base(tree), False)
    if marker.scheme == "division" or not tree.stack:
        return -1, False
    first = marker.values[0] == 1 or marker.roman == 1
    return (_new_list(tree, marker), marker.values[0] != 1) if first else (-1, False)


def _next_number(last: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Tell whether one section number may follow another: 4.2 then 4.3 or 4.4, 4.9 then 5.1, 4 then 5."""
    if len(last) != len(new):
        return False
    if last[:-1] == new[:-1]:
        return 0 < new[-1] - last[-1] <= (2 if len(new) > 1 else 1)
    return len(new) > 1 and new[0] == last[0] + 1 and set(new[1:]) == {1}


def _base(tree: _Tree) -> int:
    """Return the depth just below the open ARTICLE, EXHIBIT or heading at the root."""
    depth = 0
    for i, index in enumerate(tree.stack):
        if tree.nodes[index].scheme in ("division", "heading"):
            depth = i + 1
        else:
            break
    return depth


def _section_depth(tree: _Tree, marker: Marker) -> int:
    for depth in range(len(tree.stack), 0, -1):
        node = tree.nodes[tree.stack[depth - 1]]
        if node.scheme in ("section", "decimal", "integer") and node.values:
            if marker.values[: len(node.values)] == node.values and len(marker.values) > len(node.values):
                return depth
            if len(node.values) == len(marker.values) and node.scheme != "heading":
                return depth - 1
    return _base(tree)


def _list_depth(tree: _Tree, marker: Marker, line: TextLine) -> tuple[int, bool]:
    """Place an integer or a letter: the innermost open list that it continues, else a new list below."""
    candidates: list[tuple[int, bool]] = []
    for depth in range(len(tree.stack), 0, -1):
        follows, roman = _next_of(tree.nodes[tree.stack[depth - 1]], marker)
        if follows:
            candidates.append((depth - 1, roman))
    exact = [c for c in candidates if _gap(tree.nodes[tree.stack[c[0]]], marker) == 1]
    first = marker.values[0] == 1 or marker.roman == 1
    if exact:
        return exact[0]
    if first:
        return _new_list(tree, marker), marker.values[0] != 1
    if candidates:
        return candidates[0]
    if marker.scheme == "integer":
        return _stray_integer(tree, marker, line)
    return (_new_list(tree, marker), marker.values[0] == 0) if line.fresh and tree.stack else (-1, False)


def _gap(node: _Node, marker: Marker) -> int:
    return (marker.roman if node.roman else marker.values[0]) - node.values[-1]


def _new_list(tree: _Tree, marker: Marker) -> int:
    """A new list hangs below the innermost clause; a new run of integers below the base."""
    if marker.scheme == "integer":
        top = tree.top()
        return (
            _base(tree)
            if top is None or top.scheme in ("integer", "heading", "titled", "text", "division")
            else len(tree.stack)
        )
    depth = len(tree.stack)
    roman = marker.values[0] != 1 and marker.roman == 1
    while depth and _yields(tree.nodes[tree.stack[depth - 1]], marker, roman):
        depth -= 1
    return depth


def _yields(node: _Node, marker: Marker, roman: bool) -> bool:
    """Tell whether an open node is closed by a new list: free text, and a list of exactly the same form."""
    return node.scheme == "text" or (node.scheme == marker.scheme and node.roman == roman)


def _stray_integer(tree: _Tree, marker: Marker, line: TextLine) -> tuple[int, bool]:
    """Accept an integer out of order only where its line reads like a clause (OCR lost its fellows)."""
    after = line.text[marker.length :].strip()
    if after and line.fresh and (_heading(after) or after[0].isupper()) and marker.values[0] <= _HIGHEST_STRAY:
        for depth in range(len(tree.stack), 0, -1):
            if tree.nodes[tree.stack[depth - 1]].scheme == "integer":
                return depth - 1, False
        return _base(tree), False
    return -1, False


def _open_heading(tree: _Tree, line: TextLine) -> None:
    """Open an unnumbered heading.

    It names the ARTICLE it follows if that has no title; in capitals it stands at the root, or below the ARTICLE in
    title case; within numbered sections a heading in title case stands below the section that is open.
    """
    top = tree.top()
    text = line.text.rstrip(" .:")
    if top is not None and top.scheme == "division" and not top.heading and top.body >= line.start - _BLANK:
        top.heading = text
        return
    depth = 0
    if not text.isupper():
        depth = len(tree.stack)
        while depth and tree.nodes[tree.stack[depth - 1]].scheme not in (*_NUMBERED, "division"):
            depth -= 1
    tree.pop_to(depth)
    tree.push(_Node("heading", "", text, (), 1, -1, line.start, line.start, ()))


def _titled(text: str) -> str:
    """Return the title of a paragraph that begins with one: "Governing Law. This Agreement …"."""
    match = _RUN_IN.match(text)
    if match is None or match["stop"] == ":" or len(text) < match.end() + _FOLLOWS:
        return ""
    head = match["head"].strip()
    wordy = is_title_case(head) and len(head.split()) <= TITLE_WORDS and not SHORTENED_WORD.search(head)
    return head if wordy and len(head) >= _SHORTEST and "," not in head else ""


def _open_titled(tree: _Tree, line: TextLine) -> None:
    """Open a paragraph that has its own title, beside similar ones, below the open section or heading."""
    depth = len(tree.stack)
    while depth and tree.nodes[tree.stack[depth - 1]].scheme not in (*_NUMBERED, "division", "heading"):
        depth -= 1
    tree.pop_to(depth)
    tree.push(_Node("titled", "", _titled(line.text), (), 1, -1, line.start, line.start, ()))


def _heading(after: str) -> str:
    """Return the heading that follows a number: the whole short line, or a run-in title."""
    after = after.strip(" \t-–—")
    if not after:
        return ""
    if match := _RUN_IN.match(after):
        head = match["head"].strip()
        if SHORTENED_WORD.search(head):
            return ""
        if head.isupper() or (is_title_case(head) and len(head.split()) <= HEADING_WORDS) or len(head.split()) <= 2:
            return head
        return ""
    short = len(after) <= HEADING and not after.endswith((".", ";", ","))
    return after.rstrip(" .:") if short and (after.isupper() or is_title_case(after.rstrip(" .:"))) else ""


def _finish(tree: _Tree, canonical: CanonicalText) -> list[Clause]:
    """Close every node where the next one that is not its descendant begins."""
    text = canonical.text
    end = len(text.rstrip())
    open_nodes: list[int] = []
    for i, node in enumerate(tree.nodes):
        while open_nodes and tree.nodes[open_nodes[-1]].level >= node.level:
            tree.nodes[open_nodes.pop()].end = node.start
        open_nodes.append(i)
    for i in open_nodes:
        tree.nodes[i].end = end
    clauses = []
    for node in tree.nodes:
        stop = max(node.start, min(node.end, end))
        tail = text[max(node.start, stop - _WHITE) : stop]
        stop -= len(tail) - len(tail.rstrip())
        clauses.append(
            Clause(
                document=canonical.document,
                number=node.number,
                heading=node.heading,
                level=node.level,
                path=node.path,
                parent=node.parent,
                start=node.start,
                end=stop,
            )
        )
    return clauses
