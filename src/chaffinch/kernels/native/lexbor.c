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

static Lexbor found;
static bool is_found;

static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol); /* POSIX: a function's address fits into void* */
    return symbol != NULL;
}

const Lexbor *chaffinch_lexbor(void)
{
    return is_found ? &found : NULL;
}

/* Find them in the library at `path`, which must be loaded already; false where one is missing.
 * The library is never closed: the functions are kept for as long as the process lives. */
static bool find_lexbor(const char *path)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        return false;
    is_found = find(library, "lxb_dom_node_tag_id_noi", &found.tag) &&
               find(library, "lxb_dom_node_type_noi", &found.type) &&
               find(library, "lxb_dom_node_first_child_noi", &found.first_child) &&
               find(library, "lxb_dom_node_next_noi", &found.next) &&
               find(library, "lxb_dom_node_parent_noi", &found.parent) &&
               find(library, "lxb_dom_element_qualified_name", &found.name) &&
               find(library, "lxb_dom_element_first_attribute_noi", &found.first_attribute) &&
               find(library, "lxb_dom_element_next_attribute_noi", &found.next_attribute) &&
               find(library, "lxb_dom_attr_qualified_name", &found.attribute_name) &&
               find(library, "lxb_dom_attr_value_noi", &found.attribute_value) &&
               find(library, "lxb_dom_node_text_content", &found.text) &&
               find(library, "lxb_dom_document_destroy_text_noi", &found.give_back);
    return is_found;
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
