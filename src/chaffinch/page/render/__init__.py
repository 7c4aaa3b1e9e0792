"""A page in a real headless browser, as a table with layout columns; the extra «render»."""

from chaffinch.page.render.limits import RenderLimits
from chaffinch.page.render.renderer import NO_ADDRESS, Rendered, Renderer, render

__all__ = ["NO_ADDRESS", "RenderLimits", "Rendered", "Renderer", "render"]
