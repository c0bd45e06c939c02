// Package archtest checks the layout of the code: which package may import which,
// how things are named, and how large they may grow. Its test parses all Go files
// of the module.
//
// The table of packages and libraries is in table.go; rules.go and packages.go
// have one function for each rule. Another test checks that what ARCHITECTURE.md
// names exists.
package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"strings"
)

// Module is the path of this module.
const Module = "almanac"

// File is one Go file.
type File struct {
	Path    string // from the module's root: "internal/stat/period.go"
	Package string // its folder: "internal/stat"; "." is the root
	Test    bool   // *_test.go
	AST     *ast.File
}

// find returns a finding at a node of the file:
// "internal/stat/period.go:12: what is wrong and what would be right".
func (f *File) find(at ast.Node, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: %s", f.Path, f.line(at.Pos()), fmt.Sprintf(format, args...))
}

func (f *File) line(at token.Pos) int { return fileSet.Position(at).Line }

func (f *File) functions() (list []*ast.FuncDecl) {
	for _, decl := range f.AST.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			list = append(list, fn)
		}
	}
	return list
}

// receiver returns the name of a method's type without its type parameters.
func receiver(method *ast.FuncDecl) string {
	name, _, _ := strings.Cut(types.ExprString(method.Recv.List[0].Type), "[")
	return strings.TrimPrefix(name, "*")
}

func importPath(spec *ast.ImportSpec) string { return strings.Trim(spec.Path.Value, "\"`") }

// Load parses every Go file below root, except in folders that the go command
// ignores (testdata, names that begin with a dot or an underscore).
func Load(root fs.FS) (files []*File, err error) {
	err = fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if entry.IsDir() && name != "." && (base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
			return fs.SkipDir
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f, err := Parse(name, source)
		files = append(files, f)
		return err
	})
	return files, err
}

// fileSet contains the positions of all parsed files.
var fileSet = token.NewFileSet()

// Parse parses the source of the file at name, a path from the root.
func Parse(name string, source []byte) (*File, error) {
	tree, err := parser.ParseFile(fileSet, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &File{Path: name, Package: path.Dir(name), Test: strings.HasSuffix(name, "_test.go"), AST: tree}, nil
}
