"""Counts of a site model's use kept between runs, in a file beside the model.

They belong to one learning of the model: once it is updated with new pages, they are discarded.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from chaffinch.durable_files import replace_file
from chaffinch.errors import RulesError
from chaffinch.saved_data import read_json
from chaffinch.site.usage import Usage
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chaffinch.site.site_model import Learning

KIND: Final = "chaffinch site counts"
SUFFIX: Final = ".counts"


def read_counts(model: Path, history: Sequence[Learning]) -> Usage:
    """Return the counts beside the file of a model; none where they are of another learning.

    Raises:
        RulesError: the file can't be read, or holds something else.
    """
    path = model.with_suffix(SUFFIX)
    try:
        saved = read_json(path.read_text(encoding="utf-8")) if path.is_file() else None
        if saved is None or saved["learned"] != _learned(history):
            return Usage()
        if saved["kind"] != KIND:
            raise RulesError(f"{path}: not a file of kind {KIND!r}")
        return Usage.from_dict(saved["usage"])
    except OSError as error:
        raise RulesError(f"can't read {path}: {cause(error)}") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise RulesError(f"{path}: not usable counts: {error}") from error


def write_counts(model: Path, history: Sequence[Learning], usage: Usage) -> None:
    """Write counts beside the file of a model, atomically; without counts the file is removed.

    Raises:
        RulesError: the file can't be written.
    """
    path = model.with_suffix(SUFFIX)
    try:
        if not usage.pages:
            path.unlink(missing_ok=True)
            return
        saved = {"kind": KIND, "learned": _learned(history), "usage": usage.to_dict()}
        replace_file(path, (json.dumps(saved, indent=1, sort_keys=True) + "\n").encode())
    except OSError as error:
        raise RulesError(f"can't write {path}: {cause(error)}") from error


def _learned(history: Sequence[Learning]) -> list[list[Any]]:
    return [[one.date, one.pages] for one in history]
