# Builds kernels with other toolkits, for the engine gpu@VERSION. Included by the Makefile.
#
# make kernels TOOLKITS="12.4 13.5" builds them into build/kernels@VERSION if there is a GPU to run them;
# make toolkit-kernels builds them on any machine.

# Tile kernels, kernels/cuda_tile, are machine code only, and compiled by toolkits from 13.3 on.
TILE_FILES = $(patsubst kernels/cuda_tile/%.cu,%,$(wildcard kernels/cuda_tile/*.cu))
TILE_OPTIONS = --enable-tile -tile-only -std=c++20 -arch=sm_90 -cubin -I.
# Prints the index lines of the tile kernels among the files given: an entry has a section of its own, .text.NAME. So a
# macro may make entries.
TILE_ENTRIES = for f in $(filter %.cubin,$(1)) ''; do [ -z "$$f" ] || tr -c 'A-Za-z0-9_.' '\n' < $$f | \
    sed -n "s|^\.text\.\([A-Za-z0-9_]*\)$$|\1 $$(basename $$f .cubin)|p" | sort -u; done

# Each kernel file has a log with a line for each entry that this toolkit cannot build. The index has only the others.
define KERNELS_WITH
$(BUILD)/kernels@$(1)/%.log: kernels/%.cu $(BUILD)/kernels/%.ptx | build/toolkits/$(1)/bin/ptxas
	@tools/kernel-with build/toolkits/$(1) $$^ $$(@:.log=.cubin) $$@
$(BUILD)/kernels@$(1)/listing_%.log: $(BUILD)/listings/listing_%.cu $(BUILD)/kernels/listing_%.ptx | build/toolkits/$(1)/bin/ptxas
	@tools/kernel-with build/toolkits/$(1) $$^ $$(@:.log=.cubin) $$@
$(BUILD)/kernels@$(1)/index: $(BUILD)/kernels/index $(KERNEL_FILES:%=$(BUILD)/kernels@$(1)/%.log)
	@awk -F '[\t ]' 'FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.log$$$$/, "", file) } \
	    FILENAME ~ /log$$$$/ { missing[$$$$1 == "*" ? "* " file : $$$$1] = 1; next } \
	    /^#/ { print "# toolkit $(1)"; next } \
	    !($$$$1 in missing) && !("* " $$$$2 in missing)' $$(filter %.log,$$^) $$< > $$@.part
	@$$(call TILE_ENTRIES,$$^) >> $$@.part && mv $$@.part $$@
endef
$(foreach toolkit,$(TOOLKITS),$(eval $(call KERNELS_WITH,$(toolkit))))

TILE_TOOLKITS = $(filter-out 12.% 13.0 13.1 13.2,$(TOOLKITS))
define TILE_WITH
$(BUILD)/kernels@$(1)/cuda_tile_%.cubin: kernels/cuda_tile/%.cu $(wildcard kernels/cuda_tile/*.cuh) | build/toolkits/$(1)/bin/ptxas
	$$(call Q,TILE )mkdir -p $$(@D); build/toolkits/$(1)/bin/nvcc $(TILE_OPTIONS) $$< -o $$@
$(BUILD)/kernels@$(1)/index: $(TILE_FILES:%=$(BUILD)/kernels@$(1)/cuda_tile_%.cubin)
endef
$(foreach toolkit,$(TILE_TOOLKITS),$(eval $(call TILE_WITH,$(toolkit))))

# Kernels in cuTile Python, kernels/cutile, where tools/toolkit cutile-VERSION has fetched its compiler.
CUTILE = $(lastword $(sort $(wildcard build/toolkits/cutile-*)))
define CUTILE_WITH
$(BUILD)/kernels@$(1)/cuda_tile_py_%.cubin: kernels/cutile/%.py tools/cutile-kernel | build/toolkits/$(1)/bin/ptxas
	$$(call Q,CUTILE )mkdir -p $$(@D); tools/cutile-kernel $(CUTILE) build/toolkits/$(1) $$< $$@
$(BUILD)/kernels@$(1)/index: $(patsubst kernels/cutile/%.py,$(BUILD)/kernels@$(1)/cuda_tile_py_%.cubin,$(wildcard kernels/cutile/*.py))
endef
$(if $(CUTILE),$(foreach toolkit,$(TILE_TOOLKITS),$(eval $(call CUTILE_WITH,$(toolkit)))))

# This machine's own toolkit, where it has a compiler of CUDA Tile.
ifneq ($(wildcard $(dir $(NVCC))tileiras),)
$(BUILD)/kernels/cuda_tile_%.cubin: kernels/cuda_tile/%.cu $(wildcard kernels/cuda_tile/*.cuh)
	$(call Q,TILE )$(FOLDER) $(NVCC) $(TILE_OPTIONS) $< -o $@
$(BUILD)/kernels/index: $(TILE_FILES:%=$(BUILD)/kernels/cuda_tile_%.cubin)
endif

build/toolkits/%/bin/ptxas:
	@tools/need python3 python3-pip
	@tools/toolkit $*

toolkit-kernels: $(TOOLKITS:%=$(BUILD)/kernels@%/index)
kernels: $(if $(wildcard /dev/nvidiactl),toolkit-kernels)

.PHONY: toolkit-kernels
.SECONDARY: $(TOOLKITS:%=build/toolkits/%/bin/ptxas)
# SPDX-License-Identifier: Apache-2.0
