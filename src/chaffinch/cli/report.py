"""``chaffinch report``: what a run did, or has done so far."""

from __future__ import annotations

import click

from chaffinch.cli.messages import write_out
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.run_summary import summary
from chaffinch.cli.verb import Verb
from chaffinch.errors import MissingExtraError


@click.command("report", cls=Verb)
@click.argument("folder", metavar="DIR")
@form_option("text", "json", "html", help_text="Lines for people, JSON, or a page with plots.")
def report(*, folder: str, form: str) -> None:
    """Print what the run in DIR did, or has done so far.

    DIR holds the same as report.json and report.html once the run is through.
    """
    try:
        from chaffinch.corpus.report import as_html, read_report  # noqa: PLC0415  an extra
    except ImportError as error:
        raise MissingExtraError.of(error.name or "a package", "batch") from None
    found = read_report(folder)
    forms = {"text": summary, "json": lambda one: one.to_json(), "html": as_html}
    write_out(forms[form](found))
