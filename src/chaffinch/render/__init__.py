"""A page in a real headless browser, as a table with layout columns; the extra «render»."""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.render.limits import RenderLimits
    from chaffinch.render.renderer import NO_ADDRESS, Rendered, Renderer, render
else:
    __getattr__ = exporter(
        __name__,
        {
            "NO_ADDRESS": "chaffinch.render.renderer",
            "RenderLimits": "chaffinch.render.limits",
            "Rendered": "chaffinch.render.renderer",
            "Renderer": "chaffinch.render.renderer",
            "render": "chaffinch.render.renderer",
        },
    )

__all__ = ["NO_ADDRESS", "RenderLimits", "Rendered", "Renderer", "render"]
