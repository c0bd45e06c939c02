package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"almanac/internal/stattest"
)

// TestGeneratedTypes compiles requests and answers of the types that openapi-typescript
// generates with its default options.
func TestGeneratedTypes(t *testing.T) {
	dir := t.TempDir()
	run(t, "node_modules/.bin/openapi-typescript", reference(t), "--output", filepath.Join(dir, "almanac.d.ts"))
	source, err := os.ReadFile("testdata/types.ts")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "types.ts"), source, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	run(t, "node_modules/.bin/tsc", "--strict", "--noEmit", "--target", "es2022", "--moduleResolution", "node", "--module", "es2022", filepath.Join(dir, "types.ts"))
}

// TestGeneratedGo compiles the client that oapi-codegen generates with its default options, and
// reads values with it, by the number of a dataset and by its source and code.
func TestGeneratedGo(t *testing.T) {
	dir, file := t.TempDir(), reference(t)
	if err := os.CopyFS(dir, os.DirFS("testdata/oapi-codegen")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "almanac"), 0o755); err != nil {
		t.Fatal(err)
	}
	there := exec.CommandContext(t.Context(), "go", "-C", dir, "tool", "oapi-codegen", "-version")
	there.Env = append(os.Environ(), "GOPROXY=off")
	if out, err := there.CombinedOutput(); err != nil {
		stattest.SkipOrFail(t, "oapi-codegen: "+err.Error()+"; clients/install.sh downloads its modules\n"+string(out))
	}
	run(t, "go", "-C", dir, "tool", "oapi-codegen", "-generate", "types,client", "-package", "almanac", "-o", "almanac/almanac.go", file)
	url, _ := demo(t)
	const values = "Life expectancy 2000 map[Germany:78.39 Japan:81.57]\n"
	if got := run(t, "go", "-C", dir, "run", ".", url); got != values+values {
		t.Errorf("the generated client read %q", got)
	}
}
