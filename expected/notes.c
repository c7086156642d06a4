/* The table of statements, made from expected/notes/. */
#include "expected/notes.h"

#define NOTES(notes_, title_)              { .notes = (notes_), .title = (title_) },
#define SECTION(notes_, title_, listings_) { .notes = (notes_), .section = (title_), .listings = (listings_) },
#define NOTE(number_, text_, rules_, doubt_, remark_)                                                                  \
    { .number = (number_), .text = (text_), .rules = (rules_), .doubt = (doubt_), .remark = (remark_) },

const struct ck_note ck_notes[] = {
#include "expected/notes/all.def"
    { 0 },
};

#define ABOUT(about_)                       { .about = (about_) },
#define QUESTION(text_, documents_, rules_) { .text = (text_), .documents = (documents_), .rules = (rules_) },

const struct ck_question ck_questions[] = {
#include "expected/notes/questions.def"
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
