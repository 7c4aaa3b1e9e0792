#include "kernels.h"

PyMethodDef chaffinch_names[] = {
    {NULL, NULL, 0, NULL},
};
