#include "kernels.h"

PyMethodDef chaffinch_lines[] = {
    {NULL, NULL, 0, NULL},
};
