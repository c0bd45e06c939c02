package archtest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const root = "../.."

// TestRulesOfLayout checks every Go file of the project against the rules.
func TestRulesOfLayout(t *testing.T) {
	files := load(t)
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, f := range files {
				report(t, r.findings(f))
			}
		})
	}
	t.Run("packages have a comment", func(t *testing.T) { report(t, checkPackageComments(files)) })
	t.Run("one interface for ten structs at most", func(t *testing.T) { report(t, checkInterfaces(files)) })
	t.Run("chains of imports are short", func(t *testing.T) {
		graph := newImportGraph(files)
		for pkg := range graph {
			if chain := graph.longestChain(pkg); len(chain)-1 > maxImportDepth {
				t.Errorf("the chain of imports %s has %d steps, at most %d", strings.Join(chain, " → "), len(chain)-1, maxImportDepth)
			}
		}
	})
}

// TestTable checks that the rows of the table name packages that exist, and none of
// their own level or above.
func TestTable(t *testing.T) {
	for level, rows := range levels {
		for _, row := range rows {
			if _, err := os.Stat(filepath.Join(root, strings.TrimSuffix(row.name, "/…"))); err != nil {
				t.Errorf("the row of %s: %v", row.name, err)
			}
			for _, may := range row.may {
				if may == "internal/…" && level == len(levels)-1 {
					continue
				}
				_, below, ok := rowOf(strings.Replace(may, "/…", "/any", 1))
				if !ok {
					t.Errorf("%s may import %s, which has no row", row.name, may)
				} else if below >= level {
					t.Errorf("%s (level %d) may import %s (level %d): imports point down", row.name, level, may, below)
				}
			}
		}
	}
}

// TestDependencies checks that the direct dependencies are few and in use, and that
// NOTICE names every required module with its licence.
func TestDependencies(t *testing.T) {
	notice := read(t, "NOTICE")
	var direct []string
	for line := range strings.Lines(read(t, "go.mod")) {
		module, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || !strings.HasPrefix(line, "\t") || !strings.Contains(module, ".") {
			continue
		}
		if !strings.Contains(rest, "// indirect") {
			direct = append(direct, module)
		}
		if !strings.Contains(notice, "  "+module+" ") {
			t.Errorf("go.mod requires %s, but NOTICE does not name it; add it with its licence", module)
		}
	}
	if len(direct) > maxDependencies {
		t.Errorf("go.mod has %d direct dependencies, at most %d", len(direct), maxDependencies)
	}
	undeclared, unused := checkModules(load(t), direct)
	report(t, undeclared)
	for _, module := range unused {
		t.Errorf("go.mod requires %s, which no file imports: run go mod tidy", module)
	}
}

func TestModulesOfImports(t *testing.T) {
	f, err := Parse("internal/geo/geo.go", []byte("package geo\nimport (\n\"golang.org/x/text/language\"\n\"strings\"\n\"almanac/internal/stat\"\n)\n"))
	if err != nil {
		t.Fatal(err)
	}
	files := []*File{f}
	if got, _ := checkModules(files, []string{"golang.org/x/text"}); len(got) != 0 {
		t.Errorf("a package below a required module: found %v, want nothing", got)
	}
	if got, _ := checkModules(files, []string{"golang.org/x/tex"}); len(got) != 1 {
		t.Errorf("a package of another module: found %v, want one finding", got)
	}
	if _, got := checkModules(files, []string{"golang.org/x/text", "golang.org/x/net"}); !slices.Equal(got, []string{"golang.org/x/net"}) {
		t.Errorf("unused modules: got %v, want golang.org/x/net", got)
	}
}

// TestRules checks that each rule finds what breaks it and nothing else. Each file
// of testdata holds Go files of an invented project, each below a line
// "-- path --", and at its end, below "findings", what the rules find in them.
func TestRules(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var files []*File
			want := "no findings in the case"
			for _, part := range strings.Split("\n"+string(text), "\n-- ")[1:] {
				path, source, _ := strings.Cut(part, " --\n")
				if path == "findings" {
					want = source
					continue
				}
				f, err := Parse(path, []byte(source+"\n"))
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, f)
			}
			if got := findings(files); got != want {
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
		})
	}
}

// findings returns what all rules find in files, as sorted lines.
func findings(files []*File) string {
	var lines []string
	for _, f := range files {
		for _, r := range rules {
			lines = append(lines, r.findings(f)...)
		}
	}
	lines = append(lines, checkPackageComments(files)...)
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// TestSizes checks the limits for the sizes of files and functions.
func TestSizes(t *testing.T) {
	file := func(lines int) *File {
		f, err := Parse("internal/stat/long.go", []byte("package stat\n"+strings.Repeat("\n", lines-1)))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	function := func(lines int) *File {
		f, err := Parse("internal/stat/long.go", []byte("package stat\nfunc long() {"+strings.Repeat("\n", lines-1)+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, c := range []struct {
		name string
		got  []string
		want int
	}{
		{"a file of 450 lines", (&rule{check: checkFileSize}).findings(file(450)), 0},
		{"a file of 451 lines", (&rule{check: checkFileSize}).findings(file(451)), 1},
		{"a function of 60 lines", (&rule{check: checkFunctions}).findings(function(60)), 0},
		{"a function of 61 lines", (&rule{check: checkFunctions}).findings(function(61)), 1},
	} {
		if len(c.got) != c.want {
			t.Errorf("%s: found %v, want %d findings", c.name, c.got, c.want)
		}
	}
}

func TestLongestChain(t *testing.T) {
	graph := importGraph{"a": {"b": true, "d": true}, "b": {"c": true}, "c": {"d": true}}
	if got := strings.Join(graph.longestChain("a"), " "); got != "a b c d" {
		t.Errorf("got %q, want the longest chain a b c d", got)
	}
}

func TestInterfaces(t *testing.T) {
	source := "package stat\ntype reader interface{}\n" + strings.Repeat("type t struct{}\n", 9)
	for structs, want := range map[string]int{"": 2, "type t struct{}\n": 0} {
		f, err := Parse("internal/stat/stat.go", []byte(source+structs))
		if err != nil {
			t.Fatal(err)
		}
		if got := checkInterfaces([]*File{f}); len(got) != want {
			t.Errorf("one interface, nine structs and %q: found %v, want %d findings", structs, got, want)
		}
	}
}

// loadProject reads the project's files once for all tests.
var loadProject = sync.OnceValues(func() ([]*File, error) { return Load(os.DirFS(root)) })

func load(t *testing.T) []*File {
	t.Helper()
	files, err := loadProject()
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]bool{}
	for _, f := range files {
		packages[f.Package] = true
	}
	for _, must := range []string{"internal/stat", "internal/store", "internal/archtest"} {
		if !packages[must] {
			t.Fatalf("package %s was not read, only %v", must, slices.Sorted(maps.Keys(packages)))
		}
	}
	return files
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func report(t *testing.T, found []string) {
	t.Helper()
	for _, f := range found {
		t.Error(f)
	}
}
