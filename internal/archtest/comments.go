package archtest

import (
	"go/ast"
	"strings"
)

// checkComments finds exported names without a comment. A comment on a group
// of constants or variables holds for all of it. Methods need one if their
// type is exported, but for the two whose names promise all: Error and String.
func checkComments(f *File) []Finding {
	if f.Test {
		return nil
	}
	var found []Finding
	for _, decl := range f.AST.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if needsComment(decl) && !commented(decl.Doc) {
				found = append(found, f.find(decl, "%s has no comment; say what it promises", decl.Name.Name))
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if name := exportedName(spec); name != "" && !commented(decl.Doc) && !commented(specComments(spec)...) {
					found = append(found, f.find(spec, "%s has no comment; say what it is", name))
				}
			}
		}
	}
	return found
}

func commented(groups ...*ast.CommentGroup) bool {
	for _, g := range groups {
		if strings.TrimSpace(g.Text()) != "" {
			return true
		}
	}
	return false
}

func needsComment(fn *ast.FuncDecl) bool {
	if !fn.Name.IsExported() {
		return false
	}
	if fn.Recv == nil {
		return true
	}
	return ast.IsExported(receiver(fn)) && fn.Name.Name != "Error" && fn.Name.Name != "String"
}

// receiver is the name of the type that a method belongs to.
func receiver(fn *ast.FuncDecl) string {
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// exportedName is the first exported name that a type, constant or variable
// specification declares, "" if there is none.
func exportedName(spec ast.Spec) string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() {
			return spec.Name.Name
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.IsExported() {
				return name.Name
			}
		}
	}
	return ""
}

func specComments(spec ast.Spec) []*ast.CommentGroup {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []*ast.CommentGroup{spec.Doc, spec.Comment}
	case *ast.ValueSpec:
		return []*ast.CommentGroup{spec.Doc, spec.Comment}
	}
	return nil
}

// packagesWithoutComment finds packages none of whose files says what the
// package is. Packages of tests alone need none.
func packagesWithoutComment(files []*File) []Finding {
	said := map[string]bool{}
	first := map[string]*File{}
	for _, f := range files {
		if f.Test {
			continue
		}
		if first[f.Package] == nil {
			first[f.Package] = f
		}
		said[f.Package] = said[f.Package] || commented(f.AST.Doc)
	}
	var found []Finding
	for pkg, f := range first {
		if !said[pkg] {
			found = append(found, f.find(f.AST.Name, "package %s has no comment; open it with its idea", pkg))
		}
	}
	return found
}
