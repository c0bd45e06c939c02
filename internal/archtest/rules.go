package archtest

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
)

// rule is a rule for single files: its name in the tests, whether it holds for tests
// too, and the function that reports what breaks it.
type rule struct {
	name  string
	tests bool
	check func(*File, reporter)
}

// reporter takes a place that breaks a rule: what is wrong and what would be right.
type reporter func(at ast.Node, format string, args ...any)

var rules = []rule{
	{"packages import only what they may", false, checkImports},
	{"package names tell their purpose", true, checkPackageName},
	{"files are short", false, checkFileSize},
	{"functions are short and take few parameters", true, checkFunctions},
	{"no name begins with Get", false, checkGet},
	{"the caller passes the clock", false, checkClock},
	{"exported names have a comment", false, checkComments},
}

// findings returns the places of a file that break the rule.
func (r *rule) findings(f *File) (found []string) {
	if !f.Test || r.tests {
		r.check(f, func(at ast.Node, format string, args ...any) { found = append(found, f.find(at, format, args...)) })
	}
	return found
}

// rowOf finds the row of a package, or that of the nearest package above it.
func rowOf(pkg string) (r row, level int, ok bool) {
	for l, rows := range levels {
		for _, candidate := range rows {
			parent := strings.TrimSuffix(candidate.name, "/…")
			isNearer := len(candidate.name) > len(r.name)
			if isWithin(pkg, parent) && isNearer && (parent == candidate.name || pkg != parent) {
				r, level, ok = candidate, l, true
			}
		}
	}
	return r, level, ok
}

// matches reports whether a pattern matches a path; "x/…" matches x and all below.
func matches(pattern, path string) bool {
	parent, isTree := strings.CutSuffix(pattern, "/…")
	return pattern == path || isTree && isWithin(path, parent)
}

// isWithin reports whether pkg is one of the parents or below one.
func isWithin(pkg string, parents ...string) bool {
	return slices.ContainsFunc(parents, func(parent string) bool { return pkg == parent || strings.HasPrefix(pkg, parent+"/") })
}

// checkImports checks imports against the table: those of this module, restricted
// ones, and those of packages without I/O.
func checkImports(f *File, report reporter) {
	r, _, ok := rowOf(f.Package)
	if !ok {
		report(f.AST.Name, "package %s has no row in the table of packages; add one with the packages that it may import", f.Package)
		return
	}
	hasIO := f.AST.Name.Name == "main" || !isWithin(f.Package, withoutIO...)
	for _, spec := range f.AST.Imports {
		name := importPath(spec)
		refuse := func(why string) {
			report(spec, "%s may not import %s: %s", f.Package, strings.TrimPrefix(name, Module+"/"), why)
		}
		if pkg, isOurs := strings.CutPrefix(name, Module+"/"); isOurs && !r.allows(f.Package, pkg) {
			refuse("it may import " + cmp.Or(strings.Join(r.may, ", "), "no package of this module"))
		}
		for _, limit := range restricted {
			if matches(limit.path, name) && !isWithin(f.Package, limit.packages...) {
				refuse(limit.why)
			}
		}
		if !hasIO && slices.Contains(ioImports, name) {
			refuse("callers pass what it reads")
		}
	}
}

// allows reports whether a package of the row may import pkg.
func (r *row) allows(from, pkg string) bool {
	switch {
	case isWithin(pkg, "internal/stattest"):
		return isWithin(from, "internal/stattest") // only for tests
	case slices.ContainsFunc(r.may, func(pattern string) bool { return matches(pattern, pkg) }):
		return true
	case strings.HasSuffix(r.name, "/…"):
		return isWithin(pkg, from)
	}
	own, _, _ := rowOf(pkg)
	return own.name == r.name
}

func checkPackageName(f *File, report reporter) {
	for _, part := range strings.Split(f.Package, "/") {
		if slices.Contains(vagueNames, part) {
			report(f.AST.Name, "%q does not tell the purpose of the package; name it for what it owns", part)
			return
		}
	}
	folder := path.Base(f.Package)
	if folder == "." {
		folder = Module
	}
	if name := strings.TrimSuffix(f.AST.Name.Name, "_test"); name != "main" && name != folder {
		report(f.AST.Name, "package %s is in folder %s; both need the same name", name, f.Package)
	}
}

func checkFileSize(f *File, report reporter) {
	if lines := fileSet.File(f.AST.Pos()).LineCount(); lines > maxFileLines {
		report(f.AST.Name, "the file has %d lines; split it so that no file has more than %d", lines, maxFileLines)
	}
}

func checkFunctions(f *File, report reporter) {
	limit := maxFunctionLines
	if f.Test {
		limit = maxTestFunctionLines
	}
	for _, fn := range f.functions() {
		if lines := f.line(fn.End()) - f.line(fn.Pos()) + 1; lines > limit {
			report(fn, "%s has %d lines; split it so that no function has more than %d", fn.Name.Name, lines, limit)
		}
		if n := fn.Type.Params.NumFields(); n > maxParameters {
			report(fn, "%s has %d parameters; combine related ones in a struct so that there are at most %d", fn.Name.Name, n, maxParameters)
		}
	}
}

func checkGet(f *File, report reporter) {
	for _, fn := range f.functions() {
		rest, isGet := strings.CutPrefix(fn.Name.Name, "Get")
		if isGet && !slices.Contains(requiredNames, fn.Name.Name) && (rest == "" || token.IsExported(rest)) {
			report(fn, "%s: name it for what it returns, without Get", fn.Name.Name)
		}
	}
}

func checkClock(f *File, report reporter) {
	// Tests wait for other processes by the real clock.
	if f.Package == "internal/stattest" || !strings.HasPrefix(f.Package, "internal/") || f.AST.Name.Name == "main" {
		return
	}
	for n := range ast.Preorder(f.AST) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		if name := types.ExprString(call.Fun); name == "time.Now" || name == "time.Since" {
			report(call, "calls %s; take the clock as an option (func() time.Time), with time.Now as its default", name)
		}
	}
}

// checkComments finds exported names without a comment. The comment of a group of
// constants or variables counts for all of them. The methods Error and String need
// none.
func checkComments(f *File, report reporter) {
	checkSpec := func(spec ast.Spec, comment string, names ...*ast.Ident) {
		if i := slices.IndexFunc(names, (*ast.Ident).IsExported); i >= 0 && comment == "" {
			report(spec, "%s has no comment; say what it is", names[i].Name)
		}
	}
	for _, decl := range f.AST.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name := decl.Name.Name
			if decl.Doc.Text() == "" && decl.Name.IsExported() && name != "Error" && name != "String" && (decl.Recv == nil || ast.IsExported(receiver(decl))) {
				report(decl, "%s has no comment; say what it promises", name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					checkSpec(spec, decl.Doc.Text()+spec.Doc.Text(), spec.Name)
				case *ast.ValueSpec:
					checkSpec(spec, decl.Doc.Text()+spec.Doc.Text()+spec.Comment.Text(), spec.Names...)
				}
			}
		}
	}
}
