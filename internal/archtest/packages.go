package archtest

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

func checkPackageComments(files []*File) (found []string) {
	first, hasComment := map[string]*File{}, map[string]bool{}
	for _, f := range files {
		if !f.Test {
			first[f.Package] = cmp.Or(first[f.Package], f)
			hasComment[f.Package] = hasComment[f.Package] || f.AST.Doc.Text() != ""
		}
	}
	for name, f := range first {
		if !hasComment[name] {
			found = append(found, f.find(f.AST.Name, "package %s has no comment; begin it with the purpose of the package", name))
		}
	}
	return found
}

// importGraph holds the imports between packages of this module, without tests.
type importGraph map[string]map[string]bool

func newImportGraph(files []*File) importGraph {
	graph := importGraph{}
	for _, f := range files {
		for _, spec := range f.AST.Imports {
			if pkg, isOurs := strings.CutPrefix(importPath(spec), Module+"/"); isOurs && !f.Test {
				if graph[f.Package] == nil {
					graph[f.Package] = map[string]bool{}
				}
				graph[f.Package][pkg] = true
			}
		}
	}
	return graph
}

// longestChain returns the longest chain of imports from a package. The compiler
// guarantees that the graph has no cycle.
func (g importGraph) longestChain(from string) (longest []string) {
	for next := range g[from] {
		if chain := g.longestChain(next); len(chain) > len(longest) {
			longest = chain
		}
	}
	return append([]string{from}, longest...)
}

// checkInterfaces finds more than one interface for ten structs, a sign of layers
// that do nothing.
func checkInterfaces(files []*File) (interfaces []string) {
	structs := 0
	for _, f := range files {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if t, ok := n.(*ast.TypeSpec); ok {
				switch t.Type.(type) {
				case *ast.StructType:
					structs++
				case *ast.InterfaceType:
					interfaces = append(interfaces, f.find(t, "interface %s", t.Name.Name))
				}
			}
			_, isFunction := n.(*ast.FuncDecl)
			return !isFunction && !f.Test
		})
	}
	if len(interfaces)*10 <= structs {
		return nil
	}
	return append(interfaces, fmt.Sprintf("%d interfaces for %d structs; at most one for ten", len(interfaces), structs))
}

// checkModules finds imports of modules that are not among the direct
// dependencies, and returns the dependencies that no file imports.
func checkModules(files []*File, direct []string) (undeclared, unused []string) {
	used := map[string]bool{}
	for _, f := range files {
		for _, spec := range f.AST.Imports {
			name := importPath(spec)
			host, _, _ := strings.Cut(name, "/")
			if !strings.Contains(host, ".") {
				continue
			}
			of := "" // the longest name, because modules can be within others
			for _, module := range direct {
				if isWithin(name, module) && len(module) > len(of) {
					of = module
				}
			}
			if of == "" {
				undeclared = append(undeclared, f.find(spec, "imports %s, which go.mod does not require directly: run go mod tidy", name))
				continue
			}
			used[of] = true
		}
	}
	return undeclared, slices.DeleteFunc(slices.Clone(direct), func(module string) bool { return used[module] })
}
