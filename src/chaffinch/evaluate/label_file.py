"""A corpus of one's own: labelled pages put into the JSON lines that `read_corpus` reads."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from chaffinch.errors import OptionError
from chaffinch.lazy import lazy_module
from chaffinch.saved_data import read_json

if TYPE_CHECKING:
    import fcntl
    from collections.abc import Mapping
    from pathlib import Path
else:
    fcntl = lazy_module("fcntl")  # absent on Windows


def put_row(path: Path, row: Mapping[str, Any]) -> int:
    """Put a labelled page into a corpus, in the place of one of the same id; return their number.

    The file is replaced in one step; two processes that do so wait for one another.

    Raises:
        OptionError: it can't be read or written, or holds something else.
    """
    lock = path.with_name(f".{path.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with lock.open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            old = path.read_text("utf-8").splitlines() if path.is_file() else []
            kept = [line for line in old if line and read_json(line).get("id") != row["id"]]
            lines = [*kept, json.dumps(row, ensure_ascii=True)]
            new = path.with_name(f"{path.name}.{os.getpid()}")
            new.write_text("\n".join(lines) + "\n", encoding="utf-8")
            new.replace(path)
    except OSError as error:
        raise OptionError(f"can't write {path}: {error.strerror}") from error
    except (ValueError, AttributeError) as error:
        raise OptionError(f"{path} holds no labelled pages: {error}") from error
    return len(lines)
