"""The parties of a document with the names it gives them, and the senders and recipients of mail and letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tasks.legaltext.names import SUFFIX
from tasks.sources import party_patterns as words
from tasks.sources.records import CanonicalText, Entity, SegmentKind, Span

_UNQUOTED = re.compile(r"[A-Z][A-Z\d &.-]{1,20}|[A-Z][a-z]+")  # Acme Corp. (ACME)
_REACH = 2600  # characters that a preamble with many parties may take; chosen by eye
_OPENING = 3500  # characters of an opening without "between"; chosen by eye
# The rest is chosen by eye on preambles and was not measured. Lengths in characters where no other unit stands.
_LEAD = 400  # before "between", where the word "agreement" or the like has to stand
_EARLY = 2500  # before which parties count that no opening ("This Agreement is made …") announces
_MOST_NAMED = 6  # bodies and short names that count; more say no more
_SIGN = 3  # points for an opening and for a second party: each as much as three named bodies
_CERTAIN = 9  # points: an opening, two parties and three named bodies; no other place is looked at
_FEW = 8  # parties of an opening, or of signatures: a longer list is a recital of companies
_LONGEST_ALIAS = 60  # of a quoted name; more is a quoted sentence
_LONG_NAME = 5  # words from which what stands before "and" is a party of its own: shorter, "Hale and Sons, Inc."
_LONGEST_NAME, _MOST_WORDS = 110, 12  # characters of a name, and words of it behind a label
_SIGNED = 12_000  # at the end, where the signatures stand
_OPENS = re.compile(
    r"\b(?:this|THIS|This)\b(?=[^.]{0,340}?(?:made|entered|dated|effective|executed|is|MADE|ENTERED|DATED|EFFECTIVE))"
    r"(?>\b[A-Z]\.|[^.]|\.(?=\d|,)){0,340}$",  # an initial is read in one way only: two would double at each
    re.DOTALL,
)


@dataclass
class _Found:
    """A party while it is being read."""

    name: str
    start: int
    end: int
    aliases: list[str] = field(default_factory=list)


def parties_of(text: CanonicalText) -> tuple[Entity, ...]:
    """Return the parties in the order of the preamble, or the correspondents of a message."""
    if text.media in {"eml", "msg"}:
        return tuple(_correspondents(text))
    if text.media in {"xlsx", "csv", "json"}:
        return ()
    head = text.text[:30_000]
    found: list[_Found] = []
    for source in (_preamble_parties, _opening, _labelled, _listed, _caption):
        found = _distinct([*found, *source(head)]) if len(found) == 1 else _distinct(source(head)) or found
        if len(found) > 1:
            break
    if len(found) < 2:
        found = _distinct([*found, *_signatories(text.text)])
    return tuple(
        Entity(
            name=item.name,
            kind="party",
            aliases=tuple(dict.fromkeys(item.aliases)),
            spans=(Span(document=text.document, start=item.start, end=item.end),),
        )
        for item in found[:24]
    )


def _distinct(items: list[_Found]) -> list[_Found]:
    kept: dict[str, _Found] = {}
    for item in items:
        key = re.sub(r"\W+", "", item.name).lower()
        if len(key) < 2:
            continue
        if key in kept:
            kept[key].aliases.extend(item.aliases)
        elif not any(key == re.sub(r"\W+", "", a).lower() for k in kept.values() for a in k.aliases):
            kept[key] = item
    return list(kept.values())


def _preamble_parties(head: str) -> list[_Found]:
    """Parse the best ``between X, a … ("A") and Y, a … ("B")`` of the head."""
    best: list[_Found] = []
    best_score = 0
    for match in list(words.BETWEEN.finditer(head))[:40]:
        before = head[max(0, match.start() - _LEAD) : match.start()]
        if not re.search(r"agreement|contract|amendment|made|entered|lease|deed|dated|note|license", before, re.I):
            continue
        region = _region(head, match.end(), _REACH)
        found = _distinct(_parse(region, match.end()))
        bodies = sum(1 for f in found if words.HAS_SUFFIX.search(f.name))
        named = sum(1 for f in found if f.aliases) + bodies
        opening = bool(_OPENS.search(before))
        if not found or not (opening or (match.start() < _EARLY and (bodies > 1 or (bodies and named > 2)))):
            continue
        score = min(named, _MOST_NAMED) + (_SIGN if opening else -_SIGN) + (_SIGN if len(found) > 1 else 0)
        if score > best_score:
            best, best_score = found, score
        if score >= _CERTAIN:
            break
    return best if best_score > 1 else []


def _region(head: str, start: int, reach: int) -> str:
    region = head[start : start + reach]
    ends = words.END.search(region, 40)
    return region[: ends.start()] if ends else region


def _opening(head: str) -> list[_Found]:
    """Parse the opening paragraph of an agreement that never says "between"."""
    found: list[_Found] = []
    at = 0
    region = _region(head, 0, _OPENING)
    for paren in words.PAREN.finditer(region):
        aliases = _aliases(paren.group(1)) if paren.group(1) is not None else [paren.group(2)]
        if aliases and len(found) < _FEW:
            chunk = region[at : paren.start()]
            bodies = [b for pattern in (words.COMPANY, words.DESCRIBED) for b in _bodies(chunk, pattern)]
            together = re.search(r"\b(?:collectively|together|jointly)\b", paren.group(1) or "", re.IGNORECASE)
            for offset, name in bodies if together else bodies[-1:]:
                start = at + offset
                found.append(_Found(re.sub(r"\s+", " ", name), start, start + len(name), list(aliases)))
        at = paren.end()
    return found


def _bodies(chunk: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Yield position and name of each company in a stretch of text."""
    for start, piece in _pieces(chunk):
        for match in pattern.finditer(piece):
            if _is_body(match, piece):
                yield start + match.start(), _cut(match.group())


