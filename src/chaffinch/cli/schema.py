"""``chaffinch schema``: what the JSON of a page holds."""

from __future__ import annotations

import json

import click

from chaffinch.cli.outputs import write_out
from chaffinch.record import schema as of_record


@click.command
def schema() -> None:
    """Print the JSON schema of what 'extract --format json' writes for a page."""
    write_out(json.dumps(of_record(), ensure_ascii=False, indent=2))
