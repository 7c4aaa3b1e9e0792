"""Sends site models to a service until it is killed, and asks which ones it has."""

from __future__ import annotations

import contextlib
import itertools
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence

_PLAIN = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def versions(url: str, seconds: float) -> dict[str, str]:
    """Return name → version of the sites of a service, once it answers.

    Raises:
        OSError: it doesn't answer within ``seconds``.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            with _PLAIN.open(f"{url}/ready", timeout=5):
                break
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
    with _PLAIN.open(f"{url}/v1/sites") as answer:
        names = json.load(answer)["sites"]
    return {name: _version(url, name) for name in names}


def _version(url: str, name: str) -> str:
    with _PLAIN.open(f"{url}/v1/sites/{name}") as answer:
        return str(answer.headers["ETag"])


def put_until_refused(
    url: str, prefix: str, texts: Sequence[str], seconds: float, kill: Callable[[], None]
) -> dict[str, str]:
    """Send models under names of their own, one after the other; return what was accepted.

    Args:
        url: of the service.
        prefix: of the names.
        texts: models.
        seconds: until ``kill`` is called.
        kill: ends the service.
    """
    assassin = threading.Timer(seconds, kill)
    assassin.start()
    accepted: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for number in itertools.count():
            name = f"{prefix}-{number}"
            request = urllib.request.Request(  # noqa: S310  http on loopback
                f"{url}/v1/sites/{name}",
                data=json.dumps({"rules": texts[number % len(texts)]}).encode(),
                method="PUT",
                headers={"Content-Type": "application/json", "If-None-Match": "*"},
            )
            try:
                with _PLAIN.open(request) as answer:
                    accepted[name] = str(answer.headers["ETag"])
            except urllib.error.HTTPError as error:
                raise SystemExit(f"{error.code}: {error.read()[:300]!r}") from error
    assassin.join()
    return accepted
