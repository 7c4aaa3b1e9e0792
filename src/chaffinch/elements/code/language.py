"""The language that the page names for code, by class names, attributes and its first line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chaffinch.page import Page

LANGUAGES: Final = frozenset(
    """
    abap actionscript ada apache apex apl applescript arduino arm asm assembly autohotkey awk bash
    basic bat batch bibtex brainfuck c c# c++ cfg clj clojure cmake cmd cobol coffee coffeescript
    conf console cpp crystal cs csharp css csv cuda cxx cython d dart delphi diff django docker
    dockerfile dos dotenv elisp elixir elm emacs-lisp erb erlang ex excel f# fish fortran fsharp
    gcode gherkin git glsl go golang gql gradle graphql groovy h haml handlebars haskell haxe hcl
    hlsl hpp hs html http hy ini ino java javascript jinja jinja2 jl js json json5 jsonc jsonnet
    jsp jsx julia kotlin kql ksh kt latex less lisp llvm log lua m4 make makefile markdown
    mathematica matlab md mdx mermaid mips mysql nasm nginx nim nix node nodejs objc objective-c
    objectivec ocaml octave openscad pascal patch perl pgsql php php5 pl pl/sql plantuml plsql
    plpgsql postgres postgresql postscript powershell processing prolog promql properties proto
    protobuf ps1 pseudocode puppet purescript py py3 pycon pyrex python python2 python3 qml r racket
    raku razor rb rd reason regex rest rs rst ruby rust sas sass scala scheme scss sed sh
    sh-session shell shell-session shellscript smalltalk solidity sparql sql stan stata styl stylus
    svelte svg swift systemverilog tcl terraform tex toml ts tsql tsx turtle twig typescript unity
    v vala vb vb.net vba vbnet vbscript verilog vhdl vim vimscript vue wasm wgsl wiki wolfram xhtml
    xml xml+html xpath xquery xslt yaml yml zig zsh
    """.split()
)
"""Names that are taken for a language wherever they stand alone."""

_SURE: Final = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([A-Za-z0-9_+#.-]+)"
)
_PREFIX: Final = re.compile(r"^(?:language|lang|highlight(?:-source|-text)?|src|dp|brush|code)[-:]")
_CODE: Final = re.compile(
    r"(?:^|\s)(?:\S*highlight\S*|sourceCode|hljs|prettyprint\S*|code\S*|src|shiki|chroma)(?=\s|$)",
    re.IGNORECASE,
)
_ATTRIBUTES: Final = (
    "data-lang", "data-language", "data-code-language", "data-enlighter-language", "lang",
)  # fmt: skip
_NONE: Final = frozenset("none default plain text plaintext nohighlight txt raw generic".split())
_PATH: Final = re.compile(
    r"\A#!\s*+(?:\S*/)?+(?:env\s+(?:-\S+\s+)*)?(?:\S*/)?([A-Za-z+]+)[\d.]*(?:\s|$)"
)
_ABOVE: Final = 3
_INNER: Final = 3


def language(page: Page, row: int, source: str = "") -> str:
    """Return the language of the code at ``row``, in lower case; "" if none is named.

    Looked for at the element, at its first children, then at the elements around, where only a
    known name counts; at last in the first line of ``source``.
    """
    for at in [row, *_first(page, row)]:
        found = _declared(page, at, is_code=True)
        if found is not None:
            return found
    above = int(page.parent[row])
    for _ in range(_ABOVE):
        if above <= 0:
            break
        found = _declared(page, above, is_code=False)
        if found is not None:
            return found
        above = int(page.parent[above])
    return _first_line(source)


def _first(page: Page, row: int) -> list[int]:
    rows: list[int] = []
    at = row + 1
    while at < int(page.end[row]) and len(rows) < _INNER:
        if page.name(at) not in ("#text", "code", "samp"):
            break
        rows.append(at)
        at += 1
    return rows


def _declared(page: Page, row: int, *, is_code: bool) -> str | None:
    """Return the language an element names, "" for plain text, None where it names nothing."""
    for name in _ATTRIBUTES:
        value = (page.attribute(row, name) or "").strip().lower()
        if value in LANGUAGES:
            return value
        if value in _NONE:
            return ""
    classes = page.attribute(row, "class") or ""
    found = _SURE.search(classes)
    if found is not None and (is_code or found[1].lower() in LANGUAGES | _NONE):
        return "" if found[1].lower() in _NONE else found[1].lower()
    alone = is_code or bool(_CODE.search(classes))
    for name in classes.lower().split():
        bare = _PREFIX.sub("", name)
        if bare in LANGUAGES and (alone or bare != name):
            return bare
    return None


def _first_line(source: str) -> str:
    found = _PATH.match(source)
    if found is not None:
        return found[1].lower()
    return "php" if source.startswith("<?php") else ""
