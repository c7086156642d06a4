# The sweep of every form of every ordinary instruction: docs/alu-sweep.md. Included by the Makefile.

SWEEP = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/alu_sweep*.c))

$(BUILD)/alu_sweep: $(SWEEP) $(BUILD)/library.a
	$(call Q,LINK )$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tools/alu_sweep_forms.o: tools/alu_sweep_forms.def tools/alu_sweep_wgmma.def

test-programs: $(BUILD)/alu_sweep

record-alu:
	@$(MAKE) --no-print-directory $(PARALLEL) $(BUILD)/alu_sweep
	@tools/record-alu

.PHONY: record-alu
-include $(SWEEP:.o=.d)
# SPDX-License-Identifier: Apache-2.0
