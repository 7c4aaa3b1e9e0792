/* What the texts of rows hold. */
#include "kernels.h"

/* What one row's own text is made of. */
typedef struct {
    Py_ssize_t written; /* characters that aren't white space */
    Py_ssize_t words;   /* runs of them */
    bool first, last;   /* whether the first and the last character are such */
} Run;

static inline Run run_in(int kind, const void *text, Py_ssize_t at, Py_ssize_t stop)
{
    unsigned first = is_space(PyUnicode_READ(kind, text, at)), before = first;
    Py_ssize_t spaces = 0, changes = 0;
    for (Py_ssize_t i = at; i < stop; i++) {
        unsigned now = is_space(PyUnicode_READ(kind, text, i));
        spaces += now;
        changes += now ^ before;
        before = now;
    }
    return (Run){stop - at - spaces, (changes + !first + !before) / 2, !first, !before};
}

/* Fill `before` and `own` of `text_columns`, whose offsets hold. A run of white space between two
 * written characters of one line counts one, in the row in which it starts: `hole`. */
static void fill_lengths(Text text, Py_ssize_t rows, const int32_t *at, const int32_t *line,
                         int64_t *before, int32_t *own)
{
    Py_ssize_t written = 0, last = -1, hole = -1; /* the last written row; a hole since, or -1 */
    for (Py_ssize_t row = 0; row < rows; row++) {
        before[row] = written;
        own[row] = 0;
        if (at[row] == at[row + 1])
            continue;
        Run run;
        BY_KIND(text.kind, run = run_in(KIND, text.data, at[row], at[row + 1]));
        if (last >= 0 && hole < 0 && !run.first)
            hole = row;
        if (run.written == 0)
            continue;
        if (hole >= 0 && line[last] == line[row])
            own[hole]++;
        own[row] += (int32_t)(run.written + run.words - 1);
        written += run.written;
        last = row;
        hole = run.last ? -1 : row;
    }
    before[rows] = written;
}

enum { STARTS = 1, BREAKS = 2 };

/* Write 1 to `line` where a line starts, 0 elsewhere; false where a tag or an end is no such. */
static bool mark_starts(const uint16_t *tag, const int32_t *end, Py_ssize_t count,
                        const Array *kinds, int32_t *line)
{
    const uint8_t *kind_of = kinds->data;
    memset(line, 0, (size_t)count * sizeof *line);
    for (Py_ssize_t row = 0; row < count; row++) {
        if (tag[row] >= kinds->count || end[row] <= row || end[row] > count)
            return false;
        uint8_t kind = kind_of[tag[row]];
        if (kind == 0)
            continue;
        line[row] = 1;
        if ((kind & BREAKS) && row + 1 < count)
            line[row + 1] = 1;
        if ((kind & STARTS) && end[row] < count)
            line[end[row]] = 1;
    }
    return true;
}

/* Mark the rows that are in no element of certain tags. */
static void mark_outside(const Array *tag, const int32_t *end, const Array *kinds, uint8_t *out)
{
    int32_t reach = 0;
    for (Py_ssize_t row = 0; row < tag->count; row++) {
        int32_t own = chaffinch_kind(tag, kinds, row) ? end[row] : 0;
        reach = own > reach ? own : reach;
        out[row] = reach <= row;
    }
}

/* text_columns(tag: uint16[n], end: int32[n], text: str, text_at: int32[n+1], kinds: uint8[tags],
 * invisible: bool[tags] | shown, written: bool[n], line, own: int32[n], before: int64[n+1]): what
 * follows for each row from tags and text, as `TextColumns` has it; kinds: 1 for blocks, 2 for
 * breaks. Tags, ends and offsets are checked. */
