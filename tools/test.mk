# Tests, coverage and lint. Included by the Makefile.

UNIT = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*_test.c))
SHELL_TESTS = $(wildcard tests/unit/*.sh tests/selftest/*.sh)
SELFTEST = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/selftest/*.c))
LIBRARY = $(patsubst %.c,$(BUILD)/%.o,$(filter-out harness/commands/main.c,$(HARNESS))) $(BUILD)/embedded.o
COVERAGE = build/coverage

# All of copycheck except its main and its cases. A test program can bring cases or engines of its own in their place.
$(BUILD)/library.a: $(LIBRARY)
	@rm -f $@
	$(call Q,AR   )ar qcs $@ $^

$(BUILD)/cases.a: $(patsubst %.c,$(BUILD)/%.o,$(CASES)) $(BUILD)/suites.o $(BUILD)/pages.o
	@rm -f $@
	$(call Q,AR   )ar qcs $@ $^

$(filter-out %/library_test %/fatbin_test %/inject_test %/inject_launch_test %/inject_graph_test,$(UNIT)): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/library.a $(BUILD)/cases.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/library.a $(BUILD)/cases.a $(BUILD)/library.a -lcmocka $(LDLIBS)

# A driver without a device, and one that is too old, for tests of the gpu and jit engines.
$(BUILD)/fake/libcuda.so.1 $(BUILD)/fake-old/libcuda.so.1: tests/unit/fake/cuda.c harness/engines/driver.h
	@mkdir -p $(@D)
	$(CC) $(CSTD) -fvisibility=default -O1 -g $(WARN) $(if $(findstring fake-old,$@),-DWITHOUT_TENSOR_MAPS) -shared -fPIC \
	    -Wl,-soname,libcuda.so.1 -o $@ $<

# Put before a program's libraries, it lets one call fail: tests/unit/failing.sh.
$(BUILD)/fake/failing.so: tests/unit/fake/failing.c
	@mkdir -p $(@D)
	$(CC) $(CSTD) -fvisibility=default -O1 -g $(WARN) -shared -fPIC -o $@ $<

# A program for exec and capture that takes no toolkit to build.
$(BUILD)/fake/launcher: tests/unit/fake/launcher.c
	@mkdir -p $(@D)
	$(CC) $(CSTD) -O1 -g $(WARN) -no-pie -o $@ $< -ldl

$(BUILD)/selftest: $(SELFTEST) $(BUILD)/library.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

test-programs: inside library $(UNIT) $(BUILD)/async_fuzz $(BUILD)/sync_fuzz $(BUILD)/wgmma_fuzz $(BUILD)/census $(BUILD)/forms $(BUILD)/made_records $(BUILD)/fake/libcuda.so.1 $(BUILD)/fake-old/libcuda.so.1 $(BUILD)/fake/failing.so $(BUILD)/fake/launcher $(BUILD)/copycheck $(if $(SELFTEST),$(BUILD)/selftest)

# Random legal programs, on the emulator and on a GPU: tools/async_fuzz.
ASYNC_FUZZ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/async_fuzz/*.c tools/fuzz/*.c))
$(BUILD)/async_fuzz: $(ASYNC_FUZZ) $(BUILD)/library.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Record files of a fleet, made for tests of merge and its rate: tools/bench-merge.
$(BUILD)/made_records: $(BUILD)/tools/made_records.o $(BUILD)/library.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Random programs of wgmma, right and wrong: tools/wgmma_fuzz, which are run as those of tools/async_fuzz are.
WGMMA_FUZZ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/wgmma_fuzz/*.c tools/fuzz/*.c) \
    $(addprefix tools/async_fuzz/,digests.c engines.c fleet.c judge.c))
$(BUILD)/wgmma_fuzz: $(WGMMA_FUZZ) $(BUILD)/library.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Random programs that synchronise, right and wrong, on the emulator: tools/sync_fuzz.
SYNC_FUZZ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/sync_fuzz/*.c tools/fuzz/*.c))
$(BUILD)/sync_fuzz: $(SYNC_FUZZ) $(BUILD)/library.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# The tests need no GPU, and no toolkit but nvcc, which makes the kernels' PTX. A test that needs what is not there is
# skipped and says so.
test:
	@tools/need gcc g++ libcmocka-dev
	@$(MAKE) --no-print-directory test-programs test-kernels
	@$(if $(EMCC),$(MAKE) --no-print-directory $(PARALLEL) BUILD=build build/book/emulator.js)
	@COPYCHECK=$(BUILD)/copycheck SELFTEST=$(BUILD)/selftest BUILD=$(BUILD) tools/run-tests $(BUILD)/logs $(UNIT) $(SHELL_TESTS)

# A worker leaves with _exit, which forgets its counters, as does a process that becomes another program:
# tools/coverage_exit.c keeps them, in libraries too.
coverage:
	@tools/need gcc g++ libcmocka-dev lcov
	@$(MAKE) --no-print-directory test-kernels
	@$(MAKE) --no-print-directory BUILD=$(COVERAGE) CFLAGS="-O0 -g --coverage" \
	    LDFLAGS="-Wl,--wrap=_exit,--wrap=execvp,--wrap=execve $(COVERAGE)/pic/tools/coverage_exit.o" $(COVERAGE)/pic/tools/coverage_exit.o test-programs
	@BUILD=$(COVERAGE) tools/coverage $(COVERAGE) $(RECORDS)

# In build, whatever BUILD is: PTX is the same under sanitizers. Without a network nothing is fetched, and not for long.
test-kernels:
	@PIP_RETRIES=1 PIP_DEFAULT_TIMEOUT=10 $(MAKE) --no-print-directory BUILD=build build/kernels/index || \
	    echo 'copycheck: no kernels; the tests that need them are skipped' >&2

# The same tests under the address and undefined-behaviour sanitizers.
sanitize:
	@tools/need gcc g++ libcmocka-dev
	@$(MAKE) --no-print-directory BUILD=build/sanitize LDFLAGS= \
	    CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined" test

# What the check of rooms reads: the library's objects alone.
graph-objects: $(LIBRARY) $(BUILD)/harness/commands/main.o

lint:
	@tools/need gcc g++ binutils libcmocka-dev clang-format clang-tidy cppcheck
	@$(MAKE) --no-print-directory $(BUILD)/copycheck
	@BUILD=$(BUILD) tools/lint

# Measures what takes time: records per second, calls checked per second.
bench: $(BUILD)/copycheck $(BUILD)/cost $(BUILD)/async_fuzz inside
	@BUILD=$(BUILD) tools/bench
	@BUILD=$(BUILD) tools/bench-oclgrind
	@BUILD=$(BUILD) tools/bench-grids
	@BUILD=$(BUILD) tools/bench-launches
	@BUILD=$(BUILD) tools/cost

# The cost of emulation in host instructions, by kind of instruction.
$(BUILD)/cost: $(BUILD)/tools/cost.o $(BUILD)/library.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

cost: $(BUILD)/cost
	@BUILD=$(BUILD) tools/cost

# The emulator's assembler compared with a ptxas on instructions that are changed in one place; FORMS_FILES are further
# PTX files and CUDA sources to take instructions from.
FORMS_TOOLKIT ?= 13.5
FORMS_SEED ?= 1
FORMS_COUNT ?= 20000
$(BUILD)/forms: $(BUILD)/tools/forms.o $(BUILD)/library.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

ptx-forms: $(BUILD)/copycheck $(BUILD)/forms build/toolkits/$(FORMS_TOOLKIT)/bin/ptxas
	@tools/ptx-forms --ptxas build/toolkits/$(FORMS_TOOLKIT)/bin/ptxas --copycheck $(BUILD)/copycheck \
	    --forms $(BUILD)/forms --seed $(FORMS_SEED) --count $(FORMS_COUNT) \
	    $(KERNEL_FILES:%=$(BUILD)/kernels/%.ptx) $(FORMS_FILES)

# What the emulator takes and runs of the PTX files in FOLDER.
$(BUILD)/census: $(BUILD)/tools/census.o $(BUILD)/library.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

census: $(BUILD)/census
	@BUILD=$(BUILD) tools/census --markdown $(FOLDER)

# Which places of the emulator's judge can be broken so that no test notices.
judge-mutants:
	@tools/need gcc g++ libcmocka-dev
	@tools/judge-mutants

.PHONY: test test-kernels judge-mutants test-programs coverage graph-objects lint bench cost census ptx-forms
-include $(ASYNC_FUZZ:.o=.d) $(SYNC_FUZZ:.o=.d) $(WGMMA_FUZZ:.o=.d) $(UNIT:%=%.d) $(SELFTEST:.o=.d) $(BUILD)/tools/cost.d $(BUILD)/tools/forms.d $(BUILD)/tools/census.d
# SPDX-License-Identifier: Apache-2.0
