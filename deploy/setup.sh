#!/bin/sh
# Makes .venv from requirements.lock, and the project in it as an editable install.
# Uses uv where it is on the PATH; else brings it into .bootstrap with pip.
set -eu
PY=${PY:-python3.11}
command -v "$PY" >/dev/null 2>&1 || PY=python3
"$PY" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || {
    echo "setup: Python 3.11 is needed; set PY=/path/to/python3.11 (Debian: apt-get install python3 python3-venv)" >&2
    exit 1
}
if command -v uv >/dev/null 2>&1; then
    UV=uv
else
    [ -x .bootstrap/bin/uv ] || {
        "$PY" -m venv .bootstrap || { echo "setup: needs the venv module (Debian: apt-get install python3-venv)" >&2; exit 1; }
        .bootstrap/bin/python -m pip install --quiet uv
    }
    UV=.bootstrap/bin/uv
fi
[ -x .venv/bin/python ] || "$UV" venv --quiet --python "$PY" .venv
"$UV" pip sync --quiet --python .venv/bin/python --require-hashes --compile-bytecode requirements.lock
"$UV" pip install --quiet --python .venv/bin/python --no-deps --editable .
