"""Loops over the columns of a page: one list of functions, made twice.

``native`` is C, ``plain`` is numpy; both take the same arguments and return the same results, and
which one is called is decided here alone. `chaffinch.kernels.plain` documents their arguments and
returns. All arguments are given by position.

Callers write ``kernels.inside(end, rows)``: a name that is imported from here would stay the
function that it was when `using` chooses others.

The environment variable ``CHAFFINCH_KERNELS`` chooses: ``plain``, ``native`` (an error where the
extension can't be used) or ``auto``, the default: native where it can be used.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from chaffinch.errors import OptionError, SetupError, require_one_of
from chaffinch.kernels.plain.attributes import (
    all_pairs,
    any_contained,
    having,
    pairs,
    rows_by_value,
    rows_containing,
    values_containing,
    values_of,
    words_contained,
    words_in,
)
from chaffinch.kernels.plain.automaton import counted_outputs, half_sums
from chaffinch.kernels.plain.blocks import above, kinds_above, text_blocks
from chaffinch.kernels.plain.containers import containers
from chaffinch.kernels.plain.flow import flow_across, flow_heights
from chaffinch.kernels.plain.groups import groups
from chaffinch.kernels.plain.hashes import path_hashes
from chaffinch.kernels.plain.lengths import characters, kept_bytes, text_columns
from chaffinch.kernels.plain.lines import folded_texts, kept_lines
from chaffinch.kernels.plain.names import read_names
from chaffinch.kernels.plain.network import network
from chaffinch.kernels.plain.page_bytes import (
    count_pairs,
    count_separators,
    count_tags,
    is_plain,
)
from chaffinch.kernels.plain.picks import (
    best_threshold,
    blocks_inside,
    common_values,
    kept_sums,
    outermost_stretches,
    pulled_to_means,
    rows_of,
    sums_within,
    tags_between,
    tags_within,
    topmost_without,
)
from chaffinch.kernels.plain.places import places
from chaffinch.kernels.plain.rows import (
    around,
    held_tags,
    highest,
    inside,
    kept_and_between,
    kept_rows,
    nearest,
    short_links,
    sums_around,
    total,
)
from chaffinch.kernels.plain.runs import text_runs
from chaffinch.kernels.plain.tables import table_counts
from chaffinch.kernels.plain.tag_reading import read_tags
from chaffinch.kernels.plain.text_features import text_features
from chaffinch.kernels.plain.titles import texts_alike, words_held
from chaffinch.kernels.plain.walk import walk, walk_hindrance

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

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
    "values_containing",
    "values_of",
    "walk",
    "walk_hindrance",
    "words_contained",
    "words_held",
    "words_in",
]
"""The functions, and nothing else."""

BackEnd: TypeAlias = Literal["native", "plain"]

SWITCH: Final = "CHAFFINCH_KERNELS"
"""Environment variable that chooses the back end: plain, native or auto."""
SLOWER: Final = 4
"""How many times as long a page takes by the plain back end (docs/speed.md)."""
_LOG: Final = logging.getLogger("chaffinch")
_LOG.addHandler(logging.NullHandler())  # shown where the program logs, and nowhere else
_IS_64_BIT: Final = sys.maxsize > 1 << 32

_plain: Final[dict[str, Callable[..., Any]]] = {name: globals()[name] for name in __all__}


def _hindrance() -> str:
    """Return why the native back end can't be used; "" where it can."""
    if not _IS_64_BIT:
        return "Python is a 32-bit one"
    return "" if find_spec(f"{__name__}._native") else "the extension isn't built"


def _choose() -> tuple[BackEnd, str]:
    """Return the back end to begin with, and why it isn't the native one."""
    wanted = os.environ.get(SWITCH) or "auto"
    require_one_of(SWITCH, wanted, ("auto", "native", "plain"))
    if wanted == "plain":
        return "plain", f"switched off by {SWITCH}=plain"
    why = _hindrance()
    if why and wanted == "native":
        raise SetupError(f"{SWITCH}=native, but {why}")
    return ("plain", why) if why else ("native", "")


def _bind(chosen: BackEnd, plainly: Collection[str]) -> None:
    """Let the names of this module be the functions of a back end, but for some plain ones."""
    functions = _plain
    if chosen == "native":
        native = import_module(f"{__name__}.native").FUNCTIONS
        functions = {name: (_plain if name in plainly else native)[name] for name in __all__}
    globals().update(functions)


def backend() -> BackEnd:
    """Return which back end of the kernels is in use: "native", which is C, or "plain", numpy."""
    return _in_use[0]


def why_plain() -> str:
    """Return why the back end in use isn't the native one; "" where it is."""
    return _in_use[1]


@contextmanager
def using(chosen: BackEnd, *, plainly: Collection[str] = ()) -> Iterator[None]:
    """Use a back end for a while, in the whole process: for tests and measurements.

    Args:
        chosen: native or plain.
        plainly: functions that are plain nevertheless.

    Raises:
        OptionError: there are no such functions.
        SetupError: the native back end can't be used.
    """
    global _in_use  # noqa: PLW0603  what is in use is the process's
    if unknown := set(plainly) - set(__all__):
        raise OptionError(f"no kernels: {', '.join(sorted(unknown))}")
    if chosen == "native" and (why := _hindrance()):
        raise SetupError(f"no native kernels: {why}")
    before = {name: globals()[name] for name in __all__}, _in_use
    _bind(chosen, plainly)
    _in_use = chosen, "" if chosen == "native" else "switched off for a while"
    try:
        yield
    finally:
        globals().update(before[0])
        _in_use = before[1]


def is_missed() -> bool:
    """Return whether the native back end can't be used, though nobody switched it off."""
    return os.environ.get(SWITCH, "auto") in {"", "auto"} and bool(_hindrance())


_in_use = _choose()
_bind(_in_use[0], ())
if is_missed():
    _LOG.warning("kernels: plain, since %s; pages take about %d times as long", why_plain(), SLOWER)
