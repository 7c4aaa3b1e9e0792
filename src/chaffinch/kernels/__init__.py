"""Loops over the columns of a page, in C: the one list of what rooms call.

All arguments are given by position. The library is compiled when Chaffinch is installed; without it
nothing runs.
"""

from __future__ import annotations

from chaffinch.errors import SetupError

try:
    from chaffinch.kernels import _native
except ImportError as error:
    raise SetupError(
        "the kernels aren't compiled: install a wheel of Chaffinch, or install a C compiler and"
        " then Chaffinch from its source anew; see docs/installing.md"
    ) from error

from chaffinch.kernels.native.blocks import (
    above,
    containers,
    groups,
    kinds_above,
    network,
    places,
    read_names,
    text_blocks,
    text_features,
)
from chaffinch.kernels.native.rows import (
    around,
    blocks_inside,
    common_values,
    flow_across,
    flow_heights,
    followers,
    highest,
    inside,
    kept_and_between,
    kept_rows,
    nearest,
    outermost_stretches,
    path_hashes,
    pulled_to_means,
    rows_of,
    short_links,
    sums_around,
    sums_within,
    table_counts,
    tags_between,
    tags_within,
    topmost_without,
    total,
    touching,
)
from chaffinch.kernels.native.texts import (
    characters,
    counted_outputs,
    half_sums,
    kept_lines,
    read_tags,
    text_columns,
    text_runs,
    texts_alike,
    words_contained,
    words_held,
)
from chaffinch.kernels.native.tree import walk, walk_hindrance

all_pairs = _native.all_pairs
any_contained = _native.any_contained
best_threshold = _native.best_threshold
count_pairs = _native.count_pairs
count_separators = _native.count_separators
count_tags = _native.count_tags
folded_texts = _native.folded_texts
having = _native.having
held_tags = _native.held_tags
is_plain = _native.is_plain
kept_bytes = _native.kept_bytes
kept_sums = _native.kept_sums
pairs = _native.pairs
rows_by_value = _native.rows_by_value
rows_containing = _native.rows_containing
values_containing = _native.values_containing
values_of = _native.values_of
words_in = _native.words_in

__all__ = [
    "above",
    "all_pairs",
    "any_contained",
    "around",
    "best_threshold",
    "blocks_inside",
    "characters",
    "common_values",
    "containers",
    "count_pairs",
    "count_separators",
    "count_tags",
    "counted_outputs",
    "flow_across",
    "flow_heights",
    "folded_texts",
    "followers",
    "groups",
    "half_sums",
    "having",
    "held_tags",
    "highest",
    "inside",
    "is_plain",
    "kept_and_between",
    "kept_bytes",
    "kept_lines",
    "kept_rows",
    "kept_sums",
    "kinds_above",
    "nearest",
    "network",
    "outermost_stretches",
    "pairs",
    "path_hashes",
    "places",
    "pulled_to_means",
    "read_names",
    "read_tags",
    "rows_by_value",
    "rows_containing",
    "rows_of",
    "short_links",
    "sums_around",
    "sums_within",
    "table_counts",
    "tags_between",
    "tags_within",
    "text_blocks",
    "text_columns",
    "text_features",
    "text_runs",
    "texts_alike",
    "topmost_without",
    "total",
    "touching",
    "values_containing",
    "values_of",
    "walk",
    "walk_hindrance",
    "words_contained",
    "words_held",
    "words_in",
]
