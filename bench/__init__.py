"""Benches: what is measured, side by side with others where there are any; README.md lists them.

Each is run from the root of the repository as a module, ``python -m``.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

# The makers of the example pages import one another by short names, so their folder is on the path.
if str(ROOT / "examples") not in sys.path:
    sys.path.append(str(ROOT / "examples"))
