"""A provider that repeats the key it was sent, in every kind of error: the key is in no file below home.

Lies beside the flow tests (not in tests/security) because it needs their server and corpora.
"""

from __future__ import annotations

import base64
import gzip
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import duckdb
import pytest

from flows.corpus import run_corpus
from flows.settings import load_settings
from tasks.matter.failures import SolonError

KEY = "zq9/vineyard+heliotrope=7731"
SPELLED = (KEY, quote(KEY, safe=""), base64.b64encode(KEY.encode()).decode(), KEY[:14])
PASSING = (400, 404, 422, 429, 500, 503)
ENDING = (401, 403)  # these end the run
STATUSES = (*PASSING, *ENDING)


class _Echo(BaseHTTPRequestHandler):
    """An endpoint that refuses everything, with the key in its words; a path names the status."""

    asked: list[str]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        given = self.headers["Authorization"]
        self.asked.append(given)
        status = int(self.path.split("/")[1])
        said = f"Refused: {given}; {quote(KEY, safe='')}; {SPELLED[2]}; https://x.test/?key={quote(KEY, safe='')} "
        said += "." * (self.asked.count(given) % 60) + KEY * 12  # whatever the length, a cut falls within a key
        body = said.encode() if status == 503 else json.dumps({"error": {"message": said, "code": given}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Echo", (_Echo,), {"asked": asked})) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


@pytest.mark.parametrize(
    ("passing", "ending"),
    [
        pytest.param((400, 503), (401,), id="one of each form"),  # JSON, plain words, and what ends a run
        pytest.param(PASSING, ENDING, id="every status", marks=pytest.mark.thorough),
    ],
)
@pytest.mark.usefixtures("unchecked", "server", "kept_workers")
def test_a_key_in_an_error_is_kept_nowhere(
    passing: tuple[int, ...],
    ending: tuple[int, ...],
    corpus: Callable[..., Path],
    endpoint: tuple[str, list[str]],
    tmp_path: Path,
    prefect_home: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url, asked = endpoint
    monkeypatch.setenv("ODD_NAME", KEY)  # a name that says nothing: the profiles do
    (tmp_path / "solon.toml").write_text(
        "".join(
            f'[models.s{status}]\nmodel = "openai/x"\nretries = 0\n'
            f'api_base = "{url}/{status}"\napi_key_env = "ODD_NAME"\n'
            for status in STATUSES
        )
    )
    flags = {"home": tmp_path / "home", "workers": 1, "judge": "model:s500"}
    settings = load_settings(flags, cwd=tmp_path, env={})
    cells, matters = ["extractive", *(f"api:s{status}" for status in passing)], corpus(1)
    said = ""
    for status in ending:
        with pytest.raises(SolonError) as refused:
            run_corpus(matters, [f"api:s{status}"], settings, run_id=f"r{status}")
        assert f"--run-id r{status} goes on with this run" in refused.value.failure.remedy
        said += str(refused.value)
    result = run_corpus(matters, cells, settings, run_id="r")
    said += "".join(capfd.readouterr())

    assert len(asked) > len(passing) + len(ending)
    assert {given for given in asked} == {f"Bearer {KEY}"}
    failed = [p for p in (tmp_path / "home" / "runs").rglob("attempt.json") if "The endpoint" in p.read_text()]
    assert len(failed) == len(passing) + len(ending)
    assert result.report
    with duckdb.connect(str(settings.warehouse), read_only=True) as con:
        assert con.execute("SELECT count(*) FROM failure WHERE message LIKE '%[key]%'").fetchone() != (0,)
    files = [p for base in (tmp_path / "home", prefect_home) for p in base.rglob("*") if p.is_file()]
    leaks = [(p, s) for p in files for data in contents(p) for s in SPELLED if s.encode() in data]
    assert leaks == []
    assert [s for s in SPELLED if s in said] == []


def contents(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes, and what is inside where it is packed."""
    yield path.read_bytes()
    if path.suffix == ".gz":
        yield gzip.decompress(path.read_bytes())
    elif path.suffix == ".parquet":
        yield str(duckdb.read_parquet(str(path)).fetchall()).encode()
    elif path.suffix == ".duckdb":
        with duckdb.connect(str(path), read_only=True) as con:
            for names in con.execute("SELECT schema_name, table_name FROM duckdb_tables()").fetchall():
                yield str(con.execute('SELECT * FROM "{}"."{}"'.format(*names)).fetchall()).encode()
