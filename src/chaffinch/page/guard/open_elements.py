"""The stack of open elements and the list of active formatting elements, for counting only.

HTML Standard, sections 13.2.4.2 and 13.2.4.3. A stack is kept between each pair of elements that
end tags don't reach across («scopes»), with the offsets of each name, so that every lookup takes
constant time.
"""

from __future__ import annotations

from typing import Final


def names_of(words: str) -> frozenset[bytes]:
    """Return the names in a line of words, as bytes."""
    return frozenset(words.encode().split())


VOID: Final = names_of(
    "area base basefont bgsound br col embed frame hr img image input keygen link meta param "
    "source track wbr"
)
VOID_INLINE: Final = names_of("area br embed image img input keygen wbr")
ROOTS: Final = names_of("html head body")  # opened once: later ones only add attributes
RAW: Final = names_of("script style textarea title xmp iframe noembed noframes plaintext")
FORMATTING: Final = names_of("a b big code em font i nobr s small strike strong tt u")
HEADINGS: Final = names_of("h1 h2 h3 h4 h5 h6")
CLOSES_P: Final = HEADINGS | names_of(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure "
    "footer form header hgroup li dd dt listing main menu nav ol p pre search section summary ul"
)
CLOSES_ALL: Final = CLOSES_P | names_of("button p")  # by its end tag, what is in it
ROWS: Final = names_of("tr tbody thead tfoot colgroup")
CELLS: Final = names_of("td th caption")
HTML_SCOPES: Final = CELLS | names_of("table object applet marquee template select")
SVG_SCOPES: Final = names_of("foreignobject desc title")
MATH_SCOPES: Final = names_of("mi mo mn ms mtext")
IMPLIED: Final = names_of("dd dt li optgroup option p rb rp rt rtc")
SPECIAL: Final = (
    CLOSES_P | ROWS | HTML_SCOPES | names_of("button noscript optgroup option svg math")
)
KEEPS_FORMATTING: Final = (  # start tags that don't open formatting elements again
    CLOSES_P | ROWS | CELLS | names_of("table template frameset rt rp rb rtc")
)
BREAKS_OUT: Final = names_of(  # of svg and math
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li "
    "listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
_THIN: Final = names_of("address div p")  # a new list item closes the last one through these
_ADOPTIONS: Final = 8  # rounds of the adoption agency
_IDENTICAL: Final = 3  # formatting elements, the same in all: a fourth takes the first one's place


class Active:
    """The list of active formatting elements: those that are opened again in the next block."""

    __slots__ = ("entries", "pending")

    def __init__(self) -> None:
        self.entries: list[list[bytes | bool]] = []  # name, the whole tag, whether it is open
        self.pending = 0

    def add(self, name: bytes, tag: bytes) -> None:
        """Note a formatting element that was opened by ``tag``."""
        same = [entry for entry in self.entries if entry[1] == tag]
        if len(same) >= _IDENTICAL:
            self.remove(same[0])
        self.entries.append([name, tag, True])

    def last(self, name: bytes) -> list[bytes | bool] | None:
        """Return the youngest entry of that name."""
        return next((entry for entry in reversed(self.entries) if entry[0] == name), None)

    def remove(self, entry: list[bytes | bool]) -> None:
        """Forget an entry."""
        self.pending -= not entry[2]
        self.entries = [other for other in self.entries if other is not entry]

    def park(self, name: bytes) -> None:
        """Note that an element was closed by the end of the block around it."""
        for entry in reversed(self.entries):
            if entry[2] and entry[0] == name:
                entry[2] = False
                self.pending += 1
                return


class Scope:
    """The open elements in one scope."""

    __slots__ = ("active", "at", "live", "name", "names", "options", "special", "walls")

    def __init__(self, name: bytes, active: Active) -> None:
        self.name = name
        self.active = active
        self.names: list[bytes | None] = []  # None: taken out, with what is in it left open
        self.at: dict[bytes, list[int]] = {}
        self.special: list[int] = []
        self.walls: list[int] = []
        self.live = 0
        self.options = 0

    def push(self, name: bytes) -> None:
        """Open an element."""
        here = len(self.names)
        self.names.append(name)
        self.at.setdefault(name, []).append(here)
        if name in SPECIAL:
            self.special.append(here)
            if name not in _THIN:
                self.walls.append(here)
        self.live += 1

    def last(self, name: bytes) -> int:
        """Return where the innermost open ``name`` is, -1 where there is none."""
        offsets = self.at.get(name)
        return offsets[-1] if offsets else -1

    def top(self) -> bytes | None:
        """Return the name of the current element."""
        return self.names[-1] if self.names else None

    def pop_to(self, offset: int) -> int:
        """Close the element at ``offset`` and all in it; return how many were open."""
        names, closed = self.names, 0
        while len(names) > offset:
            name = names.pop()
            if name is not None:
                self.at[name].pop()
                closed += 1
                if name in FORMATTING:
                    self.active.park(name)
        for offsets in (self.special, self.walls):
            while offsets and offsets[-1] >= offset:
                offsets.pop()
        self.live -= closed
        return closed

    def take_out(self, name: bytes) -> None:
        """Close the innermost ``name`` and leave open what is in it."""
        offset = self.at[name].pop()
        self.names[offset] = None
        if name in SPECIAL:
            self.special = [other for other in self.special if other != offset]
            self.walls = [other for other in self.walls if other != offset]
        self.live -= 1

    def adopt(self, name: bytes) -> int:
        """Close a formatting element as the adoption agency does; return how many it closes.

        What is special in it stays open, and formatting elements before the last of these.
        """
        offset = self.last(name)
        inner = [other for other in self.special if other > offset][:_ADOPTIONS]
        before = self.live
        if len(inner) < _ADOPTIONS:
            self.pop_to(inner[-1] + 1 if inner else offset + 1)
        last = inner[-1] if inner else offset
        for other in range(offset + 1, last):
            between = self.names[other]
            if between is not None and between not in SPECIAL and between not in FORMATTING:
                self.at[between].remove(other)
                self.names[other] = None
                self.live -= 1
        if len(inner) < _ADOPTIONS:
            self.take_out(name)
        return before - self.live
