/* What published densities count in texts: marks, and the words of a title. */
#include "kernels.h"
#include "pages.h"

/* Whether no character of a text is counted: such as most texts of ASCII but for a few letters. */
static inline bool none_counted(int kind, const void *text, Py_ssize_t length, const Array *counted)
{
    enum { AT_ONCE = 32, ASCII = 0x80 };
    const uint8_t *is_counted = counted->data;
    Py_UCS4 beyond = (Py_UCS4)counted->count - 1;
    bool skips_ascii = memchr(is_counted, 1, ASCII) == NULL;
    for (Py_ssize_t at = 0; at < length; at += AT_ONCE) {
        Py_ssize_t stop = at + AT_ONCE < length ? at + AT_ONCE : length;
        Py_UCS4 all = 0;
        uint8_t found = 0;
        for (Py_ssize_t i = at; i < stop; i++)
            all |= PyUnicode_READ(kind, text, i);
        for (Py_ssize_t i = at; i < stop && !(skips_ascii && all < ASCII); i++) {
            Py_UCS4 letter = PyUnicode_READ(kind, text, i);
            found |= is_counted[letter < beyond ? letter : beyond];
        }
        if (found)
            return false;
    }
    return true;
}

static inline void count_rows(int kind, const void *text, const int32_t *at, Py_ssize_t n,
                              const Array *counted, int32_t *out)
{
    const uint8_t *is_counted = counted->data;
    Py_UCS4 beyond = (Py_UCS4)counted->count - 1;
    memset(out, 0, (size_t)n * sizeof *out);
    Py_ssize_t rows = n > 0 && none_counted(kind, text, at[n], counted) ? 0 : n;
    for (Py_ssize_t row = 0; row < rows; row++) {
        int32_t count = 0;
        for (Py_ssize_t i = at[row]; i < at[row + 1]; i++) {
            Py_UCS4 letter = PyUnicode_READ(kind, text, i);
            count += is_counted[letter < beyond ? letter : beyond];
        }
        out[row] = count;
    }
}

/* characters(text: str, text_at: int32[n+1], counted: bool[k+1], out: int32[n]) -> None: how many
 * characters of each row's own text are true in `counted`; its last item is that of all from k on.
 * Offsets are checked. */
static PyObject *characters(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "Ui?|i";
    Array a[3];
    if (!chaffinch_take("characters", args, given, KINDS, a))
        return NULL;
    Py_ssize_t n = a[2].count, length = PyUnicode_GET_LENGTH(args[0]);
    const int32_t *at = a[0].data;
    bool fits = chaffinch_agree(a[0].count == n + 1 && offsets_hold(at, n + 1, length) &&
                                    a[1].count > 0x100 && a[1].count <= 0x110000, "characters");
    if (fits) {
        const void *text = PyUnicode_DATA(args[0]);
        PyThreadState *unlocked = chaffinch_unlock(length);
        switch (PyUnicode_KIND(args[0])) { /* each kind of string has a loop of its own */
        case PyUnicode_1BYTE_KIND:
            count_rows(PyUnicode_1BYTE_KIND, text, at, n, &a[1], a[2].data);
            break;
        case PyUnicode_2BYTE_KIND:
            count_rows(PyUnicode_2BYTE_KIND, text, at, n, &a[1], a[2].data);
            break;
        default:
            count_rows(PyUnicode_4BYTE_KIND, text, at, n, &a[1], a[2].data);
        }
        chaffinch_lock(unlocked);
    }
    chaffinch_release(KINDS, a);
    return fits ? Py_NewRef(Py_None) : NULL;
}

enum { MOST_WORDS = 32, STATES = 256, DOTTED_I = 0x130, SIGMA = 0x3a3 };

/* The words looked for, by their first two letters: a bit for each word. */
typedef struct {
    PyObject *all; /* a tuple of them: others may change the list while the lock is given back */
    PyObject *words[MOST_WORDS];
    uint32_t first[STATES], second[STATES]; /* by the letter's last eight bits */
} Wanted;

static bool want(PyObject *words, Wanted *wanted)
{
    *wanted = (Wanted){.all = PyList_Check(words) ? PyList_AsTuple(words) : NULL};
    if (wanted->all == NULL || PyTuple_GET_SIZE(wanted->all) > MOST_WORDS)
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(wanted->all); i++) {
        PyObject *word = wanted->words[i] = PyTuple_GET_ITEM(wanted->all, i);
        if (!PyUnicode_Check(word) || PyUnicode_GET_LENGTH(word) < 2)
            return false;
        wanted->first[PyUnicode_READ_CHAR(word, 0) % STATES] |= UINT32_C(1) << i;
        wanted->second[PyUnicode_READ_CHAR(word, 1) % STATES] |= UINT32_C(1) << i;
    }
    return true;
}

