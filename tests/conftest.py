"""Fixtures that several test files share."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from chaffinch import kernels as compiled

# No test asserts a time: hypothesis' own limit of 200 ms an example says how busy the machine is.
settings.register_profile("chaffinch", deadline=None)
settings.load_profile("chaffinch")

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="session")
def example_site() -> list[dict[str, Any]]:
    """The pages of the example site, in the format of the labelled corpora."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        from site_maker import pages  # noqa: PLC0415 found only after the line above
    finally:
        sys.path.remove(str(EXAMPLES))
    rows: list[dict[str, Any]] = pages()
    return rows


@pytest.fixture(scope="session")
def plainly() -> Callable[[], AbstractContextManager[None]]:
    """A context without the compiled kernels, beside which they are run with them."""
    if compiled.kernels() is None:
        why = "the kernels aren't built: pip install --no-build-isolation -e . with a C compiler"
        if os.environ.get("CHAFFINCH_REQUIRE_ALL") == "1":
            pytest.fail(why)
        pytest.skip(why)

    @contextmanager
    def without() -> Iterator[None]:
        kernels, compiled._KERNELS = compiled._KERNELS, None  # noqa: SLF001  the switch
        try:
            yield
        finally:
            compiled._KERNELS = kernels  # noqa: SLF001  the same

    return without
