# Builds kernels with other toolkits, for the engine gpu@VERSION. Included by the Makefile.
#
# make kernels TOOLKITS="12.4 13.5" builds them into build/kernels@VERSION if there is a GPU to run them;
# make toolkit-kernels builds them on any machine.

# Each kernel file has a log with a line for each entry that this toolkit cannot build. The index has only the others.
define KERNELS_WITH
$(BUILD)/kernels@$(1)/%.log: kernels/%.cu $(BUILD)/kernels/%.ptx | build/toolkits/$(1)/bin/ptxas
	@tools/kernel-with build/toolkits/$(1) $$^ $$(@:.log=.cubin) $$@
$(BUILD)/kernels@$(1)/index: $(BUILD)/kernels/index $(KERNEL_FILES:%=$(BUILD)/kernels@$(1)/%.log)
	@awk -F '[\t ]' 'FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.log$$$$/, "", file) } \
	    FILENAME ~ /log$$$$/ { missing[$$$$1 == "*" ? "* " file : $$$$1] = 1; next } \
	    /^#/ { print "# toolkit $(1)"; next } \
	    !($$$$1 in missing) && !("* " $$$$2 in missing)' $$(filter %.log,$$^) $$< > $$@.part && mv $$@.part $$@
endef
$(foreach toolkit,$(TOOLKITS),$(eval $(call KERNELS_WITH,$(toolkit))))

build/toolkits/%/bin/ptxas:
	@tools/need python3 python3-pip
	@tools/toolkit $*

toolkit-kernels: $(TOOLKITS:%=$(BUILD)/kernels@%/index)
kernels: $(if $(wildcard /dev/nvidiactl),toolkit-kernels)

.PHONY: toolkit-kernels
.SECONDARY: $(TOOLKITS:%=build/toolkits/%/bin/ptxas)
