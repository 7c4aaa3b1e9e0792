/* The parser's functions, found by name in its library. */
#include "lexbor.h"

#ifdef _WIN32

const Lexbor *chaffinch_lexbor(void)
{
    return NULL;
}

static bool find_lexbor(const char *path)
{
    (void)path;
    return false;
}

#else

#include <dlfcn.h>
#include <stdatomic.h>

/* Those of the library that was found first: written once, whole, and never changed. They are the
 * process's, so that all its interpreters share them. */
static _Atomic(const Lexbor *) found;

const Lexbor *chaffinch_lexbor(void)
{
    return atomic_load_explicit(&found, memory_order_acquire);
}

static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol); /* POSIX: a function's address fits into void* */
    return symbol != NULL;
}

static bool find_all(void *library, Lexbor *all)
{
    return find(library, "lxb_dom_node_tag_id_noi", &all->tag) &&
           find(library, "lxb_dom_node_type_noi", &all->type) &&
           find(library, "lxb_dom_node_first_child_noi", &all->first_child) &&
           find(library, "lxb_dom_node_next_noi", &all->next) &&
           find(library, "lxb_dom_node_parent_noi", &all->parent) &&
           find(library, "lxb_dom_element_qualified_name", &all->name) &&
           find(library, "lxb_dom_element_first_attribute_noi", &all->first_attribute) &&
           find(library, "lxb_dom_element_next_attribute_noi", &all->next_attribute) &&
           find(library, "lxb_dom_attr_qualified_name", &all->attribute_name) &&
           find(library, "lxb_dom_attr_value_noi", &all->attribute_value) &&
           find(library, "lxb_dom_node_text_content", &all->text) &&
           find(library, "lxb_dom_document_destroy_text_noi", &all->give_back);
}

/* Find them in the library at `path`, which must be loaded already; false where one is missing, or
 * where another library was found before. It is never closed: the functions are kept for as long as
 * the process lives. */
static bool find_lexbor(const char *path)
{
    Lexbor own;
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL || !find_all(library, &own))
        return false;
    const Lexbor *first = chaffinch_lexbor();
    if (first == NULL) {
        Lexbor *kept = PyMem_RawMalloc(sizeof *kept);
        if (kept == NULL)
            return false;
        *kept = own;
        if (atomic_compare_exchange_strong(&found, &first, kept))
            return true;
        PyMem_RawFree(kept); /* another thread came first */
    }
    return memcmp(first, &own, sizeof own) == 0;
}

#endif

/* bind(path: str) -> bool: whether the parser's functions are found in the library at `path`. */
PyObject *chaffinch_bind(PyObject *module, PyObject *path)
{
    (void)module;
    PyObject *encoded = NULL;
    if (!PyUnicode_FSConverter(path, &encoded))
        return NULL;
    bool is_bound = find_lexbor(PyBytes_AS_STRING(encoded));
    Py_DECREF(encoded);
    return PyBool_FromLong(is_bound);
}
