package archtest

import (
	"cmp"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
)

// rule is a rule for single files: its name in the tests, and the function that
// finds the places that break it.
type rule struct {
	name  string
	check func(*File) []Finding
}

var rules = []rule{
	{"packages import only what they may", checkImports},
	{"package names tell their purpose", checkPackageName},
	{"files are short", checkFileSize},
	{"functions are short and take few parameters", checkFunctions},
	{"no name begins with Get", checkGet},
	{"the caller passes the clock", checkClock},
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
func checkImports(f *File) []Finding {
	if f.Test {
		return nil // a test may use any package
	}
	r, _, ok := rowOf(f.Package)
	if !ok {
		return []Finding{f.find(f.AST.Name, "package %s has no row in the table of packages; add one with the packages that it may import", f.Package)}
	}
	hasIO := f.AST.Name.Name == "main" || !isWithin(f.Package, withoutIO...)
	var found []Finding
	for _, spec := range f.AST.Imports {
		name := importPath(spec)
		refuse := func(why string) {
			found = append(found, f.find(spec, "%s may not import %s: %s", f.Package, strings.TrimPrefix(name, Module+"/"), why))
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
	return found
}

// allows reports whether a package of the row may import pkg.
func (r *row) allows(from, pkg string) bool {
	switch {
	case pkg == "internal/stattest":
		return false // only for tests
	case slices.ContainsFunc(r.may, func(pattern string) bool { return matches(pattern, pkg) }):
		return true
	case strings.HasSuffix(r.name, "/…"):
		return isWithin(pkg, from)
	}
	own, _, _ := rowOf(pkg)
	return own.name == r.name
}

func checkPackageName(f *File) []Finding {
	for _, part := range strings.Split(f.Package, "/") {
		if slices.Contains(vagueNames, part) {
			return []Finding{f.find(f.AST.Name, "%q does not tell the purpose of the package; name it for what it owns", part)}
		}
	}
	if name := strings.TrimSuffix(f.AST.Name.Name, "_test"); name != "main" && name != path.Base(f.Package) {
		return []Finding{f.find(f.AST.Name, "package %s is in folder %s; both need the same name", name, f.Package)}
	}
	return nil
}

func checkFileSize(f *File) []Finding {
	if f.Test || f.Lines <= maxFileLines {
		return nil
	}
	return []Finding{f.find(f.AST.Name, "the file has %d lines; split it so that no file has more than %d", f.Lines, maxFileLines)}
}

func checkFunctions(f *File) []Finding {
	limit := maxFunctionLines
	if f.Test {
		limit = maxTestFunctionLines
	}
	var found []Finding
	for _, fn := range f.functions() {
		lines := fileSet.Position(fn.End()).Line - fileSet.Position(fn.Pos()).Line + 1
		if lines > limit {
			found = append(found, f.find(fn, "%s has %d lines; split it so that no function has more than %d", fn.Name.Name, lines, limit))
		}
		if n := fn.Type.Params.NumFields(); n > maxParameters {
			found = append(found, f.find(fn, "%s has %d parameters; combine related ones in a struct so that there are at most %d", fn.Name.Name, n, maxParameters))
		}
	}
	return found
}

func checkGet(f *File) (found []Finding) {
	for _, fn := range f.functions() {
		rest, isGet := strings.CutPrefix(fn.Name.Name, "Get")
		if !f.Test && isGet && !slices.Contains(demandedNames, fn.Name.Name) && (rest == "" || token.IsExported(rest)) {
			found = append(found, f.find(fn, "%s: name it for what it returns, without Get", fn.Name.Name))
		}
	}
	return found
}

func checkClock(f *File) []Finding {
	// Tests wait for other processes by the real clock.
	if f.Test || f.Package == "internal/stattest" || !strings.HasPrefix(f.Package, "internal/") || f.AST.Name.Name == "main" {
		return nil
	}
	var found []Finding
	for n := range ast.Preorder(f.AST) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		fn, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		if pkg, ok := fn.X.(*ast.Ident); ok && pkg.Name == "time" && (fn.Sel.Name == "Now" || fn.Sel.Name == "Since") {
			found = append(found, f.find(call, "calls time.%s; take the clock as an option (func() time.Time), with time.Now as its default", fn.Sel.Name))
		}
	}
	return found
}
