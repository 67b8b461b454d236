"""Tools of others, asked through MCP over stdio: off unless a server is configured.

A server is a program that the user trusts to be started; what it says is hostile input like any document: it is cut to
a bound, made inert, and marked as external in the answer. It is sent the words of the question and nothing else, and
of the environment only the variables that are named for it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError, visible
from tasks.models.fencing import inert_text
from tasks.retrieval.records import Passage
from tasks.retrieval.research.choice import Chosen
from tasks.retrieval.research.looks import Looked
from tasks.retrieval.research.records import Method, Question, Search, Statement

_LONGEST: Final = 2_000  # characters of one block of a reply
_MOST: Final = 5  # blocks of a reply


class McpServer(Record):
    """A server that answers questions by one of its tools.

    Attributes:
        name: As it is told in an answer.
        command, arguments: What starts it.
        tool: The tool that is called, and ``query`` the name of its argument that takes the question.
        variables: Names of the environment variables that it is given, e.g. of its key.
        seconds: Wall time of a call, the start of the server included.
    """

    name: str = Field(min_length=1, max_length=60)
    command: str = Field(min_length=1)
    arguments: tuple[str, ...] = ()
    tool: str = Field(min_length=1)
    query: str = "query"
    variables: tuple[str, ...] = ()
    seconds: float = Field(20.0, gt=0, le=600)


class ExternalLook:
    """Asks the configured servers (a :class:`~.looks.Look`)."""

    def __init__(self, server: McpServer) -> None:
        """Take the server."""
        self._server = server

    def look(self, question: Question, why: Chosen, found: Sequence[Passage]) -> Looked:  # noqa: ARG002 (the form)
        """Return what the tool says, marked as external.

        Raises:
            SolonError: The server cannot be started, is not in time, or says that its tool failed (``provider``,
                ``timeout``).
        """
        source = f"{self._server.name}: {self._server.tool}"
        said = call_tool(self._server, question.text)
        told = tuple(Statement(text=words, method=Method.EXTERNAL, source=source) for words in said)
        search = Search(method=why.method, query=question.text, reason=f"{why.reason}; asked {source}")
        return Looked(search, told)


def call_tool(server: McpServer, question: str) -> list[str]:
    """Return the text blocks of a reply, each inert and bounded; raises as :meth:`ExternalLook.look`."""
    with ThreadPoolExecutor(1) as pool:  # a loop of its own: the caller may stand in one
        return pool.submit(_called, server, question).result()


def _called(server: McpServer, question: str) -> list[str]:
    try:
        reply = asyncio.run(asyncio.wait_for(_asked(server, question), server.seconds))
    except TimeoutError as error:
        raise _failure(server, FailureCause.TIMEOUT, f"did not answer within {server.seconds:g} s") from error
    except Exception as error:  # whatever a foreign program does at the other end of a pipe is its failure
        raise _failure(server, FailureCause.PROVIDER, f"cannot be asked: {_why(error)}") from error
    blocks = [str(block.text) for block in reply.content if getattr(block, "text", "")]
    if reply.isError:
        raise _failure(server, FailureCause.PROVIDER, f"its tool {server.tool} failed: {_line(' '.join(blocks))}")
    return [text for block in blocks[:_MOST] if (text := _told(block))]


async def _asked(server: McpServer, question: str) -> Any:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import get_default_environment, stdio_client

    given = {name: os.environ[name] for name in server.variables if name in os.environ}
    started = StdioServerParameters(
        command=server.command, args=list(server.arguments), env={**get_default_environment(), **given}
    )
    async with AsyncExitStack() as stack:
        nowhere = stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 (the stack closes it)
        incoming, outgoing = await stack.enter_async_context(stdio_client(started, errlog=nowhere))
        client = await stack.enter_async_context(ClientSession(incoming, outgoing))
        await client.initialize()
        return await client.call_tool(server.tool, {server.query: question})


def _told(block: str) -> str:
    """Return a block without what would be read as anything but words, on one line, cut to its bound."""
    return visible(" ".join(inert_text(block[: 2 * _LONGEST]).split()))[:_LONGEST]


def _line(words: str) -> str:
    return _told(words)[:200]


def _why(error: BaseException) -> str:
    """Return the innermost reason: groups of errors hide it."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return _line(str(error)) or type(error).__name__


def _failure(server: McpServer, cause: FailureCause, message: str) -> SolonError:
    remedy = f"correct the server {server.name} in [retrieval.research], or leave it out"
    return SolonError(Failure(cause=cause, stage="retrieval", subject=server.name, message=message, remedy=remedy))
