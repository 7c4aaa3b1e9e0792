"""A page in a real headless browser, as a table with layout columns; the extra «render»."""

from chaffinch.render.limits import RenderLimits
from chaffinch.render.renderer import NO_ADDRESS, Rendered, Renderer, render

__all__ = ["NO_ADDRESS", "RenderLimits", "Rendered", "Renderer", "render"]
