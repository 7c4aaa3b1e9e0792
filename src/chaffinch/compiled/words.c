#include "kernels.h"

PyMethodDef chaffinch_words[] = {
    {NULL, NULL, 0, NULL},
};
