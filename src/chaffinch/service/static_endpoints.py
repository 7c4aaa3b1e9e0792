"""Endpoints of the inspector's own files, each with the policy of content that holds for it.

Pages of others are shown in a frame of an origin of its own: it runs one script, whose digest the
policy names, may ask for nothing, and gets its elements one by one from the page around it.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from chaffinch.service.endpoint import Endpoint, answer
from chaffinch.service.problems import ProblemError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from starlette.requests import Request
    from starlette.responses import Response

STATIC: Final = "/static/"
FRAME: Final = "/inspector/frame"
FRAME_WITH_IMAGES: Final = "/inspector/frame-with-images"
PAGE_POLICY: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
}
"""What the service's own pages may do: run its own scripts, and nothing of what they show."""

_KINDS: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_TEXT: Final = {"type": "string"}


async def index(_: Request) -> Response:
    """Answer with the inspector."""
    return answer(_static()["index.html"], "text/html", PAGE_POLICY)


async def static_file(request: Request) -> Response:
    """Answer with one of the inspector's files; there are no others than those of the package."""
    name = request.path_params["name"]
    kind = _KINDS.get(f".{name.rpartition('.')[2]}")
    if kind is None or name not in _static():
        raise ProblemError("not-found", "there is no such file")
    return answer(_static()[name], kind)


async def frame(_: Request) -> Response:
    """Answer with the frame in which a page is shown without its images."""
    return answer(_frame(), "text/html", _frame_policy("img-src data:"))


async def frame_with_images(_: Request) -> Response:
    """Answer with the frame in which a page is shown with its images."""
    return answer(_frame(), "text/html", _frame_policy("img-src data: https:"))


def _frame_policy(images: str) -> dict[str, str]:
    digest = hashlib.sha256(_static()["frame/frame.js"].encode()).digest()
    policy = (
        f"default-src 'none'; script-src 'sha256-{base64.b64encode(digest).decode()}'; "
        f"style-src 'unsafe-inline'; font-src data:; {images}; form-action 'none'; "
        "base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts"
    )
    return {"content-security-policy": policy}


@cache
def _frame() -> str:
    script = _static()["frame/frame.js"]
    return _static()["frame/frame.html"].replace("{{ script }}", script)


@cache
def _static() -> dict[str, str]:
    """Return the text of each file in the package's folder ``static``, by its path there."""
    return dict(_below(files("chaffinch.service").joinpath("static"), ""))


def _below(folder: Traversable, path: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for one in folder.iterdir():
        if one.is_dir():
            found += _below(one, f"{path}{one.name}/")
        else:
            found.append((f"{path}{one.name}", one.read_text(encoding="utf-8")))
    return found


STATIC_ENDPOINTS: Final = tuple(
    Endpoint(method="GET", path=path, handler=handler, summary=summary, answers={kind: _TEXT})
    for path, handler, summary, kind in (
        ("/", index, "The inspector.", "text/html"),
        (f"{STATIC}{{name:path}}", static_file, "Files of the inspector.", "text/javascript"),
        (FRAME, frame, "The frame that shows a page.", "text/html"),
        (FRAME_WITH_IMAGES, frame_with_images, "The same with images.", "text/html"),
    )
)
