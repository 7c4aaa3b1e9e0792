/* What all kernels share, and the module that holds them.
 *
 * It has no state, and nothing static in it is written but what `walk.c` guards: interpreters of
 * one process may each have it under a lock of their own, and one without a lock may leave it so.
 */
#include "kernels.h"

/* A type, as the format of a buffer describes it. */
typedef struct {
    char kind;       /* '?' bool, 'i' signed, 'u' unsigned, 'f' float; 0 where there is no type */
    Py_ssize_t size; /* bytes */
    const char *name;
} Type;

/* The types by their letters. */
static const Type TYPES[128] = {
    ['?'] = {'?', 1, "bool"},   ['b'] = {'i', 1, "int8"},    ['B'] = {'u', 1, "uint8"},
    ['h'] = {'i', 2, "int16"},  ['H'] = {'u', 2, "uint16"},  ['i'] = {'i', 4, "int32"},
    ['I'] = {'u', 4, "uint32"}, ['q'] = {'i', 8, "int64"},   ['Q'] = {'u', 8, "uint64"},
    ['f'] = {'f', 4, "float32"}, ['d'] = {'f', 8, "float64"}, ['*'] = {0, 0, "numeric"},
};

/* The kind of what a buffer holds, 0 for none of ours. How many bytes C's types have differs from
 * machine to machine: the letter isn't checked for it. */
static char kind_in(const Py_buffer *view)
{
    const char *format = view->format == NULL ? "B" : view->format;
    if (*format == '@' || *format == '=' || *format == (PY_LITTLE_ENDIAN ? '<' : '>'))
        format++;
    if (format[0] == 0 || format[1] != 0)
        return 0;
    switch (*format) {
    case '?': return '?';
    case 'b': case 'h': case 'i': case 'l': case 'q': case 'n': return 'i';
    case 'B': case 'H': case 'I': case 'L': case 'Q': case 'N': return 'u';
    case 'f': case 'd': return 'f';
    default: return 0;
    }
}

/* The letter of the type of what a buffer holds, 0 for none of ours. */
static char letter_in(const Py_buffer *view)
{
    char kind = kind_in(view);
    for (int letter = 0; kind != 0 && letter < 128; letter++) {
        if (TYPES[letter].kind == kind && TYPES[letter].size == view->itemsize)
            return (char)letter;
    }
    return 0;
}

/* Set the exception of an argument that is no contiguous array or, if that is wanted, one that
 * can't be written to. The exception that is set is less precise, unless memory is out. */
static void refuse_object(const char *kernel, Py_ssize_t place, PyObject *argument, char letter,
                          bool is_written)
{
    if (PyErr_ExceptionMatches(PyExc_MemoryError))
        return;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: argument %zd should be a %scontiguous %s array, not %s",
                 kernel, place, is_written ? "writable " : "", TYPES[(int)letter].name,
                 PyObject_CheckBuffer(argument) ? "this one" : Py_TYPE(argument)->tp_name);
}

/* Set the exception of an array of another type. */
static void refuse_type(const char *kernel, Py_ssize_t place, const Py_buffer *view, char letter)
{
    char found = letter_in(view);
    const char *format = view->format == NULL ? "B" : view->format;
    PyErr_Format(PyExc_TypeError, "%s: argument %zd should be a %s array, not one of %s", kernel,
                 place, TYPES[(int)letter].name, found ? TYPES[(int)found].name : format);
}

