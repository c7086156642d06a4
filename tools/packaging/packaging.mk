# Installing and packing. Included by the Makefile.
#
#   make install      into PREFIX (default /usr/local), below DESTDIR; make uninstall takes it away again
#   make dist, dist-labs, dist-labs-teacher   folders for machines without a toolkit
#   make deb          Debian packages, build/deb/*.deb; MAINTAINER='NAME <ADDRESS>' answers for them
#   make wheel        the Python package, build/wheel/*.whl
#   make sbom         what a package holds and needs, as SPDX: build/copycheck.spdx.json
#   make reproducible builds the commit in two folders and compares what they install; WHAT="build/copycheck": these alone
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
PACKAGING = tools/packaging

# ---- install ----

# In single quotes: PREFIX, DESTDIR and KERNELS may hold spaces.
PLACE = '$(DESTDIR)$(PREFIX)/lib/copycheck'
LIBRARIES = '$(DESTDIR)$(LIBDIR)'
SHARE = '$(DESTDIR)$(PREFIX)/share'
MAN = $(SHARE)/man/man1
# The folders where shells look for completions.
BASH_WORDS = $(SHARE)/bash-completion/completions
ZSH_WORDS = $(SHARE)/zsh/site-functions
FISH_WORDS = $(SHARE)/fish/vendor_completions.d

# The link is relative, so that it leads to the program whatever PREFIX and DESTDIR are.
install: all
	install -d $(PLACE)/kernels $(PLACE)/expected/recorded '$(DESTDIR)$(PREFIX)/bin'
	install $(BUILD)/copycheck $(PLACE)/
	install -m 644 $(BUILD)/kernels/*.ptx $(BUILD)/kernels/*.cubin $(BUILD)/kernels/index $(PLACE)/kernels/
	install -m 644 expected/recorded/* $(PLACE)/expected/recorded/
	tools/copy-labs student $(PLACE)/labs && chmod -R u+rwX,go+rX,go-w $(PLACE)/labs
	install -d $(PLACE)/inside $(PLACE)/capture '$(DESTDIR)$(PREFIX)/include' $(LIBRARIES)/pkgconfig
	install -m 644 $(BUILD)/inside/lib*.so* $(PLACE)/inside/
	install $(BUILD)/inside/ptxas $(PLACE)/inside/
	install -m 644 $(BUILD)/capture/libcuda.so.1 $(PLACE)/capture/
	install -m 644 $(BUILD)/libcopycheck.so.1 $(LIBRARIES)/
	ln -sfn libcopycheck.so.1 $(LIBRARIES)/libcopycheck.so
	install -m 644 harness/library/copycheck.h '$(DESTDIR)$(PREFIX)/include/'
	install -d $(PLACE)/slurm
	install tools/slurm/submit tools/slurm/node tools/slurm/merge tools/slurm/prolog $(PLACE)/slurm/
	install -m 644 tools/slurm/nhc.conf tools/kubernetes/job.yaml $(PLACE)/slurm/
	tools/pkg-config-file '$(PREFIX)' '$(LIBDIR)' > $(LIBRARIES)/pkgconfig/copycheck.pc
	chmod 644 $(LIBRARIES)/pkgconfig/copycheck.pc
	ln -sfn ../lib/copycheck/copycheck '$(DESTDIR)$(PREFIX)/bin/copycheck'
	rm -rf $(BUILD)/packaging
	$(PACKAGING)/manual $(BUILD)/copycheck $(BUILD)/packaging/man
	$(PACKAGING)/completion $(BUILD)/copycheck $(BUILD)/packaging/completion
	install -d $(MAN) $(BASH_WORDS) $(ZSH_WORDS) $(FISH_WORDS) $(SHARE)/doc/copycheck
	install -m 644 $(BUILD)/packaging/man/*.1 $(MAN)/
	install -m 644 $(BUILD)/packaging/completion/bash/copycheck $(BASH_WORDS)/
	install -m 644 $(BUILD)/packaging/completion/zsh/_copycheck $(ZSH_WORDS)/
	install -m 644 $(BUILD)/packaging/completion/fish/copycheck.fish $(FISH_WORDS)/
	install -m 644 LICENSE CHANGELOG.md README.md docs/*.md $(SHARE)/doc/copycheck/

uninstall:
	rm -rf $(PLACE) $(SHARE)/doc/copycheck
	rm -f '$(DESTDIR)$(PREFIX)/bin/copycheck' '$(DESTDIR)$(PREFIX)/include/copycheck.h' \
	    $(LIBRARIES)/libcopycheck.so $(LIBRARIES)/libcopycheck.so.1 $(LIBRARIES)/pkgconfig/copycheck.pc \
	    $(MAN)/copycheck.1 $(MAN)/copycheck-*.1 \
	    $(BASH_WORDS)/copycheck $(ZSH_WORDS)/_copycheck $(FISH_WORDS)/copycheck.fish

# ---- folders ----

DIST = $(BUILD)/copycheck-dist

dist: all
	@rm -rf $(DIST) && mkdir -p $(DIST)/kernels $(DIST)/expected/recorded
	@cp $(BUILD)/copycheck LICENSE $(DIST)/ && cp $(BUILD)/kernels/*.ptx $(BUILD)/kernels/*.cubin $(BUILD)/kernels/index $(DIST)/kernels/
	@cp expected/recorded/* $(DIST)/expected/recorded/
	@$(PACKAGING)/archive $(DIST)

dist-labs: $(BUILD)/copycheck
	@BUILD=$(BUILD) tools/dist-labs student $(BUILD)/copycheck-labs

dist-labs-teacher: $(BUILD)/copycheck
	@BUILD=$(BUILD) tools/dist-labs teacher $(BUILD)/copycheck-labs-teacher

# ---- packages ----

# The Python package with the library in it, without its debugging symbols.
wheel: $(PUBLIC_LIBRARY)
	@strip -o $(BUILD)/libcopycheck.stripped.so $(PUBLIC_LIBRARY)
	@tools/wheel $(BUILD)/libcopycheck.stripped.so $(VERSION) $(BUILD)/wheel

deb: all
	@tools/need dpkg-dev debhelper
	@BUILD=$(BUILD) $(PACKAGING)/deb

sbom: all
	@tools/need python3
	@rm -rf $(BUILD)/sbom && $(MAKE) -s -o all install DESTDIR='$(abspath $(BUILD))/sbom' PREFIX=/usr LIBDIR=/usr/lib
	@$(PACKAGING)/sbom $(BUILD)/sbom > $(BUILD)/copycheck.spdx.json.part
	@mv $(BUILD)/copycheck.spdx.json.part $(BUILD)/copycheck.spdx.json && echo $(BUILD)/copycheck.spdx.json

reproducible:
	@$(PACKAGING)/reproducible $(WHAT)

.PHONY: install uninstall dist dist-labs dist-labs-teacher wheel deb sbom reproducible
# SPDX-License-Identifier: Apache-2.0
