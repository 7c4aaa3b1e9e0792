/* The module of kernels: each room brings its own table of functions.
 *
 * It has no state, and nothing static in it is written but what `lexbor.c` guards: interpreters of
 * one process may each have it under a lock of their own, and one without a lock may leave it so.
 */
#include "kernels.h"

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

static int add_rooms(PyObject *module)
{
    PyMethodDef *rooms[] = {
        chaffinch_guard, chaffinch_tag_reading, chaffinch_walk, chaffinch_columns,
        chaffinch_ancestry, chaffinch_lengths, chaffinch_densities, chaffinch_words, chaffinch_names, chaffinch_blocks,
        chaffinch_containers, chaffinch_places, chaffinch_groups, chaffinch_network,
        chaffinch_picks, chaffinch_weighed, chaffinch_stretches, chaffinch_kept, chaffinch_tables, chaffinch_lines,
        chaffinch_runs, chaffinch_flow, chaffinch_values, chaffinch_wanted, chaffinch_words_contained, chaffinch_alike,
        chaffinch_path_hashes, chaffinch_automaton,
    };
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        if (!add_room(module, rooms[i]))
            return -1;
    }
    return 0;
}

PyMODINIT_FUNC PyInit__native(void)
{
    static PyModuleDef_Slot slots[] = {
        {Py_mod_exec, add_rooms},
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
        .m_slots = slots,
    };
    return PyModuleDef_Init(&definition);
}
