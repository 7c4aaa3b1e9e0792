"""XML-TEI (TEI P5, Guidelines 4.8): what is kept, with a header of what is known of the page."""

from chaffinch.output.tei.body import Posted
from chaffinch.output.tei.document import render

__all__ = ["Posted", "render"]
