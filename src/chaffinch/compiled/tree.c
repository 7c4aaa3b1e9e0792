#include "kernels.h"

PyMethodDef chaffinch_tree[] = {
    {NULL, NULL, 0, NULL},
};
