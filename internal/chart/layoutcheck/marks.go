package layoutcheck

import "almanac/internal/chart/scene"

// TestingT is the part of *testing.T and *rapid.T that Report needs.
type TestingT interface {
	Helper()
	Errorf(format string, args ...any)
}

// Report fails the test if a picture is hard to read.
func Report(t TestingT, sc *scene.Scene) {
	t.Helper()
	for _, problem := range Check(sc) {
		t.Errorf("%s", problem)
	}
}

// Marks returns the marks with a role, in drawing order.
func Marks(sc *scene.Scene, role string) []scene.Mark {
	var found []scene.Mark
	for _, m := range sc.Marks {
		if m.Tags().Role == role {
			found = append(found, m)
		}
	}
	return found
}

// Texts returns the texts with a role, in drawing order.
func Texts(sc *scene.Scene, role string) []string {
	var found []string
	for _, m := range Marks(sc, role) {
		if text, ok := m.(*scene.Text); ok {
			found = append(found, text.Text)
		}
	}
	return found
}
