/* Words that are looked for in many short texts, or in a long one. */
#include "wanted.h"
#include "kernels.h"

enum { FEW_WORDS = 12, AT_ONCE = 16 };

bool chaffinch_want(PyObject *words, Wanted *wanted)
{
    memset(wanted, 0, sizeof *wanted);
    wanted->beyond = 0x80;
    if (!PyTuple_Check(words) || PyTuple_GET_SIZE(words) > MOST_WORDS)
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(words); i++) {
        PyObject *word = PyTuple_GET_ITEM(words, i);
        if (!PyBytes_Check(word) || PyBytes_GET_SIZE(word) < 2)
            return false;
        wanted->words[i] = PyBytes_AS_STRING(word);
        wanted->sizes[i] = PyBytes_GET_SIZE(word);
        wanted->first[(uint8_t)wanted->words[i][0]] |= UINT32_C(1) << i;
        wanted->second[(uint8_t)wanted->words[i][1]] |= UINT32_C(1) << i;
        wanted->may_end |= wanted->words[i][1] == '\n';
        wanted->count++;
    }
    return true;
}

#ifdef __GNUC__ /* and Clang: vectors of C */

typedef uint8_t Bytes __attribute__((vector_size(AT_ONCE), aligned(1), may_alias));
typedef uint64_t Halves __attribute__((vector_size(AT_ONCE), may_alias));

bool chaffinch_is_silent(const char *text, Py_ssize_t length, Py_ssize_t left,
                         const Wanted *wanted)
{
    if (wanted->count > FEW_WORDS || wanted->may_end || left <= length + AT_ONCE)
        return false;
    for (Py_ssize_t at = 0; at < length; at += AT_ONCE) {
        Bytes here = *(const Bytes *)(text + at), next = *(const Bytes *)(text + at + 1);
        Bytes found = here & wanted->beyond;
        here |= 0x20;
        next |= 0x20;
        for (int i = 0; i < wanted->count; i++) {
            uint8_t first = (uint8_t)wanted->words[i][0] | 0x20;
            uint8_t second = (uint8_t)wanted->words[i][1] | 0x20;
            found |= (Bytes)(here == first) & (Bytes)(next == second);
        }
        Halves any = (Halves)found;
        if ((any[0] | any[1]) != 0)
            return false;
    }
    return true;
}

#else

bool chaffinch_is_silent(const char *text, Py_ssize_t length, Py_ssize_t left,
                         const Wanted *wanted)
{
    (void)text, (void)length, (void)left, (void)wanted;
    return false;
}

#endif

/* Which of the words stand in a text, as bits; each that is found isn't looked for again. */
static uint32_t words_found(const char *text, Py_ssize_t length, const Wanted *wanted)
{
    uint32_t found = 0;
    for (Py_ssize_t at = 0; at + 1 < length; at++) {
        if (at % AT_ONCE == 0 &&
            chaffinch_is_silent(text + at, AT_ONCE, length - at, wanted)) {
            at += AT_ONCE - 1;
            continue;
        }
        uint32_t may = wanted->first[(uint8_t)text[at]] & wanted->second[(uint8_t)text[at + 1]];
        may &= ~found;
        for (int i = 0; may != 0; i++, may >>= 1) {
            if ((may & 1) && wanted->sizes[i] <= length - at &&
                memcmp(text + at, wanted->words[i], (size_t)wanted->sizes[i]) == 0)
                found |= UINT32_C(1) << i;
        }
    }
    return found;
}

/* words_in(text: bytes, words: tuple[bytes, ...]) -> int: which of the words stand in the text, in
 * their own case, as bits, the first the lowest. */
static PyObject *words_in(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array text;
    Wanted wanted;
    if (!chaffinch_take("words_in", args, given, "BO", &text))
        return NULL;
    bool fits = chaffinch_agree(chaffinch_want(args[1], &wanted), "words_in");
    wanted.beyond = 0;
    PyThreadState *unlocked = chaffinch_unlock(text.count);
    uint32_t found = fits ? words_found(text.data, text.count, &wanted) : 0;
    chaffinch_lock(unlocked);
    chaffinch_release("BO", &text);
    return fits ? PyLong_FromUnsignedLong(found) : NULL;
}

/* Append an int to a list; false with an exception set where there is no room. */
static bool appended(PyObject *list, Py_ssize_t number)
{
    PyObject *own = PyLong_FromSsize_t(number);
    bool fits = own != NULL && PyList_Append(list, own) == 0;
    Py_XDECREF(own);
    return fits;
}

/* values_containing(text: bytes, starts: int64[v], words: tuple[bytes, ...]) -> list[int]: the numbers
 * of the values, which begin at `starts`, in which one of the words begins. Starts are checked. */
static PyObject *values_containing(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char kinds[] = "BqO";
    Array a[2];
    Wanted wanted;
    if (!chaffinch_take("values_containing", args, given, kinds, a))
        return NULL;
    const char *text = a[0].data;
    const int64_t *starts = a[1].data;
    Py_ssize_t length = a[0].count, values = a[1].count, number = 0;
    bool fits = chaffinch_want(args[2], &wanted) && (values == 0 || starts[0] == 0);
    for (Py_ssize_t i = 0; fits && i < values; i++)
        fits = starts[i] <= length && (i == 0 || starts[i] >= starts[i - 1]);
    PyObject *list = chaffinch_agree(fits, "values_containing") ? PyList_New(0) : NULL;
    for (Py_ssize_t at = 0; list != NULL && values > 0 && at + 1 < length; at++) {
        uint32_t may = wanted.first[(uint8_t)text[at]] & wanted.second[(uint8_t)text[at + 1]];
        bool holds = false;
        for (int i = 0; may != 0 && !holds; i++, may >>= 1)
            holds = (may & 1) && wanted.sizes[i] <= length - at &&
                    memcmp(text + at, wanted.words[i], (size_t)wanted.sizes[i]) == 0;
        if (!holds)
            continue;
        while (number + 1 < values && starts[number + 1] <= at)
            number++;
        if (!appended(list, number))
            Py_CLEAR(list);
        at = (Py_ssize_t)(number + 1 < values ? starts[number + 1] : length) - 1;
    }
    chaffinch_release(kinds, a);
    return list;
}

PyMethodDef chaffinch_wanted[] = {
    {"values_containing", (PyCFunction)(void (*)(void))values_containing, METH_FASTCALL, NULL},
    {"words_in", (PyCFunction)(void (*)(void))words_in, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
