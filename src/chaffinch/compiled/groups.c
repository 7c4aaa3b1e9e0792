#include "kernels.h"

PyMethodDef chaffinch_groups[] = {
    {NULL, NULL, 0, NULL},
};
