"""``python -m flows.cli`` is the ``solon`` command."""

import sys

from flows.cli import main

sys.exit(main())