/* A letter in lower case; those of Chinese and Japanese have none. */
static inline Py_UCS4 lowered(Py_UCS4 letter)
{
    if (letter < 0x80)
        return letter + 32 * (letter >= 'A' && letter <= 'Z');
    return letter >= 0x2e80 && letter < 0xa000 ? letter : Py_UNICODE_TOLOWER(letter);
}

static bool stands_at(PyObject *word, PyObject *text, Py_ssize_t at)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(word);
    if (at + length > PyUnicode_GET_LENGTH(text))
        return false;
    for (Py_ssize_t i = 0; i < length; i++) {
        if (lowered(PyUnicode_READ_CHAR(text, at + i)) != PyUnicode_READ_CHAR(word, i))
            return false;
    }
    return true;
}

static inline uint32_t those_at(uint32_t begun, const Wanted *wanted, PyObject *text, Py_ssize_t at)
{
    uint32_t found = 0;
    for (int word = 0; begun != 0; word++, begun >>= 1) {
        if ((begun & 1) && stands_at(wanted->words[word], text, at))
            found |= UINT32_C(1) << word;
    }
    return found;
}

static uint32_t ones_in(uint32_t bits)
{
    uint32_t ones = 0;
    for (; bits; bits &= bits - 1)
        ones++;
    return ones;
}

/* Set the bits of the words that begin in each row's own text in `held`, by the row's name; false
 * at a letter whose lower case isn't a letter by itself. */
static inline bool find_words(int kind, PyObject *text, const Wanted *wanted, const int32_t *at,
                              const int32_t *names, Py_ssize_t n, uint32_t *held)
{
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    bool is_odd = false;
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 letter = PyUnicode_READ(kind, data, i);
        is_odd |= (letter == DOTTED_I) | (letter == SIGMA);
    }
    for (Py_ssize_t row = 0; row < n && !is_odd; row++) {
        if (names[row] < 0 || at[row] == at[row + 1])
            continue;
        uint32_t found = 0, began = 0; /* words that may have begun one letter before */
        Py_ssize_t stop = at[row + 1] < length ? at[row + 1] : length - 1;
        for (Py_ssize_t i = at[row]; i <= stop; i++) {
            Py_UCS4 low = lowered(PyUnicode_READ(kind, data, i)) % STATES;
            uint32_t begun = began & wanted->second[low] & ~found;
            began = wanted->first[low];
            if (begun)
                found |= those_at(begun, wanted, text, i - 1);
        }
        held[names[row]] |= found;
    }
    return !is_odd;
}

/* words_held(text: str, words: list[str], text_at: int32[n+1], names: int32[n], held: uint32[n]) ->
 * bool: how many of the words, in lower case, begin in texts of each name; -1 is no name.
 * Up to 32 words of two letters or more. False where `text` has a letter whose lower case depends
 * on its neighbours or is longer; `held` is of no use then. Offsets and names are checked. */
static PyObject *words_held(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "UOii|I";
    Array a[3];
    Wanted wanted;
    if (!chaffinch_take("words_held", args, given, KINDS, a))
        return NULL;
    Py_ssize_t n = a[1].count;
    const int32_t *at = a[0].data, *names = a[1].data;
    bool fits = want(args[1], &wanted) && a[0].count == n + 1 && a[2].count == n &&
           offsets_hold(at, n + 1, PyUnicode_GET_LENGTH(args[0])) &&
           all_within(names, n, INT32_MIN, n);
    bool found = false;
    fits = chaffinch_agree(fits, "words_held");
    if (fits) {
        PyThreadState *unlocked = chaffinch_unlock(PyUnicode_GET_LENGTH(args[0]));
        memset(a[2].data, 0, (size_t)n * sizeof(uint32_t));
        switch (PyUnicode_KIND(args[0])) { /* each kind of string has a loop of its own */
        case PyUnicode_1BYTE_KIND:
            found = find_words(PyUnicode_1BYTE_KIND, args[0], &wanted, at, names, n, a[2].data);
            break;
        case PyUnicode_2BYTE_KIND:
            found = find_words(PyUnicode_2BYTE_KIND, args[0], &wanted, at, names, n, a[2].data);
            break;
        default:
            found = find_words(PyUnicode_4BYTE_KIND, args[0], &wanted, at, names, n, a[2].data);
        }
        chaffinch_lock(unlocked);
    }
    uint32_t *held = a[2].data;
    for (Py_ssize_t row = 0; found && row < n; row++)
        held[row] = ones_in(held[row]);
    Py_XDECREF(wanted.all);
    chaffinch_release(KINDS, a);
    return fits ? PyBool_FromLong(found) : NULL;
}

PyMethodDef chaffinch_densities[] = {
    {"characters", (PyCFunction)(void (*)(void))characters, METH_FASTCALL, NULL},
    {"words_held", (PyCFunction)(void (*)(void))words_held, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
