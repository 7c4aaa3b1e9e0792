"""VIPS: a page cut into visual blocks, each with a degree of coherence (DoC)."""

from chaffinch.segment.vips.structure import Segmentation, Separators, Vips

__all__ = ["Segmentation", "Separators", "Vips"]
