package archtest

import (
	"fmt"
	"go/ast"
	"go/doc"
	"maps"
	"slices"
	"strings"
)

// checkComments finds packages and exported names without a comment. The comment
// of a group of constants or variables counts for all of them. The methods Error
// and String need none.
func checkComments(files []*File) (found []Finding) {
	packages := map[string][]*File{}
	for _, f := range files {
		if !f.Test {
			packages[f.Package] = append(packages[f.Package], f)
		}
	}
	for name, files := range packages {
		var trees []*ast.File
		places := map[string]*File{}
		for _, f := range files {
			trees = append(trees, f.AST)
			places[f.Path] = f
		}
		p, err := doc.NewFromFiles(fileSet, trees, Module+"/"+name, doc.AllDecls|doc.PreserveAST)
		if err != nil {
			found = append(found, files[0].find(files[0].AST, "%v", err))
			continue
		}
		lacks := func(node ast.Node, text, advice string) {
			f := places[fileSet.Position(node.Pos()).Filename]
			found = append(found, f.find(node, "%s has no comment; %s", text, advice))
		}
		if strings.TrimSpace(p.Doc) == "" {
			lacks(files[0].AST.Name, "package "+name, "begin it with the purpose of the package")
		}
		funcs, values := p.Funcs, slices.Concat(p.Consts, p.Vars)
		for _, t := range p.Types {
			if t.Doc == "" && ast.IsExported(t.Name) {
				lacks(t.Decl, t.Name, "say what it is")
			}
			if ast.IsExported(t.Name) {
				funcs = append(funcs, t.Methods...)
			}
			funcs, values = append(funcs, t.Funcs...), slices.Concat(values, t.Consts, t.Vars)
		}
		for _, fn := range funcs {
			if fn.Doc == "" && ast.IsExported(fn.Name) && fn.Name != "Error" && fn.Name != "String" && fn.Level == 0 {
				lacks(fn.Decl, fn.Name, "say what it promises")
			}
		}
		for _, v := range values {
			for _, spec := range v.Decl.Specs {
				spec := spec.(*ast.ValueSpec)
				exported := slices.IndexFunc(spec.Names, (*ast.Ident).IsExported)
				if v.Doc == "" && spec.Doc == nil && spec.Comment == nil && exported >= 0 {
					lacks(spec, spec.Names[exported].Name, "say what it is")
				}
			}
		}
	}
	return found
}

// importGraph returns the imports between packages of this module, without tests.
func importGraph(files []*File) map[string][]string {
	graph := map[string][]string{}
	for _, f := range files {
		for _, spec := range f.AST.Imports {
			if pkg, isOurs := strings.CutPrefix(importPath(spec), Module+"/"); isOurs && !f.Test {
				graph[f.Package] = append(graph[f.Package], pkg)
			}
		}
	}
	return graph
}

// longestChain returns the longest chain of imports. The compiler guarantees that
// the graph has no cycle.
func longestChain(graph map[string][]string) (longest []string) {
	known := map[string][]string{}
	var from func(pkg string) []string
	from = func(pkg string) []string {
		if known[pkg] == nil {
			var rest []string
			for _, next := range graph[pkg] {
				if chain := from(next); len(chain) > len(rest) {
					rest = chain
				}
			}
			known[pkg] = append([]string{pkg}, rest...)
		}
		return known[pkg]
	}
	for _, pkg := range slices.Sorted(maps.Keys(graph)) {
		if chain := from(pkg); len(chain) > len(longest) {
			longest = chain
		}
	}
	return longest
}

// checkInterfaces finds more than one interface for ten structs, a sign of layers
// that do nothing.
func checkInterfaces(files []*File) []Finding {
	var interfaces []Finding
	structs := 0
	for _, f := range files {
		for _, decl := range f.AST.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || f.Test {
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
	return append(interfaces, Finding{"module", fmt.Sprintf("%d interfaces for %d structs; at most one for ten", len(interfaces), structs)})
}

// checkModules finds imports of modules that are not among the direct
// dependencies, and returns the dependencies that no file imports.
func checkModules(files []*File, direct []string) (undeclared []Finding, unused []string) {
	used := map[string]bool{}
	for _, f := range files {
		for _, spec := range f.AST.Imports {
			name := importPath(spec)
			host, _, _ := strings.Cut(name, "/")
			if !strings.Contains(host, ".") {
				continue
			}
			at := slices.IndexFunc(direct, func(module string) bool { return isWithin(name, module) })
			if at < 0 {
				undeclared = append(undeclared, f.find(spec, "imports %s, which go.mod does not require directly: run go mod tidy", name))
				continue
			}
			used[direct[at]] = true
		}
	}
	return undeclared, slices.DeleteFunc(slices.Clone(direct), func(module string) bool { return used[module] })
}
