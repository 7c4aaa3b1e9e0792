/* The attributes of a page in columns: filled by the walk, and read by row. */
#include "attributes.h"

static Outcome no_memory(void)
{
    PyErr_NoMemory();
    return FAILED;
}

Outcome chaffinch_begin_attributes(Attributes *all)
{
    *all = (Attributes){.names = PyDict_New(), .places = 256};
    if (all->names == NULL)
        return FAILED;
    all->known = PyMem_RawCalloc((size_t)all->places, sizeof *all->known);
    if (all->known == NULL || !chaffinch_append_int(&all->value_at, 0))
        return no_memory();
    return FINE;
}

void chaffinch_free_attributes(Attributes *all)
{
    Py_CLEAR(all->names);
    PyMem_RawFree(all->known);
    all->known = NULL;
    Growing *columns[] = {&all->last_row, &all->rows,      &all->numbers,
                          &all->value_at, &all->valueless, &all->values};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        chaffinch_free(columns[i]);
}

/* The place of a name's address, or the empty place where it belongs. */
static KnownName *place_of(const KnownName *known, Py_ssize_t places, const void *name)
{
    uint64_t hash = (uint64_t)(uintptr_t)name * UINT64_C(0x9E3779B97F4A7C15);
    Py_ssize_t at = (Py_ssize_t)(hash >> 20) & (places - 1);
    while (known[at].name != NULL && known[at].name != name)
        at = (at + 1) & (places - 1);
    return (KnownName *)&known[at];
}

static bool widen(Attributes *all)
{
    Py_ssize_t places = all->places * 2;
    KnownName *wider = PyMem_RawCalloc((size_t)places, sizeof *wider);
    if (wider == NULL)
        return false;
    for (Py_ssize_t i = 0; i < all->places; i++) {
        if (all->known[i].name != NULL)
            *place_of(wider, places, all->known[i].name) = all->known[i];
    }
    PyMem_RawFree(all->known);
    all->known = wider;
    all->places = places;
    return true;
}

/* Give the number of a name whose address is new: the parser may keep a name at several. */
static Outcome new_name(Attributes *all, const unsigned char *name, size_t length, int32_t *number)
{
    if (chaffinch_letters(name, (Py_ssize_t)length) < 0)
        return ODD;
    if (all->filled * 2 >= all->places && !widen(all))
        return no_memory();
    PyObject *text = PyUnicode_DecodeUTF8((const char *)name, (Py_ssize_t)length, NULL);
    PyObject *fresh = PyLong_FromSsize_t(PyDict_GET_SIZE(all->names));
    PyObject *given = text && fresh ? PyDict_SetDefault(all->names, text, fresh) : NULL;
    *number = given == NULL ? -1 : (int32_t)PyLong_AsLong(given);
    Py_XDECREF(text);
    Py_XDECREF(fresh);
    if (*number < 0)
        return FAILED;
    if (*number * (Py_ssize_t)sizeof *number == all->last_row.used &&
        !chaffinch_append_int(&all->last_row, -1))
        return no_memory();
    *place_of(all->known, all->places, name) = (KnownName){name, *number};
    all->filled++;
    return FINE;
}

static Outcome add_value(Attributes *all, const unsigned char *value, size_t length)
{
    unsigned char is_valueless = value == NULL;
    Py_ssize_t size = is_valueless ? 0 : (Py_ssize_t)length;
    if (size > INT32_MAX - all->values.used || chaffinch_letters(value, size) < 0)
        return ODD;
    bool added = chaffinch_append(&all->values, value, size) &&
                 chaffinch_append(&all->valueless, &is_valueless, 1) &&
                 chaffinch_append_int(&all->value_at, (int32_t)all->values.used);
    return added ? FINE : no_memory();
}

Outcome chaffinch_add_attributes(Attributes *all, const Lexbor *lexbor, void *element, int32_t row)
{
    void *attribute = lexbor->first_attribute(element);
    for (; attribute != NULL; attribute = lexbor->next_attribute(attribute)) {
        size_t length = 0;
        const unsigned char *name = lexbor->attribute_name(attribute, &length);
        if (name == NULL)
            return ODD;
        const KnownName *known = place_of(all->known, all->places, name);
        int32_t number = known->number;
        Outcome outcome = known->name == NULL ? new_name(all, name, length, &number) : FINE;
        if (outcome != FINE)
            return outcome;
        int32_t *last_row = chaffinch_ints(&all->last_row) + number;
        if (*last_row == row)
            return ODD; /* twice on one element: the later value counts */
        *last_row = row;
        if (!chaffinch_append_int(&all->rows, row) || !chaffinch_append_int(&all->numbers, number))
            return no_memory();
        length = 0;
        const unsigned char *value = lexbor->attribute_value(attribute, &length);
        outcome = add_value(all, value, length);
        if (outcome != FINE)
            return outcome;
    }
    return FINE;
}

const unsigned char *chaffinch_attribute(const Lexbor *lexbor, void *element, const char *name,
                                         size_t *length, bool *is_there)
{
    size_t wanted = strlen(name);
    *is_there = false;
    void *attribute = lexbor->first_attribute(element);
    for (; attribute != NULL; attribute = lexbor->next_attribute(attribute)) {
        size_t named = 0;
        const unsigned char *own = lexbor->attribute_name(attribute, &named);
        if (own != NULL && named == wanted && memcmp(own, name, wanted) == 0) {
            *is_there = true;
            return lexbor->attribute_value(attribute, length);
        }
    }
    return NULL;
}

