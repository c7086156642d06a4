# The rule book, a folder of pages that need no server. Included by the Makefile.
#
# Where emscripten is installed (Debian: apt-get install emscripten), the emulator is compiled to WebAssembly, and
# examples can be changed and judged in the page.

BOOK = $(BUILD)/book
EMCC ?= $(shell command -v emcc)
WASM = $(BUILD)/wasm
WASM_SOURCES = tools/book_emulator.c harness/commands/check.c harness/commands/common.c \
    $(wildcard $(addprefix harness/,emu/*.c emu/*/*.c emu/*/*/*.c check/*.c capture/*.c picture/*.c base/*.c maps/*.c)) \
    $(wildcard expected/*.c)
WASM_FLAGS = -sENVIRONMENT=worker,node -sSINGLE_FILE=1 -sMODULARIZE=1 -sEXPORT_NAME=Emulator -sALLOW_MEMORY_GROWTH=1 \
    -sTOTAL_STACK=8MB -sINITIAL_MEMORY=64MB -sFORCE_FILESYSTEM=1 -sEXPORTED_FUNCTIONS=_check_text,_assemble_text \
    -sEXPORTED_RUNTIME_METHODS=ccall,FS --no-entry

book: $(BUILD)/copycheck
	@mkdir -p $(BOOK)
	@$(if $(EMCC),$(MAKE) --no-print-directory $(PARALLEL) $(BOOK)/emulator.js,\
	    echo 'book: no emscripten on this machine: the pages have no playground (apt-get install emscripten)' >&2)
	@$(BUILD)/copycheck book $(BOOK)

# emcc is a Python program that takes longer to start than clang takes to compile one of these files. So it is asked once
# for the clang that it calls and its flags; one that does not say compiles each file itself. The empty file makes it
# fill its cache, where that is not done yet.
$(WASM)/compiler: tools/book.mk
	@mkdir -p $(@D) && : > $(@D)/empty.c && $(EMCC) -c $(@D)/empty.c -o $(@D)/empty.o
	@{ clang=$$($(EMCC) -v -c $(@D)/empty.c -o $(@D)/empty.o 2>&1 | sed -n 's/^ *"\([^"]*\/clang[^"/]*\)" .*/\1/p' | head -n 1); \
	    flags=$$($(EMCC) --cflags 2> /dev/null) && [ -x "$$clang" ] && [ "$$flags" ] && \
	    $$clang $$flags -c $(@D)/empty.c -o $(@D)/direct.o 2> /dev/null && cmp -s $(@D)/empty.o $(@D)/direct.o && \
	    echo "$$clang $$flags" || echo '$(EMCC)'; } > $@

# Without a debugger's information, which is ten times the code.
$(WASM)/%.o: %.c | $(WASM)/compiler
	$(call Q,EMCC )mkdir -p $(@D) && $$(cat $(WASM)/compiler) $(CSTD) -O2 -Wno-unknown-warning-option -MMD -MP -c $< -o $@

# What harness/picture/page.c takes in by .incbin elsewhere.
$(WASM)/picture_files.c: $(wildcard harness/picture/*.html harness/picture/*.css harness/picture/*.js) tools/embed
	@mkdir -p $(@D) && tools/embed $(filter-out tools/embed,$^) | \
	    sed 's/ck_page_\(html\|css\)\[/picture_\1[/; s/ck_\([a-z]*\)_js\[/picture_\1[/' > $@

$(WASM)/picture_files.o: $(WASM)/picture_files.c | $(WASM)/compiler
	$(call Q,EMCC )$$(cat $(WASM)/compiler) $(CSTD) -O2 -c $< -o $@

# The linker's -O2 takes 4 s more, for a file that is a sixth smaller and no faster.
$(WASM)/emulator.js: $(WASM_SOURCES:%.c=$(WASM)/%.o) $(WASM)/picture_files.o
	$(call Q,WASM )NODE_PATH=/usr/share/nodejs $(EMCC) -O1 $(WASM_FLAGS) -o $@ $^

# A page that was opened as a file may start no worker from another file, only from a text that it has: so the emulator is
# the body of a function, which is never called but whose text is given to the worker (harness/reports/web/play.js).
$(BOOK)/emulator.js: $(WASM)/emulator.js tools/book_worker.js
	@mkdir -p $(@D) && { echo 'function emulator() {'; cat $^; echo '}'; } > $@.part && mv $@.part $@

.PHONY: book
-include $(WASM_SOURCES:%.c=$(WASM)/%.d)
# SPDX-License-Identifier: Apache-2.0
