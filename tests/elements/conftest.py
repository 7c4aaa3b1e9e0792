"""Lets the tests of parts use the pages that the tests of renderers share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "output"))
