"""A page in a real headless browser, as a table with layout columns; the extra «render»."""

from chaffinch.page.render.limits import RenderLimits
from chaffinch.page.render.renderer import Rendered, Renderer, render

__all__ = ["RenderLimits", "Rendered", "Renderer", "render"]
