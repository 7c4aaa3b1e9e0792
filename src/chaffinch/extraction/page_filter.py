"""Which pages are wanted at all, by address, language and metadata.

A page that isn't wanted raises `UnwantedPageError`, a kind of `PageError`: loops over many pages
skip it as they skip a broken one, and can still count it separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Self

from chaffinch.errors import OptionError, UnwantedPageError, require_flag
from chaffinch.lazy import lazy_module

if TYPE_CHECKING:
    from chaffinch.extraction.found_content import FoundContent
    from chaffinch.metadata import language as languages_of_pages
    from chaffinch.siblings import url_shapes
else:
    languages_of_pages = lazy_module("chaffinch.metadata.language")
    url_shapes = lazy_module("chaffinch.siblings.url_shapes")

NEEDED: Final = {"title": "title", "published": "date of publication"}
"""Field of metadata that ``only_with_metadata`` wants, an address besides → its name."""


@dataclass(frozen=True, kw_only=True)
class PageFilter:
    """Which pages are wanted.

    Attributes:
        languages: codes of languages, such as ``("en", "zh")``; a page in another language, or
            whose language isn't known, is unwanted. Empty for all.
        only_with_metadata: a page without an address, a title or a date of publication is unwanted.
        url_blacklist: addresses of unwanted pages, given or canonical; one that ends with ``*``
            stands for all that begin so. Scheme, fragment and final slash don't count.

    Raises:
        OptionError: a value is of a wrong type, or no code of a language, or no address.
    """

    languages: tuple[str, ...] = ()
    only_with_metadata: bool = False
    url_blacklist: tuple[str, ...] = ()
    _blocked: url_shapes.UrlBlacklist | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        require_flag("only_with_metadata", self.only_with_metadata)
        object.__setattr__(self, "languages", language_codes(self.languages))
        given = names_in("url_blacklist", self.url_blacklist)
        object.__setattr__(self, "url_blacklist", given)
        if given:
            object.__setattr__(self, "_blocked", url_shapes.UrlBlacklist.of(given))

    @classmethod
    def of(cls, values: object) -> Self:
        """Return a filter as such, or made of its fields by name; None is the one for all pages.

        Raises:
            OptionError: a field is unknown, or a value is impossible.
        """
        if values is None:
            return cls()
        if isinstance(values, cls):
            return values
        if not isinstance(values, Mapping):
            raise OptionError(f"wanted must be a PageFilter or its fields, not {values!r}")
        known = [one.name for one in fields(cls) if one.init]
        if unknown := [name for name in values if name not in known]:
            raise OptionError(f"unknown field {unknown[0]!r} of wanted; known: {', '.join(known)}")
        return cls(**values)

    def require_url(self, url: str | None) -> None:
        """Check that an address isn't blacklisted.

        Raises:
            UnwantedPageError: it is.
        """
        if self._blocked is not None and url and url in self._blocked:
            raise UnwantedPageError(f"its address is blacklisted: {url}")

    def require(self, found: FoundContent) -> None:
        """Check that an extracted page is wanted.

        Raises:
            UnwantedPageError: it isn't; the message gives the reason.
        """
        self.require_url(found.url)
        if self._blocked is not None:
            self.require_url(found.metadata.value("canonical"))
        if self.languages and found.language not in self.languages:
            wanted = " or ".join(self.languages)
            raise UnwantedPageError(f"its language is {found.language or 'unknown'}, not {wanted}")
        if self.only_with_metadata:
            missing = [name for field, name in NEEDED.items() if not found.metadata.value(field)]
            missing += [] if found.url else ["address"]
            if missing:
                raise UnwantedPageError(f"it has no {' and no '.join(missing)}")


def language_codes(given: object) -> tuple[str, ...]:
    """Return primary subtags of BCP 47, each once, of codes such as "en", "pt-BR", "zh_TW".

    Raises:
        OptionError: one is no such code.
    """
    codes = []
    for one in names_in("languages", given):
        code = languages_of_pages.primary(one)
        if not code:
            raise OptionError(f"no code of a language: {one!r}; use such as 'en' or 'zh'")
        codes.append(code)
    return tuple(dict.fromkeys(codes))


def names_in(option: str, given: Any) -> tuple[str, ...]:
    """Return texts given as one or as several.

    Raises:
        OptionError: they are no texts.
    """
    if isinstance(given, tuple) and not given:
        return ()
    if isinstance(given, str):
        given = (given,)
    if isinstance(given, bytes | Mapping) or not isinstance(given, Iterable):
        raise OptionError(f"{option} is text or a list of texts, not {given!r}")
    names = tuple(given)
    if not all(isinstance(one, str) for one in names):
        raise OptionError(f"{option} is a list of texts, not {names!r}")
    return names
