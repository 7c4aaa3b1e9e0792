"""A corpus of one's own: labelled pages put into the JSON lines that `read_corpus` reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from chaffinch.durable_files import locked_folder, make_folder, replace_file
from chaffinch.errors import OptionError
from chaffinch.saved_data import read_json
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def put_row(path: Path, row: Mapping[str, Any]) -> int:
    """Put a labelled page into a corpus, in the place of one of the same id; return their number.

    The file is replaced in one step; two processes that do so wait for one another.

    Raises:
        OptionError: it can't be read or written, or holds something else.
    """
    try:
        make_folder(path.parent)
        with locked_folder(path.parent):
            old = path.read_text("utf-8").split("\n") if path.is_file() else []
            kept = [line for line in old if line and read_json(line).get("id") != row["id"]]
            lines = [*kept, json.dumps(row, ensure_ascii=True)]
            replace_file(path, ("\n".join(lines) + "\n").encode())
    except OSError as error:
        raise OptionError(f"can't write {path}: {cause(error)}") from error
    except (ValueError, AttributeError) as error:
        raise OptionError(f"{path} holds no labelled pages: {error}") from error
    return len(lines)
