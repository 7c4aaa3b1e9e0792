/* The parser's tree by the functions that its library exports; nothing is assumed of its structs.
 *
 * They are those of the library that selectolax has loaded, found by name at run time: selectolax
 * need not be there when the extension is built, and where a function is missing there is none.
 */
#ifndef CHAFFINCH_LEXBOR_H
#define CHAFFINCH_LEXBOR_H

#include "arrays.h"

/* Types of nodes (DOM standard, 4.4). */
enum { LEXBOR_ELEMENT = 1, LEXBOR_TEXT = 3, LEXBOR_DOCUMENT = 9 };

/* Tags of the first nodes of the parser's table; elements come behind LEXBOR_LAST_SPECIAL. */
enum { LEXBOR_TEXT_TAG = 2, LEXBOR_LAST_SPECIAL = 5 };

typedef struct {
    uintptr_t (*tag)(void *node);
    int (*type)(void *node);
    void *(*first_child)(void *node);
    void *(*next)(void *node);
    void *(*parent)(void *node);
    const unsigned char *(*name)(void *element, size_t *length);
    void *(*first_attribute)(void *element);
    void *(*next_attribute)(void *attribute);
    const unsigned char *(*attribute_name)(void *attribute, size_t *length);
    const unsigned char *(*attribute_value)(void *attribute, size_t *length);
    unsigned char *(*text)(void *node, size_t *length); /* a copy, the caller's to give back */
    void *(*give_back)(void *document, unsigned char *text);
} Lexbor;

/* The functions; NULL before they were found. */
const Lexbor *chaffinch_lexbor(void);

/* The kernel that finds them; see its comment. */
PyObject *chaffinch_bind(PyObject *module, PyObject *path);

#endif
