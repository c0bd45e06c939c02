package archtest

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// imports is which package of ours imports which, tests left out.
func imports(files []*File) map[string][]string {
	graph := map[string][]string{}
	for _, f := range files {
		if f.Test {
			continue
		}
		for _, spec := range f.Imports() {
			if pkg, own := ours(spec); own && !slices.Contains(graph[f.Package], pkg) {
				graph[f.Package] = append(graph[f.Package], pkg)
			}
		}
	}
	return graph
}

// deepest is the longest chain of imports. The graph has no cycle: the
// compiler sees to that.
func deepest(graph map[string][]string) []string {
	known := map[string][]string{}
	var from func(pkg string) []string
	from = func(pkg string) []string {
		if chain, ok := known[pkg]; ok {
			return chain
		}
		var longest []string
		for _, next := range graph[pkg] {
			if chain := from(next); len(chain) > len(longest) {
				longest = chain
			}
		}
		known[pkg] = append([]string{pkg}, longest...)
		return known[pkg]
	}
	var longest []string
	for _, pkg := range slices.Sorted(maps.Keys(graph)) {
		if chain := from(pkg); len(chain) > len(longest) {
			longest = chain
		}
	}
	return longest
}

// interfacesBesideStructs finds that there are more interfaces than one for
// ten structs: the sign of layers that do nothing.
func interfacesBesideStructs(files []*File) []Finding {
	var interfaces []Finding
	structs := 0
	for _, f := range files {
		if f.Test {
			continue
		}
		for _, decl := range f.AST.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				t, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				switch t.Type.(type) {
				case *ast.StructType:
					structs++
				case *ast.InterfaceType:
					interfaces = append(interfaces, f.find(t, "interface %s", t.Name.Name))
				}
			}
		}
	}
	if len(interfaces)*10 <= structs {
		return nil
	}
	return append(interfaces, Finding{"all of it", fmt.Sprintf("%d interfaces for %d structs; at most one for ten", len(interfaces), structs)})
}

// undeclared finds imports of modules that are not among the direct
// dependencies.
func undeclared(files []*File, direct []string) []Finding {
	var found []Finding
	for _, f := range files {
		for _, spec := range f.Imports() {
			name := importPath(spec)
			host, _, _ := strings.Cut(name, "/")
			if strings.Contains(host, ".") && !slices.ContainsFunc(direct, func(m string) bool { return covers(m+"/…", name) }) {
				found = append(found, f.find(spec, "imports %s, which go.mod does not require directly: run go mod tidy", name))
			}
		}
	}
	return found
}

// unused returns the direct dependencies that no file imports.
func unused(files []*File, direct []string) []string {
	return slices.DeleteFunc(slices.Clone(direct), func(module string) bool {
		return slices.ContainsFunc(files, func(f *File) bool {
			return slices.ContainsFunc(f.Imports(), func(spec *ast.ImportSpec) bool {
				return covers(module+"/…", importPath(spec))
			})
		})
	})
}
