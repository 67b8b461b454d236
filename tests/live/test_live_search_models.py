"""An embedder and a reranker through the real client, against a server of our own. Set ``SOLON_LIVE_LITELLM=1``.

It takes the many seconds that litellm takes to be imported, and needs no network.
"""

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

from tasks.models.access import ModelAccess

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not os.environ.get("SOLON_LIVE_LITELLM"), reason="SOLON_LIVE_LITELLM is not set"),
]


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("rerank"):
            rows = [{"index": i, "relevance_score": len(t) / 10} for i, t in enumerate(asked["documents"])]
            reply = {"id": "r", "results": rows[::-1], "meta": {}}
        else:
            vectors = [[len(t), 1.0, 2.0][: asked["dimensions"]] for t in asked["input"]]
            rows = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(vectors)]
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            reply = {"object": "list", "model": asked["model"], "data": rows, "usage": usage}
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def address():
    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def test_litellm_carries_both(address):
    place = {"api_base": address}
    models = ModelAccess(
        {
            "e": {"kind": "embeddings", "model": "openai/ours", "dimensions": 2, "batch": 2, **place},
            "r": {"kind": "reranker", "model": "hosted_vllm/ours", **place},
        }
    )
    rows = models.client("e", "embeddings").embed(["a", "bbb", "cc"])
    assert rows.shape == (3, 2)
    assert np.allclose(rows[1], np.array([3, 1]) / np.sqrt(10))
    assert models.client("r", "reranker").rerank("q", ["a", "bbb"]) == [0.1, 0.3]
    assert models.ledger.used.calls == 3