LOOP(text_columns, "HiUiB?|??iiq", "nnn+..nnnnn+")
{
    enum { TAG, END, TEXT_AT, LINE_KINDS, INVISIBLE, SHOWN, WRITTEN, LINE, OWN, BEFORE };
    Text text = text_of(args[2]);
    const int32_t *end = a[END].data;
    uint8_t *shown = a[SHOWN].data, *written = a[WRITTEN].data;
    int32_t *line = a[LINE].data, *own = a[OWN].data;
    int64_t *before = a[BEFORE].data;
    Py_ssize_t rows = a[TAG].count;
    if (!offsets_hold(a[TEXT_AT].data, rows + 1, text.length) ||
        !mark_starts(a[TAG].data, end, rows, &a[LINE_KINDS], line))
        return MISFIT;
    for (Py_ssize_t row = 1; row < rows; row++)
        line[row] += line[row - 1];
    mark_outside(&a[TAG], end, &a[INVISIBLE], shown);
    fill_lengths(text, rows, a[TEXT_AT].data, line, before, own);
    for (Py_ssize_t row = 0; row < rows; row++) {
        own[row] = shown[row] ? own[row] : 0;
        written[row] = before[row] < before[row + 1];
    }
    return 0;
}

static inline void count_rows(int kind, const void *text, const int32_t *at, Py_ssize_t n,
                              const Array *counted, int32_t *out)
{
    const uint8_t *is_counted = counted->data;
    Py_UCS4 beyond = (Py_UCS4)counted->count - 1;
    for (Py_ssize_t row = 0; row < n; row++) {
        int32_t count = 0;
        for (Py_ssize_t i = at[row]; i < at[row + 1]; i++) {
            Py_UCS4 letter = PyUnicode_READ(kind, text, i);
            count += is_counted[letter < beyond ? letter : beyond];
        }
        out[row] = count;
    }
}

/* characters(text: str, text_at: int32[n+1], counted: bool[k+1] | out: int32[n]): how many
 * characters of each row's own text are true in `counted`; its last item is that of all from k on.
 * Offsets are checked. */
LOOP(characters, "Ui?|i", "n+.n")
{
    Text text = text_of(args[0]);
    Py_ssize_t n = a[2].count;
    const int32_t *at = a[0].data;
    if (!offsets_hold(at, n + 1, text.length) || a[1].count <= 0x100 || a[1].count > 0x110000)
        return MISFIT;
    BY_KIND(text.kind, count_rows(KIND, text.data, at, n, &a[1], a[2].data));
    return 0;
}

/* Whether the text from `at` to `stop` may equal the key: letters and digits of ASCII, and those from
 * `first` to `last`, are compared one by one. */
static bool may_equal_key(Text text, Text key, Py_UCS4 first, Py_UCS4 last, Py_ssize_t at,
                          Py_ssize_t stop)
{
    Py_ssize_t place = 0;
    for (; at < stop; at++) {
        Py_UCS4 one = PyUnicode_READ(text.kind, text.data, at);
        if (one < 0x80) {
            if (one >= 'A' && one <= 'Z')
                one += 'a' - 'A';
            else if (!((one >= 'a' && one <= 'z') || (one >= '0' && one <= '9')))
                continue;
            Py_UCS4 next = at + 1 < stop ? PyUnicode_READ(text.kind, text.data, at + 1) : 0;
            if (next >= 0x80 && (next < first || next > last))
                return true; /* which may change the one before */
        } else if (one < first || one > last) {
            return true;
        }
        if (place >= key.length || PyUnicode_READ(key.kind, key.data, place) != one)
            return false; /* most differ in their first letter */
        place++;
    }
    return place == key.length;
}

/* texts_alike(text: str, starts: int32[k], stops: int32[k], key: str, first: int, last: int
 * | may: bool[k]): whether each stretch may equal the key. Stretches are checked. */
LOOP(texts_alike, "UiiUnn|?", "kk..k")
{
    Text text = text_of(args[0]), key = text_of(args[3]);
    const int32_t *starts = a[0].data, *stops = a[1].data;
    uint8_t *may = a[4].data;
    for (Py_ssize_t i = 0; i < a[0].count; i++) {
        if (starts[i] < 0 || starts[i] > stops[i] || stops[i] > text.length)
            return MISFIT;
        may[i] = may_equal_key(text, key, (Py_UCS4)a[2].count, (Py_UCS4)a[3].count, starts[i], stops[i]);
    }
    return 0;
}
