/* Texts of harness/reports/web that the build puts into the program (tools/embed). */
#ifndef COPYCHECK_EMBEDDED_H
#define COPYCHECK_EMBEDDED_H

extern const char ck_style_css[]; /* of the report and of the rule book */
extern const char ck_report_js[]; /* the report's filters */
extern const char ck_book_js[];   /* the search of the book's first page */
extern const char ck_play_js[];   /* the playground of the book's pages */

#endif
// SPDX-License-Identifier: Apache-2.0