/* See int32 in bytes; false where they aren't whole ones, or stand where they can't be read. */
static bool see_ints(const Array *bytes, const int32_t **ints, Py_ssize_t *count)
{
    *ints = bytes->data;
    *count = bytes->count / (Py_ssize_t)sizeof(int32_t);
    return bytes->count % (Py_ssize_t)sizeof(int32_t) == 0 &&
           (uintptr_t)bytes->data % sizeof(int32_t) == 0;
}

bool chaffinch_see_attributes(const Array *arrays, FirstColumn first, const Array *values,
                              const Array *valueless, AttributeColumns *all)
{
    const int32_t *firsts;
    Py_ssize_t first_count, ends;
    *all = (AttributeColumns){.values = values->data, .size = values->count};
    if (!see_ints(&arrays[0], &firsts, &first_count) ||
        !see_ints(&arrays[1], &all->numbers, &all->count) ||
        !see_ints(&arrays[2], &all->ends, &ends))
        return false;
    if (first == BY_ROW) {
        all->starts = firsts;
        all->rows = first_count - 1;
    } else {
        all->of_row = firsts;
    }
    all->valueless = valueless == NULL ? NULL : valueless->data;
    return ends == all->count + 1 && (valueless == NULL || valueless->count == all->count) &&
           (first == BY_ROW ? first_count > 0 : first_count == all->count);
}

/* Columns, and the names by number. */
typedef struct {
    AttributeColumns columns;
    PyObject *names; /* tuple, borrowed */
} NamedColumns;

/* Take the arguments starts, numbers, ends, valueless, values and names; release them only if that
 * succeeds. */
static bool take_named(const char *kernel, PyObject *const *args, Py_ssize_t given,
                       const char *kinds, Array *arrays, NamedColumns *all)
{
    if (!chaffinch_take(kernel, args, given, kinds, arrays))
        return false;
    all->names = args[5];
    bool fits = chaffinch_see_attributes(arrays, BY_ROW, &arrays[4], &arrays[3], &all->columns) &&
                PyTuple_Check(all->names);
    if (!fits)
        chaffinch_release(kinds, arrays);
    return chaffinch_agree(fits, kernel);
}

static bool add_pair(const NamedColumns *all, int32_t place, PyObject *pairs)
{
    const AttributeColumns *columns = &all->columns;
    int32_t number = columns->numbers[place];
    if (!chaffinch_agree(number >= 0 && number < PyTuple_GET_SIZE(all->names) &&
                             chaffinch_value_holds(columns, place), "pairs"))
        return false;
    int32_t at = columns->ends[place], stop = columns->ends[place + 1];
    PyObject *value = columns->valueless[place]
                          ? Py_NewRef(Py_None)
                          : PyUnicode_DecodeUTF8(columns->values + at, stop - at, NULL);
    bool added = value != NULL &&
                 PyDict_SetItem(pairs, PyTuple_GET_ITEM(all->names, number), value) == 0;
    Py_XDECREF(value);
    return added;
}

/* The attributes of a row, of those there are. */
static PyObject *pairs_of(const NamedColumns *all, Py_ssize_t row)
{
    int32_t place = all->columns.starts[row], stop = all->columns.starts[row + 1];
    PyObject *pairs = PyDict_New();
    bool is_fine = pairs != NULL &&
                   chaffinch_agree(place >= 0 && stop <= all->columns.count, "pairs");
    for (; is_fine && place < stop; place++)
        is_fine = add_pair(all, place, pairs);
    if (!is_fine)
        Py_CLEAR(pairs);
    return pairs;
}

/* pairs(starts, numbers, ends, valueless, values: bytes, names: tuple[str, ...], row: int)
 *     -> dict[str, str | None]: the attributes of a row, of the columns of AttributeColumns. */
PyObject *chaffinch_pairs(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "BBBBBOn";
    Array arrays[6];
    NamedColumns all;
    if (!take_named("pairs", args, given, KINDS, arrays, &all))
        return NULL;
    Py_ssize_t row = arrays[5].count;
    PyObject *pairs = row >= 0 && row < all.columns.rows ? pairs_of(&all, row) : PyDict_New();
    chaffinch_release(KINDS, arrays);
    return pairs;
}

/* all_pairs(starts, numbers, ends, valueless, values: bytes, names: tuple[str, ...])
 *     -> dict[int, dict[str, str | None]]: the same by row, of all rows that have any. */
PyObject *chaffinch_all_pairs(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char KINDS[] = "BBBBBO";
    Array arrays[5];
    NamedColumns all;
    if (!take_named("all_pairs", args, given, KINDS, arrays, &all))
        return NULL;
    PyObject *by_row = PyDict_New();
    for (Py_ssize_t row = 0; by_row != NULL && row < all.columns.rows; row++) {
        if (all.columns.starts[row] >= all.columns.starts[row + 1])
            continue;
        PyObject *pairs = pairs_of(&all, row), *key = PyLong_FromSsize_t(row);
        if (pairs == NULL || key == NULL || PyDict_SetItem(by_row, key, pairs) < 0)
            Py_CLEAR(by_row);
        Py_XDECREF(pairs);
        Py_XDECREF(key);
    }
    chaffinch_release(KINDS, arrays);
    return by_row;
}
