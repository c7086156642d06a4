# copycheck. `make help` explains the targets.
MAKEFLAGS += --no-builtin-rules
BUILD ?= build
CC = gcc
CSTD = -std=c17 -D_GNU_SOURCE -I. -I$(BUILD)
WARN = -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers -Wno-psabi
CFLAGS ?= -O2 -g
# The one place that says it: the program, the library's pkg-config file and the packages go by it.
VERSION := $(file < VERSION)
# Two builds of the same sources are the same bytes, wherever their folders are.
CSTD += -ffile-prefix-map='$(CURDIR)'=.
# Hidden, so that the driver never calls a function of ours in place of one of libc with the same name.
CSTD += -fvisibility=hidden
# At a fixed address: the tables of rules and forms are full of pointers, and to move them is half of what starting costs.
CSTD += -fno-pie
LDLIBS = -no-pie -ldl -lpthread -lm
JOBS ?= $(shell nproc)
# For a make below this one: all processors, unless this one was told how many; then they share its jobs.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
# Prints a short line for each step; V=1 shows the commands.
V ?=
Q = $(if $(V),,@echo "  $(1) $@";)

# The toolkit that builds the kernels: the machine's own, or else one from the Python package index.
FALLBACK = 13.0
NVCC ?= $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc) $(CURDIR)/build/toolkits/$(FALLBACK)/bin/nvcc)
PTXAS ?= $(dir $(NVCC))ptxas
# Further toolkits to run beside it: make check TOOLKITS="12.4 13.5"
TOOLKITS ?=
# A folder of built kernels, as `make dist` packs it: only the program is built, and no toolkit is needed.
KERNELS ?=
# ALL=1 runs everything; else, of the breaches that fault on a GPU, one of each rule.
ALL ?=
# Options for copycheck run: make check RUN="family:mbarrier --repeat 3"
RUN ?=

HARNESS = $(filter-out harness/inside/% harness/inject/% harness/library/%,$(wildcard $(addprefix harness/,*.c */*.c */*/*.c */*/*/*.c) expected/*.c))
CASES = $(filter-out tests/unit/% tests/selftest/% tests/fuzz/%,$(wildcard tests/*/*.c))
OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(HARNESS) $(CASES)) $(BUILD)/suites.o $(BUILD)/pages.o $(BUILD)/embedded.o \
    $(BUILD)/revision.o
