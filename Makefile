# copycheck. `make help` explains the targets.
MAKEFLAGS += --no-builtin-rules
BUILD ?= build
CC = gcc
NVCC ?= nvcc
PTXAS ?= ptxas
CSTD = -std=c17 -D_GNU_SOURCE -I. -I$(BUILD)
WARN = -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers
CFLAGS ?= -O2 -g
# Hidden, so that no function of ours stands in for one of libc that the driver calls by the same name.
CSTD += -fvisibility=hidden
LDLIBS = -ldl -lpthread -lm

HARNESS = $(wildcard harness/*.c harness/emu/*.c expected/*.c)
CASES = $(filter-out tests/unit/% tests/selftest/%,$(wildcard tests/*/*.c))
OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(HARNESS) $(CASES)) $(BUILD)/suites.o
KERNELS = $(patsubst kernels/%.cu,%,$(wildcard kernels/*.cu))

all: $(BUILD)/copycheck kernels

kernels: $(KERNELS:%=$(BUILD)/kernels/%.cubin) $(BUILD)/kernels/index

# Which file holds an entry, and the toolkit that built them.
$(BUILD)/kernels/index: $(KERNELS:%=$(BUILD)/kernels/%.ptx)
	@sed -n 's|^// Cuda compilation tools, release .*, V|# toolkit |p' /dev/null $< > $@.part
	@for k in $(KERNELS); do sed -n "s|^.*\.entry \([A-Za-z0-9_]*\).*|\1 $$k|p" $(BUILD)/kernels/$$k.ptx; done >> $@.part
	@mv $@.part $@

$(BUILD)/copycheck: $(OBJECTS)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CFLAGS) $(WARN) -MMD -MP -c $< -o $@

$(BUILD)/suites.c: $(CASES)
	@mkdir -p $(@D)
	@{ echo '#include "harness/ck.h"'; names=$$(sed -n 's/^const struct ck_suite \([a-z0-9_]*\) .*/\1/p' /dev/null $(CASES)); \
	   for n in $$names; do echo "extern const struct ck_suite $$n;"; done; \
	   echo 'extern const struct ck_suite *const ck_suites[];'; \
	   echo 'const struct ck_suite *const ck_suites[] = {'; for n in $$names; do echo "    &$$n,"; done; echo '    NULL'; echo '};'; } > $@
$(BUILD)/suites.o: $(BUILD)/suites.c
	$(CC) $(CSTD) $(CFLAGS) $(WARN) -c $< -o $@

$(BUILD)/kernels/%.ptx: kernels/%.cu
	@mkdir -p $(@D)
	$(NVCC) -ptx -arch=sm_90a -lineinfo -I. -MD -MF $(@:.ptx=.d) -MT $@ $< -o $@
$(BUILD)/kernels/%.cubin: $(BUILD)/kernels/%.ptx
	$(PTXAS) -arch=sm_90a -lineinfo $< -o $@

include tools/test.mk

clean:
	rm -rf $(BUILD)

.PHONY: all kernels clean
.SECONDARY: $(KERNELS:%=$(BUILD)/kernels/%.ptx)
-include $(OBJECTS:.o=.d) $(KERNELS:%=$(BUILD)/kernels/%.d)
