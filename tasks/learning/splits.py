"""The split of a corpus: frozen as a file at the first start, refused where a later start would make another.

Proportional over practice area, work type and size; the extremes of every dimension in which more is harder are forced
into the test side (which makes it a pessimistic view of the corpus); matters beyond a model's window stand apart, in a
slice of their own. After the evolved harness on LAB. The dimension of the rubric's length is not among them: the split
is made by a process that knows of no rubric.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from tasks.learning.terms import Terms, differences
from tasks.matter.base import Record, content_hash
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter

Side = Literal["training", "confirm", "test", "giant"]
GIANT_TOKENS: Final = 1_000_000
"""From so many tokens on a data room is beyond the window of the models in use."""
SIZES: Final = 3  # terciles of the tokens


class Sized(Record):
    """A matter with what decides its side.

    Attributes:
        tokens: Tokens of its data room, estimated from the characters of its texts.
    """

    matter: Matter
    tokens: int


class Split(Record):
    """Which matters a learning run learns from, compares candidates on, and reports on.

    Attributes:
        candidates: Comparisons planned for the run: a bound on false promotions is spread over them.
        matters: Digest of every matter by id.
        training: Drawn for steps; proposers see their redacted signals.
        confirm: Candidates are compared on them where the policy does; proposers see nothing of them.
        test: Reported on, and nothing is decided on them.
        giant: Matters beyond a model's window; reported apart.
        terms: What the comparisons of the run rest on; None of one that an earlier version began.
    """

    schema_version: int = 1
    seed: int
    test_share: float
    confirm_share: float
    candidates: int
    giant_tokens: int
    matters: dict[str, str] = Field(default_factory=dict)
    training: tuple[str, ...] = ()
    confirm: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
    giant: tuple[str, ...] = ()
    terms: Terms | None = None

    @property
    def digest(self) -> str:
        """Content hash of who is on which side and why; the terms are no part of it."""
        return content_hash(self.model_dump(mode="json", exclude={"terms"}))

    def of(self, side: Side, matters: Sequence[Matter]) -> list[Matter]:
        """Return the matters of a side, in the order of their ids."""
        wanted = set(getattr(self, side))
        return sorted((m for m in matters if m.matter_id in wanted), key=lambda m: m.matter_id)


def split(
    sized: Sequence[Sized],
    *,
    seed: int,
    test: float,
    confirm: float = 0.0,
    candidates: int = 10,
    giant_tokens: int = GIANT_TOKENS,
    terms: Terms | None = None,
) -> Split:
    """Split matters; the same arguments give the same split, in whatever order the matters come.

    Args:
        sized: The matters. One that is no giant is always left to learn from.
        seed: Decides which of like matters goes where.
        test: Share of the matters that is reported on, from 0 to under 1.
        confirm: Share of the matters that candidates are compared on.
        candidates: Comparisons planned for the run.
        giant_tokens: From so many tokens on a matter stands apart.
        terms: What the comparisons of the run rest on.
    """
    giant = sorted(s.matter.matter_id for s in sized if s.tokens >= giant_tokens)
    rest = sorted((s for s in sized if s.tokens < giant_tokens), key=lambda s: s.matter.matter_id)
    shares = {"training": max(0.0, 1.0 - test - confirm), "confirm": confirm, "test": test}
    sides: dict[str, list[str]] = {side: [] for side in shares}
    most = min(max(1, round(test * len(rest))), len(rest) - 1) if test else 0
    sides["test"] += _extremes(rest)[:most]
    wanted = {side: max(0.0, share * len(rest) - len(sides[side])) for side, share in shares.items()}
    dealt = dict.fromkeys(shares, 0)
    for one in _by_likeness([s for s in rest if s.matter.matter_id not in sides["test"]], seed):
        # The divisor method of Webster: each side's part of every stretch of the order is its share of what is dealt.
        # What was forced is no part of it: else the side would get nothing of the first areas, and more of the last.
        side = max(wanted, key=lambda s: wanted[s] / (2 * dealt[s] + 1))
        sides[side].append(one)
        dealt[side] += 1
    _one_to_learn_from(sides)
    return Split(
        seed=seed,
        test_share=test,
        confirm_share=confirm,
        candidates=candidates,
        giant_tokens=giant_tokens,
        matters={s.matter.matter_id: s.matter.digest for s in sorted(sized, key=lambda s: s.matter.matter_id)},
        giant=tuple(giant),
        terms=terms,
        **{side: tuple(sorted(ids)) for side, ids in sides.items()},
    )


def _extremes(sized: Sequence[Sized]) -> list[str]:
    """Return the matter that is the most of each dimension, each once."""
    dimensions = (
        lambda s: s.tokens,
        lambda s: len(s.matter.documents),
        lambda s: len(s.matter.deliverables),
    )
    if not sized:
        return []
    found = [max(sized, key=lambda s: (dimension(s), s.matter.matter_id)).matter.matter_id for dimension in dimensions]
    return list(dict.fromkeys(found))


def _by_likeness(sized: Sequence[Sized], seed: int) -> list[str]:
    """Order matters so that neighbours are alike: then every stretch of the order is dealt out in proportion."""
    if not sized:
        return []
    by_size = sorted(sized, key=lambda s: (s.tokens, s.matter.matter_id))
    tercile = {s.matter.matter_id: at * SIZES // len(by_size) for at, s in enumerate(by_size)}
    mixed = sorted(sized, key=lambda s: s.matter.matter_id)
    random.Random(f"split:{seed}").shuffle(mixed)
    alike = sorted(mixed, key=lambda s: (s.matter.area, s.matter.work_type, tercile[s.matter.matter_id]))
    return [s.matter.matter_id for s in alike]


def _one_to_learn_from(sides: dict[str, list[str]]) -> None:
    for side in ("confirm", "test"):
        if not sides["training"] and sides[side]:
            sides["training"].append(sides[side].pop())


def read_split(path: Path) -> Split:
    """Return the frozen split of a learning run.

    Raises:
        SolonError: The file is not there, or cannot be read as a split (``input``).
    """
    try:
        return Split.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise _refused(path, "is not there") from None
    except ValidationError:
        raise _refused(path, "is no split as this version writes it") from None


def frozen(path: Path, wanted: Split) -> Split:
    """Return the split of a learning run: the one that its first start froze, or this one, frozen now.

    The sides are those of the file: a later version of Solon may deal matters out otherwise.

    Raises:
        SolonError: The run began with another split or other terms, or its file cannot be read (``input``).
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(wanted.model_dump_json(indent=1), encoding="utf-8")
        part.replace(path)
        return wanted
    begun = read_split(path)
    for name, said in _SAID.items():
        if getattr(begun, name) != getattr(wanted, name):
            told = f"was frozen with {said} {getattr(begun, name)}, not {getattr(wanted, name)}"
            raise _refused(path, told)
    if begun.terms and wanted.terms and (otherwise := differences(begun.terms, wanted.terms)):
        raise _refused(path, f"was frozen with {'; with '.join(otherwise)}")
    if begun.matters != wanted.matters:
        raise _refused(path, "was frozen over other matters than the corpus now holds")
    if sorted((*begun.training, *begun.confirm, *begun.test, *begun.giant)) != sorted(begun.matters):
        raise _refused(path, "does not put every matter on one side")
    return begun


_SAID: Final = {
    "seed": "--seed",
    "test_share": "--holdout",
    "confirm_share": "--confirm",
    "candidates": "--candidates",
    "giant_tokens": "--giant-tokens",
}


def _refused(path: Path, message: str) -> SolonError:
    remedy = "go on with what it was begun with, or choose another --learn-id"
    return SolonError(
        Failure(
            cause=FailureCause.INPUT,
            stage="learning",
            subject=f"{path.parent.name}/{path.name}",
            message=message,
            remedy=remedy,
        )
    )
