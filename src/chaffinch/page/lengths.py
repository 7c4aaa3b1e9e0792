"""Lines of inline content, and lengths with white space folded.

Every threshold of every method counts folded characters: runs of white space count as one, and at
the edges of a line (where a block starts or ends, or at a br) as none. White space is what
``str.isspace`` calls so. Verbatim text is 1.5 to 2 times as long, because sources are indented.

A line is a run of rows with no start or end of a block element and no br between them. An element
that starts a line bears the number of that line.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from chaffinch.kernels.codes import LINE_BREAKS, LINE_STARTS
from chaffinch.page import tags

LINE_KINDS: Final = tags.BLOCK.astype(np.uint8) * np.uint8(LINE_STARTS) | tags.BREAK.astype(
    np.uint8
) * np.uint8(LINE_BREAKS)
"""uint8[tags], what lines start and end at."""
