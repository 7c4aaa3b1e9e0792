"""Every error that Chaffinch raises on purpose.

After a `PageError` skip this page and go on: the next one may be right. A `SetupError` says to
stop: something about the call or the installation is wrong.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from os import PathLike, fspath
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


class ChaffinchError(Exception):
    """The root: catch this to catch everything that Chaffinch raises on purpose."""


class PageError(ChaffinchError):
    """This page can't be processed (too big, not HTML, too many rows, …); others can."""


class FetchError(PageError):
    """This page could not be fetched (address refused, time-out, HTTP status, too large)."""


class TransferError(FetchError):
    """The server couldn't be reached, didn't answer or broke off; a retry may succeed."""


class RefusedError(FetchError):
    """This address must not be fetched (private address, scheme, host, robots.txt)."""


class RenderError(PageError):
    """A browser could not render this page (crash, hang, too much memory, no page at all)."""


class TimeLimitError(PageError):
    """A call took longer on this page than the limit that was given.

    Attributes:
        stage: the stage that was in progress when the time was over.
        done: the stages before it.
    """

    stage: str = ""
    done: tuple[str, ...] = ()

    @classmethod
    def at(cls, stage: str, *, seconds: float, elapsed: float, done: tuple[str, ...]) -> Self:
        """Return the error for a call that exceeds ``seconds`` in ``stage``."""
        before = f"; done before: {', '.join(done)}" if done else ""
        after = round(elapsed, 1 if elapsed >= 1 else 4)
        error = cls(f"more than {seconds:g} s: stopped after {after:g} s, at {stage!r}{before}")
        error.stage, error.done = stage, done
        return error


class OutOfMemoryError(PageError, MemoryError):
    """The memory doesn't suffice for this page."""


class UnwantedPageError(PageError):
    """This page isn't wanted, by address, language or metadata; nothing is wrong with it."""


class WorkerError(PageError):
    """A page failed in a guarded child, or ended it.

    Attributes:
        kind: ``time``, ``cpu`` or ``memory`` for a limit; ``crash``, ``killed`` or ``exit`` for how
            the child ended; ``bug`` for an error of the function that ran.
    """

    kind: str = ""

    @classmethod
    def of(cls, kind: str, detail: str) -> Self:
        """Return the error of a kind, which ``detail`` describes."""
        error = cls(f"{kind}: {detail}")
        error.kind = kind
        return error


class SetupError(ChaffinchError):
    """The call or the installation is wrong; no page will succeed until it is corrected."""


class BrowserError(SetupError):
    """No browser is found, or it doesn't start; the message explains how to install one."""


class OptionError(SetupError, ValueError):
    """An option is unknown or its value is impossible; the message lists what is known."""


class ArchiveError(SetupError):
    """A WARC file can't be written, or isn't one that this crawl can continue."""


class RulesError(SetupError):
    """Learned rules are broken, of another kind, or of another version."""


class WeightsError(SetupError):
    """A file of learned weights is missing, broken, or of another version."""


class MissingExtraError(SetupError, ImportError):
    """An optional package isn't installed; the message names the pip command."""

    @classmethod
    def of(cls, package: str, extra: str) -> Self:
        """Return the error for a missing ``package`` that the ``extra`` would install."""
        return cls(f"{package} is not installed: pip install 'chaffinch[{extra}]'")


@contextmanager
def from_extra(extra: str) -> Iterator[None]:
    """Name the pip command where an import within fails for want of what the extra installs."""
    try:
        yield
    except ImportError as error:
        name = error.name or extra
        if isinstance(error, MissingExtraError) or name.partition(".")[0] == "chaffinch":
            raise
        raise MissingExtraError.of(name.partition(".")[0], extra) from error


LARGEST: Final = 2**31 - 1
"""Upper bound of settings that count something on a page: columns of a page are int32."""


# Each of these raises an `OptionError` where the value of the option ``name`` is impossible.


def require_between(name: str, value: object, low: float, high: float = math.inf) -> None:
    """Require a number from ``low`` to ``high``, both included."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not low <= value <= high or value == math.inf:  # type: ignore[operator]
        upper = "" if math.isinf(high) else f" to {high:g}"
        raise OptionError(f"{name} must be a number from {low:g}{upper}, not {value!r}")


def require_whole(name: str, value: object, low: int, high: float = math.inf) -> None:
    """Require a whole number from ``low`` to ``high``, both included."""
    if not isinstance(value, int):
        raise OptionError(f"{name} must be a whole number, not {value!r}")
    require_between(name, value, low, high)


def require_kind(name: str, value: object, kind: type) -> None:
    """Require a value of a type, or None."""
    if value is not None and not isinstance(value, kind):
        raise OptionError(
            f"{name} must be {'text' if kind is str else kind.__name__}, not {value!r}"
        )


def require_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise OptionError(f"{name} must be text, not {value!r}")


def require_path(name: str, value: object) -> None:
    """Require a path: text or path-like, and not empty."""
    if not isinstance(value, str | PathLike) or not fspath(value):
        raise OptionError(f"{name} must be a path, not {value!r}")


def require_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise OptionError(f"{name} must be true or false, not {value!r}")


def require_one_of(name: str, value: object, known: Collection[str]) -> None:
    """Require one of the ``known`` values; the message lists them, and names the nearest."""
    if not isinstance(value, str) or value not in known:
        meant = nearest(value, known)
        hint = f" (did you mean {meant}?)" if meant else ""
        raise OptionError(f"unknown {name} {value!r}{hint}; known: {', '.join(known)}")


def nearest(given: object, known: Collection[str]) -> str:
    """Return the one of some names that a misspelt one is meant for; "" for none."""
    import difflib  # noqa: PLC0415  after a mistake only

    wanted = _bare(str(given)[:60])
    bare = {_bare(name): name for name in known if name}
    starts = [name for own, name in bare.items() if wanted and own.startswith(wanted)]
    if len(starts) == 1:
        return starts[0]
    found = difflib.get_close_matches(wanted, bare, n=1)
    return bare[found[0]] if found else ""


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))
