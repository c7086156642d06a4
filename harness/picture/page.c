/* The frame of the page. Its files become part of the program, so that a page needs nothing but itself. */
#include "harness/picture/page.h"

#include <string.h>

/* The bytes of a file of this folder, and a NUL behind them, under a name. */
#ifdef __wasm__ /* whose assembler has no .incbin: tools/book.mk brings them as C */
#define EMBED(name, file) extern const char name[]
#else
#define EMBED(name, file)                                                                                              \
    __asm__(".section .rodata\n"                                                                                       \
            ".global " #name "\n"                                                                                      \
            ".hidden " #name "\n" #name ":\n"                                                                          \
            ".incbin \"harness/picture/" file "\"\n"                                                                   \
            ".byte 0\n"                                                                                                \
            ".previous\n");                                                                                            \
    extern const char name[]
#endif

EMBED(picture_html, "page.html");
EMBED(picture_css, "page.css");
EMBED(picture_model, "model.js");
EMBED(picture_words, "words.js");
EMBED(picture_timeline, "timeline.js");
EMBED(picture_memory, "memory.js");
EMBED(picture_page, "page.js");

/* Marks in page.html, each on a line of its own, in this order. */
#define STYLE  "@style\n"
#define DATA   "@data\n"
#define SCRIPT "@script\n"

void picture_page_begin(FILE *to)
{
    const char *const style = strstr(picture_html, STYLE), *const data = strstr(picture_html, DATA);

    fwrite(picture_html, 1, (size_t)(style - picture_html), to);
    fputs(picture_css, to);
    fwrite(style + strlen(STYLE), 1, (size_t)(data - style) - strlen(STYLE), to);
}

void picture_page_end(FILE *to)
{
    const char *const data = strstr(picture_html, DATA) + strlen(DATA), *const script = strstr(data, SCRIPT);

    fwrite(data, 1, (size_t)(script - data), to);
    fputs(picture_model, to);
    fputs(picture_words, to);
    fputs(picture_timeline, to);
    fputs(picture_memory, to);
    fputs(picture_page, to);
    fputs(script + strlen(SCRIPT), to);
}
// SPDX-License-Identifier: Apache-2.0