def _is_body(match: re.Match[str], chunk: str) -> bool:
    """Tell a company's name from a description: ``a Nevada Corporation``, ``a division of Acme Inc.``."""
    described = re.search(r"\b(?:an?|division of|subsidiary of|parent of|series of)\s+$", chunk[: match.start()])
    return not described and _is_name(_cut(match.group()))


def _parse(region: str, base: int) -> list[_Found]:
    """Walk the parentheses: before each stands a party, and the quoted words in it are the party's names."""
    found: list[_Found] = []
    at = 0
    for paren in words.PAREN.finditer(region):
        inner = paren.group(1)
        aliases = _aliases(inner) if inner is not None else [paren.group(2)]
        chunk = region[at : paren.start()]
        if inner is not None and not re.search(r"[\"“”‘'ʺ]", inner):
            if not (_UNQUOTED.fullmatch(inner) and words.HAS_SUFFIX.search(chunk[-12:])):
                continue
            aliases = [inner]
        if len(found) > 1 and re.match(r"\s*\.(?:\s|$)", chunk):
            break
        together = bool(re.search(r"\b(?:collectively|together|each|jointly)\b", inner or "", re.IGNORECASE))
        named = list(_names(chunk, base + at, closed=bool(aliases)))
        if named:
            for item in named if together else named[-1:]:
                item.aliases.extend(aliases)
        elif aliases and inner is not None and aliases[0][0].isupper() and words.BLANK.search(chunk):
            start = paren.start(1) + inner.index(aliases[0])  # a form: the role is all the name there is
            found.append(_Found(aliases[0], base + start, base + start + len(aliases[0]), aliases[1:]))
        elif found and aliases and not together and not re.search(r"[A-Za-z]{4,}", chunk):
            found[-1].aliases.extend(aliases)  # ("Acme") ("Licensor")
        found.extend(named)
        at = paren.end()
    rest = region[at : at + 600]
    if len(found) < 2 and not re.match(r"\s*\.", rest):
        found.extend(_names(re.split(r"(?<=[a-z\d])\.\s", rest, maxsplit=1)[0], base + at, closed=False))
    return found


