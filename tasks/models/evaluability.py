"""Whether a model can be evaluated at all: said before a corpus is spent on it, not after.

A loop that depends on stable runs cannot be run on a model that cannot be sampled reliably; and what a run would count
as a failure of the work may be one of the provider.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import median

from tasks.matter.base import Record
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.models.probes import Probe, Prober, calls_tools, follows_schema, reads_to_the_end, repeats

_FEW, _MANY = 0.05, 0.2  # shares of calls that fail: up to the one a run is at ease, past the other it is no measure
_NEEDED = ("repeatability", "context", "failures")
_USED_BY = {"tool calls": "runtimes that call tools (basic)", "JSON by schema": "runtimes that ask by schema (guided)"}


class Evaluability(Record):
    """What the probes found.

    Attributes:
        evaluable: Whether a corpus can be run on it.
        verdict: The same in a sentence, with what it cannot be used for.
        failures: Calls that failed, by cause.
    """

    schema_version: int = 1
    profile: str
    model: str
    evaluable: bool
    verdict: str
    probes: tuple[Probe, ...]
    calls: int
    failures: dict[str, int]
    seconds_median: float
    seconds_longest: float
    usage: Usage


def check_model(client: ModelClient, times: int = 5, most_tokens: int = 32_768) -> Evaluability:
    """Ask a model what tells whether it can be evaluated.

    Args:
        client: Of the profile; its fallbacks and its retries are left out, for they would hide its failures.
        times: How often the same is asked.
        most_tokens: Bound of the long prompt, and so of what the check costs.

    Raises:
        SolonError: The key is refused, or the profile cannot be used.
    """
    bare = client.profile.model_copy(update={"retries": 0})
    prober = Prober(replace(client, profile=bare, fallbacks=(), mode="off", role="check"))
    found = [
        repeats(prober, times),
        calls_tools(prober),
        follows_schema(prober),
        reads_to_the_end(prober, most_tokens),
    ]
    probes = (*found, _failures(prober), _latency(prober, bare.timeout_seconds))
    broken = [p for p in probes if p.state == "failed" and p.name in _NEEDED]
    return Evaluability(
        profile=client.profile.name,
        model=client.profile.model,
        evaluable=not broken,
        verdict=_verdict(probes, broken),
        probes=probes,
        calls=prober.calls,
        failures=dict(prober.failures),
        seconds_median=round(median(prober.seconds or [0.0]), 2),
        seconds_longest=round(max(prober.seconds, default=0.0), 2),
        usage=prober.client.ledger.used,
    )


def _failures(prober: Prober) -> Probe:
    failed = sum(prober.failures.values())
    share = failed / prober.calls if prober.calls else 1.0
    by_cause = ", ".join(f"{n} {cause}" for cause, n in sorted(prober.failures.items()))
    found = f"{failed} of {prober.calls} calls" + (f" ({by_cause})" if by_cause else "")
    return Probe(name="failures", state="ok" if share <= _FEW else "weak" if share <= _MANY else "failed", found=found)


def _latency(prober: Prober, patience: float) -> Probe:
    longest = max(prober.seconds, default=0.0)
    found = f"median {median(prober.seconds or [0.0]):.1f} s, longest {longest:.1f} s of {patience:g} s"
    return Probe(name="latency", state="weak" if longest > patience / 2 else "ok", found=found)


def _verdict(probes: tuple[Probe, ...], broken: list[Probe]) -> str:
    if broken:
        return "cannot be evaluated: " + "; ".join(f"{p.name}: {p.found}" for p in broken)
    by_name = {p.name: p.state for p in probes}
    told = [f"not for {use}" for name, use in _USED_BY.items() if by_name[name] == "failed"]
    told += [f"with care for {use}" for name, use in _USED_BY.items() if by_name[name] == "weak"]
    if by_name["repeatability"] == "weak":
        told.append("replies differ, so take several epochs")
    if by_name["failures"] == "weak":
        told.append("calls fail now and then, so give it retries and a fallback")
    return "; ".join(["can be evaluated", *told])
