"""HTML pages from templates: escaped throughout, without scripts or external resources.

All values are escaped by the library (Jinja2); characters that no HTML may hold become U+FFFD
before that.
"""

import re
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def render(template: str, **values: Any) -> str:
    """Return the HTML page of a template of the package, such as ``corpus/report.html``.

    A variable that isn't among the ``values`` is an error.
    """
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("chaffinch", ""),
        autoescape=True,
        finalize=_allowed,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def _allowed(value: Any) -> Any:
    """Return a value as it is, text without characters that HTML may not hold."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return _FORBIDDEN.sub("\ufffd", value)
    return value
