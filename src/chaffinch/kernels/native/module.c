/* The module of kernels: each room brings its own table of functions. */
#include "kernels.h"

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "chaffinch.kernels._native",
    .m_doc = "Loops over the columns of a page, compiled; see chaffinch/kernels/__init__.py.",
    .m_size = -1,
};

/* Add a room's functions, which are its alone: a name that stands there already is refused, since
 * Python would let the later function take its place without a word. */
static bool add_room(PyObject *module, PyMethodDef *room)
{
    for (PyMethodDef *kernel = room; kernel->ml_name != NULL; kernel++) {
        if (PyObject_HasAttrString(module, kernel->ml_name)) {
            PyErr_Format(PyExc_SystemError, "two kernels are named %s", kernel->ml_name);
            return false;
        }
    }
    return PyModule_AddFunctions(module, room) == 0;
}

PyMODINIT_FUNC PyInit__native(void)
{
    PyMethodDef *rooms[] = {
        chaffinch_guard, chaffinch_walk, chaffinch_columns, chaffinch_ancestry, chaffinch_lengths,
        chaffinch_densities, chaffinch_words, chaffinch_names, chaffinch_blocks,
        chaffinch_containers, chaffinch_places, chaffinch_groups, chaffinch_network,
        chaffinch_picks, chaffinch_stretches, chaffinch_kept, chaffinch_tables, chaffinch_lines,
        chaffinch_flow, chaffinch_values, chaffinch_path_hashes,
    };
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        if (!add_room(module, rooms[i])) {
            Py_DECREF(module);
            return NULL;
        }
    }
    return module;
}
