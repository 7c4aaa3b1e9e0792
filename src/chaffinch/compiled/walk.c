#include "kernels.h"

PyMethodDef chaffinch_walk[] = {
    {NULL, NULL, 0, NULL},
};
