# Fuzzing with libFuzzer, under the address and undefined-behaviour sanitizers. Included by the Makefile.
#
#   make fuzz-ptx      the PTX parser and checker
#   make fuzz-loader   modules that are loaded, and cubins whose machine code is looked for
#   make fuzz-emu      launches: the emulator from text to the end of a launch
#   make fuzz-text     launches as words: options of `copycheck check`, its spec files, tensor maps, record files
#   make fuzz-records  record files of both schemas, with right sums, and what is made of them
#   make fuzz-fatbin   fat binaries, as programs hold them
#   make fuzz-capture  captures of launches
#
# Each runs for FUZZ_SECONDS, or FUZZ_RUNS executions; it collects the inputs that reach new code in build/fuzz/NAME.
FUZZ_SECONDS ?= 60
FUZZ_RUNS ?= -1
FUZZ_SIZE ?= 2048
FUZZ = $(BUILD)/fuzz
FUZZ_FLAGS = -std=gnu17 -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -I.
FUZZ_LIBRARY = $(patsubst %.c,$(FUZZ)/%.o,$(filter-out harness/commands/main.c,$(HARNESS)))
FUZZ_TARGETS = ptx loader emu text records fatbin capture
# Those that need a few rooms alone are built without all others.
FUZZ_ROOMS_fatbin = harness/inside/device/fatbin.c
FUZZ_ROOMS_capture = $(wildcard harness/capture/*.c harness/base/*.c expected/*.c)
FUZZ_ROOMS_records = $(filter-out harness/plan/page.c,$(wildcard harness/records/*.c harness/plan/*.c harness/base/*.c expected/*.c))
FUZZ_ROOMS_emu = harness/maps/picture.c harness/maps/svg.c $(wildcard harness/emu/*.c harness/emu/*/*.c harness/emu/*/*/*.c harness/base/*.c expected/*.c)
FUZZ_ROOMS_ptx = $(FUZZ_ROOMS_emu)
FUZZ_ROOMS_loader = harness/engines/cubin.c $(FUZZ_ROOMS_emu)

$(FUZZ)/%.o: %.c
	@mkdir -p $(@D)
	$(call Q,CLANG)clang $(FUZZ_FLAGS) -D_GNU_SOURCE -MMD -MP -c $< -o $@

$(FUZZ)/library.a: $(FUZZ_LIBRARY)
	@rm -f $@
	@ar qcs $@ $^

# What a target links: its rooms, else all of them.
fuzz_objects = $(if $(FUZZ_ROOMS_$(1)),$(FUZZ_ROOMS_$(1):%.c=$(FUZZ)/%.o),$(FUZZ)/library.a)
define FUZZ_PROGRAM
$(FUZZ)/$(1)_fuzz: $(FUZZ)/tests/fuzz/$(1)_fuzz.o $(call fuzz_objects,$(1))
endef
$(foreach t,$(FUZZ_TARGETS),$(eval $(call FUZZ_PROGRAM,$(t))))
$(FUZZ_TARGETS:%=$(FUZZ)/%_fuzz):
	$(call Q,LINK )clang $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)

$(FUZZ)/tests/fuzz/fatbin_fuzz.o $(FUZZ)/harness/inside/device/fatbin.o: FUZZ_FLAGS += -isystem $(CUDA_INCLUDE)

$(FUZZ)/seeds $(FUZZ)/dictionary &: tests/fuzz/seeds $(KERNEL_FILES:%=$(BUILD)/kernels/%.ptx)
	@tests/fuzz/seeds $(FUZZ) $(KERNEL_FILES:%=$(BUILD)/kernels/%.ptx) && touch $(FUZZ)/seeds

# The first folder is the corpus that libFuzzer adds to; the seeds are only read. Those that are no text have a folder of
# their own. An allocation that is too large fails, as it does in the program.
$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: $(FUZZ)/seeds
	@tools/need clang
	@$(MAKE) --no-print-directory $(FUZZ)/$*_fuzz
	@mkdir -p $(FUZZ)/$*
	ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=256 $(FUZZ)/$*_fuzz -dict=$(FUZZ)/dictionary -max_total_time=$(FUZZ_SECONDS) -runs=$(FUZZ_RUNS) -max_len=$(FUZZ_SIZE) \
	    -timeout=10 -rss_limit_mb=2048 -artifact_prefix=$(FUZZ)/ $(FUZZ)/$* \
	    $$([ -d $(FUZZ)/seeds-$* ] && echo $(FUZZ)/seeds-$* || echo $(FUZZ)/seeds)

fuzz: $(FUZZ_TARGETS:%=fuzz-%)

.PHONY: fuzz $(FUZZ_TARGETS:%=fuzz-%)
-include $(FUZZ_LIBRARY:.o=.d) $(FUZZ_TARGETS:%=$(FUZZ)/tests/fuzz/%_fuzz.d) $(FUZZ)/harness/inside/device/fatbin.d
# SPDX-License-Identifier: Apache-2.0
