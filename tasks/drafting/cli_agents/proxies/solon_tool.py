#!/usr/bin/env python3
"""Call one of Solon's tools from a shell: solon tool NAME '{"argument": "value"}'; without a name, list them.

Runs inside the sandbox with the standard library alone. The arguments may also come on standard input, as `-`.
"""

import http.client
import json
import os
import sys
import urllib.error
import urllib.request


def main() -> int:
    """Call the tool; 0 done, 1 the tool failed, 2 misuse."""
    proxy = os.environ.get("SOLON_TOOLS", "")
    words = sys.argv[2:] if sys.argv[1:2] == ["tool"] else sys.argv[1:]
    if words and words[0] in ("-h", "--help"):
        sys.stdout.write(str(__doc__))
        return 0
    try:
        if not words:
            with _ask(proxy + "/tools", None) as came:
                for name, schema in sorted(json.load(came).items()):
                    needed = schema.get("required", [])
                    every = [n if n in needed else f"[{n}]" for n in schema.get("properties", {})]
                    sys.stdout.write(f"{name} {' '.join(every)}\n    {schema.get('description', '').splitlines()[0]}\n")
            return 0
        given = sys.stdin.read() if words[1:] == ["-"] else (words[1] if words[1:] else "{}")
        with _ask(f"{proxy}/call/{words[0]}", given.encode()) as came:
            json.dump(json.load(came)["result"], sys.stdout, indent=1, ensure_ascii=False)
            sys.stdout.write("\n")
            return 0
    except urllib.error.HTTPError as error:
        sys.stderr.write(json.load(error).get("failure", "failed") + "\n")
        return 2 if error.code == 400 else 1
    except OSError as error:
        sys.stderr.write(f"solon: the tools cannot be reached: {error}\n")
        return 1


def _ask(url: str, data: "bytes | None") -> "http.client.HTTPResponse":
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(url, data=data, headers={"content-type": "application/json"})  # noqa: S310
    came: http.client.HTTPResponse = opener.open(request, timeout=900)
    return came


if __name__ == "__main__":
    sys.exit(main())
