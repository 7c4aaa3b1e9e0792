#include "kernels.h"

PyMethodDef chaffinch_network[] = {
    {NULL, NULL, 0, NULL},
};
