"""The law districts: each name, code, sign and membership is taken away, and a text or a rule is asked anew."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flows.bench.liveness.records import Leaf
from knowledge_db.jurisdictions import applies, codes_in, small_words, spoken_in
from tasks.drafting.extractive.identity import identify
from tasks.harness import Harness
from tasks.sources.records import CanonicalText


def jurisdictions(harness: Harness) -> Iterator[Leaf]:
    """Look for each law district by each of its names."""
    from tasks.retrieval.named_laws import named_laws

    known = harness.knowledge.jurisdictions
    for name, usual in known.items():
        rest = {n: u for n, u in known.items() if n != name}
        clauses = (f"This Agreement is governed by {of}{name}." for of in ("the laws of ", ""))
        alive = any(named_laws(clause, known) != named_laws(clause, rest) for clause in clauses)
        yield Leaf("jurisdictions", f"{name} ({usual})", alive or _parties(name, known) != _parties(name, rest))


def districts(harness: Harness) -> Iterator[Leaf]:
    """Take away each code, sign, membership and word of a tongue, and ask whose law a text speaks of."""
    folder = harness.knowledge.folder
    content = tomllib.loads((folder / "jurisdictions" / "jurisdictions.toml").read_text(encoding="utf-8"))
    with TemporaryDirectory() as place:
        for number, (table, name) in enumerate((t, n) for t in ("codes", "signs") for n in content[t]):
            less = {**content, table: {k: v for k, v in content[table].items() if k != name}}
            other = _written(Path(place) / str(number), less)
            texts = [f"as in {n} now" for n in (name, *(a for a, usual in content["aliases"].items() if usual == name))]
            alive = any(codes_in(text, folder) != codes_in(text, other) for text in texts)
            yield Leaf("jurisdictions", f"{table}: {name}", alive)
        for union, members in content["members"].items():
            for member in members:
                less = {**content, "members": {union: [m for m in members if m != member]}}
                other = _written(Path(place) / f"{union}-{member}", less)
                there = frozenset({member})
                alive = applies(union, there, folder) != applies(union, there, other)
                yield Leaf("jurisdictions", f"members {union}: {member}", alive)
        for code, word in ((code, word) for code, words in content["tongues"].items() for word in words):
            rest = [w for w in content["tongues"][code] if w != word]
            other = _written(Path(place) / f"{code}-{word}", {**content, "tongues": {**content["tongues"], code: rest}})
            alive = spoken_in(f"Prague {word} 3", folder) != spoken_in(f"Prague {word} 3", other)
            yield Leaf("jurisdictions", f"tongues {code}: {word}", alive)
        for code, word in ((code, word) for code, words in content["small"].items() for word in words):
            rest = [w for w in content["small"][code] if w != word]
            other = _written(Path(place) / f"s-{code}-{word}", {**content, "small": {**content["small"], code: rest}})
            text = f"{content['tongues'][code][0]} {word} 3"
            alive = small_words(text, folder) != small_words(text, other)
            yield Leaf("jurisdictions", f"small {code}: {word}", alive)


def _written(folder: Path, content: Mapping[str, Any]) -> Path:
    """Write a table of law districts below a folder, and return the folder."""

    def line(key: str, value: Any, quoted: bool = True) -> str:
        return f"{json.dumps(key, ensure_ascii=False) if quoted else key} = {json.dumps(value, ensure_ascii=False)}"

    lines = [line(k, v, quoted=False) for k, v in content.items() if isinstance(v, list)]
    for table, rows in content.items():
        if isinstance(rows, dict):
            lines += [f"[{table}]", *(line(k, v) for k, v in rows.items())]
    path = folder / "jurisdictions" / "jurisdictions.toml"
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(lines), encoding="utf-8")
    return folder


def _parties(name: str, places: Mapping[str, str]) -> tuple[str, ...]:
    """Return the parties of an agreement that names a place where a party would stand: a place is none."""
    head = f"LEASE AGREEMENT\n\nThis Lease is made by and between Alder Co., Inc. and {name} and Birch Co., LLC.\n"
    text = CanonicalText(document="a.txt", sha256="0" * 64, extractor="txt/0", media="txt", text=head)
    return identify(text, places).parties
