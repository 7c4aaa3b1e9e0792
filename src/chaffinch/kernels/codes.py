"""Codes and sizes that callers of kernels, C and numpy agree on."""

from typing import Final

LINE_STARTS: Final = 1
LINE_BREAKS: Final = 2
"""What a tag is to lines, as bits: an element that starts and ends one; one that ends one."""

PREFORMATTED: Final = 1
CELL: Final = 2
"""What a tag is to the text of lines, as bits: an element with verbatim text, a cell of a table."""

TABLE_LINE, TABLE_CELL, TABLE_NAMED, TABLE_HEAD, TABLE_HEADING, TABLE_UNLIKE, TABLE_HEAD_CELL = (
    1 << bit for bit in range(7)
)
"""What a row is in a table, as bits: a line; a cell; what names the table's columns or the table;
its head; a heading; what stands in no table of data; a cell that is a heading."""

CLASS, ID, ROLE, ITEMPROP, STYLE, HIDDEN, ARIA_HIDDEN = range(1, 8)
"""What an attribute is to names of elements; 0 is any other."""
NAME_WORDS: Final = 12
"""Words read of one element's names; utility classes can be dozens."""
NAME_BUCKETS: Final = 1 << 12
"""Buckets of words of names; the number itself stands for no word."""

RUN_PASSED, RUN_WORDS, RUN_INLINE, RUN_BOUNDARY, RUN_BLOCK = range(5)
"""What a row is to a walk: an element that is written as what it holds; a text; an element in a
line; one that is only a block; any other block."""
RUN_AFTER_SPACE, RUN_BEFORE_SPACE = (1 << bit for bit in range(2))
"""What is known of a run's text, as bits: white space begins it; white space ends it."""

BETWEEN_IF_BLANK, BETWEEN, HOLDER = (1 << bit for bit in range(3))
"""What a tag is to what stands between kept rows, as bits: a text, which is between where it is
blank; an element that is always between; one that isn't passed over where it is empty."""

WORD_BUCKETS: Final = 1 << 14
"""Buckets of words of texts; the number itself stands for no word."""
WORDS_READ: Final = 8
"""Words read of each block, from its start: boilerplate is known by how it starts."""
WORD_SLOTS: Final = WORDS_READ + 2

CONTAINER_LEVELS: Final = 4
"""Containers looked at above each block."""
NEAR_ROWS: Final = 4
"""Rows near a block whose names are read one by one."""

TEXT_COLUMNS: Final = (
    "log_units log_characters log_ends log_pauses log_marks log_link_units"
    " log_units_before log_units_after"
    " digits capitals link_share title description body scriptless"
    " unit_length long_sentences position_in_units repeated"
    " last_is_end last_is_mark first_is_capital first_is_digit first_is_mark first_is_unit"
    " all_link one_unit has_body"
).split()
"""Columns of text features, in order; of those named log_… a kernel writes counts with 1 added."""

NETWORK_PADDED: Final = 8
"""Columns of the network's matrices are a multiple of this many; `PADDED` of ``network.h``."""

STRETCH_BEGINS, STRETCH_COUNTED, STRETCH_ITEM = (1 << bit for bit in range(3))
"""What a tag is to stretches of rows, as bits: an element that is one; one that is none where it
holds too many points an item; an item."""
