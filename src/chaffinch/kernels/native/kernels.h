/* The tables of functions of all rooms, in the order of a page's trip. */
#ifndef CHAFFINCH_KERNELS_H
#define CHAFFINCH_KERNELS_H

#include "arrays.h"

extern PyMethodDef chaffinch_guard[];   /* checks of bytes before they are parsed */
extern PyMethodDef chaffinch_tag_reading[]; /* what exceeds limits is cut out before the parser */
extern PyMethodDef chaffinch_walk[];    /* the parser's tree to columns */
extern PyMethodDef chaffinch_columns[]; /* in and around marked rows */
extern PyMethodDef chaffinch_ancestry[];  /* what stands above rows, sums over what is below */
extern PyMethodDef chaffinch_densities[]; /* marks in texts, words of a title in blocks */
extern PyMethodDef chaffinch_lengths[]; /* lines, folded lengths */
extern PyMethodDef chaffinch_words[];   /* what a block's own text is like */
extern PyMethodDef chaffinch_names[];   /* hashed words of class names */
extern PyMethodDef chaffinch_blocks[];  /* text blocks and the elements above them */
extern PyMethodDef chaffinch_containers[]; /* the containers above blocks */
extern PyMethodDef chaffinch_places[];  /* where blocks stand in the page */
extern PyMethodDef chaffinch_groups[];  /* blocks that hang alike, and what repeats */
extern PyMethodDef chaffinch_network[]; /* gathers and sums of the network */
extern PyMethodDef chaffinch_values[];  /* values of attributes */
extern PyMethodDef chaffinch_alike[];   /* which texts may equal a key */
extern PyMethodDef chaffinch_words_contained[]; /* which of many words each value contains */
extern PyMethodDef chaffinch_wanted[];  /* which words a text holds */
extern PyMethodDef chaffinch_picks[];   /* picks among rows and blocks */
extern PyMethodDef chaffinch_weighed[]; /* weighed scores of blocks */
extern PyMethodDef chaffinch_stretches[]; /* sums and counts over stretches of rows */
extern PyMethodDef chaffinch_kept[];    /* which rows outputs show */
extern PyMethodDef chaffinch_tables[];  /* what tables hold */
extern PyMethodDef chaffinch_lines[];   /* the text of what is kept */
extern PyMethodDef chaffinch_runs[];    /* what a walk over shown rows stops at */
extern PyMethodDef chaffinch_flow[];    /* estimated boxes of blocks */
extern PyMethodDef chaffinch_path_hashes[]; /* hashes of the paths to rows */
extern PyMethodDef chaffinch_automaton[]; /* what an automaton puts out */

#endif
