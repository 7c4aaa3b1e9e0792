"""What each kernel has to return, in numpy and plain Python."""

from chaffinch import kernels
from chaffinch.kernels.plain import (
    attributes,
    automaton,
    blocks,
    containers,
    flow,
    groups,
    hashes,
    lengths,
    lines,
    names,
    network,
    page_bytes,
    picks,
    places,
    rows,
    runs,
    tables,
    tag_reading,
    text_features,
    titles,
    walk,
)

_MODULES = (
    attributes, automaton, blocks, containers, flow, groups, hashes, lengths, lines, names, network,
    page_bytes, picks, places, rows, runs, tables, tag_reading, text_features, titles, walk,
)  # fmt: skip
ORACLES = {
    name: vars(module)[name]
    for name in kernels.__all__
    if name != "walk_hindrance"
    for module in _MODULES
    if getattr(vars(module).get(name), "__module__", "") == module.__name__
}
