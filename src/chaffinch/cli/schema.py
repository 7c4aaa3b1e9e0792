"""``chaffinch schema``: what the JSON of a page holds."""

from __future__ import annotations

import json

import click

from chaffinch.cli.messages import write_out
from chaffinch.cli.verb import Verb
from chaffinch.record import schema as of_record


@click.command(cls=Verb)
def schema() -> None:
    """Print the JSON schema of what 'extract --format json' writes for a page."""
    write_out(json.dumps(of_record(), ensure_ascii=False, indent=2))
