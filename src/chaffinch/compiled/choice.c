#include "kernels.h"

PyMethodDef chaffinch_choice[] = {
    {NULL, NULL, 0, NULL},
};
