"""Attacks on privacy: tools asked for sealed rubrics, rights of files, keys in error texts, odd paths."""

from __future__ import annotations

import http.server
import json
import stat
import threading
from collections.abc import Iterator

from flows.bench.faults.corpus import CANARY
from flows.bench.faults.records import Case
from flows.bench.faults.scene import Done, Scene

_KEY = "sk-harmless-2f9c41d7e0b84a6f"


def private_files_asked_for(scene: Scene) -> Iterator[str]:
    """Ask the tools for what holds rubrics and verdicts, by every root."""
    tasks = scene.plant()
    scene.run("asked")
    private = [tasks[0] / "task.json", *sorted((scene.home / "sealed").glob("*.json"))[:1]]
    private += [p for name in ("scores.json", "judgement.json") for p in sorted(scene.home.rglob(name))[:1]]
    (scene.folder / "innocent.txt").symlink_to(private[0])
    for path in [*private, scene.folder / "innocent.txt"]:
        for root in ((), ("--root", str(scene.folder)), ("--root", str(path.parent))):
            done = scene.command("tool", "read", str(path), *root)
            if CANARY in done.out + done.err or done.code == 0:
                yield f"`tool read` serves {path.name} with root {root[1:] or 'none'}"
    found = scene.command("tool", "search", CANARY, "--sources", str(scene.home))
    if CANARY in found.out:
        yield "`tool search` finds the rubric below home"
    if scene.command("mcp").code != 2:
        yield "`mcp` starts without a room"


def rights(scene: Scene) -> Iterator[str]:
    """Nothing below home can be read by other users."""
    scene.plant()
    scene.run("private")
    others = stat.S_IRWXG | stat.S_IRWXO
    open_to_all = [p for p in (scene.home, *scene.home.rglob("*")) if p.lstat().st_mode & others and not p.is_symlink()]
    if open_to_all:
        names = ", ".join(sorted(str(p.relative_to(scene.folder)) for p in open_to_all)[:3])
        yield f"{len(open_to_all)} files or folders can be read by others: {names}"


def key_in_an_error(scene: Scene) -> Iterator[str]:
    """A provider that echoes the key in its error text: the key is stored nowhere."""
    scene.plant(1)
    with _EchoingProvider() as address:
        (scene.folder / "solon.toml").write_text(
            f'[models.echo]\nmodel = "openai/echo"\napi_base = "{address}"\napi_key_env = "ECHO_KEY"\n'
            "context_window = 32768\n",
            encoding="utf-8",
        )
        done = scene.run("echo", "--cell", "api:echo", "--judge", "anchor+model:echo", ECHO_KEY=_KEY)
    if _KEY in done.out + done.err:
        yield "the key is printed"
    held = [p for p in scene.home.rglob("*") if p.is_file() and _KEY.encode() in p.read_bytes()]
    if held:
        yield f"the key stands in {len(held)} files, e.g. {held[0].relative_to(scene.home)}"
    fails = [k for k, v in scene.verdicts("echo").items() if v == "fail"]
    if fails:
        yield f"{len(fails)} verdicts are fail though the provider failed"


def odd_homes(scene: Scene) -> Iterator[str]:
    """Homes whose names mean something to a URL, a glob or a shell."""
    scene.plant()
    for number, name in enumerate(("what?", "100% #1", "a b'c\"d", "[x]*", "häuser")):
        scene.home_name = name
        done: Done = scene.run(f"odd-{number}")
        if done.code == 2 and "Traceback" not in done.err:
            continue  # refused with a message
        for line in scene.wrongs(done, f"odd-{number}"):
            yield f"{name}: {line}"


def nested_tasks(scene: Scene) -> Iterator[str]:
    """A task inside another task's folder."""
    tasks = scene.plant()
    inner = tasks[0] / "inner"
    (inner / "documents").mkdir(parents=True)
    (inner / "documents" / "lease.txt").write_bytes((tasks[0] / "documents" / "lease.txt").read_bytes())
    (inner / "task.json").write_bytes((tasks[0] / "task.json").read_bytes())
    done = scene.run("nested")
    told = len({matter for matter, _ in scene.verdicts("nested")}) + json.dumps(done.err).count("inner")
    if done.code != 0 or "Traceback" in done.err or told < len(tasks) + 1:
        yield f"ended with {done.code}, {told} of {len(tasks) + 1} tasks accounted for: {done.err.strip()[-200:]}"


class _EchoingProvider:
    """Answers every call with an error that repeats the caller's key."""

    def __enter__(self) -> str:
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                told = json.dumps({"error": {"message": f"bad credentials {self.headers.get('Authorization')}"}})
                self.send_response(401)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(told.encode())

            def log_message(self, *_: object) -> None:
                return

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


CASES = (
    Case("private files asked of tools", "privacy", private_files_asked_for),
    Case("rights of files", "privacy", rights),
    Case("key in a provider's error", "privacy", key_in_an_error),
    Case("odd names of homes", "privacy", odd_homes),
    Case("nested tasks", "privacy", nested_tasks),
)
