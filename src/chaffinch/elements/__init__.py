"""What HTML holds, a subject a file; what each is known by in many languages stands in a table."""

from pathlib import Path
from typing import Any, Final

from chaffinch.storage import read_json

WORDS: Final[dict[str, Any]] = read_json(Path(__file__).with_name("words.json").read_bytes())
"""Tables of ``words.json``: what it is → words in one text, a list of labels, or sign → name."""