# Those of kernels/listings are students' pages; tools/listing-variants adds the kernels that their marks speak of.
KERNEL_FILES = $(patsubst kernels/%.cu,%,$(wildcard kernels/*.cu)) \
    $(patsubst kernels/listings/%.cu,listing_%,$(wildcard kernels/listings/*.cu))
PAGES = $(wildcard kernels/listings/*.cu kernels/cuda_tile/listing_*.cu tests/listings/*.c)

all: $(BUILD)/copycheck kernels inside library

help:
	@echo 'make check      runs every case on every engine of this machine (the GPU if there is one, assemblers, the'
	@echo '                emulator) and compares the results with the recorded ones. TOOLKITS="12.4 13.5" adds a column'
	@echo '                for each of them, RUN="..." adds options and selections of copycheck run,'
	@echo '                ALL=1 runs everything: every breach that faults on a GPU, not one of each rule,'
	@echo '                KERNELS=DIR uses built kernels (of make dist), so that no toolkit is needed'
	@echo 'make test       the tests of copycheck itself'
	@echo 'make prove      as check, with every mutant: a case whose mutants all pass proves nothing'
	@echo 'make record     writes the matrix of this machine into expected/recorded (needs a GPU)'
	@echo 'make record-ptxas   writes the matrix of the assemblers into expected/recorded'
	@echo 'make record-tile    writes the matrix of the compilers of CUDA Tile into expected/recorded'
	@echo 'make record-emu     writes the matrix of the emulator into expected/recorded'
	@echo 'make record-alu   writes the results of this GPU for every form of the ordinary instructions into expected/recorded'
	@echo 'make record-labs  writes what this GPU shows of the labs'"'"' kernels into expected/recorded and docs/labs/README.md'
	@echo 'make upgrade-check BEFORE=FILE   what an upgrade changed since this record file: rules, behaviour, machine code;'
	@echo '                AFTER=FILE compares two files; UPGRADE="--format html --out page.html" is passed on'
	@echo 'make diff OLD=FILE NEW=FILE   what changed between two record files'
	@echo 'make coverage   lines, branches and rules that tests and cases reach, as HTML in build/coverage'
	@echo 'make lint       format, warnings, static analysis, which room uses which, the catalogue against the cases'
	@echo 'make fuzz       random bytes for everything that reads input: PTX, the emulator, arguments and records'
	@echo 'make bench      measures speed, and compares the emulator with Oclgrind; make cost: host instructions alone'
	@echo 'make judge-mutants  breaks the emulator'"'"'s judge in one place at a time: which of these mutants no test notices'
	@echo 'make ptx-forms  compares the assembler of emu with ptxas 13.5 on 20,000 changed instructions'
	@echo 'make census FOLDER=DIR  counts what the emulator takes and runs of the PTX files in a folder'
	@echo 'make docs       writes the catalogue as a page, build/rules.md (made anew each time, not in the repository)'
	@echo 'make book       the rule book, build/book/index.html: a page for each rule'
	@echo 'make notes      writes docs/notes.md, what the study notes say and what was recorded of it'
	@echo 'make wheel      the Python package, build/wheel/*.whl'
	@echo 'make dist       a folder with the program and built kernels, for machines without a toolkit'
	@echo 'make dist-labs  a folder with the program and the labs, for a lab room; make dist-labs-teacher: with the solutions'
	@echo 'make install    into PREFIX (default /usr/local), with man pages and completions; make uninstall takes it away'
	@echo 'make deb        Debian packages, build/deb/*.deb'
	@echo 'make sbom       what is installed and what it needs, as SPDX'
	@echo 'make reproducible   builds this commit in two folders, which must install the same bytes'
	@echo 'make clean      removes build/, except for fetched toolkits'

# ---- building ----

kernels: $(KERNEL_FILES:%=$(BUILD)/kernels/%.cubin) $(BUILD)/kernels/index

$(BUILD)/copycheck: $(OBJECTS)
	$(call Q,LINK )$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# The folder of what is made; no process where it is there.
FOLDER = [ -d $(@D) ] || mkdir -p $(@D);

$(BUILD)/%.o: %.c
	$(call Q,CC   )$(FOLDER) $(CC) $(CSTD) $(CFLAGS) $(WARN) -MMD -MP -c $< -o $@

$(BUILD)/suites.c: $(CASES)
	@mkdir -p $(@D)
	@{ echo '#include "harness/ck.h"'; \
	   names=$$(sed -n 's/^const struct ck_suite \([a-z0-9_]*\) .*/\1/p' /dev/null $(CASES)); \
	   for n in $$names; do echo "extern const struct ck_suite $$n;"; done; \
	   echo 'extern const struct ck_suite *const ck_suites[];'; \
	   echo 'const struct ck_suite *const ck_suites[] = {'; for n in $$names; do echo "    &$$n,"; done; \
	   echo '    NULL'; echo '};'; } > $@

# The page of a picture is part of the program.
$(BUILD)/harness/picture/page.o: $(wildcard harness/picture/*.html harness/picture/*.css harness/picture/*.js)

# So is what the programs of reports have in common.
$(BUILD)/harness/repro/program.o: harness/repro/frame.cu

# The text of the listings, which copycheck show prints.
$(BUILD)/pages.c: $(PAGES) tools/pages
	@mkdir -p $(@D) && tools/pages $(PAGES) > $@.part && mv $@.part $@

# What the report and the rule book have in common with all pages: style sheet and scripts.
WEB = $(sort $(wildcard harness/reports/web/*))
$(BUILD)/embedded.c: $(WEB) tools/embed
	@mkdir -p $(@D) && tools/embed $(WEB) > $@.part && mv $@.part $@

# The commit, which --version says: only the program has it, so that a commit does not make libraries and tests anew.
# Sources that were unpacked from an archive, perhaps within another repository, have none, unless REVISION names it.
REVISION ?= $(shell [ ! -e .git ] || git describe --always --dirty --abbrev=12 --exclude '*' 2> /dev/null)
$(BUILD)/revision.c: ALWAYS
	@mkdir -p $(@D) && echo 'extern const char ck_revision[]; const char ck_revision[] = "$(REVISION)";' > $@.part && \
	    if cmp -s $@.part $@; then rm $@.part; else mv $@.part $@; fi

VERSION_OBJECTS = $(BUILD)/harness/base/version.o $(patsubst %,$(BUILD)/%/harness/base/version.o,pic wasm fuzz)
$(VERSION_OBJECTS): VERSION
$(VERSION_OBJECTS): CSTD += -DCK_VERSION=$(VERSION)
$(VERSION_OBJECTS): FUZZ_FLAGS += -DCK_VERSION=$(VERSION)

$(BUILD)/revision.o $(BUILD)/suites.o $(BUILD)/pages.o $(BUILD)/embedded.o: %.o: %.c
	$(call Q,CC   )$(CC) $(CSTD) $(CFLAGS) $(WARN) -c $< -o $@

# C++14 is all that kernels use, but for libcu++; the headers of a later standard take nvcc a fifth longer.
KERNEL_STD = $(if $(filter libcu_%,$(1)),c++17,c++14)
NVCC_PTX = $(NVCC) -ptx -lineinfo -I. -MD -MF $(@:.ptx=.d) -MT $@ $< -o $@.part
PLAIN_PTX = tools/plain-ptx $@.part > $@ && rm $@.part
$(BUILD)/kernels/%.ptx: kernels/%.cu | $(NVCC)
	$(call Q,NVCC )$(FOLDER) $(NVCC_PTX) -std=$(call KERNEL_STD,$*) -arch=$(call KERNEL_ARCH,$*) && $(PLAIN_PTX)

# What H200s lack, for the emulator.
KERNEL_ARCH = $(if $(filter gather4,$(1)),sm_100a,sm_90a)

# A variant may set what it does not use (550).
$(BUILD)/kernels/listing_%.ptx: $(BUILD)/listings/listing_%.cu | $(NVCC)
	$(call Q,NVCC )$(FOLDER) $(NVCC_PTX) -diag-suppress 550 -std=c++17 -arch=sm_90a && $(PLAIN_PTX)

$(BUILD)/listings/listing_%.cu: kernels/listings/%.cu tools/listing-variants
	@mkdir -p $(@D) && tools/listing-variants $< > $@.part && mv $@.part $@

# ptxas tells at length how it mends kernels that are wrong on purpose (wgmma without its fence): that is no warning.
# It writes the times of the source files that it finds into a cubin: in this folder it finds none.
PTXAS_ABOVE = $(if $(findstring /,$(PTXAS)),$(abspath $(PTXAS)),$(PTXAS))
$(BUILD)/kernels/%.cubin: $(BUILD)/kernels/%.ptx | $(NVCC)
	$(call Q,PTXAS)(cd $(@D) && $(PTXAS_ABOVE) -arch=$(call KERNEL_ARCH,$*) -lineinfo $(<F) -o $(@F)) 2> $@.said || { cat $@.said >&2; exit 1; }
	@grep -v '^ptxas info' $@.said >&2; rm -f $@.said

# A header that is gone, but that an earlier build's .d file names, does not stop the build.
kernels/%.cuh kernels/%.h: ;

# The file of each kernel entry, and the toolkit that built them.
$(BUILD)/kernels/index: $(KERNEL_FILES:%=$(BUILD)/kernels/%.ptx)
	@sed -n 's|^// Cuda compilation tools, release .*, V|# toolkit |p' $< > $@.part
	@for k in $(KERNEL_FILES); do sed -n "s|^.*\\.entry \\([A-Za-z0-9_]*\\).*|\\1 $$k|p" $(BUILD)/kernels/$$k.ptx; done >> $@.part
	@$(call TILE_ENTRIES,$^) >> $@.part
	@mv $@.part $@

# A machine without nvcc gets one from the Python package index.
$(CURDIR)/build/toolkits/$(FALLBACK)/bin/nvcc:
	@echo 'copycheck: no nvcc on this machine; fetching toolkit $(FALLBACK) into build/toolkits' >&2
	@tools/need python3 python3-pip
	@tools/toolkit $(FALLBACK)

# ---- running ----

toolkits:
	@$(if $(TOOLKITS),tools/need python3 python3-pip && tools/toolkit $(TOOLKITS))

# nvcc preprocesses with g++.
check: toolkits
	@tools/need gcc $(if $(KERNELS),,g++)
	@$(MAKE) --no-print-directory $(PARALLEL) $(if $(KERNELS),$(BUILD)/copycheck,all)
	@$(BUILD)/copycheck run$(if $(ALL), --all) $(if $(KERNELS),--kernels '$(KERNELS)') $(TOOLKITS:%=--toolkit %) --profile $(RUN)

prove:
	@$(MAKE) --no-print-directory check RUN="--mutants $(RUN)"

record:
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@tools/record

record-ptxas: toolkits
	@$(MAKE) --no-print-directory $(PARALLEL) $(BUILD)/copycheck
	@tools/record-ptxas

record-tile: toolkits
	@$(MAKE) --no-print-directory $(PARALLEL) $(BUILD)/copycheck
	@tools/record-tile

record-labs: $(BUILD)/copycheck
	@tools/record-labs

record-emu:
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@tools/record-emu

# What an upgrade changed: BEFORE is the record file of a run before it; AFTER of one after it, else the points are run.
upgrade-check: toolkits
	@$(MAKE) --no-print-directory $(PARALLEL) $(if $(AFTER)$(KERNELS),$(BUILD)/copycheck,all)
	@$(BUILD)/copycheck upgrade --before '$(BEFORE)' $(if $(AFTER),--after '$(AFTER)',--records $(BUILD)/after.jsonl) \
	    $(if $(KERNELS),--kernels '$(KERNELS)') $(TOOLKITS:%=--toolkit %) $(UPGRADE)

diff: $(BUILD)/copycheck
	@$(BUILD)/copycheck diff $(OLD) $(NEW)

# The catalogue as a page. It is made from expected/rules, so it is not kept in the repository.
docs: $(BUILD)/copycheck
	@$(BUILD)/copycheck rules --format markdown > $(BUILD)/rules.md.part && mv $(BUILD)/rules.md.part $(BUILD)/rules.md
	@echo $(BUILD)/rules.md

# What the study notes say and what became of it: to be written again when rules, listings or recorded matrices change.
notes: $(BUILD)/copycheck
	@$(BUILD)/copycheck notes --recorded expected/recorded > $(BUILD)/notes.md.part && mv $(BUILD)/notes.md.part docs/notes.md

clean:
	@find $(BUILD) -mindepth 1 -maxdepth 1 ! -name toolkits -exec rm -rf {} + 2>/dev/null || true

.DEFAULT_GOAL = all
.PHONY: ALWAYS all help kernels toolkits check prove record record-ptxas record-tile record-emu record-labs upgrade-check diff docs notes clean
.SECONDARY: $(KERNEL_FILES:%=$(BUILD)/kernels/%.ptx)
include tools/test.mk
include tools/fuzz.mk
include tools/book.mk
include tools/alu_sweep.mk
include tools/toolkits.mk
include tools/inside.mk
include tools/packaging/packaging.mk
-include $(OBJECTS:.o=.d) $(KERNEL_FILES:%=$(BUILD)/kernels/%.d)
# SPDX-License-Identifier: Apache-2.0
