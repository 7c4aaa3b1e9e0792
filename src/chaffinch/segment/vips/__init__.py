"""VIPS: a page cut into visual blocks, each with a degree of coherence (DoC)."""

from chaffinch.segment.vips.method import Vips
from chaffinch.segment.vips.segmentation import Segmentation, Separators

__all__ = ["Segmentation", "Separators", "Vips"]
