/* What five study notes on asynchronous copies say, statement by statement, in our words: expected/notes/.
 *
 *   NOTES("000", "TMA from CUDA C++")
 *   SECTION("000", "4.11.2.1 One-dimensional arrays", "000.rmw-1d 000.copy-1d-variants")
 *   NOTE(30, "A 1-D contiguous copy needs no tensor map.", "bulk.dir.g2s-cta bulk.dir.s2g", "", "")
 *
 * A section names its listings (expected/listing.h). A statement has a number, the rules that say the same and check
 * it, what is doubtful about it (wrong, incomplete, or overtaken by a later release), and a remark. Some are
 * background, which no rule could check. */
#ifndef COPYCHECK_NOTES_H
#define COPYCHECK_NOTES_H

/* A row is the beginning of notes (`title`), of a section (`section`), or a statement. */
struct ck_note {
    const char *notes, *title;
    const char *section, *listings;
    int number;
    const char *text, *rules, *doubt, *remark;
};

/* In the order of the notes. The array ends with a row whose members are all 0. */
extern const struct ck_note ck_notes[];

/* expected/notes/questions.def: where the documents contradict each other or say nothing.
 *
 *   ABOUT("CUDA Tile")
 *   QUESTION("May an array have no elements?", "The IR wants positive shapes; C++ is silent.", "tile.oob.extent-zero")
 *
 * A row is the beginning of a subject (`about`), or a question with the rules whose recorded verdicts answer it. */
struct ck_question {
    const char *about;
    const char *text, *documents, *rules;
};

/* In the order of the file. The array ends with a row whose members are all NULL. */
extern const struct ck_question ck_questions[];

#endif
// SPDX-License-Identifier: Apache-2.0
