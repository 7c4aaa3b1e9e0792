/* Which stretches of a text may equal a key: most differ in their first letter. */
#include "arrays.h"
#include "kernels.h"

enum { STARTS, STOPS, FIRST, LAST, MAY, ARRAYS };

/* A text, what it is compared with, and the letters beyond ASCII that stay as they are. */
typedef struct {
    const void *text, *key;
    int kind, key_kind;
    Py_ssize_t size; /* of the key */
    Py_UCS4 first, last;
} Compared;

static bool stays(const Compared *all, Py_UCS4 letter)
{
    return letter >= all->first && letter <= all->last;
}

/* Whether the text from `at` to `stop` may equal the key. */
static bool may_equal_key(const Compared *all, Py_ssize_t at, Py_ssize_t stop)
{
    Py_ssize_t place = 0;
    for (; at < stop; at++) {
        Py_UCS4 one = PyUnicode_READ(all->kind, all->text, at);
        if (one < 0x80) {
            if (one >= 'A' && one <= 'Z')
                one += 'a' - 'A';
            else if (!((one >= 'a' && one <= 'z') || (one >= '0' && one <= '9')))
                continue;
            Py_UCS4 next = at + 1 < stop ? PyUnicode_READ(all->kind, all->text, at + 1) : 0;
            if (next >= 0x80 && !stays(all, next))
                return true;
        } else if (!stays(all, one)) {
            return true;
        }
        if (place >= all->size || PyUnicode_READ(all->key_kind, all->key, place) != one)
            return false;
        place++;
    }
    return place == all->size;
}

/* texts_alike(text: str, starts: int32[k], stops: int32[k], key: str, first: int, last: int
 *             | may: bool[k]): whether each stretch may equal the key. Stretches are checked. */
static PyObject *texts_alike(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char NAME[] = "texts_alike", KINDS[] = "UiiUnn|?";
    Array arrays[ARRAYS];
    if (!chaffinch_take(NAME, args, given, KINDS, arrays))
        return NULL;
    PyObject *text = args[0], *key = args[3];
    Compared all = {
        .text = PyUnicode_DATA(text), .key = PyUnicode_DATA(key),
        .kind = PyUnicode_KIND(text), .key_kind = PyUnicode_KIND(key),
        .size = PyUnicode_GET_LENGTH(key),
        .first = (Py_UCS4)arrays[FIRST].count, .last = (Py_UCS4)arrays[LAST].count,
    };
    const int32_t *starts = arrays[STARTS].data, *stops = arrays[STOPS].data;
    uint8_t *may = arrays[MAY].data;
    Py_ssize_t count = arrays[STARTS].count, length = PyUnicode_GET_LENGTH(text);
    bool fits = arrays[STOPS].count == count && arrays[MAY].count == count;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        fits = starts[i] >= 0 && starts[i] <= stops[i] && stops[i] <= length;
        if (fits)
            may[i] = may_equal_key(&all, starts[i], stops[i]);
    }
    chaffinch_agree(fits, NAME);
    chaffinch_release(KINDS, arrays);
    return fits ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef chaffinch_alike[] = {
    {"texts_alike", (PyCFunction)(void (*)(void))texts_alike, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
