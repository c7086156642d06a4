# Fuzzing with libFuzzer, under the address and undefined-behaviour sanitizers. Included by the Makefile.
#
#   make fuzz-ptx    the PTX parser and checker
#   make fuzz-emu    the emulator from text to the end of a launch
#   make fuzz-text   options of `copycheck check`, its spec files, tensor maps, record files
#
# Each runs for FUZZ_SECONDS, or FUZZ_RUNS executions; it collects the inputs that reach new code in build/fuzz/NAME.
FUZZ_SECONDS ?= 60
FUZZ_RUNS ?= -1
FUZZ_SIZE ?= 2048
FUZZ = $(BUILD)/fuzz
FUZZ_FLAGS = -std=gnu17 -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -I.
FUZZ_LIBRARY = $(patsubst %.c,$(FUZZ)/%.o,$(filter-out harness/commands/main.c,$(HARNESS)))
FUZZ_TARGETS = ptx emu text

$(FUZZ)/%.o: %.c
	@mkdir -p $(@D)
	$(call Q,CLANG)clang $(FUZZ_FLAGS) -D_GNU_SOURCE -MMD -MP -c $< -o $@

$(FUZZ)/library.a: $(FUZZ_LIBRARY)
	@rm -f $@
	@ar qcs $@ $^

$(FUZZ_TARGETS:%=$(FUZZ)/%_fuzz): $(FUZZ)/%_fuzz: $(FUZZ)/tests/fuzz/%_fuzz.o $(FUZZ)/library.a
	$(call Q,LINK )clang $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)

$(FUZZ)/seeds $(FUZZ)/dictionary &: tests/fuzz/seeds $(KERNEL_FILES:%=$(BUILD)/kernels/%.ptx)
	@tests/fuzz/seeds $(FUZZ) $(KERNEL_FILES:%=$(BUILD)/kernels/%.ptx) && touch $(FUZZ)/seeds

# The first folder is the corpus that libFuzzer adds to; the seeds are only read.
$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: $(FUZZ)/seeds
	@tools/need clang
	@$(MAKE) --no-print-directory $(FUZZ)/$*_fuzz
	@mkdir -p $(FUZZ)/$*
	$(FUZZ)/$*_fuzz -dict=$(FUZZ)/dictionary -max_total_time=$(FUZZ_SECONDS) -runs=$(FUZZ_RUNS) -max_len=$(FUZZ_SIZE) \
	    -timeout=10 -rss_limit_mb=2048 -artifact_prefix=$(FUZZ)/ $(FUZZ)/$* $(FUZZ)/seeds

fuzz: $(FUZZ_TARGETS:%=fuzz-%)

.PHONY: fuzz $(FUZZ_TARGETS:%=fuzz-%)
-include $(FUZZ_LIBRARY:.o=.d) $(FUZZ_TARGETS:%=$(FUZZ)/tests/fuzz/%_fuzz.d)
# SPDX-License-Identifier: Apache-2.0