def _aliases(inner: str) -> list[str]:
    names = [re.sub(r"\s+", " ", a or b).strip(" ,.;:") for a, b in words.QUOTED.findall(inner)]
    names = [re.sub(r"^(?:the|a|an|each,? an?)\s+", "", n, flags=re.IGNORECASE) for n in names]
    return [n for n in names if n and not words.GENERIC.match(n) and len(n) < _LONGEST_ALIAS]


def _names(chunk: str, base: int, closed: bool) -> Iterator[_Found]:
    """Yield the parties that a stretch names; ``closed`` when a name in quotes follows it."""
    pieces = _pieces(chunk)
    for number, (start, piece) in enumerate(pieces):
        lead = words.LEAD.match(piece)
        offset = lead.end() if lead else 0
        name = _cut(piece[offset:])
        last = number == len(pieces) - 1
        sure = words.HAS_SUFFIX.search(name) or (closed and last) or number == 0
        if not (_is_name(name) and sure):
            tail = words.TAIL.search(piece) if closed and last else None
            if tail is None or not _is_name(tail.group(1)):
                continue
            offset, name = tail.start(1), tail.group(1)
        begin = base + start + offset
        found = _Found(re.sub(r"\s+", " ", name), begin, begin + len(name))
        also = re.search(r"\b(?:[dD]/?[bB]/?[aA]/?|doing business as|f/?k/?a)\.?\s+([A-Z][\w&.' -]{2,50})", piece)
        if also:
            found.aliases.append(also.group(1).strip(" ,."))
        yield found


def _pieces(chunk: str) -> list[tuple[int, str]]:
    """Split a stretch where a party may begin; a name that contains "and" stays whole (``Hale and Sons, Inc.``)."""
    pieces: list[tuple[int, str]] = []
    start = 0
    for match in words.SEPARATOR.finditer(chunk):
        left = chunk[start : match.start()].strip(" ,")
        bare = "\n" not in match.group() and ";" not in match.group() and "," not in left and left[:1].isupper()
        bare = bare and _cut(left) == left
        right = _cut(chunk[match.end() :])
        if "&" in match.group() and not (words.HAS_SUFFIX.search(left) and words.HAS_SUFFIX.search(right)):
            continue
        if (
            bare
            and not words.HAS_SUFFIX.search(left)
            and words.HAS_SUFFIX.search(right)
            and len(left.split()) < _LONG_NAME
        ):
            continue
        pieces.append((start, chunk[start : match.start()]))
        start = match.end()
    pieces.append((start, chunk[start:]))
    return pieces


def _cut(text: str) -> str:
    """Cut a party's description down to its name."""
    line = re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0]
    line = re.sub(r"\s*\((?:[a-z]|formerly).*$", "", line, flags=re.DOTALL)
    guarded = re.sub(rf",(\s+{SUFFIX}(?!\w))", "\x00\\1", line)
    cut = words.DESCRIPTOR.sub("", guarded, count=1)
    company = words.HAS_SUFFIX.search(cut)
    if company and re.match(r"\.?,?\s+[\dA-Z]", cut[company.end() :]):
        following = cut[company.end() :]
        if not words.HAS_SUFFIX.search(following[:60]):
            cut = cut[: company.end()] + ("." if following.startswith(".") else "")
    cut = re.sub(r"\s*\([A-Z]{2,5}$|\s+(?:of|OF)$|\s*\)$(?<!\w\))", "", cut)
    return cut.replace("\x00", ",").strip(' ,;:-–—\n\t"“”')


