/* read_tags: a page read tag by tag, and what is beyond a limit cut out of it. */
#include "kernels.h"
#include "tag_reading.h"

enum {
    NAME_BYTES = 4,     /* a page of fewer for each name allowed has no more names */
    BYTES_AT_ONCE = 16, /* in one step of others' loops */
};
static const int64_t HIGHEST = INT64_C(1) << 40; /* of a limit */

/* Read the page to its end, and let `check` be called now and then; false where it raises. */
static bool read_all(Reading *all, PyObject *check)
{
    Bytes at = all->data, after = at;
    for (;;) {
        PyThreadState *unlocked = chaffinch_unlock((all->stop - all->data) / BYTES_AT_ONCE);
        at = chaffinch_read_tags(all, at, &after);
        chaffinch_lock(unlocked);
        if (at == NULL)
            return true;
        PyObject *checked = PyObject_CallNoArgs(check);
        if (checked == NULL)
            return false;
        Py_DECREF(checked);
    }
}

/* What is left of the page. */
static PyObject *without_cuts(const Reading *all, PyObject *page)
{
    const Cut *cuts = (const Cut *)(const void *)all->cuts.data;
    Py_ssize_t count = all->cuts.used / (Py_ssize_t)sizeof *cuts, size = all->stop - all->data;
    if (count == 0)
        return Py_NewRef(page);
    for (Py_ssize_t i = 0; i < count; i++)
        size -= cuts[i].end - cuts[i].start - cuts[i].space;
    PyObject *left = PyBytes_FromStringAndSize(NULL, size);
    if (left == NULL)
        return NULL;
    char *to = PyBytes_AS_STRING(left);
    Bytes at = all->data;
    for (Py_ssize_t i = 0; i < count; i++) {
        memcpy(to, at, (size_t)(cuts[i].start - at));
        to += cuts[i].start - at;
        if (cuts[i].space)
            *to++ = ' ';
        at = cuts[i].end;
    }
    memcpy(to, at, (size_t)(all->stop - at));
    return left;
}

/* Whether the codes in a table's columns are codes, rings end, and no part stands within more than
 * two others. */
static bool is_table(const TagTable *table)
{
    for (int32_t code = 0; code < table->count; code++) {
        int32_t inside = table->inside[code], next = table->ring[code], steps = 0;
        if (inside < -1 || inside >= table->count || table->closes_top[code] < -1 ||
            table->closes_top[code] >= table->count)
            return false;
        for (; inside >= 0 && steps < 3; steps++) {
            inside = table->inside[inside];
            if (inside < -1 || inside >= table->count)
                return false;
        }
        if (steps > 2)
            return false;
        for (steps = 0; next != code; next = table->ring[next]) {
            if (next < 0 || next >= table->count || ++steps > table->count)
                return false;
        }
    }
    return true;
}

static bool are_bytes(PyObject *tuple)
{
    if (!PyTuple_CheckExact(tuple))
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        if (!PyBytes_CheckExact(PyTuple_GET_ITEM(tuple, i)))
            return false;
    }
    return true;
}

/* Number the names of the table. */
static bool begin(Reading *all, PyObject *names)
{
    if (!chaffinch_begin_elements(&all->open))
        return false;
    for (int32_t code = 0; code < all->open.table.count; code++) {
        PyObject *name = PyTuple_GET_ITEM(names, code);
        NameFacts facts = {.kinds = all->open.table.kinds[code], .last = -1};
        int32_t number = chaffinch_add_name(&all->names, (Bytes)PyBytes_AS_STRING(name),
                                            PyBytes_GET_SIZE(name));
        if (number != code || !chaffinch_append(&all->open.names, &facts, sizeof facts))
            return false;
    }
    return true;
}

static PyObject *result_of(const Reading *all, PyObject *page)
{
    if (all->names.is_slow || all->attributes.is_slow)
        Py_RETURN_NONE;
    if (chaffinch_has_failed(all))
        return PyErr_NoMemory();
    PyObject *left = without_cuts(all, page);
    if (left == NULL)
        return NULL;
    return Py_BuildValue("(NLLi)", left, (long long)(all->opened + all->open.copies),
                         (long long)all->closed, (int)all->open.deepest);
}

static bool are_limits(const Array *limits)
{
    if (limits->count != LIMITS)
        return false;
    for (int i = 0; i < LIMITS; i++) {
        int64_t limit = ((const int64_t *)limits->data)[i];
        if (limit < 0 || limit > HIGHEST)
            return false;
    }
    return true;
}

/* read_tags(data: bytes, names: tuple[bytes], kinds: uint32[n], ring: int32[n], inside: int32[n],
 *           closes_top: int32[n], html_types: tuple[bytes], limits: int64[10], check)
 *     -> (bytes, int, int, int) | None
 *
 * `TagsRead`; None for a page whose names fall on few places of a hash table. */
static PyObject *read_tags(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    static const char ARRAY_KINDS[] = "BOIiiiOqO";
    Array a[6];
    if (!chaffinch_take("read_tags", args, given, ARRAY_KINDS, a))
        return NULL;
    Py_ssize_t count = a[1].count;
    TagTable table = {a[1].data, a[2].data, a[3].data, a[4].data, args[6], (int32_t)count};
    bool fits = a[2].count == count && a[3].count == count && a[4].count == count &&
                count >= FIRST_NAMES && count < INT32_MAX && are_bytes(args[1]) &&
                PyTuple_GET_SIZE(args[1]) == count && are_bytes(args[6]) &&
                PyBytes_CheckExact(args[0]) && a[0].count < INT32_MAX && are_limits(&a[5]) &&
                is_table(&table);
    PyObject *result = NULL;
    if (chaffinch_agree(fits, "read_tags")) {
        Bytes data = a[0].data, stop = data + a[0].count;
        Reading all = {.data = data, .stop = stop, .limits = a[5].data, .open.table = table,
                       .ends.stop = stop};
        all.names_matter = a[0].count > NAME_BYTES * all.limits[NAMES];
        all.short_tag = all.names_matter ? 1 : 2 * all.limits[ATTRIBUTES];
        if (!begin(&all, args[1]))
            PyErr_NoMemory();
        else if (read_all(&all, args[8]))
            result = result_of(&all, args[0]);
        chaffinch_free_elements(&all.open);
        chaffinch_free_names(&all.names);
        chaffinch_free_names(&all.attributes);
        chaffinch_free(&all.cuts);
    }
    chaffinch_release(ARRAY_KINDS, a);
    return result;
}

PyMethodDef chaffinch_tag_reading[] = {
    {"read_tags", (PyCFunction)(void (*)(void))read_tags, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