/* Take one array; false with an exception, and nothing to release. */
static bool take_one(const char *kernel, Py_ssize_t place, PyObject *argument, char letter,
                     bool is_written, Array *array)
{
    if (letter == 'B' && !is_written && PyBytes_CheckExact(argument)) {
        /* no buffer to be had of a bytes object: its caller holds it */
        *array = (Array){.data = PyBytes_AS_STRING(argument), .count = PyBytes_GET_SIZE(argument),
                         .letter = letter};
        return true;
    }
    Py_buffer *view = &array->view;
    int flags = PyBUF_ND | PyBUF_FORMAT | (is_written ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(argument, view, flags) < 0) {
        refuse_object(kernel, place, argument, letter, is_written);
        return false;
    }
    const Type *type = &TYPES[(int)letter];
    array->letter = letter == '*' ? letter_in(view) : letter;
    bool fits = letter == '*' ? array->letter != 0
                              : kind_in(view) == type->kind && view->itemsize == type->size;
    bool is_aligned = view->itemsize > 0 && (uintptr_t)view->buf % (uintptr_t)view->itemsize == 0;
    if (fits && is_aligned) {
        array->data = view->buf;
        array->count = view->len / view->itemsize;
        return true;
    }
    if (!fits)
        refuse_type(kernel, place, view, letter);
    else
        PyErr_Format(PyExc_TypeError, "%s: argument %zd isn't aligned", kernel, place);
    PyBuffer_Release(view);
    return false;
}

/* Take a number, of Python or of numpy, or the nearest there is; false with an exception. */
static bool take_number(const char *kernel, Py_ssize_t place, PyObject *argument, Array *array)
{
    if (!PyIndex_Check(argument)) {
        PyErr_Format(PyExc_TypeError, "%s: argument %zd should be an int, not %s", kernel, place,
                     Py_TYPE(argument)->tp_name);
        return false;
    }
    *array = (Array){.count = PyNumber_AsSsize_t(argument, NULL), .letter = 'n'};
    return array->count != -1 || !PyErr_Occurred();
}

static Py_ssize_t arguments_in(const char *kinds)
{
    Py_ssize_t count = 0;
    for (; *kinds != 0; kinds++)
        count += *kinds != '|';
    return count;
}

/* Release the arrays of the letters of `kinds` up to `stop`. */
static void release_until(const char *kinds, const char *stop, Array *arrays)
{
    for (; kinds < stop; kinds++) {
        if (*kinds != '|' && *kinds != 'U' && *kinds != 'O')
            PyBuffer_Release(&arrays++->view);
    }
}

/* Fill `arrays` from as many arguments as `kinds` has letters, all that are given. Returns false
 * with a TypeError set, and nothing left to release: where there are more arguments or fewer, and
 * where one isn't of its type, isn't contiguous and aligned, or can't be written to. */
static bool take(const char *kernel, PyObject *const *args, Py_ssize_t given, const char *kinds,
                 Array *arrays)
{
    Py_ssize_t wanted = arguments_in(kinds), place = 0;
    if (given != wanted) {
        PyErr_Format(PyExc_TypeError, "%s: %zd arguments, %zd wanted", kernel, given, wanted);
        return false;
    }
    Array *next = arrays;
    bool is_written = false, taken = true;
    for (const char *letter = kinds; *letter != 0; letter++) {
        if (*letter == '|') {
            is_written = !is_written;
            continue;
        }
        PyObject *argument = args[place++];
        if (*letter == 'n') {
            taken = take_number(kernel, place, argument, next++);
        } else if (*letter == 'x') {
            *next = (Array){.real = PyFloat_AsDouble(argument), .letter = 'x'};
            taken = next++->real != -1 || !PyErr_Occurred();
        } else if (*letter == 'U' && !PyUnicode_Check(argument)) {
            PyErr_Format(PyExc_TypeError, "%s: argument %zd should be a str, not %s", kernel,
                         place, Py_TYPE(argument)->tp_name);
            taken = false;
        } else if (*letter != 'U' && *letter != 'O') {
            taken = take_one(kernel, place, argument, *letter, is_written, next++);
        }
        if (!taken) {
            release_until(kinds, letter, arrays);
            return false;
        }
    }
    return true;
}

/* Whether arrays have the lengths that they should have. */
static bool fit(const Array *a, const char *lengths)
{
    Py_ssize_t known[26];
    memset(known, -1, sizeof known);
    for (; *lengths != 0; a++) {
        Py_ssize_t times = *lengths >= '1' && *lengths <= '9' ? *lengths++ - '0' : 1, more = 0;
        char name = *lengths++;
        while (*lengths == '+')
            lengths++, more++;
        if (name == '.')
            continue;
        Py_ssize_t *length = &known[name - 'a'];
        if (*length < 0) /* the first one's */
            *length = a->count < more ? 0 : (a->count - more) / times;
        if (a->count != times * *length + more)
            return false;
    }
    return true;
}

