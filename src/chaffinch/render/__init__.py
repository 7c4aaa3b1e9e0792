"""A page in a real headless browser, as a table with layout columns; the extra «render»."""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.render.limits import RenderLimits
    from chaffinch.render.renderer import NO_ADDRESS, Rendered, Renderer
else:
    __getattr__ = exporter(__name__)

__all__ = ["NO_ADDRESS", "RenderLimits", "Rendered", "Renderer"]
