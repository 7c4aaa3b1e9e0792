"""The published methods, one a file, and the table that names them.

A method is a frozen dataclass whose fields are its settings; called with a page it returns a
`Verdict`. The table is written by hand; whoever has a method of their own passes any callable.
"""

from collections import UserDict
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import require_one_of
from chaffinch.lazy import exporter, load_module
from chaffinch.verdict import Method

if TYPE_CHECKING:
    from chaffinch.methods.anchor_blocks import AnchorBlocks
    from chaffinch.methods.block_density import BlockDensity
    from chaffinch.methods.cluster_rules import ClusterRules
    from chaffinch.methods.information_blocks import InformationBlocks
    from chaffinch.methods.layout_similarity import LayoutSimilarity
    from chaffinch.methods.learned import Learned
    from chaffinch.methods.line_blocks import LineBlocks
    from chaffinch.methods.sibling_subtrees import SiblingSubtrees
else:
    __getattr__ = exporter(__name__)


class _Methods(UserDict[str, Any]):
    """Name → class of every method, given by its name; each is loaded when it is looked up."""

    def __getitem__(self, name: str) -> type[Method]:
        kind: str = self.data[name]
        method: type[Method] = getattr(load_module(f"{__name__}.{name}"), kind)
        return method


_CLASSES: Final = {
    "learned": "Learned",
    "information_blocks": "InformationBlocks",
    "block_density": "BlockDensity",
    "line_blocks": "LineBlocks",
    "anchor_blocks": "AnchorBlocks",
    "layout_similarity": "LayoutSimilarity",
    "sibling_subtrees": "SiblingSubtrees",
    "cluster_rules": "ClusterRules",
}
METHODS: Final[Mapping[str, type[Method]]] = _Methods(_CLASSES)
"""Name → class of every method."""

DEFAULT: Final = "learned"
"""What ``auto`` stands for; docs/model.md has the figures that chose it."""


def build(name: str, **settings: Any) -> Method:
    """Return the method ``name`` with ``settings``; the others have their published defaults."""
    require_one_of("method", name, METHODS)
    known = settings_of(name)
    for setting in settings:
        require_one_of(f"setting of {name}", setting, known)
    made: Callable[..., Method] = METHODS[name]
    return made(**settings)


def settings_of(name: str) -> Mapping[str, Any]:
    """Return setting → default of the method ``name``."""
    require_one_of("method", name, METHODS)
    return {field.name: field.default for field in fields(METHODS[name])}


__all__ = [
    "DEFAULT",
    "METHODS",
    "AnchorBlocks",
    "BlockDensity",
    "ClusterRules",
    "InformationBlocks",
    "LayoutSimilarity",
    "Learned",
    "LineBlocks",
    "SiblingSubtrees",
    "build",
    "settings_of",
]
