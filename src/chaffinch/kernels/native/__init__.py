"""Kernels in C, with the signatures and results of those in `chaffinch.kernels.plain`.

C fills arrays that it is given: here they are made, and what C doesn't take is left to numpy.
"""

from chaffinch.kernels._native import (
    all_pairs,
    count_pairs,
    count_separators,
    count_tags,
    having,
    held_tags,
    is_plain,
    kept_bytes,
    pairs,
    rows_by_value,
    rows_that_may_say,
    says_any,
)
from chaffinch.kernels.native.blocks import (
    above,
    containers,
    groups,
    kinds_above,
    places,
    text_blocks,
)
from chaffinch.kernels.native.model import network, read_names, text_features
from chaffinch.kernels.native.rows import (
    around,
    flow_across,
    flow_heights,
    highest,
    inside,
    kept_rows,
    line_ids,
    nearest,
    path_hashes,
    short_links,
    table_counts,
    total,
)
from chaffinch.kernels.native.texts import (
    characters,
    kept_lines,
    own_lengths,
    words_held,
    written_places,
)
from chaffinch.kernels.native.tree import walk, walk_hindrance

__all__ = [
    "above",
    "all_pairs",
    "around",
    "characters",
    "containers",
    "count_pairs",
    "count_separators",
    "count_tags",
    "flow_across",
    "flow_heights",
    "groups",
    "having",
    "held_tags",
    "highest",
    "inside",
    "is_plain",
    "kept_bytes",
    "kept_lines",
    "kept_rows",
    "kinds_above",
    "line_ids",
    "nearest",
    "network",
    "own_lengths",
    "pairs",
    "path_hashes",
    "places",
    "read_names",
    "rows_by_value",
    "rows_that_may_say",
    "says_any",
    "short_links",
    "table_counts",
    "text_blocks",
    "text_features",
    "total",
    "walk",
    "walk_hindrance",
    "words_held",
    "written_places",
]