static void refuse(const char *kernel)
{
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s: arrays that don't fit each other", kernel);
}

enum { MOST_ARRAYS = 28 };

PyObject *chaffinch_make(const char *name, const char *types, const char *lengths, Maker *maker,
                         PyObject *const *args, Py_ssize_t given)
{
    Array a[MOST_ARRAYS];
    if (!take(name, args, given, types, a))
        return NULL;
    PyObject *made = fit(a, lengths) ? maker(a, args) : NULL;
    if (made == NULL)
        refuse(name);
    release_until(types, types + strlen(types), a);
    return made;
}

/* Items of the longest array or str. */
static Py_ssize_t longest(const char *types, const Array *a, PyObject *const *args)
{
    Py_ssize_t most = 0;
    for (; *types != 0; types++) {
        if (*types == '|')
            continue;
        Py_ssize_t count = *types == 'U' ? PyUnicode_GET_LENGTH(*args) : 0;
        if (*types != 'U' && *types != 'O')
            count = strchr("nx", *types) ? 0 : a->count, a++;
        most = count > most ? count : most;
        args++;
    }
    return most;
}

PyObject *chaffinch_loop(const char *name, const char *types, const char *lengths, Loop *loop,
                         PyObject *const *args, Py_ssize_t given)
{
    Array a[MOST_ARRAYS];
    if (!take(name, args, given, types, a))
        return NULL;
    Py_ssize_t result = MISFIT;
    if (fit(a, lengths)) {
        PyThreadState *unlocked =
            longest(types, a, args) < LONG_LOOP ? NULL : PyEval_SaveThread();
        result = loop(a, args);
        if (unlocked != NULL)
            PyEval_RestoreThread(unlocked);
    }
    release_until(types, types + strlen(types), a);
    if (result == MISFIT)
        refuse(name);
    else if (result == NO_MEMORY)
        PyErr_NoMemory();
    return result <= MISFIT ? NULL : PyLong_FromSsize_t(result);
}

const uint8_t chaffinch_spaces[0x3001] = {
    [0x09] = 1,   [0x0a] = 1,   [0x0b] = 1,   [0x0c] = 1,   [0x0d] = 1,   [0x1c] = 1,
    [0x1d] = 1,   [0x1e] = 1,   [0x1f] = 1,   [0x20] = 1,   [0x85] = 1,   [0xa0] = 1,
    [0x1680] = 1, [0x2000] = 1, [0x2001] = 1, [0x2002] = 1, [0x2003] = 1, [0x2004] = 1,
    [0x2005] = 1, [0x2006] = 1, [0x2007] = 1, [0x2008] = 1, [0x2009] = 1, [0x200a] = 1,
    [0x2028] = 1, [0x2029] = 1, [0x202f] = 1, [0x205f] = 1, [0x3000] = 1,
};

int chaffinch_sequence(const uint8_t *at, Py_ssize_t left)
{
    uint8_t lead = at[0], low = 0x80, high = 0xbf;
    int size = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (size == 0 || left < size)
        return 0;
    switch (lead) {
    case 0xe0: low = 0xa0; break;  /* else overlong */
    case 0xed: high = 0x9f; break; /* else surrogates */
    case 0xf0: low = 0x90; break;  /* else overlong */
    case 0xf4: high = 0x8f; break; /* else above U+10FFFF */
    }
    if (at[1] < low || at[1] > high)
        return 0;
    for (int i = 2; i < size; i++) {
        if (at[i] < 0x80 || at[i] > 0xbf)
            return 0;
    }
    return size;
}

bool chaffinch_grow(Growing *column, Py_ssize_t more)
{
    Py_ssize_t room = column->room > 0 ? column->room : 1 << 15;
    if (more > PY_SSIZE_T_MAX - column->used)
        return false;
    while (room < column->used + more)
        room = room > PY_SSIZE_T_MAX / 2 ? PY_SSIZE_T_MAX : room * 2;
    char *data = PyMem_RawRealloc(column->data, (size_t)room);
    if (data == NULL)
        return false;
    column->data = data;
    column->room = room;
    return true;
}

