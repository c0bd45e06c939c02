package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"almanac/internal/source/offices"
	"almanac/internal/stat"
)

// variablePrefix begins the environment variables of the program.
const variablePrefix = "ALMANAC_"

// otherVariables are no flags: the environment in which the tests, benchmarks and
// libraries of the project run has them, and they start the program.
var otherVariables = []string{
	"ALMANAC_BENCH", "ALMANAC_BENCH_DATASETS", "ALMANAC_BINARY", "ALMANAC_CLIENTS", "ALMANAC_ODD_URL", "ALMANAC_OTHER",
	"ALMANAC_PROGRAM", "ALMANAC_REQUIRE", "ALMANAC_SEARCH", "ALMANAC_SOAK", "ALMANAC_TESTDATA", "ALMANAC_URL",
}

// unsetEmptyVariables unsets the ALMANAC_ variables that are empty, because
// settings files often list all of them.
func unsetEmptyVariables() {
	for _, variable := range os.Environ() {
		if name, ok := strings.CutSuffix(variable, "="); ok && strings.HasPrefix(name, variablePrefix) {
			os.Unsetenv(name)
		}
	}
}

// checkVariables returns an error for ALMANAC_ variables that no command has: a
// misspelt one would have no effect, and nobody would notice. The values may be
// secret and are not part of the error.
func checkVariables(commands *kong.Application) error {
	known := variablesOf(commands.Node)
	var wrong []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, variablePrefix) || strings.HasPrefix(name, offices.KeyVariable("")) ||
			slices.Contains(known, name) || slices.Contains(otherVariables, name) {
			continue
		}
		if near := stat.Nearest(name, known); near != nil {
			name += " (did you mean " + near[0] + "?)"
		}
		wrong = append(wrong, name)
	}
	if wrong == nil {
		return nil
	}
	slices.Sort(wrong)
	return fmt.Errorf("unknown environment variable %s; almanac COMMAND --help shows the variables of a command", strings.Join(wrong, ", "))
}

// variablesOf returns the variables of the flags of a command and of those below it.
func variablesOf(n *kong.Node) (names []string) {
	for _, f := range n.Flags {
		names = append(names, f.Envs...)
	}
	for _, child := range n.Children {
		names = append(names, variablesOf(child)...)
	}
	return names
}
