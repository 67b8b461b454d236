"""Attacks on the provider: calls that fail in every known way, and a key that is refused."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from flows.bench.faults.provider import FAULTS, PRICES, ScriptedProvider, serving
from flows.bench.faults.records import Case
from flows.bench.faults.scene import AttackSkippedError, Scene
from flows.bench.faults.solver import abstracted

_CENT = 0.005  # US dollars: accounts that agree to the cent differ by less than half of one
_TRIES = 2  # of a call to a provider that is down
_AT_ONCE = 2  # attempts under way with one worker, when the first of them finds the key refused
_PROFILE = """
[models.shaky]
model = "openai/scripted"
api_base = "{base}"
api_key_env = "SHAKY_KEY"
context_window = 32768
timeout_seconds = 12.0
retries = 8
{stream}
prices = {{ input_uncached = {p.input_uncached}, cache_read = {p.cache_read}, output = {p.output} }}
"""
# Shorter than a stalled reply, and long beside a sound one on a busy machine: a sound reply that is given up is billed,
# and no account can know it.
_STREAM = "stream = true\nidle_seconds = 12.0"
_KEY = "kurz-und-gut-1234"


def calls_fail(scene: Scene, *, runtime: str, stream: bool, first: bool, matters: int) -> Iterator[str]:
    """Fail three calls of ten by a seed, or the first of each matter, in every way in turn.

    Every matter ends with the verdicts of an undisturbed run, and the account agrees with the provider's.
    """
    from tasks.drafting.stage import runtime_names

    if runtime not in runtime_names():
        raise AttackSkippedError(f"there is no runtime {runtime}")
    scene.plant(matters)
    provider = ScriptedProvider(abstracted, rate=0.0 if first else 0.3, seed=scene.seed, first=first)
    with serving(provider):
        _configure(scene, provider, stream=stream)
        done = scene.run("shaky", "--cell", f"{runtime}:shaky", SHAKY_KEY=_KEY)
        yield from scene.wrongs(done, "shaky", matters)
    if missing := set(FAULTS) - provider.met.keys() if first else set():
        yield f"no call met these failures: {', '.join(sorted(missing))}"
    yield from _account(scene, provider)


def _account(scene: Scene, provider: ScriptedProvider) -> Iterator[str]:
    """Compare what the warehouse says was spent with what the provider bills."""
    columns = "sum(input_uncached), sum(cache_read), sum(output), sum(calls), sum(cost_usd)"
    ((*tokens, usd),) = scene.rows(f"SELECT {columns} FROM attempt") or [(0, 0, 0, 0, 0.0)]  # noqa: S608
    billed = [provider.billed[kind] for kind in ("input", "cached", "output", "calls")]
    if [int(n or 0) for n in tokens] != billed:
        yield f"the account has {tokens} tokens and calls, and the provider bills {billed}"
    if abs((usd or 0.0) - provider.usd) > _CENT:
        yield f"the account has ${usd:.4f}, and the provider bills ${provider.usd:.4f}"


def key_refused(scene: Scene, *, runtime: str, status: int) -> Iterator[str]:
    """Refuse the key from the first call on: the run stops with one line, and is finished with a good key."""
    scene.plant()
    cell = f"{runtime}:shaky"
    provider = ScriptedProvider(abstracted, refuse=status)
    with serving(provider):
        _configure(scene, provider, stream=False)
        done = scene.run("locked", "--cell", cell, SHAKY_KEY=_KEY)
        lines = [line for line in done.err.splitlines() if line.startswith("solon:")]
        if done.code != 1 or len(lines) != 1 or "[login]" not in lines[0] or "SHAKY_KEY" not in lines[0]:
            yield f"a refused key ends with {done.code} and says {done.err.strip()[-200:]!r}"
        if len(provider.requests) > _AT_ONCE:
            yield f"{len(provider.requests)} calls were made with a key that is refused"
        if verdicts := [v for v in scene.verdicts("locked").values() if v != "unscored"]:
            yield f"{len(verdicts)} verdicts were given on work that no model did"
        provider.refuse = 0
        yield from scene.wrongs(scene.run("locked", "--cell", cell, SHAKY_KEY=_KEY), "locked")


def provider_down(scene: Scene) -> Iterator[str]:
    """Fail every call of a provider that has a fallback: the fallback solves, and the failed one is left alone."""
    scene.plant()
    down, spare = ScriptedProvider(abstracted, refuse=500), ScriptedProvider(abstracted)
    with serving(down), serving(spare):
        _configure(scene, spare, stream=False)
        table = f'model = "openai/scripted"\napi_base = "{down.base}"\nretries = {_TRIES - 1}\nfallbacks = ["shaky"]\n'
        with (scene.folder / "solon.toml").open("a", encoding="utf-8") as file:
            file.write(f"[models.down]\n{table}")
        yield from scene.wrongs(scene.run("down", "--cell", "api:down", SHAKY_KEY=_KEY), "down")
    if len(down.requests) > _TRIES:  # one worker makes all calls, and it has learned
        yield f"{len(down.requests)} calls went to a provider that had failed {_TRIES}"
    yield from _account(scene, spare)


def endless_loop(scene: Scene) -> Iterator[str]:
    """Answer every call of an agent with the same tool call: each matter ends, and that is the model's own failure."""
    from tasks.drafting.stage import runtime_names

    if "basic" not in runtime_names():
        raise AttackSkippedError("there is no runtime basic")
    scene.plant()
    provider = ScriptedProvider(abstracted, rate=1.0, faults=("loop",))
    with serving(provider):
        _configure(scene, provider, stream=False)
        done = scene.run("loop", "--cell", "basic:shaky", SHAKY_KEY=_KEY)
    if done.code != 0:
        yield f"the command ended with {done.code}: {done.err.strip()[-200:]}"
    if len({matter for matter, _ in scene.verdicts("loop")}) != scene.matters:
        yield "a matter is not in the warehouse"
    if any(status == "pass" for status in scene.verdicts("loop").values()):
        yield "a criterion passes though nothing was written"
    yield from scene.disagreements(done, "loop")
    yield from _account(scene, provider)


def _configure(scene: Scene, provider: ScriptedProvider, *, stream: bool) -> None:
    written = _PROFILE.format(base=provider.base, stream=_STREAM if stream else "", p=PRICES)
    (scene.folder / "solon.toml").write_text(written, encoding="utf-8")


def _case(name: str, runtime: str, stream: bool, first: bool, trials: int = 1) -> Case:
    matters = len(FAULTS) if first else 12
    attack = partial(calls_fail, runtime=runtime, stream=stream, first=first, matters=matters)
    form = "streamed" if stream else "plain"
    return Case(f"{runtime}: {name}, {form}", "provider", attack, trials=trials)


CASES = (
    _case("each first call fails in its way", "api", stream=True, first=True),
    _case("each first call fails in its way", "api", stream=False, first=True),
    *(
        _case("30 % of calls fail", runtime, stream, first=False, trials=2)
        for runtime in ("api", "basic")
        for stream in (False, True)
    ),
    _case("each first call fails in its way", "basic", stream=True, first=True),
    Case("api: provider down, with a fallback", "provider", provider_down),
    Case("basic: the same call without end", "provider", endless_loop),
    Case("api: key refused (401)", "provider", partial(key_refused, runtime="api", status=401)),
    Case("basic: key refused (403)", "provider", partial(key_refused, runtime="basic", status=403)),
)
