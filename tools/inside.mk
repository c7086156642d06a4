# The library that `copycheck exec` starts a program with: an emulated device behind CUDA's driver and runtime API.
# Included by the Makefile. It needs the headers of a toolkit.
INSIDE = $(wildcard harness/inside/*.c harness/inside/*/*.c harness/inside/*/*/*.c)
# What of the harness is in it too: the emulator and what check says of a result.
INSIDE_HARNESS = $(wildcard harness/emu/*.c harness/emu/*/*.c harness/emu/*/*/*.c expected/*.c harness/base/*.c) \
    harness/maps/picture.c harness/maps/svg.c harness/check/about.c harness/check/fold.c harness/check/gather.c harness/check/said.c harness/check/said_lines.c harness/check/said_tools.c harness/check/schedules.c
INSIDE_OBJECTS = $(patsubst %.c,$(BUILD)/pic/%.o,$(INSIDE) $(INSIDE_HARNESS))
# The second is still to come on a machine without nvcc: what includes its headers waits for $(NVCC).
CUDA_INCLUDE = $(firstword $(wildcard $(dir $(NVCC))../include) $(CURDIR)/build/toolkits/$(FALLBACK)/include)
INSIDE_LIBRARY = $(BUILD)/inside/libcopycheck-inside.so

inside: $(INSIDE_LIBRARY) $(BUILD)/inside/libcuda.so.1 $(BUILD)/inside/libcudart.so.12 $(BUILD)/inside/libcudart.so.13 $(BUILD)/inside/ptxas

# What Triton calls.
$(BUILD)/inside/ptxas: harness/inside/ptxas
	@mkdir -p $(@D) && cp $< $@

# Position-independent, with everything hidden but the functions of the API.
$(BUILD)/pic/%.o: %.c | $(NVCC)
	$(call Q,CC   )$(FOLDER) $(CC) $(filter-out -fno-pie,$(CSTD)) -fPIC -isystem $(CUDA_INCLUDE) $(CFLAGS) $(WARN) -MMD -MP -c $< -o $@

$(BUILD)/inside/names.c: $(INSIDE_OBJECTS) harness/inside/runtime/names harness/inside/driver/names \
    harness/inside/driver/same harness/inside/libraries/names tools/inside-names
	@mkdir -p $(@D) && tools/inside-names harness/inside/runtime/names harness/inside/driver/names harness/inside/driver/same harness/inside/libraries/names $(filter $(BUILD)/pic/harness/inside/%,$(INSIDE_OBJECTS)) > $@.part && mv $@.part $@

$(BUILD)/inside/names.o: $(BUILD)/inside/names.c
	$(call Q,CC   )$(CC) $(filter-out -fno-pie,$(CSTD)) -fPIC $(CFLAGS) -c $< -o $@

# Without undefined names: the program would meet them at run time. Its functions call one another, whatever another
# library of the process has under their names: copycheck capture's, where this device is the one that it looks at.
$(INSIDE_LIBRARY): $(INSIDE_OBJECTS) $(BUILD)/inside/names.o
	$(call Q,LINK )$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-z,defs -Wl,-Bsymbolic-functions -Wl,-soname,$(@F) -o $@ $^ -ldl -lpthread -lm

# Under the names that programs look for: empty, with the versions that they ask for.
$(BUILD)/inside/libcuda.so.1: $(INSIDE_LIBRARY)
	@$(CC) -s -shared -Wl,-z,now -Wl,--no-as-needed -Wl,-soname,libcuda.so.1 -Wl,-rpath,'$$ORIGIN' -o $@ -x c /dev/null -x none $<
$(BUILD)/inside/libcudart.so.%: $(INSIDE_LIBRARY)
	@echo 'libcudart.so.$* { };' > $@.map && $(CC) -s -shared -Wl,-z,now -Wl,--no-as-needed -Wl,-soname,libcudart.so.$* -Wl,-rpath,'$$ORIGIN' \
	    -Wl,--version-script,$@.map -o $@ -x c /dev/null -x none $< && rm $@.map

.PHONY: inside
-include $(INSIDE_OBJECTS:.o=.d)

# Of a room that is in no other program.
$(BUILD)/tests/unit/fatbin_test.o: CSTD += -isystem $(CUDA_INCLUDE)
$(BUILD)/tests/unit/fatbin_test: $(BUILD)/tests/unit/fatbin_test.o $(BUILD)/pic/harness/inside/device/fatbin.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)

# ---- what `copycheck capture` puts between a program and its driver ----

INJECT = $(wildcard harness/inject/*.c)
INJECT_OBJECTS = $(patsubst %.c,$(BUILD)/pic/%.o,$(INJECT) harness/capture/capture.c harness/inside/device/fatbin.c \
    harness/inside/device/link.c $(wildcard harness/base/*.c harness/emu/ptx/*.c) $(wildcard expected/*.c))
INJECT_LIBRARY = $(BUILD)/capture/libcuda.so.1

inside: $(INJECT_LIBRARY)

$(BUILD)/capture/names.S: $(INJECT_OBJECTS) harness/inside/driver/names tools/inject-names
	@mkdir -p $(@D) && tools/inject-names harness/inside/driver/names $(filter $(BUILD)/pic/harness/inject/%,$(INJECT_OBJECTS)) > $@.part && mv $@.part $@

# An object that the linker's driver made of it would have a temporary name, which stays in the library.
$(BUILD)/capture/names.o: $(BUILD)/capture/names.S
	$(call Q,CC   )$(CC) $(CSTD) $(CFLAGS) -c $< -o $@

# Of a name of its own: the driver's library, which it opens, is not taken for it.
$(INJECT_LIBRARY): $(INJECT_OBJECTS) $(BUILD)/capture/names.o
	$(call Q,LINK )$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-z,defs -Wl,-soname,libcopycheck-capture.so -o $@ $^ -ldl -lpthread -lm

-include $(INJECT_OBJECTS:.o=.d)

# What it remembers, without what stands before a driver.
$(BUILD)/tests/unit/inject_test.o: CSTD += -isystem $(CUDA_INCLUDE)
$(BUILD)/tests/unit/inject_test: $(BUILD)/tests/unit/inject_test.o $(filter-out %/inject/driver.o %/inject/find.o %/inject/graphs.o %/inject/launch.o %/inject/parts.o %/inject/real.o,$(INJECT_OBJECTS))
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)
# What it does with calls, before a driver that is the test's.
$(BUILD)/tests/unit/inject_launch_test.o $(BUILD)/tests/unit/inject_graph_test.o: CSTD += -isystem $(CUDA_INCLUDE)
$(BUILD)/tests/unit/inject_launch_test $(BUILD)/tests/unit/inject_graph_test: %: %.o $(filter-out %/inject/real.o,$(INJECT_OBJECTS))
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)

# ---- libcopycheck: harness/library/copycheck.h ----

PUBLIC_OBJECTS = $(patsubst %.c,$(BUILD)/pic/%.o,$(wildcard harness/library/*.c harness/check/*.c harness/capture/*.c \
    harness/picture/*.c harness/maps/*.c harness/base/*.c harness/emu/*.c harness/emu/*/*.c harness/emu/*/*/*.c expected/*.c))
PUBLIC_LIBRARY = $(BUILD)/libcopycheck.so.1

library: $(PUBLIC_LIBRARY)

# Only what its header declares is seen from outside.
$(PUBLIC_LIBRARY): $(PUBLIC_OBJECTS) tools/library.map
	$(call Q,LINK )$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-z,defs -Wl,-soname,libcopycheck.so.1 -Wl,--version-script,tools/library.map \
	    -o $@ $(PUBLIC_OBJECTS) -ldl -lpthread -lm
	@ln -sf $(@F) $(@D)/libcopycheck.so

# As another program would be linked.
$(BUILD)/tests/unit/library_test: $(BUILD)/tests/unit/library_test.o $(PUBLIC_LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $< -Wl,-rpath,'$$ORIGIN/../..' -L$(BUILD) -lcopycheck -lcmocka -lpthread -no-pie

$(BUILD)/pic/harness/library/%.o: CSTD += -fvisibility=default
$(BUILD)/pic/harness/picture/page.o: $(wildcard harness/picture/*.html harness/picture/*.css harness/picture/*.js)

.PHONY: library
-include $(PUBLIC_OBJECTS:.o=.d)

# For `make lint`: the objects of these rooms, where those of all others are.
APART_OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(INSIDE) $(INJECT) $(wildcard harness/library/*.c))
$(APART_OBJECTS): CSTD += -isystem $(CUDA_INCLUDE)
$(APART_OBJECTS): | $(NVCC)
$(BUILD)/harness/library/%.o: CSTD += -fvisibility=default
graph-objects: $(APART_OBJECTS)
cuda-include:
	@echo $(CUDA_INCLUDE)
.PHONY: cuda-include
-include $(APART_OBJECTS:.o=.d)
# SPDX-License-Identifier: Apache-2.0
