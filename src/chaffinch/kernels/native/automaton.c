/* What an automaton puts out while it reads bytes. */
#include "kernels.h"

/* automaton_outputs(moves: uint32[256*r], rows: uint16[s], outputs: int32[s], data: bytes,
 *                   found: int32[at least the length of data]) -> int
 *
 * From state 0, the state after a byte is moves[256 * rows[state] + byte]; its output goes to
 * `found` unless it is below 0. Returns how many there are. Rows and states are checked. */
static PyObject *automaton_outputs(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Array a[5];
    if (!chaffinch_take("automaton_outputs", args, given, "IHiB|i", a))
        return NULL;
    const uint32_t *moves = a[0].data;
    const uint16_t *rows = a[1].data;
    const int32_t *outputs = a[2].data;
    const uint8_t *data = a[3].data;
    int32_t *found = a[4].data;
    size_t rows_of_moves = (size_t)a[0].count / 256, states = (size_t)a[1].count, state = 0;
    Py_ssize_t count = 0;
    bool fits = a[2].count == a[1].count && a[4].count >= a[3].count;
    PyThreadState *unlocked = chaffinch_unlock(a[3].count);
    for (Py_ssize_t at = 0; fits && at < a[3].count; at++) {
        if (state >= states || rows[state] >= rows_of_moves) {
            fits = false;
            break;
        }
        state = moves[(size_t)rows[state] * 256 + data[at]];
        if (state >= states) {
            fits = false;
            break;
        }
        if (outputs[state] >= 0)
            found[count++] = outputs[state];
    }
    chaffinch_lock(unlocked);
    fits = chaffinch_agree(fits, "automaton_outputs");
    chaffinch_release("IHiB|i", a);
    return fits ? PyLong_FromSsize_t(count) : NULL;
}

PyMethodDef chaffinch_automaton[] = {
    {"automaton_outputs", (PyCFunction)(void (*)(void))automaton_outputs, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