def _is_name(name: str) -> bool:
    if not 2 < len(name) <= _LONGEST_NAME or not re.match(r"[A-ZÀ-Þ\d]|[a-z]+\.[a-z]|[a-z]{1,2}[A-Z]", name):
        return False
    tokens = re.findall(r"[A-Za-zÀ-ÿ][\w’'.-]*", name)
    small = [t for t in tokens if t[0].islower() and not re.fullmatch(SUFFIX, t.strip("."))]  # "Barrow Bank plc"
    lower = [t for t in small if t not in words.SMALL and not words.OWN_SPELLING.search(t)]
    if re.fullmatch(SUFFIX, name.strip(". ")):
        return False
    return bool(tokens) and not lower and not words.NOT_A_NAME.search(name)


def _labelled(head: str) -> list[_Found]:
    """Read ``Licensor: Acme Inc.`` and ``Party A (Shipper): …`` lines."""
    found = []
    for match in words.ROLE_LINE.finditer(head):
        name = _cut(match.group("name"))
        if _is_name(name) and len(name.split()) <= _MOST_WORDS:
            alias = match.group(2) or match.group("role")
            start = match.start("name")
            found.append(
                _Found(name, start, start + len(name), [alias.strip().title() if alias.islower() else alias.strip()])
            )
    for match in words.ROLE_INLINE.finditer(head[:3000]) if not found else ():
        start = match.start("name")
        found.append(_Found(match.group("name"), start, match.end("name"), [match.group("role").title()]))
    return found[:_FEW]


def _listed(head: str) -> list[_Found]:
    """Read the numbered list under a heading ``Parties``."""
    heading = re.search(r"^(?:the\s+)?parties:?\s*$", head, re.IGNORECASE | re.MULTILINE)
    if heading is None:
        return []
    found = []
    for match in words.LISTED.finditer(_region(head, 0, heading.end() + _REACH), heading.end()):
        name = _cut(re.sub(r"\(.*$", "", match.group("name")))
        if _is_name(name):
            start = match.start("name")
            aliases = [a for p in words.PAREN.findall(match.group("name")) for a in _aliases(p[0])]
            found.append(_Found(name, start, start + len(name), aliases))
    return found[:_FEW]


def _caption(head: str) -> list[_Found]:
    """Read the caption of a pleading."""
    if not re.search(r"\bv(?:s)?\.", head[:6000]):
        return []
    found = []
    for match in list(words.CAPTION.finditer(head[:6000]))[:6]:
        name = _cut(re.sub(r"^.*\bv(?:s)?\.\s*", "", match.group("name")))
        if _is_name(name):
            start = head.index(name, match.start("name"))
            found.append(_Found(name, start, start + len(name), [match.group("role").rstrip("s")]))
    return found


def _signatories(text: str) -> list[_Found]:
    """Read the names above the signature lines, as a last resort."""
    base = max(0, len(text) - _SIGNED)
    found = []
    for match in words.SIGNATURE.finditer(text, base):
        name = _cut(match.group("name"))
        if _is_name(name) and words.HAS_SUFFIX.search(name):
            found.append(_Found(name, match.start("name"), match.start("name") + len(name)))
    return found[:_FEW]


def _correspondents(text: CanonicalText) -> Iterator[Entity]:
    """Read sender and recipients, each once, with the address as an alias."""
    seen: set[str] = set()
    for segment in text.segments:
        if segment.kind is not SegmentKind.MAIL_HEADER or segment.label not in {"From", "To", "Cc", "Sender", "Bcc"}:
            continue
        body = text.text[segment.start : segment.end]
        for match in re.finditer(
            r"(?:\"?([^\"<>@,:;]{2,60}?)\"?\s*<([^<>\s]+@[^<>\s]+)>)|([\w.+-]{1,128}@[\w.-]+\w)", body
        ):
            name, address = (match.group(1) or "").strip(), match.group(2) or match.group(3)
            key = (name or address).lower()
            if key not in seen:
                seen.add(key)
                span = Span(
                    document=text.document, start=segment.start + match.start(), end=segment.start + match.end()
                )
                yield Entity(name=name or address, kind="person", aliases=(address,) if name else (), spans=(span,))