void chaffinch_free(Growing *column)
{
    PyMem_RawFree(column->data);
    *column = (Growing){0};
}

PyObject *chaffinch_bytes(const Growing *column)
{
    return PyBytes_FromStringAndSize(column->used > 0 ? column->data : NULL, column->used);
}

Py_ssize_t chaffinch_letters(const unsigned char *data, Py_ssize_t size)
{
    Py_ssize_t letters = 0, at = 0;
    while (at < size) {
        uint64_t eight = 0;
        if (size - at >= 8)
            memcpy(&eight, data + at, 8);
        if (size - at >= 8 && (eight & UINT64_C(0x8080808080808080)) == 0) {
            at += 8;
            letters += 8;
            continue;
        }
        int length = data[at] < 0x80 ? 1 : chaffinch_sequence(data + at, size - at);
        if (length == 0)
            return -1;
        at += length;
        letters++;
    }
    return letters;
}

bool chaffinch_says(const unsigned char *data, size_t length, const char *word)
{
    size_t size = strlen(word);
    for (size_t at = 0; at + size <= length; at++) {
        size_t same = 0;
        while (same < size && Py_TOLOWER(data[at + same]) == word[same])
            same++;
        if (same == size)
            return true;
    }
    return false;
}

bool chaffinch_holds(const unsigned char *data, size_t length, const char *word)
{
    /* what is looked for is a letter that texts and scripts rarely have, if the word has one */
    size_t size = strlen(word), ahead = strcspn(word, "_ABCDEFGHIJKLMNOPQRSTUVWXYZ") % size;
    const unsigned char *end = data + length, *at = data;
    while ((size_t)(end - at) >= size) {
        at = memchr(at + ahead, word[ahead], (size_t)(end - at) - size + 1);
        if (at == NULL)
            return false;
        at -= ahead;
        if (memcmp(at, word, size) == 0)
            return true;
        at++;
    }
    return false;
}

Sortable *chaffinch_sorted(Sortable *items, Sortable *room, Py_ssize_t count)
{
    /* runs are merged from one array into the other and back */
    for (Py_ssize_t width = 1; width < count; width *= 2) {
        for (Py_ssize_t start = 0; start < count; start += 2 * width) {
            Py_ssize_t middle = start + width < count ? start + width : count;
            Py_ssize_t stop = middle + width < count ? middle + width : count;
            Py_ssize_t i = start, j = middle, k = start;
            while (i < middle && j < stop) { /* which one is next can't be foreseen: no branch */
                bool right = items[j].key < items[i].key;
                room[k++] = items[right ? j : i];
                j += right;
                i += !right;
            }
            memcpy(room + k, items + i, (size_t)(middle - i) * sizeof *room);
            memcpy(room + k + (middle - i), items + j, (size_t)(stop - j) * sizeof *room);
        }
        Sortable *other = items;
        items = room;
        room = other;
    }
    return items;
}

Secret chaffinch_secret(void)
{
    Py_hash_t (*hash)(const void *, Py_ssize_t) = PyHash_GetFuncDef()->hash;
    return (Secret){(uint64_t)hash("one", 3), (uint64_t)hash("other", 5)};
}

#define LISTED(name) {#name, (PyCFunction)(void (*)(void))chaffinch_##name, METH_FASTCALL, NULL},
static PyMethodDef methods[] = {KERNELS(LISTED){NULL, NULL, 0, NULL}};

PyMODINIT_FUNC PyInit__native(void)
{
    static PyModuleDef_Slot slots[] = {
#ifdef Py_mod_multiple_interpreters
        {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
        {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
        {0, NULL},
    };
    static PyModuleDef definition = {
        PyModuleDef_HEAD_INIT,
        .m_name = "chaffinch.kernels._native",
        .m_doc = "Loops over the columns of a page, compiled; see chaffinch/kernels/__init__.py.",
        .m_methods = methods,
        .m_slots = slots,
    };
    return PyModuleDef_Init(&definition);
}
