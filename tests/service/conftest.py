"""Fixtures of the service's tests."""

from __future__ import annotations

import pytest

pytest.importorskip("uvicorn")

from running_service import Web


@pytest.fixture(scope="module")
def web():
    server = Web()
    yield server
    server.shutdown()
    server.server_close()
