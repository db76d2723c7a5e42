# What the projects' Makefiles share. A project names its SOURCES; then
#   make                      builds the program
#   make compile_commands.json    writes what raddle, clangd and others read
#   BUG=1 make …              the same with the bug
CC ?= cc
CFLAGS ?= -std=gnu17 -g -Wall -Wextra
OUT ?= build
DEFINES = $(if $(BUG),-DBUG)
PROGRAM = $(notdir $(CURDIR))

$(OUT)/$(PROGRAM): $(SOURCES) $(wildcard *.h)
	@mkdir -p $(OUT)
	$(CC) $(CFLAGS) $(DEFINES) $(SOURCES) -pthread -lm -o $@

comma := ,
compile_commands.json: $(OUT)/compile_commands.json
$(OUT)/compile_commands.json: FORCE
	@mkdir -p $(OUT)
	@{ echo '['; first=1; for s in $(SOURCES); do \
	    test $$first || echo ','; first=; \
	    printf ' {"directory": "%s", "file": "%s", "command": "%s"}' \
	        "$(CURDIR)" "$$s" "$(CC) $(CFLAGS) $(DEFINES) -c $$s"; \
	done; echo; echo ']'; } > $@

FORCE:
clean:
	rm -rf build
.PHONY: clean FORCE compile_commands.json
