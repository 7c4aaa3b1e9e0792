"""Logs as lines of JSON on standard error: one for each request, and one for whatever else happens.

Warnings of Python are such lines, too. Addresses of pages and tokens aren't in them; a request is
found by its id.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Final

LOG: Final = logging.getLogger("chaffinch.service")
"""What the service logs to."""

FIELDS: Final = "fields"
"""Attribute of a log record that holds further members of its line."""


class JsonLines(logging.Formatter):
    """Formats a log record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage().strip(),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=True, default=str)


def log_as_json(level: int = logging.INFO) -> None:
    """Write all logs of this process as JSON lines on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.captureWarnings(capture=True)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("chaffinch", "uvicorn"):
        logging.getLogger(name).setLevel(level)
