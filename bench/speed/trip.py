"""Which files does a page pass on its way from bytes to text, and how often is each entered?

``python -m bench.speed.trip [PAGE.html]`` extracts a page of the example site (or the file) twice
and prints, of the second time, the files in the order in which they are first entered, and how
often a call comes into each from another file. What is made once for all pages doesn't count.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chaffinch
from chaffinch import kernels

if TYPE_CHECKING:
    from types import FrameType

PACKAGE = Path(chaffinch.__file__).parent


def files_entered(html: bytes) -> dict[str, int]:
    """Return file → calls into it from other files, in the order of the first, for one page."""
    entered: dict[str, int] = {}
    chaffinch.extract(html).text  # noqa: B018  loads what is loaded once

    def follow(frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        name = frame.f_code.co_filename
        if name.startswith(str(PACKAGE)) and (frame.f_back is None or _file(frame.f_back) != name):
            short = str(Path(name).relative_to(PACKAGE))
            entered[short] = entered.get(short, 0) + 1

    sys.setprofile(follow)
    try:
        chaffinch.extract(html).text  # noqa: B018  the trip
    finally:
        sys.setprofile(None)
    return entered


def _file(frame: FrameType) -> str:
    """Return the file of a frame, or of the nearest above it that is in the package."""
    above: FrameType | None = frame
    while above is not None and not above.f_code.co_filename.startswith(str(PACKAGE)):
        above = above.f_back
    return above.f_code.co_filename if above is not None else ""


def main() -> None:
    """Print the files of the trip."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.trip", description=__doc__)
    parser.add_argument("page", nargs="?", type=Path, help="a file; default: an example page")
    page = parser.parse_args().page
    if page is not None:
        html = page.read_bytes()
    else:
        from site_maker import pages  # noqa: PLC0415  only here

        html = next(row["html"].encode("latin-1") for row in pages() if "2024" in row["url"])
    entered = files_entered(html)
    for place, (name, calls) in enumerate(entered.items(), start=1):
        print(f"{place:3} {name:45} {calls:4}")
    kernel = sum(name.startswith("kernels/") for name in entered)
    print(f"{len(entered)} files, {kernel} of them kernels ({kernels.backend()})")


if __name__ == "__main__":
    main()
