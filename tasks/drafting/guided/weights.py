"""How a model weighs the options of a reply: the mass that its log-probabilities give to each."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tasks.models.records import Reply, Token

_LEAST = 1e-4  # what an option counts that the endpoint does not tell: it is none of the likeliest
_NAMED = 0.9  # what the option counts that is named, where nothing tells how sure it is


def weights(reply: Reply, options: Sequence[str], named: str) -> tuple[float, ...]:
    """Return how probable each option is, together 1.

    Args:
        reply: A reply, with the log-probabilities of its tokens where the endpoint gives them.
        options: What may be said, each known by how it begins: ``("yes", "no", "unclear")``, or digits.
        named: The option that the reply names.
    """
    place = next((t for t in reply.tokens if plain(t.text) and any(_begins(o, t.text) for o in options)), None)
    mass = [_mass(place, option) for option in options] if place is not None else []
    if sum(mass) <= 0.0:
        rest = (1.0 - _NAMED) / max(1, len(options) - 1)
        return tuple(_NAMED if option == named else rest for option in options)
    mass = [max(m, _LEAST) for m in mass]
    return tuple(m / sum(mass) for m in mass)


def _mass(token: Token, option: str) -> float:
    return sum(math.exp(min(0.0, weight)) for text, weight in token.likely.items() if _begins(option, text))


def _begins(option: str, text: str) -> bool:
    return bool(plain(text)) and option.startswith(plain(text))


def plain(text: str) -> str:
    """Return a token without the marks of JSON around it."""
    return text.strip(" \"'\n\t:,{}").lower()
