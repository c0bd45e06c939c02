package archtest

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestArchitecture checks that what ARCHITECTURE.md names exists: each package, file
// and Go identifier in backquotes, and each path that begins a line of the tree at
// its top.
func TestArchitecture(t *testing.T) {
	known := collectNames(t, load(t))
	for _, problem := range known.missing(read(t, "ARCHITECTURE.md")) {
		t.Errorf("ARCHITECTURE.md names %s, which does not exist", problem)
	}
}

// TestPathsInDocs checks that the paths in backquotes on other pages exist, apart from
// those of the made-up office of the examples.
func TestPathsInDocs(t *testing.T) {
	paths := regexp.MustCompile("`((?:internal|cmd|bench|docs)/[^` ]*)`")
	known := collectNames(t, load(t))
	for _, page := range []string{"README.md", "CONTRIBUTING.md", "docs/add-a-format.md", "docs/add-a-source.md", "docs/storage.md"} {
		found := paths.FindAllStringSubmatch(read(t, page), -1)
		for _, path := range found {
			if !known.exists(path[1]) && !strings.Contains(path[1], "nso") {
				t.Errorf("%s names %s, which does not exist", page, path[1])
			}
		}
	}
}

func TestMissingNames(t *testing.T) {
	known := collectNames(t, load(t))
	for text, want := range map[string]string{
		"`internal/stat` and `format/* store` and `stat.go`": "",
		"`stat.Query`, `File`, `File.Path`, `--data`":        "",
		"`internal/nothing`":                                 "internal/nothing",
		"`nothing.go`":                                       "nothing.go",
		"`stat.Nothing`":                                     "stat.Nothing",
		"`Nonesuch`":                                         "Nonesuch",
		"`File.Nothing`":                                     "File.Nothing",
		"`wherewithal whatsoever`":                           "wherewithal whatsoever",
		"```\ninternal/stat  words\nnothing/…  words\n```\n": "nothing/…",
	} {
		if got := strings.Join(known.missing(text), " "); got != want {
			t.Errorf("%q: missing %q, want %q", text, got, want)
		}
	}
}

// names holds what exists in the project.
type names struct {
	paths       map[string]bool // of files and folders
	files       map[string]bool // base names of files
	packages    map[string]bool // names of packages
	identifiers map[string]bool // "Query", "stat.Query", "Query.From", "stat.Query.From"
	words       map[string]bool // identifiers and string literals in lower case
}

func collectNames(t *testing.T, files []*File) *names {
	t.Helper()
	n := &names{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && name == ".git" && entry.IsDir() {
			return fs.SkipDir
		}
		n.paths[name], n.files[path.Base(name)] = true, true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !f.Test {
			n.packages[path.Base(f.Package)] = true
			n.collect(f)
		}
	}
	return n
}

// collect adds what a file declares: types with their fields and methods,
// functions, constants and variables; and its string literals.
func (n *names) collect(f *File) {
	add := func(name string) {
		n.identifiers[name], n.identifiers[path.Base(f.Package)+"."+name] = true, true
		n.words[strings.ToLower(name[strings.LastIndex(name, ".")+1:])] = true
	}
	for node := range ast.Preorder(f.AST) {
		switch node := node.(type) {
		case *ast.FuncDecl:
			name := node.Name.Name
			if node.Recv != nil {
				add(name)
				name = receiver(node) + "." + name
			}
			add(name)
		case *ast.TypeSpec:
			add(node.Name.Name)
			for field := range ast.Preorder(node.Type) {
				if field, ok := field.(*ast.Field); ok {
					for _, name := range field.Names {
						add(name.Name)
						add(node.Name.Name + "." + name.Name)
					}
				}
			}
		case *ast.ValueSpec:
			for _, name := range node.Names {
				add(name.Name)
			}
		case *ast.BasicLit:
			if node.Kind == token.STRING {
				n.words[strings.ToLower(strings.Trim(node.Value, "\"`"))] = true
			}
		}
	}
}

var (
	fence      = regexp.MustCompile("(?s)```\n(.*?)```")
	treePath   = regexp.MustCompile(`(?m)^\S+`)
	quoted     = regexp.MustCompile("`([^`]+)`")
	identifier = regexp.MustCompile(`^[A-Za-z]\w*(\.[A-Z]\w*)*$`)
)

// missing returns the names in a text that do not exist in the project.
func (n *names) missing(text string) (list []string) {
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		for _, name := range treePath.FindAllString(block[1], -1) {
			if !n.paths[strings.TrimSuffix(name, "/…")] {
				list = append(list, name)
			}
		}
	}
	for _, code := range quoted.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		if strings.ContainsAny(code[1], "=(<{") {
			continue // a formula or a piece of code
		}
		for name := range strings.FieldsSeq(code[1]) {
			if !n.exists(name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// exists reports whether a name is a path, a file, a package or an identifier. A word
// of a command line, or the name of a file that the program writes, exists if it is
// an identifier or string literal of the program.
func (n *names) exists(name string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "…"), "*"), "/")
	switch {
	case n.paths[name], n.paths["internal/"+name], n.files[name], n.packages[name]:
		return true
	case strings.ContainsAny(name, "/"), strings.HasSuffix(name, ".go"):
		return false
	case identifier.MatchString(name) && strings.ToLower(name) != name:
		return n.identifiers[name]
	}
	return n.words[strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "")]
}
