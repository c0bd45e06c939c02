package archtest

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
)

// rule is one rule of the house: its name as tests show it, and what finds
// the places of a file that break it.
type rule struct {
	name  string
	check func(*File) []Finding
}

var rules = []rule{
	{"packages import only what their row allows", checkOwnImports},
	{"libraries with a fence stay behind it", checkFences},
	{"rooms without I/O open nothing", checkIO},
	{"packages are named for what they own", checkPackageName},
	{"files stay under 500 lines", checkFileSize},
	{"functions stay under 100 lines", checkFunctionSize},
	{"functions take at most five parameters", checkParameters},
	{"exported names have a comment", checkComments},
	{"no name begins with Get", checkGet},
	{"the clock is handed in", checkClock},
}

// roomOf finds the row of a package, its own or that of the nearest room
// around it.
func roomOf(pkg string) (row room, level int, ok bool) {
	for l, rows := range levels {
		for _, r := range rows {
			if covers(r.name+"/…", pkg) && len(r.name) > len(row.name) {
				row, level, ok = r, l, true
			}
		}
	}
	return row, level, ok
}

// covers reports whether pattern names the path; "x/…" names x and all below.
func covers(pattern, path string) bool {
	if group, ok := strings.CutSuffix(pattern, "/…"); ok {
		return path == group || strings.HasPrefix(path, group+"/")
	}
	return pattern == path
}

// within reports whether pkg is one of the rooms or stands below one.
func within(pkg string, rooms []string) bool {
	return slices.ContainsFunc(rooms, func(r string) bool { return covers(r+"/…", pkg) })
}

// ours returns the package of ours that an import names.
func ours(spec *ast.ImportSpec) (pkg string, ok bool) {
	return strings.CutPrefix(importPath(spec), Module+"/")
}

func checkOwnImports(f *File) []Finding {
	if f.Test {
		return nil // a test may need the real thing from anywhere
	}
	row, _, known := roomOf(f.Package)
	if !known {
		return []Finding{f.find(f.AST.Name, "package %s has no row in the table of rooms; give it one that says what it may import", f.Package)}
	}
	var found []Finding
	for _, spec := range f.Imports() {
		pkg, own := ours(spec)
		if !own || f.mayImport(row, pkg) {
			continue
		}
		found = append(found, f.find(spec, "%s may not import %s; it may import %s", f.Package, pkg, orNothing(row.may)))
	}
	return found
}

// mayImport reports whether the file's package, of the given row, may import
// pkg: what the row names, and what belongs to the same room.
func (f *File) mayImport(row room, pkg string) bool {
	if pkg == "internal/stattest" {
		return false // it is for tests
	}
	if slices.ContainsFunc(row.may, func(m string) bool { return covers(m, pkg) }) {
		return true
	}
	sameRoom := covers(row.name+"/…", pkg)
	if slices.Contains(siblings, row.name) {
		// A sibling may use the room itself, its grounds, and what is below the
		// sibling; a codec below a sibling may use the core that it is below.
		return pkg == row.name || slices.Contains(grounds, pkg) || covers(f.Package+"/…", pkg) || covers(pkg+"/…", f.Package)
	}
	return sameRoom
}

func orNothing(names []string) string {
	if len(names) == 0 {
		return "nothing of ours"
	}
	return strings.Join(names, ", ")
}

func checkFences(f *File) []Finding {
	if f.Test {
		return nil
	}
	var found []Finding
	for _, spec := range f.Imports() {
		for _, fence := range fences {
			if covers(fence.path, importPath(spec)) && !within(f.Package, fence.rooms) {
				found = append(found, f.find(spec, "%s may not import %s: %s", f.Package, importPath(spec), fence.why))
			}
		}
	}
	return found
}

func checkIO(f *File) []Finding {
	if f.Test || f.AST.Name.Name == "main" || !within(f.Package, withoutIO) {
		return nil
	}
	var found []Finding
	for _, spec := range f.Imports() {
		if slices.Contains(io, importPath(spec)) {
			found = append(found, f.find(spec, "%s may not import %s: it is handed what it reads", f.Package, importPath(spec)))
		}
	}
	return found
}

func checkPackageName(f *File) []Finding {
	for _, part := range strings.Split(f.Package, "/") {
		if slices.Contains(drawers, part) {
			return []Finding{f.find(f.AST.Name, "%q is a drawer, not a room; name the package for what it owns", part)}
		}
	}
	if name := strings.TrimSuffix(f.AST.Name.Name, "_test"); name != "main" && name != path.Base(f.Package) {
		return []Finding{f.find(f.AST.Name, "package %s stands in folder %s; both should have one name", name, f.Package)}
	}
	return nil
}

func checkFileSize(f *File) []Finding {
	if f.Test || f.Lines < maxFileLines {
		return nil
	}
	return []Finding{f.find(f.AST.Name, "the file has %d lines; split it so that each stays under %d", f.Lines, maxFileLines)}
}

func checkFunctionSize(f *File) []Finding {
	var found []Finding
	for _, decl := range f.AST.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		lines := f.fset.Position(fn.End()).Line - f.fset.Position(fn.Pos()).Line + 1
		if lines > maxFunctionLines {
			found = append(found, f.find(fn, "%s has %d lines; give its parts names of their own so that none has over %d", fn.Name.Name, lines, maxFunctionLines))
		}
	}
	return found
}

func checkParameters(f *File) []Finding {
	var found []Finding
	for _, decl := range f.AST.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Type.Params.NumFields() > maxParameters {
			found = append(found, f.find(fn, "%s takes %d parameters; put those that belong together into a struct, at most %d", fn.Name.Name, fn.Type.Params.NumFields(), maxParameters))
		}
	}
	return found
}

func checkGet(f *File) []Finding {
	var found []Finding
	for _, decl := range f.AST.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || f.Test {
			continue
		}
		rest, get := strings.CutPrefix(fn.Name.Name, "Get")
		if get && (rest == "" || token.IsExported(rest)) {
			found = append(found, f.find(fn, "%s: name it for what it returns, without Get", fn.Name.Name))
		}
	}
	return found
}

func checkClock(f *File) []Finding {
	if f.Test || !strings.HasPrefix(f.Package, "internal/") || f.AST.Name.Name == "main" {
		return nil
	}
	var found []Finding
	ast.Inspect(f.AST, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if pkg, ok := fn.X.(*ast.Ident); ok && pkg.Name == "time" && (fn.Sel.Name == "Now" || fn.Sel.Name == "Since") {
			found = append(found, f.find(call, "calls time.%s; take the clock as an option (func() time.Time), with time.Now as its default", fn.Sel.Name))
		}
		return true
	})
	return found
}
