#include "arrays.h"

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

bool chaffinch_take(const char *kernel, PyObject *const *args, Py_ssize_t given, const char *kinds,
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

void chaffinch_release(const char *kinds, Array *arrays)
{
    release_until(kinds, kinds + strlen(kinds), arrays);
}

bool chaffinch_agree(bool holds, const char *kernel)
{
    if (!holds)
        PyErr_Format(PyExc_TypeError, "%s: arrays that don't fit each other", kernel);
    return holds;
}
