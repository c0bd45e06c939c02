package archtest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// TestHouse holds every Go file of the project to the rules.
func TestHouse(t *testing.T) {
	files := load(t)
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, f := range files {
				report(t, r.check(f))
			}
		})
	}
	t.Run("packages have a comment", func(t *testing.T) { report(t, packagesWithoutComment(files)) })
	t.Run("one interface for ten structs at most", func(t *testing.T) { report(t, interfacesBesideStructs(files)) })
	t.Run("imports are at most five deep", func(t *testing.T) {
		if chain := deepest(imports(files)); len(chain)-1 > maxImportDepth {
			t.Errorf("%s: %d imports deep, at most %d", strings.Join(chain, " → "), len(chain)-1, maxImportDepth)
		}
	})
}

// TestTable holds the table itself to its promise: no room names one of its
// own level or above.
func TestTable(t *testing.T) {
	for level, rows := range levels {
		for _, row := range rows {
			for _, may := range row.may {
				if may == "internal/…" && level == len(levels)-1 {
					continue
				}
				_, below, ok := roomOf(strings.TrimSuffix(may, "/…"))
				if !ok {
					t.Errorf("%s may import %s, which is no room", row.name, may)
				} else if below >= level {
					t.Errorf("%s (level %d) may import %s (level %d): arrows point down", row.name, level, may, below)
				}
			}
		}
	}
}

// TestDependencies keeps the direct dependencies few and used, and each module
// that is linked named in NOTICE with its licence.
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
			t.Errorf("go.mod requires %s: name it with its licence in NOTICE", module)
		}
	}
	if len(direct) > maxDependencies {
		t.Errorf("go.mod has %d direct dependencies, at most %d", len(direct), maxDependencies)
	}
	report(t, undeclared(load(t), direct))
	for _, module := range unused(load(t), direct) {
		t.Errorf("go.mod requires %s, which no file imports: run go mod tidy", module)
	}
}

func TestModulesOfImports(t *testing.T) {
	f, err := Parse("internal/geo/geo.go", []byte("package geo\nimport (\n\"golang.org/x/text/language\"\n\"strings\"\n\"almanac/internal/stat\"\n)\n"))
	if err != nil {
		t.Fatal(err)
	}
	files := []*File{f}
	if got := undeclared(files, []string{"golang.org/x/text"}); len(got) != 0 {
		t.Errorf("a package below a required module: found %v, want nothing", got)
	}
	if got := undeclared(files, []string{"golang.org/x/tex"}); len(got) != 1 {
		t.Errorf("a package of another module: found %v, want one finding", got)
	}
	if got := unused(files, []string{"golang.org/x/text", "golang.org/x/net"}); !slices.Equal(got, []string{"golang.org/x/net"}) {
		t.Errorf("unused modules: got %v, want golang.org/x/net", got)
	}
}

// TestRules shows for every rule that it finds what breaks it and nothing
// else. Each file of testdata holds Go files of an imagined project, each below
// a line "-- path --", and last, as "findings", what the rules say of them.
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

// findings is what all rules say of files, a line each, in order.
func findings(files []*File) string {
	var lines []string
	for _, f := range files {
		for _, r := range rules {
			for _, found := range r.check(f) {
				lines = append(lines, found.String()+"\n")
			}
		}
	}
	for _, found := range packagesWithoutComment(files) {
		lines = append(lines, found.String()+"\n")
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// TestSizes proves the bounds of file and function sizes.
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
		got  []Finding
		want int
	}{
		{"a file of 499 lines", checkFileSize(file(499)), 0},
		{"a file of 500 lines", checkFileSize(file(500)), 1},
		{"a function of 100 lines", checkFunctionSize(function(100)), 0},
		{"a function of 101 lines", checkFunctionSize(function(101)), 1},
	} {
		if len(c.got) != c.want {
			t.Errorf("%s: found %v, want %d findings", c.name, c.got, c.want)
		}
	}
}

func TestDeepest(t *testing.T) {
	graph := map[string][]string{"a": {"b", "d"}, "b": {"c"}, "c": {"d"}, "d": nil}
	if got := strings.Join(deepest(graph), " "); got != "a b c d" {
		t.Errorf("deepest: got %q, want the longest chain a b c d", got)
	}
}

func TestInterfacesBesideStructs(t *testing.T) {
	source := "package stat\ntype reader interface{}\n" + strings.Repeat("type t struct{}\n", 9)
	for structs, want := range map[string]int{"": 2, "type t struct{}\n": 0} {
		f, err := Parse("internal/stat/stat.go", []byte(source+structs))
		if err != nil {
			t.Fatal(err)
		}
		if got := interfacesBesideStructs([]*File{f}); len(got) != want {
			t.Errorf("one interface, nine structs and %q: found %v, want %d findings", structs, got, want)
		}
	}
}

func load(t *testing.T) []*File {
	t.Helper()
	files, err := Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]bool{}
	for _, f := range files {
		packages[f.Package] = true
	}
	for _, must := range []string{"internal/stat", "internal/store", "internal/archtest"} {
		if !packages[must] {
			t.Fatalf("%s was not read, only %v: the walk is wrong", must, slices.Sorted(maps.Keys(packages)))
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

func report(t *testing.T, found []Finding) {
	t.Helper()
	for _, f := range found {
		t.Error(f)
	}
}
